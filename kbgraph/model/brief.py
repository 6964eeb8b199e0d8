"""A brief as values: every statement with its path and line, every count counted. Renderers only choose the words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from kbgraph.model.finding import Finding
from kbgraph.model.query import Both


class Statement(NamedTuple):
    """Words of a material, quoted, with the place, the evidence level (concept name) and the conditions said beside."""

    text: str
    path: str
    line: int
    level: str = ""
    conditions: tuple[str, ...] = ()
    numbers: int = 0


class Source(NamedTuple):
    """A material that reports an item: where, by whom, of what kind, on what evidence."""

    path: str
    line: int
    end_line: int
    agent: str = ""
    kind: str = ""
    level: str = ""  # stated for the whole of what it reports
    inner: str = ""  # where it states none: the strongest level that a sentence of it has
    date: str = ""
    verdict: str = ""  # its own, concept name
    reason: str = ""


class Relation(NamedTuple):
    """What ties an item to a document; `kind`: listed, unlisted, uncited, repeats, beside, more, cited, section."""

    kind: str
    path: str
    line: int
    section: str = ""
    title: str = ""
    text: str = ""


class Advice(NamedTuple):
    """Where an item should go: section number and title, action (concept name), the material's own words and place."""

    number: str
    title: str
    action: str
    path: str
    line: int
    text: str = ""
    known: bool = True  # False: no compared document has that section
    document: str = ""  # path of the document that has it, else the words that name it


class Placed(NamedTuple):
    """A section that an item may belong to, though no source says so: the item's words that speak for it."""

    document: str
    number: str
    title: str
    words: tuple[str, ...]


class Before(NamedTuple):
    """An earlier round's verdict on the same subject."""

    date: str
    verdict: str
    reason: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class BriefItem:
    """One thing reported tonight, by one or several materials."""

    number: int
    title: str
    keys: tuple[str, ...]  # ids as people write them: arXiv:2502.07115, owner/name, URL
    standing: str  # new, revision, supplement, count-only, judged-before, off-topic, dropped, failed, low-relevance
    level: str
    sources: tuple[Source, ...]
    urls: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    points: tuple[Statement, ...] = ()
    relations: tuple[Relation, ...] = ()
    stated: tuple[Statement, ...] = ()  # the material's own words on the relation
    advice: tuple[Advice, ...] = ()
    places: tuple[Placed, ...] = ()  # by its words, where no source advises a section; the best first
    place_sure: bool = False  # whether the first of them is right in nine of ten cases
    cautions: tuple[Statement, ...] = ()
    findings: tuple[Finding, ...] = ()
    gaps: tuple[str, ...] = ()  # what is missing: no-level, no-id, no-number, no-section, card-only
    before: tuple[Before, ...] = ()
    counters: tuple[tuple[str, str, str], ...] = ()  # (counter, then, now)


class CitableId(NamedTuple):
    """An identifier met tonight with its standing words (concept names), title and first place."""

    key: str
    title: str
    standing: tuple[str, ...]
    path: str
    line: int
    citable: bool = True


class Ground(NamedTuple):
    """An item that a merge action rests on: number, title, evidence level, and the places that advise it."""

    number: int
    title: str
    level: str
    places: tuple[tuple[str, int], ...]  # path, line


class Action(NamedTuple):
    """A merge action: what to do in which section of which document because of which items."""

    priority: int
    document: str
    number: str
    title: str
    action: str
    grounds: tuple[Ground, ...]


class FollowUp(NamedTuple):
    """A task of an earlier round; `by` is what was read later and names it, in its own words where it has any."""

    label: str
    text: str
    path: str
    line: int
    date: str
    by: tuple[Statement, ...] = ()


class Compared(NamedTuple):
    """A document or earlier brief that tonight's materials are held against."""

    path: str
    lines: int
    updated: str
    kind: str


class RoundRef(NamedTuple):
    """An earlier round of the same topic."""

    id: str
    created: str
    path: str
    brief: str


class Reading(NamedTuple):
    """One material of the round: was it read, and how much of it was understood."""

    path: str
    state: str  # read, missing, changed
    lines: int
    understood: int
    ignored: tuple[tuple[str, int], ...] = ()  # reason (concept of the lexicon), lines


@dataclass(frozen=True, slots=True)
class Brief:
    """Tonight's brief: eight parts, all filled from rows of the graph."""

    topic: str
    round: str
    manifest: str
    created: str
    readings: tuple[Reading, ...]
    compared: tuple[Compared, ...]
    earlier: tuple[RoundRef, ...]
    counts: tuple[tuple[str, int], ...]  # standing -> items, counted
    items: tuple[BriefItem, ...]
    low: tuple[BriefItem, ...]
    doubts: tuple[tuple[str, tuple[Finding, ...]], ...]  # check -> findings, worst first
    ids: tuple[CitableId, ...]
    others: tuple[CitableId, ...]
    actions: tuple[Action, ...]
    follow_ups: tuple[FollowUp, ...]
    next_steps: tuple[Statement, ...]
    problems: tuple[tuple[str, str, int], ...] = ()  # reading problems: code, path, line
    broken: tuple[tuple[str, str], ...] = ()  # checks that could not do their work, with the reason
    lang: str = ""  # of most of the materials
    name: str = ""  # of the knowledge base
    lists: bool = False  # a compared document has a citation list
    labels: Mapping[str, Both] = field(default_factory=dict)  # names of concepts and classes, zh and en
