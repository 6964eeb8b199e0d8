"""Identifiers of works, repositories and pages in a text and in the targets of its links."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from kbgraph.lift.scan import arxiv, urls
from kbgraph.lift.scan.found import Id, IdKind
from kbgraph.lift.scan.matching import Matcher, flat, per_lexicon
from kbgraph.lift.scan.numbers import narrowed
from kbgraph.lift.scan.works import of_doi, of_iri, of_number, resolve
from kbgraph.model.keys import key_of
from kbgraph.model.lexicon import Concept, Lexicon
from kbgraph.model.text import Mark

_ANY = re.compile(r"\d{3}|://|www\.|\.(?:org|com|co|cool|net)/|git@", re.IGNORECASE)
_SERIAL = re.compile(r"\d{4}[.．]\d")
_DOI = re.compile(
    r"(?:(?<=doi)|(?<![0-9A-Za-z.]))10\.\d{4,9}/(?:(?!https?:)[!#$&'()*+,\-./0-9:;<=>?@A-Z\[\]_a-z~])+", re.IGNORECASE
)
_ISBN = re.compile(
    r"ISBN(?:-1[03])?[\s:：]{0,3}((?:97[89][-–\s]?)?\d(?:[-–\s]?\d){7,9}[-–\s]?[\dXx])(?![\d-])", re.IGNORECASE
)
_OPENALEX = re.compile(r"(?<![A-Za-z0-9_/-])W\d{7,11}(?![A-Za-z0-9_])")
_NUMBERED = re.compile(r"(?<![A-Za-z])(PMID|(?:S2\s?)?Corpus\s?ID)[\s:：#]{0,3}(\d{3,12})(?!\d)", re.IGNORECASE)
_GIT = re.compile(r"git@([\w.-]+):([\w./-]+)")
_BARE_REPO = re.compile(r"(?<![\w./@:-])([A-Za-z0-9][A-Za-z0-9-]{1,38})/([A-Za-z0-9][A-Za-z0-9._-]{1,99})(?![\w/])")
_FILE_END = re.compile(r"\.(?:md|json|txt|pdf|ya?ml|toml|py|html?|csv|png|jpe?g|svg|ipynb)$", re.IGNORECASE)
_NAME = re.compile(
    r"(?:\d{1,5}[-_])?(?:arxiv[-_.:]?)?(?:(\d{4})(?:[._-]?(\d{5})|[._-](\d{4}))"
    rf"|({arxiv.ARCHIVE})[_-](\d{{7}}))(?:v(\d{{1,2}}))?(?:[-_ .].*)?",
    re.IGNORECASE,
)
Span = tuple[int, int, Id | None]


def find_ids(
    text: str, marks: tuple[Mark, ...] = (), lexicon: Lexicon | None = None, bare_repos: bool = False
) -> tuple[Id, ...]:
    """Every identifier in a text or a link's target, in order; the lexicon tells tags and prices from bare ids."""
    held = bare_repos or (_may_hold(text) and _ANY.search(text))
    found = list(_in_text(text, marks, lexicon, bare_repos)) if held else []
    if marks:
        found = [_placed(i, marks) for i in found]
        for mark in marks:
            if mark.target and mark.kind in ("link", "image", "html"):
                found = _with_target(found, mark)
    return tuple(sorted(found, key=lambda i: (i.start, i.end))) if len(found) > 1 else tuple(found)


def _may_hold(text: str) -> bool:
    """False for most texts without an identifier, decided by single characters and words."""
    if "/" in text or "@" in text or (("." in text or "．" in text) and _SERIAL.search(text)):
        return True
    low = text.lower()
    named = "isbn" in low or "pmid" in low or "corpus" in low or "rxiv" in low
    return named or ("W" in text and _OPENALEX.search(text) is not None)


def is_future(found: Id, date: str) -> bool:
    """True when the month of an arXiv id lies after a date `YYYY-MM-DD`."""
    return bool(found.month and date) and found.month > date[:7]


