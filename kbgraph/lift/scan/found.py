"""What the scanners of the lift room hand back: values with `[start, end)` into the text that was scanned.

ids.find_ids(text, marks, lexicon=None, bare_repos=False) -> tuple[Id, ...];  ids.is_future(found, "2026-10-27") -> bool
ids.name_id(stem) -> Id | None  (the id that a card's file name spells);  urls.canonical(url) -> str
quantities.find_quantities(text, lexicon, marks=(), ids=()) -> tuple[Quantity, ...]
refs.find_section_refs(text, lexicon, marks=()) -> tuple[SectionRef, ...]
refs.find_file_refs(text, marks, path, tops=refs.TOPS) -> tuple[FileRef, ...];  refs.tops_of(globs) -> frozenset[str]
sentences.sentences(text, marks=()) -> tuple[tuple[int, int], ...];  sentences.normal(text) -> str
words.matcher(lexicon) -> Words;  its levels(text) parties(text) … -> tuple[Word, ...], stance(text) -> Stance,
    label(text) -> Label | None, verdict(text), disposition(text), concepts(scheme, text)
safety.secrets(text, lexicon=None) -> tuple[Secret, ...];  safety.instructions(text, lexicon) -> tuple[Instruction, ...]
citations.find_pointers(text, marks, keys=frozenset()) -> tuple[Pointer, ...]
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from kbgraph.model.text import MarkKind

IdKind = Literal["arxiv", "doi", "isbn", "pmid", "openalex", "s2", "repo", "url"]
Confidence = Literal["high", "low"]
Bound = Literal["", "about", "at-least", "at-most", "more-than", "less-than"]
RefSyntax = Literal["path", "link", "wikilink", "embed", "image"]


class Id(NamedTuple):
    """One naming of a work, repository or page. Two namings in one link fold to one when they agree."""

    kind: IdKind
    start: int
    end: int
    iri: str  # raw, no brackets: wrap it by model.facts.iri; "" when nothing can be named (month 13, wrong length)
    key: str  # normal form for people: `arXiv:2502.07115`, `doi:10.1145/…`, `owner/name`, `ISBN:978…`, the URL
    printed: str  # text of the span; for a link's target the target
    version: str = ""  # "5" of v5
    confidence: Confidence = "high"
    malformed: str = ""  # month-13 short-serial long-serial odd-number odd-suffix label-target-mismatch isbn-checksum
    month: str = ""  # "2026-09" of a new-style or old-style arXiv id
    mark: MarkKind | Literal[""] = ""  # innermost mark that holds it; code and image give the place
    target: bool = False  # it was named by the mark's target, not by the text

    @property
    def work(self) -> bool:
        """True for what names a written work rather than a page or a repository."""
        return self.kind not in ("repo", "url")


class Quantity(NamedTuple):
    """A number with what belongs to it. Numbers are canonical decimals: no exponent, no trailing zeros."""

    start: int
    end: int  # of the printed stretch: bound word and unit included, metric not
    printed: str
    value: str = ""  # "" for a range; for a change the value after it
    low: str = ""
    high: str = ""
    unit: str = ""  # kb:value of the lexicon's unit (percent pp x ms token param USD …); ratio for 3:1; "" when bare
    metric: str = ""  # kb:value of the metric beside it with its cut-off: recall@10, p99
    bound: Bound = ""
    error: str = ""  # of 12.3±0.4
    before: str = ""  # a of a→b: set exactly when the quantity is a change


class SectionRef(NamedTuple):
    """A section named by number."""

    start: int
    end: int
    printed: str
    number: str  # normal form "3.1"; 七 gives "7"
    document: str = ""  # path or file name printed before it
    described_as: str = ""  # title in 「」 or quotes after it
    of_work: bool = False  # the sentence says that it is a section of the cited paper


class FileRef(NamedTuple):
    """A file named by path, link or wikilink."""

    start: int
    end: int
    printed: str
    syntax: RefSyntax
    path: str = ""  # normalised, relative to the corpus root; "" for wikilinks
    name: str = ""  # folded name of a wikilink without heading, block, alias
    anchor: str = ""  # heading, `^block` or fragment
    outside: bool = False  # leaves the corpus
    template: bool = False  # holds <…> {…} or a glob: names no single file
    broken: bool = False  # `[a](b c.md)`: meant as a link, is none
    mark: MarkKind | Literal[""] = ""


class Word(NamedTuple):
    """A label of the lexicon as it stands in a text."""

    concept: str  # name, `level-second-hand`
    start: int
    end: int
    printed: str


class Stance(NamedTuple):
    """How a sentence holds what it says."""

    hedges: tuple[Word, ...] = ()
    negations: tuple[Word, ...] = ()
    quantifiers: tuple[Word, ...] = ()
    conditions: tuple[Word, ...] = ()
    modalities: tuple[Word, ...] = ()
    retellings: tuple[Word, ...] = ()
    parties: tuple[Word, ...] = ()


class Label(NamedTuple):
    """A leading label `来源：`, `Key points -`: its concept and where what it labels begins."""

    concept: str
    rest: str
    offset: int


class Secret(NamedTuple):
    """What looks like a key; the value itself is never kept."""

    kind: str
    start: int
    end: int
    masked: str  # first characters and dots


class Instruction(NamedTuple):
    """Text that addresses the reader's tools."""

    start: int
    end: int
    printed: str
    concept: str


class Pointer(NamedTuple):
    """A citation by label: `[12]` numeric, `@doe2024` key."""

    kind: Literal["numeric", "key"]
    label: str
    start: int
    end: int
    printed: str
    locator: str = ""  # "p. 3"
