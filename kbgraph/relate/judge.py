"""How two claims stand to one another: whether it is one matter, what differs, whether that excludes."""

from __future__ import annotations

from math import prod
from typing import Literal, NamedTuple

from kbgraph.relate.align import MATTER, Alignment, align, covered
from kbgraph.relate.atoms import Reading, read
from kbgraph.relate.claim import Claim, Kind
from kbgraph.relate.differ import Comparison, Difference, What, compare
from kbgraph.relate.lexis import Lexis
from kbgraph.relate.order import breaks

_SURE_SHARE = 0.85  # of the matter of either must be answered before both surely say the same
_SURE_BREAKS = 1  # places where the order of words differs, at most
_ONE_MATTER = 0.56  # shared matter from which an exclusive difference is a conflict
_LIMITED = 0.4  # ... where one holds for any of what the other limits, about one subject
_LESSER_MATTER = 0.5  # ... and the share that the shorter one must have in it
_LIKE = 0.75  # words less alike than this may as well be different ones
_VAGUE, _CLEAR = 0.6, 0.9  # shared matter below which differences say nothing, and above which they say all


class Verdict(NamedTuple):
    """What the words of two claims alone say about them; all scores lie between 0 and 1."""

    kind: Kind
    what: What | Literal[""]
    sure: bool
    shared: float  # how much of the matter of each the other one has
    trust: float  # what the differences leave of that
    conflict: float
    why: tuple[Difference, ...]

    @property
    def same(self) -> float:
        """How likely both say the same, by their words alone."""
        return self.shared * self.trust

    @property
    def says_same(self) -> bool:
        """Whether both say the same, or would but for rounding."""
        return self.kind in ("same-meaning", "other-rounding")

    @property
    def says_conflict(self) -> bool:
        """Whether both cannot hold."""
        return self.kind.startswith("conflicting")


def judge(a: Claim, b: Claim, one: Reading, two: Reading, lexis: Lexis) -> Verdict:
    """The verdict on two claims with their readings."""
    found = align(one, two, lexis)
    said = compare(one, two, found, lexis)
    turned = breaks(one, two, found)
    exclusive = [d for d in said.differences if d.exclusive and not _given(d, a, b)]
    replaced = _replaced(one, two, found)
    trust = _trust(said, exclusive, replaced, turned)
    conflict = said.shared * (1.0 if exclusive else 0.5 if replaced else 0.3)
    apart = bool(a.about and b.about and not a.about & b.about)
    if exclusive:
        kind, what = _excluding(
            said, exclusive, _later(a, b, one, two), _elsewhere(a, b, lexis), bool(a.about & b.about)
        )
        # Any against a limit is seldom said in the same words; where the graph knows the subject, less is enough.
        least = _LIMITED if what == "scope" and a.about & b.about else _ONE_MATTER
        sure = said.shared >= least and min(said.of_a, said.of_b) >= min(_LESSER_MATTER, least) and not apart
        # Another word beside another number is another subject, unless the graph says that the subject is one.
        if kind == "conflicting-quantity" and _left(one, two, found) and not a.about & b.about:
            kind, sure = "differs", False
        return Verdict(kind, what, sure, said.shared, trust, conflict, said.differences)
    rounded = [d for d in said.differences if d.what == "number" and d.a and d.b]
    alike = min(said.of_a, said.of_b) >= _SURE_SHARE and turned <= _SURE_BREAKS and not replaced and not apart
    if not said.differences:
        return Verdict("same-meaning", "", alike, said.shared, trust, conflict, ())
    if len(rounded) == len(said.differences):
        return Verdict("other-rounding", "number", alike, said.shared, trust, conflict, said.differences)
    return Verdict("differs", said.differences[0].what, False, said.shared, trust, conflict, said.differences)


def _trust(said: Comparison, exclusive: list[Difference], replaced: int, turned: int) -> float:
    """What differences leave of a likeness; they count only as far as the rest is one matter."""
    matter = min(1.0, max(0.0, (said.shared - _VAGUE) / (_CLEAR - _VAGUE)))
    doubts = (
        0.6 * bool(exclusive),
        0.1 * min(len(said.differences), 5),
        1 - 0.85 ** min(replaced, 3),
        0.02 * min(turned, 5),
    )
    return prod(1 - matter * doubt for doubt in doubts)


def _given(difference: Difference, a: Claim, b: Claim) -> bool:
    """Whether what one side alone says is part of its condition, which denies nothing of the other."""
    if difference.a and difference.b:
        return False
    words, claim = (difference.a, a) if difference.a else (difference.b, b)
    return any(words in condition for condition in claim.conditions)


def _replaced(one: Reading, two: Reading, found: Alignment) -> int:
    """How many words of either stand where the other has some other word, or one that is hardly like it."""
    left = (sum(r.atoms[i].kind in MATTER for i in only) for r, only in ((one, found.only_a), (two, found.only_b)))
    return min(left) + sum(link.by < _LIKE for link in found.links)


def _left(one: Reading, two: Reading, found: Alignment) -> bool:
    """Whether both have words that nothing answers."""
    return all(any(r.atoms[i].kind in MATTER for i in only) for r, only in ((one, found.only_a), (two, found.only_b)))


def _excluding(
    said: Comparison, exclusive: list[Difference], later: bool, elsewhere: bool, one_subject: bool
) -> tuple[Kind, What]:
    """What excluding differences come to: only time, another condition or mechanism; else a conflict."""
    # A name that one side alone has is its subject's, where the graph says that both have the same.
    every = {d.what for d in said.differences if not (one_subject and d.what == "name" and not (d.a and d.b))}
    if not any(d.what == "number" for d in exclusive):
        return "conflicting-wording", exclusive[0].what
    if "date" in every or later:
        return "superseded", "date"
    if "mechanism" in every:
        return "different-mechanism", "mechanism"
    if elsewhere or every & {"condition", "name", "thing"}:
        return "different-condition", "condition"
    other = next((d.what for d in exclusive if d.what != "number"), None)
    return ("conflicting-wording", other) if other else ("conflicting-quantity", "number")


def _later(a: Claim, b: Claim, one: Reading, two: Reading) -> bool:
    """Whether both count what grows by itself, on different days."""
    counting = all(any(s.scheme == "counter" for x in r.atoms for s in x.senses) or _stars(r) for r in (one, two))
    return counting and bool(a.date and b.date) and a.date != b.date


def _stars(reading: Reading) -> bool:
    return any(atom.amount is not None and atom.amount.unit == "star" for atom in reading.atoms)


def _elsewhere(a: Claim, b: Claim, lexis: Lexis) -> bool:
    """Whether the graph knows conditions of either of which the other says nothing, or another number."""
    if a.conditions and b.conditions:
        return _beyond(" ".join(sorted(a.conditions)), " ".join(sorted(b.conditions)), lexis, both=True)
    return any(
        _beyond(" ".join(sorted(one.conditions)), other.text, lexis, both=False)
        for one, other in ((a, b), (b, a))
        if one.conditions
    )


def _beyond(condition: str, other: str, lexis: Lexis, *, both: bool) -> bool:
    """Whether words have a condition that others lack or give otherwise; `both` when these are conditions as well."""
    given, said = read(condition, lexis), read(other, lexis)
    found = align(given, said, lexis)
    sides = ((given, found.only_a), (said, found.only_b)) if both else ((given, found.only_a),)
    numbers = any(reading.atoms[i].amount for reading, only in sides for i in only)
    different = numbers or bool(found.turns) or any(count.near == "apart" for count in found.counts)
    return different or covered(given, found, first=True) < _ONE_MATTER
