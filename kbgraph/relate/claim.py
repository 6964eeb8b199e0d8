"""What is compared: a claim as the graph tells it; and how two of them stand to one another."""

from __future__ import annotations

from typing import Literal, NamedTuple

from kbgraph.relate.differ import Difference

Kind = Literal[
    "same-meaning", "conflicting-wording", "conflicting-quantity", "superseded", "different-condition",
    "different-mechanism", "other-rounding", "differs",
]  # fmt: skip


class Claim(NamedTuple):
    """A statement; all but `id` and `text` may be left out."""

    id: str
    text: str
    about: frozenset[str] = frozenset()  # IRIs of its subjects
    conditions: frozenset[str] = frozenset()  # as printed
    date: str = ""  # ISO day on which its source speaks


class Relation(NamedTuple):
    """How two claims stand to one another, `a` before `b`; `why` holds the words on either side that show it."""

    a: str
    b: str
    kind: Kind
    what: str  # number, unit, date, negation, quantifier, modality, scope, term, role, ...; "" for the same
    score: float  # how sure the kind is, 0 to 1
    sure: bool  # what the product itself decides: shown without a question mark
    why: tuple[Difference, ...]
    same: float  # how likely both say the same, for ranking
    conflict: float  # how likely both cannot hold, for ranking
