"""URLs in running text and their one canonical form; repositories out of code hosts' URLs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

_ASCII = r"!#$%&'()*+,\-./0-9:;=?@A-Z_a-z~\[\]"
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
# Letters of CJK scripts end a URL, except where a path segment or a value begins with them.
_REST = rf"(?:[/?#][{_ASCII}]*(?:(?<=[^/][/=])(?<!//)[{_CJK}][{_CJK}{_ASCII}]*)?)?"
_HOSTS = (
    r"arxiv\.org|alphaxiv\.org|ar5iv\.org|papers\.cool|huggingface\.co|hf\.co|doi\.org|github\.com|gitlab\.com"
    r"|openalex\.org|pubmed\.ncbi\.nlm\.nih\.gov|semanticscholar\.org"
)
_URL = re.compile(
    rf"(?:https?://[A-Za-z0-9.\-:@\[\]_~%]+|(?<![\w.@/-])www\.[A-Za-z0-9][A-Za-z0-9.\-]*\.[A-Za-z]{{2,}}"
    rf"|(?<![\w.@/-])(?:[a-z]+\.)?(?:{_HOSTS})(?=/)){_REST}",
    re.IGNORECASE,
)
_PARTS = re.compile(r"(?:https?://)?([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.IGNORECASE | re.DOTALL)
_HOST_NOISE = re.compile(r"^(?:www\.)+|:(?:80|443)$")
_TRACKING = re.compile(
    r"(?:utm_\w*|(?:fb|g|y|d)clid|msclkid|gad_source|wbraid|gbraid|igshid|igsh|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|spm|scm"
    r"|vd_source|share_\w+|sharer_\w+|mpshare|chksm|srcid|ref|ref_(?:src|url)|referrer|trk|cmpid|ck_subscriber_id)",
    re.IGNORECASE,
)
_BADGES = re.compile(
    r"(?:img\.|raster\.)?shields\.io|badge(?:n|r)?\.(?:fury\.io|net|fyi)|badgen\.net|badges\.\w+\.\w+|codecov\.io"
    r"|coveralls\.io|travis-ci\.(?:org|com)|api\.star-history\.com|starchart\.cc|visitor-badge\.\S+"
)
_CODE_HOSTS = frozenset({"github.com", "gitee.com", "codeberg.org", "bitbucket.org"})
_NOT_OWNERS = re.compile(
    r"about|apps|blog|codespaces|collections|contact|customer-stories|dashboard|enterprise|events|explore|features|gist"
    r"|issues|join|login|marketplace|new|notifications|orgs|pricing|pulls|readme|search|security|settings|signup|site"
    r"|sponsors|stars|team|topics|trending|users",
    re.IGNORECASE,
)
_OWN_PAGES = frozenset({"issues", "pull", "pulls", "discussions", "merge_requests"})
_REPO_PATH = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class Url(NamedTuple):
    """A URL as it stands at `[start, end)`."""

    start: int
    end: int
    printed: str


def may_hold(text: str) -> bool:
    """False for texts without any URL: decided without a regular expression."""
    return "/" in text and ("://" in text or ".org/" in text or ".co" in text or "www." in text or "nih.gov/" in text)


def find_urls(text: str) -> tuple[Url, ...]:
    """URLs of a text, also without scheme on well-known hosts, ending before punctuation that is not theirs."""
    return _found(text) if may_hold(text) else ()


@lru_cache(maxsize=256)  # ids and paths are looked for in the same texts
def _found(text: str) -> tuple[Url, ...]:
    found = ((match.start(), trimmed(match.group())) for match in _URL.finditer(text))
    return tuple(Url(start, start + len(printed), printed) for start, printed in found if len(printed) > 10)


def trimmed(printed: str) -> str:
    """Without trailing punctuation, emphasis and brackets that were opened before it."""
    cut = printed.find("](")
    end = len(printed) if cut < 0 else cut
    surplus = {close: printed.count(close, 0, end) - printed.count(open_, 0, end) for open_, close in ("()", "[]")}
    while end and (printed[end - 1] in ".,;:!?'*" or surplus.get(printed[end - 1], 0) > 0):
        end -= 1
        if printed[end] in surplus:
            surplus[printed[end]] -= 1
    return printed[:end]


def split(url: str) -> tuple[str, str, str, str]:
    """Host (small letters, no user, standard port or `www.`), path, query, fragment."""
    found = _PARTS.match(url)
    host, path, query, fragment = found.groups() if found else ("", "", "", "")
    host = host.rpartition("@")[2].lower().rstrip(".")
    host = _HOST_NOISE.sub("", host)
    return host, path, query or "", fragment or ""


def canonical(url: str) -> str:
    """The one URL of a page: https, no `www.`, tracking, fragment or closing slash; letters decoded, query in order."""
    host, path, query, fragment = split(url)
    path = _decoded(path).rstrip("/")
    kept = sorted(_decoded(pair) for pair in query.split("&") if pair and not _TRACKING.fullmatch(pair.split("=")[0]))
    tail = "?" + "&".join(kept) if kept else ""
    # A fragment that holds a route names another page.
    return f"https://{host}{path}{tail}" + (f"#{fragment}" if fragment.startswith(("/", "!")) else "")


def _decoded(part: str) -> str:
    """Percent-encoded letters beyond ASCII decoded, hex digits in capitals: two spellings of a path become one."""
    return _ESCAPED.sub(_decode, part) if "%" in part else part


_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_PLAIN = re.compile(r"[\w.~-]+")


def _decode(found: re.Match[str]) -> str:
    text = unquote_to_bytes(found.group()).decode("utf-8", "replace")
    if "\ufffd" in text:
        return found.group().upper()
    return "".join(c if _PLAIN.fullmatch(c) else "".join(f"%{b:02X}" for b in c.encode()) for c in text)


def is_badge(url: str) -> bool:
    """True for status badges, which mention nothing of their own."""
    host, path, _, _ = split(url)
    return bool(_BADGES.fullmatch(host)) or path.endswith("/badge.svg") or "/badges/" in path


def repository(host: str, path: str) -> str:
    """`https://host/owner/name` in small letters when a code host's URL lies in a repository, else ""."""
    parts = [p for p in path.split("/") if p]
    if host in {"raw.githubusercontent.com", "codeload.github.com"}:
        host = "github.com"
    elif host == "api.github.com" and parts[:1] == ["repos"]:
        host, parts = "github.com", parts[1:]
    if host in _CODE_HOSTS:
        if len(parts) > 3 and parts[2] in _OWN_PAGES:
            return ""
        parts = parts[:2]
    elif host.startswith("gitlab."):
        parts = _gitlab(parts)
    else:
        return ""
    return _named(host, parts)


def _gitlab(parts: list[str]) -> list[str]:
    """Group, subgroups and project, up to the dash or the first page of the project."""
    if "-" in parts:
        at = parts.index("-")
        numbered = len(parts) > at + 2 and parts[at + 1] in _OWN_PAGES
        return [] if numbered else parts[:at]
    return parts[: next((i for i, p in enumerate(parts) if i > 1 and p in ("tree", "blob", "raw", "commits")), 4)]


def _named(host: str, parts: list[str]) -> str:
    if len(parts) < 2 or _NOT_OWNERS.fullmatch(parts[0]) or not all(map(_REPO_PATH.fullmatch, parts)):
        return ""
    name = parts[-1].removesuffix(".git")
    return "/".join(("https:/", host, *parts[:-1], name)).lower() if name else ""
