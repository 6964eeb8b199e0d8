"""arXiv identifiers: what their digits mean, and where they stand in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from kbgraph.lift.scan.found import Confidence
from kbgraph.model.text import Mark

BASE = "https://arxiv.org/abs/"
# Longer names first: math-ph before math.
ARCHIVE = (
    r"acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|dg-ga"
    r"|econ|eess|funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|math|mtrl-th|nlin|nucl-ex|nucl-th|patt-sol"
    r"|physics|plasm-ph|q-alg|q-bio|q-fin|quant-ph|solv-int|stat|supr-con"
)
_CLASSIC = re.compile(rf"(?<![A-Za-z0-9.\-])({ARCHIVE})(?:\.[A-Za-z]{{2}})?/([0-9]{{5,9}})(?![0-9])", re.IGNORECASE)
_SLASHED = re.compile("/[0-9]{5}")  # stands in each of these
_MODERN = re.compile(r"(?<![0-9])([0-9]{4})\.([0-9]{1,9})(?![0-9])")
# A version right after the number; after a space or comma only when nothing makes it another word.
_VERSION = re.compile(
    r"[_ ]?[vV]([0-9]{1,2})(?![0-9])|\s?[,，、]\s?[vV]([0-9]{1,2})(?![\w.-])|\s?[（(]\s?[vV]([0-9]{1,2})\s?[)）]"
)
_SPACED = re.compile(r" [vV][0-9]{1,2}(?:[\w-]|\.[0-9])")
_STRONG = re.compile(
    r"(?:arxiv|ar5iv|corr|eprint|(?<![a-z])abs/)[^0-9A-Za-z\n]{0,8}"
    r"(?:(?:id|no|number|org|preprint|e-?print|identifier|abs|pdf|html|arxiv|papers?|doi)[^0-9A-Za-z\n]{0,4}){0,3}$",
    re.IGNORECASE,
)
_TIGHT = re.compile(
    r"arxiv(?:\.org)?[\s:：#]{0,3}(?:(?:preprint|e-?print|abs)[\s:：/]{0,2}(?:arxiv[\s:：]{1,2})?)?$", re.IGNORECASE
)
_PREFIX = re.compile(r"arxiv\s?[:：#]?\s?$", re.IGNORECASE)
_JOIN = re.compile(r"\s?(?:[/、,，;；&+~～–—-]|\w{1,3})\s?")
_RANGE = re.compile(r"\s?[-–—~～]\s?([0-9]{5})(?![0-9.])")
_ODD = re.compile(r"arxiv[:：#]\s?((?:[a-z-]+(?:\.[a-z]{2})?/)?[0-9][0-9.\-_]{3,})", re.IGNORECASE)
_SHAPED = re.compile(
    r"[0-9]{4}\.[0-9]|[0-9]{4}[-.][0-9]{1,2}(?:[-.][0-9]{1,2})?(?![0-9])|[a-z-]+(?:\.[a-z]{2})?/[0-9]{5,9}$",
    re.IGNORECASE,
)
_FILE = re.compile(r"\.(?!pdf)[a-z]{1,5}[0-9]?(?![A-Za-z])|_|[/-](?![0-9]{4}\.[0-9]{4})[A-Za-z0-9]")
_OPEN = "[【({（「『“\"'《"


class Number(NamedTuple):
    """An identifier read: `iri` is empty when it names nothing."""

    iri: str
    key: str
    version: str = ""
    malformed: str = ""
    month: str = ""


class Site(NamedTuple):
    """An identifier where it stands."""

    start: int
    end: int
    number: Number
    confidence: Confidence


def modern(yymm: str, serial: str, version: str = "", odd: bool = False) -> Number:
    """A number of 2007 and later: `2502.07115`. Four digits after the dot up to 2014, five since."""
    year, month = int(yymm[:2]), int(yymm[2:])
    key = f"arXiv:{yymm}.{serial}"
    size = 4 if year < 15 else 5
    if not 1 <= month <= 12:
        return Number("", key, version, "month-13")
    if yymm < "0704":
        return Number("", key, version, "odd-number")
    if len(serial) != size:
        return Number("", key, version, "short-serial" if len(serial) < size else "long-serial")
    return Number(f"{BASE}{yymm}.{serial}", key, version, "odd-suffix" if odd else "", f"20{yymm[:2]}-{yymm[2:]}")


def classic(archive: str, digits: str, version: str = "", odd: bool = False) -> Number:
    """A number of 1991 to 2007: `hep-th/9901001`; the archive is part of it, the subject class is not."""
    archive = archive.lower()
    key = f"arXiv:{archive}/{digits}"
    if len(digits) != 7:
        return Number("", key, version, "short-serial" if len(digits) < 7 else "long-serial")
    if not 1 <= int(digits[2:4]) <= 12:
        return Number("", key, version, "month-13")
    century = "19" if digits[:2] >= "91" else "20"
    month = f"{century}{digits[:2]}-{digits[2:4]}"
    return Number(f"{BASE}{archive}/{digits}", key, version, "odd-suffix" if odd else "", month)


def in_path(path: str) -> Number | None:
    """The identifier that a URL's path ends in or passes through: `/abs/2401.10001v2`, `/html/2401.10001v1/x1.png`."""
    found = _IN_PATH.search(path)
    if found is None:
        return None
    archive, digits, yymm, serial, version, rest = found.groups()
    odd = bool(rest) and not rest.startswith((".pdf", "/", ".html", "_"))
    return classic(archive, digits, version or "", odd) if archive else modern(yymm, serial, version or "", odd)


