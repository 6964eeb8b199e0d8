"""How far a statement reaches: one is restricted, or limited by a number, where the other goes beyond."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from kbgraph.relate.align import MATTER, Alignment
from kbgraph.relate.atoms import Atom, Reading
from kbgraph.relate.lexis import Lexis

_LIMITS = frozenset({"at-most", "less-than", "at-least", "more-than"})
_BESIDE_LIMIT = 4  # atoms between what is limited and the number that limits it
_SHORT = 14  # words of matter of a statement that hardly counts two things


def of_kind(reading: Reading, kind: str) -> list[Atom]:
    """The atoms of one kind."""
    return [atom for atom in reading.atoms if atom.kind == kind]


def printed(reading: Reading, atoms: list[Atom]) -> str:
    """Atoms as they stand in the text, with what is between them left out."""
    return " … ".join(reading.printed(atom) for atom in atoms)


def head(reading: Reading, at: int) -> int:
    """The next word of matter behind a place in its clause, else the last one before it; -1 for none."""
    clause = reading.atoms[at].clause
    words = [i for i, atom in enumerate(reading.atoms) if atom.kind in MATTER and atom.clause == clause]
    return next((i for i in words if i > at), words[-1] if words else -1)


def short(a: Reading, b: Reading) -> bool:
    """Whether both are so short that they hardly say two things."""
    return max(sum(atom.kind in MATTER for atom in reading.atoms) for reading in (a, b)) <= _SHORT


def beyond(a: Reading, b: Reading, found: Alignment) -> Iterator[tuple[str, str]]:
    """One is restricted to what the other goes beyond: another member of the set, a wider range, a sum."""
    only_a, only_b = (any(s.value == "only" for x in of_kind(r, "quantifier") for s in x.senses) for r in (a, b))
    if only_a == only_b or not short(a, b):
        return
    wide, beyond = (b, found.only_b) if only_a else (a, found.only_a)
    narrow = a if only_a else b
    words = of_kind(narrow, "quantifier")[:1]
    extra = [wide.atoms[i] for i in beyond if _other_side(wide.atoms[i], narrow)]
    ranges = [c for c in found.counts if c.near == "within"]
    if extra:
        said = printed(narrow, words), printed(wide, extra)
        yield said if only_a else said[::-1]
    elif ranges:
        yield a.printed(a.atoms[ranges[0].a]), b.printed(b.atoms[ranges[0].b])


def limited(a: Reading, b: Reading, found: Alignment, lexis: Lexis) -> Iterator[tuple[str, str]]:
    """One holds for any of what the other limits by a number: `任意比例的删除`, `deletion ratios up to 30%`."""
    links = [(k.a, k.b) for k in found.links]
    each = lexis.grammar["each"]
    for wide, narrow, across, left in (
        (a, b, dict(links), found.only_b), (b, a, {there: here for here, there in links}, found.only_a),
    ):  # fmt: skip
        every = [i for i, x in enumerate(wide.atoms) if any(s.value == "all" for s in x.senses) and x.key not in each]
        limits = [j for j in left if (amount := narrow.atoms[j].amount) and amount.bound in _LIMITS]
        for i, j in product(every, limits):
            counted = across.get(head(wide, i), -1)
            if counted >= 0 and abs(counted - j) <= _BESIDE_LIMIT:
                said = wide.printed(wide.atoms[i]), narrow.printed(narrow.atoms[j])
                yield said if wide is a else said[::-1]
                return


def _other_side(atom: Atom, narrow: Reading) -> bool:
    """Whether a word is another member of a contrast set of which the narrow statement has one."""
    sets = {s.group: s.name for x in narrow.atoms if x.kind in MATTER for s in x.senses if s.scheme == "contrast"}
    return any(sets.get(s.group, s.name) != s.name for s in atom.senses if s.scheme == "contrast")
