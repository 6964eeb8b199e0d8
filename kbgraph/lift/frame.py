"""The working state of one lift: the document, its words, where its blocks stand, and the triples so far."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from kbgraph import vocab as v
from kbgraph.lift.lookups import Lookups, lookups
from kbgraph.lift.scan.found import Id, Label
from kbgraph.lift.scan.words import Words, matcher
from kbgraph.model.document import Document
from kbgraph.model.facts import Term, iri, segment, text
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.settings import Settings
from kbgraph.model.text import Mark

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
NS = "https://w3id.org/kbgraph/ns#"


class Said(NamedTuple):
    """A labelled value of the file as a whole: from front matter, a list, a table or the head's running text."""

    concept: str  # field-arxiv
    value: str
    line: int
    block: int = -1  # -1: front matter
    label: str = ""


@dataclass(slots=True)
class Part:
    """A section as the lift sees it."""

    node: Term
    role: str = ""  # section-citation-list
    levels: tuple[str, ...] = ()


@dataclass(slots=True)
class Item:
    """An item of a report, brief or queue while it is being read."""

    node: Term
    number: str
    title: str
    line: int
    end_line: int
    section: int  # the section that it is or stands in
    part: str = ""  # section-new-items
    verdict: str = ""
    reason: str = ""
    status: str = ""
    about: list[Term] = field(default_factory=list)
    levels: tuple[str, ...] = ()
    paths: list[str] = field(default_factory=list)
    named: str = ""  # the title that its work has by the item's own word
    pages: list[Term] = field(default_factory=list)


class Place(NamedTuple):
    """Where a block stands: item, role that it inherits, and what it is not."""

    item: int = -1
    role: str = ""
    skip: str = ""  # "field" for a field list, "list" for a reference list: no claims from here


class Passage(NamedTuple):
    """A stretch of text with one role: a block, a labelled part of one, or a table cell."""

    text: str
    marks: tuple[Mark, ...]
    line: int
    block: int
    section: int
    item: int
    role: str
    place: str  # body list table field code comment image heading quote, reported: said of a place elsewhere
    claims: bool = True

    def line_at(self, offset: int) -> int:
        """Source line of an offset into the text."""
        return self.line + self.text.count("\n", 0, offset)


@dataclass(slots=True)
class Names:
    """Names of systems in small letters, and what each names."""

    words: dict[str, Term] = field(default_factory=dict)
    longer: dict[str, list[str]] = field(default_factory=dict)  # first word -> names of several words
    phrases: dict[str, Term] = field(default_factory=dict)  # names in CJK letters


@dataclass(slots=True)
class Frame:
    """One lift under way."""

    document: Document
    lexicon: Lexicon
    settings: Settings
    kind: str
    me: Term
    local: str  # "<…path#", opens the IRIs of things in the file
    words: Words
    lookups: Lookups
    topic: str = ""
    topics: tuple[str, ...] = ()
    day: str = ""  # the document's own date
    out: list[str] = field(default_factory=list)
    said: tuple[Said, ...] = ()
    parts: list[Part] = field(default_factory=list)
    ordinals: dict[int, str] = field(default_factory=dict)  # section without a printed number -> what it is called by
    items: list[Item] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    levels: tuple[str, ...] = ()  # declared for the whole file
    about: tuple[Term, ...] = ()  # what the file as a whole is about
    own: set[Term] = field(default_factory=set)  # ids of what the file is about: in its fields they are no mentions
    pages: set[Term] = field(default_factory=set)  # nodes that are web pages
    found: list[tuple[Id, ...]] = field(default_factory=list)  # ids of each passage
    names: Names = field(default_factory=Names)
    entries: dict[Term, list[Term]] = field(default_factory=dict)  # work or page -> entries of the reference list
    labelled: dict[str, list[Term]] = field(default_factory=dict)  # label -> entries of the reference list
    stands_for: dict[Term, Term] = field(default_factory=dict)  # entry -> work or page
    rows: dict[tuple[int, int], tuple[str, tuple[Term, ...]]] = field(default_factory=dict)  # level, subjects of claims
    failed: set[int] = field(default_factory=set)  # sections whose text was never extracted
    openings: dict[str, Label | None] = field(default_factory=dict)  # line -> the label that opens it
    declaring: set[int] = field(default_factory=set)  # blocks that say something of their section, not of the matter
    described: set[str] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)
    commands: dict[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)  # passage -> instructions in it
    secrets: dict[str, str] = field(default_factory=dict)  # as printed -> masked

    def node(self, letter: str) -> Term:
        """The next thing of a kind in this file."""
        number = self.counts[letter] = self.counts.get(letter, 0) + 1
        return Term(f"{self.local}{letter}-{number}>")

    def label(self, line: str) -> Label | None:
        """The label that opens a line; each line is asked about several times."""
        if line not in self.openings:
            self.openings[line] = self.words.label(line)
        return self.openings[line]

    def tell(self, subject: str, predicate: Term, value: str) -> None:
        """Put down one triple."""
        self.out.append(f"{subject} {predicate} {value}")

    def values(self, concept: str) -> Iterable[Said]:
        """All values of a field, in the order of the file."""
        return (said for said in self.said if said.concept == concept)

    def first(self, *concepts: str) -> Said | None:
        """The first value of the first of these fields that the file gives."""
        return next((said for concept in concepts for said in self.values(concept)), None)

    def within(self, passage: Passage) -> str:
        """Predicate and object that place a thing in its item, else its section; "" outside both."""
        if passage.item >= 0:
            return f"{v.KB_IN_ITEM} {self.items[passage.item].node}"
        if passage.section < 0 or (passage.section == 0 and self.kind in ("paper-card", "repo-card")):
            return ""  # the title of a card is the card
        return f"{v.KB_IN_SECTION} {self.parts[passage.section].node}"


@lru_cache(maxsize=1024)
def concept(name: str) -> Term:
    """The concept of the lexicon with this name."""
    return Term(f"<{NS}{name}>")


def holds_cjk(value: str) -> bool:
    """Whether a text holds Chinese, Japanese or Korean letters."""
    return not value.isascii() and _CJK.search(value) is not None


def worded(value: str) -> Term:
    """A literal tagged by the language of its letters."""
    return Term(f"{text(value)}@{'zh' if holds_cjk(value) else 'en'}")


def open_frame(document: Document, lexicon: Lexicon, settings: Settings, kind: str) -> Frame:
    """A frame with nothing told yet."""
    me = iri(settings.base + segment(document.path))
    return Frame(document, lexicon, settings, kind, me, f"{me[:-1]}#", matcher(lexicon), lookups(lexicon))


def plain(value: str) -> Term:
    """A literal without a language."""
    return text(value)