_IN_PATH = re.compile(
    rf"/(?:({ARCHIVE})(?:\.[A-Za-z]{{2}})?/([0-9]{{5,9}})|(?:arxiv[:.])?([0-9]{{4}})\.([0-9]{{1,9}}))(?:v([0-9]{{1,3}}))?(.*)",
    re.IGNORECASE,
)


def sites(text: str, marks: tuple[Mark, ...], foreign: Callable[[str, int, int], bool]) -> Iterator[Site]:
    """Identifiers of a text in order; `foreign(text, start, end)` says that words beside a number make it another."""
    last: Site | None = None
    for found in _MODERN.finditer(text) if "." in text else ():
        if last is not None and found.start() < last.end:
            continue
        site = _modern_site(text, found, marks, last, foreign)
        if site is not None:
            yield site
            last = site
            more = _RANGE.match(text, site.end) if site.number.iri and site.confidence == "high" else None
            if more:
                number = modern(found[1], more[1])
                last = Site(more.start(1), more.end(1), number, "high")
                yield last
    if _SLASHED.search(text):
        yield from _classic_sites(text)
    if "rxiv" in text.lower():
        yield from _odd_sites(text)


def _tail(text: str, end: int) -> tuple[int, str, bool]:
    """End, version and whether something odd is glued to a number that ends at `end`."""
    found = None if _SPACED.match(text, end) else _VERSION.match(text, end)
    version = (found[1] or found[2] or found[3]) if found else ""
    stop = found.end() if found else end
    glued = text[stop : stop + 1]
    return stop, version.lstrip("0"), glued.isascii() and (glued.isalpha() or glued == "_")


def _modern_site(
    text: str,
    found: re.Match[str],
    marks: tuple[Mark, ...],
    last: Site | None,
    foreign: Callable[[str, int, int], bool],
) -> Site | None:
    start = found.start()
    stop, version, odd = _tail(text, found.end())
    number = modern(found[1], found[2], version, odd)
    before = text[max(0, start - 40) : start]
    if _may_name(before) and _STRONG.search(before):
        printed = _PREFIX.search(before)
        start -= len(printed.group()) if printed else 0
        sure = bool(number.iri) or ((len(found[2]) > 2 or ":" in before[-3:]) and bool(_TIGHT.search(before)))
        return Site(start, stop, number, "high") if sure else None
    if not number.iri or odd:
        return None
    joined = last is not None and _JOIN.fullmatch(text, last.end, start)
    if last and joined and last.confidence == "high":
        return Site(start, stop, number, "high")
    if (joined or _bare(text, start, stop, len(found[2]), marks)) and not foreign(text, start, stop):
        return Site(start, stop, number, "low")
    return None


def _may_name(before: str) -> bool:
    """False where no word for arXiv stands."""
    low = before.lower()
    return "rxiv" in low or "ar5iv" in low or "corr" in low or "print" in low or "abs/" in low


def _bare(text: str, start: int, stop: int, size: int, marks: tuple[Mark, ...]) -> bool:
    """True when a number without any prefix may stand for a paper: by its shape, its neighbours and its place."""
    if any(m.kind == "code" and m.start == start and m.end == stop for m in marks):
        return True
    left, right = text[start - 1 : start], text[stop : stop + 1]
    boxed = bool(left) and left in "[【" and (right in "]】" if right else False)
    if size == 4:
        return boxed
    if left and left in ":=" and start > 1 and text[start - 2].isascii():
        return False
    if left.isascii() and left and left not in " \t\n:,;*|>~" + _OPEN:
        return False
    if left and not left.isspace() and left in "$¥€£￥＄×≈<>≤≥−±":
        return False
    before = text[max(0, start - 3) : start].rstrip()
    if before and before[-1] in "$¥€£￥＄=≈<≤≥+×±~":
        return False
    return not (right and right in "%％‰°×+") and not _FILE.match(text, stop)


def _classic_sites(text: str) -> Iterator[Site]:
    for found in _CLASSIC.finditer(text):
        stop, version, odd = _tail(text, found.end())
        number = classic(found[1], found[2], version, odd)
        before = text[max(0, found.start() - 40) : found.start()]
        printed = _PREFIX.search(before)
        if _STRONG.search(before) or (number.iri and not odd and not _FILE.match(text, stop)):
            yield Site(found.start() - (len(printed.group()) if printed else 0), stop, number, "high")


def _odd_sites(text: str) -> Iterator[Site]:
    """What follows `arXiv:` and has no shape of an identifier at all."""
    for found in _ODD.finditer(text):
        body = found[1].rstrip(".-_")
        if len(body) >= 5 and not _SHAPED.match(body):
            yield Site(
                found.start(1), found.start(1) + len(body), Number("", f"arXiv:{body}", "", "odd-number"), "high"
            )