def name_id(stem: str) -> Id | None:
    """The arXiv id that a file name spells, `058-2502-07115` or `quant-ph_0203011`; None for dates and versions."""
    found = _NAME.fullmatch(stem)
    if found is None:
        return None
    yymm, five, four, archive, digits, version = found.groups()
    number = (
        arxiv.classic(archive, digits, version or "") if archive else arxiv.modern(yymm, five or four, version or "")
    )
    return of_number(number, 0, len(stem), stem) if number.iri else None


def _in_text(text: str, marks: tuple[Mark, ...], lexicon: Lexicon | None, bare_repos: bool) -> Iterator[Id]:
    taken: list[tuple[int, int]] = []
    for scan in (_url_ids, _doi_ids, _labelled_ids):
        for start, end, found in scan(text):
            if _take(start, end, taken) and found is not None:
                yield found
    foreign = _foreign(lexicon) if lexicon else _nothing_foreign
    for site in arxiv.sites(narrowed(text), marks, foreign):
        if _take(site.start, site.end, taken):
            found = of_number(site.number, site.start, site.end, text[site.start : site.end])
            yield found if site.confidence == "high" else found._replace(confidence=site.confidence)
    if bare_repos and "/" in text:
        yield from _bare_repos(text, taken)


def _take(start: int, end: int, taken: list[tuple[int, int]]) -> bool:
    """Takes a place, unless something overlaps it; `taken` is sorted, and its places are apart."""
    at = bisect_left(taken, (start, end))
    if (at and taken[at - 1][1] > start) or (at < len(taken) and taken[at][0] < end):
        return False
    taken.insert(at, (start, end))
    return True


def _url_ids(text: str) -> Iterator[Span]:
    """URLs; a badge takes its place and names nothing."""
    for url in urls.find_urls(text):
        yield url.start, url.end, resolve(url.printed, url.start, url.end)
    if "git@" in text:
        for found in _GIT.finditer(text):
            url_ = f"https://{found[1]}/{found[2].rstrip('.')}"
            yield *found.span(), resolve(url_, found.start(), found.end())


def _doi_ids(text: str) -> Iterator[Span]:
    if "10." not in text:
        return
    for found in _DOI.finditer(text):
        printed = urls.trimmed(found.group())
        registrant, _, suffix = printed.partition("/")
        labelled = text[max(0, found.start() - 6) : found.start()].lower().rstrip(" :：").endswith("doi")
        if suffix and registrant and (labelled or len(suffix) > 3):
            end = found.start() + len(printed)
            yield found.start(), end, of_doi(printed, found.start(), end, printed)


def _labelled_ids(text: str) -> Iterator[Span]:
    """Identifiers that their label makes one: ISBN, PMID, S2 corpus number; and OpenAlex works by their shape."""
    if "W" in text:
        for found in _OPENALEX.finditer(text):
            yield (
                *found.span(),
                of_iri("openalex", f"https://openalex.org/{found.group()}", *found.span(), found.group()),
            )
    low = text.lower()
    if "isbn" in low:
        for found in _ISBN.finditer(text):
            yield *found.span(), _isbn(found)
    if "pmid" in low or "corpus" in low:
        for found in _NUMBERED.finditer(text):
            pubmed = found[1].lower() == "pmid"
            iri = "https://pubmed.ncbi.nlm.nih.gov/{}/" if pubmed else "https://api.semanticscholar.org/CorpusID:{}"
            kind_: IdKind = "pmid" if pubmed else "s2"
            yield *found.span(), of_iri(kind_, iri.format(found[2]), *found.span(), found.group())


