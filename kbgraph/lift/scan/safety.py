"""Keys and tokens in a text, by their shape; `instructions` come from the module of that name."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from kbgraph.lift.scan.found import Secret
from kbgraph.lift.scan.instructions import instructions
from kbgraph.lift.scan.matching import Matcher, matcher_of, per_lexicon
from kbgraph.model.lexicon import Lexicon

__all__ = ("instructions", "masked", "secrets")

# Prefixes that issuers put before their tokens, with the alphabet and least length of what follows.
_ISSUED = (
    ("github-token", r"(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{50,255})"),
    ("gitlab-token", r"glpat-[A-Za-z0-9_\-]{20,64}"),
    ("api-key", r"sk-(?:proj-|ant-|or-|svcacct-|live-|[a-z0-9]{2,12}-)*[A-Za-z0-9_\-]{20,200}"),
    ("hugging-face-token", r"hf_[A-Za-z0-9]{30,60}"),
    ("aws-key", r"(?:AKIA|ASIA)[A-Z0-9]{16}"),
    ("google-key", r"AIza[A-Za-z0-9_\-]{35}"),
    ("slack-token", r"xox[abeoprs]-[A-Za-z0-9-]{20,120}"),
    ("stripe-key", r"[rsp]k_(?:live|test)_[A-Za-z0-9]{20,120}"),
    ("npm-token", r"npm_[A-Za-z0-9]{36}"),
    ("pypi-token", r"pypi-[A-Za-z0-9_\-]{50,250}"),
    ("json-web-token", r"eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{10,}"),
    ("private-key", r"-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"),
)
_TOKEN = re.compile("|".join(f"(?P<k{i}>(?<![A-Za-z0-9_]){shape})" for i, (_, shape) in enumerate(_ISSUED)))
_HINT = re.compile(
    r"gh[pousr]_|github_pat_|glpat-|sk-|hf_|AKIA|ASIA|AIza|xox|k_live_|k_test_|npm_|pypi-|eyJ|-----BEGIN"
)
# `password = …` and the like: the name of the variable is syntax of configuration files and command lines.
_VALUE = r"[\"']?\s{0,2}(?::=|=>|[=:：])\s{0,2}[\"'`]?(?P<value>[^\s\"'`,;<>{}()（），。；]{8,256})"
_ASSIGNED = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z0-9_.-]{0,40}(?:passw(?:or)?d|passwd|secret|token|api[_-]?key|access[_-]?key"
    rf"|private[_-]?key|credential){_VALUE}",
    re.IGNORECASE,
)
_NAMED = re.compile(_VALUE)
# What such a value needs at least: most colons of a text are followed by shorter words.
_SOME_VALUE = re.compile(r"(?:=>|[=:：])\s{0,2}[\"'`]?[^\s\"'`,;<>{}()（），。；]{8}")
_PLACEHOLDER = re.compile(r"example|sample|dummy|placeholder|your|change.?me|redacted|x{4}", re.IGNORECASE)
_BEARER = re.compile(
    r"(?:Bearer|Authorization:\s?(?:token|Basic))\s+(?P<value>[A-Za-z0-9_\-.=+/]{20,512})", re.IGNORECASE
)
_IN_URL = re.compile(r"://[^\s/:@]{1,64}:(?P<value>[^\s/:@]{6,128})@")
_HEX = re.compile(r"[0-9a-fA-F-]+")
_REFERENCE = re.compile(r"\$|%[A-Z]|os\.|process\.|env\b|get_?env|https?://|\.{3}|…|/|\w+\(")
_PREFIXED = re.compile(r"[A-Za-z]{2,10}[_-]")
_REPEATED = re.compile(r"(.)\1{4,}|^(..?.?)\2{3,}")


def secrets(text: str, lexicon: Lexicon | None = None) -> tuple[Secret, ...]:
    """Keys and tokens in a text, masked; hashes, references and placeholders are none. The lexicon adds names."""
    found: list[Secret] = []
    if ("_" in text or "-" in text or "A" in text or "xox" in text or "eyJ" in text) and _HINT.search(text):
        found += _issued(text)
    if "=" in text or ":" in text or "：" in text:
        for match in _assigned(text, lexicon):
            start, end = match.span("value")
            value = match["value"].rstrip(".")
            if not any(s.start < end and start < s.end for s in found) and _is_random(value):
                found.append(Secret("assigned", start, start + len(value), masked(value)))
    return tuple(sorted(found, key=lambda s: s.start)) if found else ()


def _assigned(text: str, lexicon: Lexicon | None) -> Iterator[re.Match[str]]:
    valued = _SOME_VALUE.search(text)
    if valued:
        yield from _ASSIGNED.finditer(text)
    low = text.lower()
    if "earer" in low or "authorization" in low:
        yield from _BEARER.finditer(text)
    if "://" in text:
        yield from _IN_URL.finditer(text)
    for hit in _names(lexicon).find(text) if valued and lexicon else ():
        if match := _NAMED.match(text, hit.end):
            yield match


@per_lexicon
def _names(lexicon: Lexicon) -> Matcher:
    return matcher_of(lexicon, "secret")


def _issued(text: str) -> Iterator[Secret]:
    for match in _TOKEN.finditer(text):
        kind = _ISSUED[int((match.lastgroup or "k0")[1:])][0]
        value = match.group()
        if kind in {"private-key", "json-web-token"} or _is_unlike_words(value):
            yield Secret(kind, *match.span(), masked(value))


def masked(value: str) -> str:
    """The first characters, never more than a fifth of it, and dots."""
    return value[: min(4, len(value) // 5)] + "\u2026" + "\u2022" * 4


def _entropy(value: str) -> float:
    """Bits per character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def _is_unlike_words(value: str) -> bool:
    """False for placeholders in a token's shape: few different characters, repeats, no digit among many letters."""
    body = value.split("_" if "_" in value[:8] else "-", 1)[-1] if _PREFIXED.match(value) else value[4:]
    return (
        _entropy(body) > 3.0 and _mixed(body) and not _REPEATED.search(body.lower()) and not _PLACEHOLDER.search(value)
    )


def _mixed(value: str) -> bool:
    kinds = (str.isdigit, str.isupper, str.islower)
    return sum(any(map(kind, value)) for kind in kinds) > 1


def _is_random(value: str) -> bool:
    """True for a value that a person would not write as a word, a path or a reference to another place."""
    if _REFERENCE.search(value) or _REPEATED.search(value.lower()) or "*" in value or _PLACEHOLDER.search(value):
        return False
    if _HEX.fullmatch(value) and len(value) in {32, 36, 40, 64, 128}:
        return False
    strong = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return strong and _entropy(value) > (3.0 if len(value) >= 16 else 2.7)
