"""A statement traced back to its primary source: hops, what each lost, and the sources that count as independent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kbgraph.model.query import Both

# What a retelling may have lost or changed on the way.
LossKind = Literal["number", "unit", "bound", "condition", "baseline", "hedge", "level", "wording"]
# Why a source counts, or why it does not.
Standing = Literal["counts", "same-source", "same-text", "measured-party", "retelling", "derived"]
# How a hop is known: the statement asked for; named by the one that it feeds; same words or numbers about one thing; …
Tie = Literal["asked", "named", "same-text", "same-meaning", "matter", "primary", "unnamed"]


@dataclass(frozen=True, slots=True)
class Passage:
    """A statement at a place, with what a reader weighs it by; concepts and classes by their local names."""

    evidence: str
    claim: str
    path: str
    line: int
    printed: str  # as it stands in the file
    text: str  # without its level bracket
    kind: str = ""
    agent: str = ""
    day: str = ""
    item: str = ""
    part: str = ""
    level: str = ""
    hops: int = 0
    stance: str = ""
    hedge: str = ""
    conditions: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    position: int = 1


class Loss(NamedTuple):
    """What the source says and the retelling lost or changed; `aspect` is the kind of condition, where it is known."""

    kind: LossKind
    there: str
    here: str = ""
    aspect: str = ""


class Hop(NamedTuple):
    """One step back: a passage, or a primary source by its key; `depth` is how far from what was asked."""

    depth: int
    tie: Tie
    passage: Passage | None = None
    losses: tuple[Loss, ...] = ()
    key: str = ""
    title: str = ""
    again: bool = False  # told before: what feeds it is not told twice
    circular: bool = False  # it goes back to a file that the chain has passed


class Counted(NamedTuple):
    """A source of a statement: whether it counts as independent, and what it has in common with the one that does."""

    path: str
    line: int
    agent: str
    standing: Standing
    of: str = ""  # key of the primary source, or path of what it took it from
    level: str = ""


@dataclass(frozen=True, slots=True)
class Chain:
    """One statement, the hops behind it in the order of reading, its sources, and where else it is said."""

    asked: Passage
    hops: tuple[Hop, ...]
    sources: tuple[Counted, ...]
    later: tuple[Passage, ...] = ()  # said after the document was last changed, or in a document as well

    @property
    def independent(self) -> int:
        """How many sources count."""
        return sum(one.standing == "counts" for one in self.sources)


@dataclass(frozen=True, slots=True)
class Trace:
    """What was asked for, and a chain for each statement that it means."""

    what: str
    chains: tuple[Chain, ...]
    labels: Mapping[str, Both] = field(default_factory=dict)  # names of concepts and classes, zh and en