def _isbn(found: re.Match[str]) -> Id | None:
    """An ISBN in its 13-digit form; one with a wrong check digit names nothing; None for other lengths."""
    digits = re.sub(r"[-–\s]", "", found[1]).upper()
    if len(digits) not in (10, 13) or "X" in digits[:-1] or (len(digits) == 13 and digits[-1] == "X"):
        return None
    if len(digits) == 13:
        good = digits[-1] == _check13(digits[:-1])
    else:
        good = sum((10 - i) * (10 if c == "X" else int(c)) for i, c in enumerate(digits)) % 11 == 0
        digits = "978" + digits[:-1] + _check13("978" + digits[:-1]) if good else digits
    iri = f"urn:isbn:{digits}"
    made = Id("isbn", *found.span(), iri if good else "", key_of(iri), found.group())
    return made if good else made._replace(malformed="isbn-checksum")


def _check13(digits: str) -> str:
    return str(-sum(int(c) * (3 if i % 2 else 1) for i, c in enumerate(digits)) % 10)


def _bare_repos(text: str, taken: list[tuple[int, int]]) -> Iterator[Id]:
    for found in _BARE_REPO.finditer(text):
        printed = found.group().rstrip(".")
        end = found.start() + len(printed)
        iri = urls.repository("github.com", "/" + printed)
        # Fractions, dates and pairs of abbreviations hold no small letter.
        if (
            iri
            and any(c.islower() for c in printed)
            and not _FILE_END.search(printed)
            and _take(found.start(), end, taken)
        ):
            yield of_iri("repo", iri, found.start(), end, printed)._replace(confidence="low")


def _nothing_foreign(_text: str, _start: int, _end: int) -> bool:
    return False


@per_lexicon
def _foreign(lexicon: Lexicon) -> Callable[[str, int, int], bool]:
    """Judges whether the words beside a bare number make it a tag, a measurement or a price."""

    def measures(concept: Concept) -> bool:
        return len(concept.value) <= 3 or concept.value == "percent"

    before = Matcher(
        [*lexicon.schemes.get("metric", ()), *lexicon.schemes.get("approx", ())]
        + [c for c in lexicon.schemes.get("notnumber", ()) if c.name == "notnumber-version-word"]
    )
    after = Matcher(c for c in lexicon.schemes.get("unit", ()) if measures(c))

    def foreign(text: str, start: int, end: int) -> bool:
        left = text[max(0, start - 16) : start].rstrip(" \t:：=为是")
        hits = before.find(left)
        if hits and hits[-1].end == len(left):
            return True
        low = flat(text)
        place = end + 1 if low[end : end + 1] == " " else end
        # One CJK character is a unit only when no word goes on: 元 is, in 元学习 it is not.
        return any(
            h.end - h.start > 1 or low[h.start].isascii() or not low[h.end : h.end + 1].isalpha()
            for h in after.at(low, place)
        )

    return foreign


def _placed(found: Id, marks: tuple[Mark, ...]) -> Id:
    """The same with the innermost mark that holds it."""
    holders = [m for m in marks if m.start <= found.start and found.end <= m.end and m.kind != "strong"]
    return found._replace(mark=min(holders, key=lambda m: m.end - m.start).kind) if holders else found


def _with_target(found: list[Id], mark: Mark) -> list[Id]:
    """Adds what a link's target names: folded into the text's own naming where they agree, else flagged."""
    named = resolve(mark.target, mark.start, mark.end)
    if named is None or (mark.kind == "image" and named.kind == "url"):
        return found
    within = [i for i in found if mark.start <= i.start and i.end <= mark.end and not i.target]
    same = next((i for i in within if i.iri == named.iri and i.iri), None)
    if same is not None:
        merged = same._replace(confidence="high", version=same.version or named.version)
        return [merged if i is same else i for i in found]
    if any(_contradicts(i, named) for i in within):
        named = named._replace(malformed=named.malformed or "label-target-mismatch")
    return [*found, named._replace(mark=mark.kind, target=True)]


def _contradicts(shown: Id, named: Id) -> bool:
    """True when a link shows one thing and leads to another of the same kind; cut-short URLs do not count."""
    if shown.kind != named.kind or not shown.iri:
        return False
    return shown.kind != "url" or urls.split(shown.printed)[0] != urls.split(named.printed)[0]
