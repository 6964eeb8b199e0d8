"""Two statements laid beside one another: which words answer which, and what is left on either side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from kbgraph.relate.amounts import Nearness, nearness
from kbgraph.relate.atoms import Atom, Reading
from kbgraph.relate.likeness import SHARED, alike, opposite
from kbgraph.relate.lexis import Lexis

MATTER = ("content", "name")
_NAMED = 1.5  # a name says more than a word
_BOTH_SIDES = 2


class Link(NamedTuple):
    """Atom `a` of the one answers atom `b` of the other; `by` says how: 1.0 is the same word."""

    a: int
    b: int
    by: float


class Turn(NamedTuple):
    """Atoms that answer one another and exclude one another; `group` is the contrast set."""

    a: int
    b: int
    group: str


class Count(NamedTuple):
    """Two numbers that answer one another."""

    a: int
    b: int
    near: Nearness


class Alignment(NamedTuple):
    """Links, contrary words and numbers of two readings, and what nothing answers."""

    links: tuple[Link, ...]
    turns: tuple[Turn, ...]
    counts: tuple[Count, ...]
    only_a: tuple[int, ...]
    only_b: tuple[int, ...]


def align(a: Reading, b: Reading, lexis: Lexis) -> Alignment:
    """Lay two readings beside one another; the other way round gives the same, mirrored."""
    left = [i for i, atom in enumerate(a.atoms) if atom.kind in MATTER]
    right = [j for j, atom in enumerate(b.atoms) if atom.kind in MATTER]
    links = _equal(a, b, left, right)
    left, right = _rest(left, {k.a for k in links}), _rest(right, {k.b for k in links})
    near = _similar(a, b, left, right, lexis)
    links += near
    left, right = _rest(left, {k.a for k in near}), _rest(right, {k.b for k in near})
    turns = _contrary(a, b, left, right, links, lexis)
    left, right = _rest(left, {t.a for t in turns}), _rest(right, {t.b for t in turns})
    counts = _numbers(a, b)
    odd_a = [i for i, atom in enumerate(a.atoms) if atom.kind == "amount" and i not in {c.a for c in counts}]
    odd_b = [j for j, atom in enumerate(b.atoms) if atom.kind == "amount" and j not in {c.b for c in counts}]
    return Alignment(
        tuple(sorted(links)), tuple(turns), tuple(counts), tuple(sorted(left + odd_a)), tuple(sorted(right + odd_b))
    )


def _rest(indices: Iterable[int], used: set[int]) -> list[int]:
    return [i for i in indices if i not in used]


def _place(reading: Reading, index: int) -> float:
    return index / max(1, len(reading.atoms) - 1)


def _equal(a: Reading, b: Reading, left: list[int], right: list[int]) -> list[Link]:
    """Same words: of several the ones that stand at about the same place."""
    at: dict[str, list[int]] = defaultdict(list)
    for j in right:
        at[b.atoms[j].key].append(j)
    pairs = [(i, j) for i in left for j in at.get(a.atoms[i].key, ())]
    return _greedy(((0.0, abs(_place(a, i) - _place(b, j)), i, j) for i, j in pairs), 1.0)


def _similar(a: Reading, b: Reading, left: list[int], right: list[int], lexis: Lexis) -> list[Link]:
    scored = []
    for i in left:
        for j in right:
            like = alike(a.atoms[i], b.atoms[j], lexis)
            if like >= SHARED and not opposite(a.atoms[i], b.atoms[j], lexis):
                scored.append((-like, abs(_place(a, i) - _place(b, j)), i, j))
    return _greedy(scored, 0.0)


def _greedy(scored: Iterable[tuple[float, float, int, int]], by: float) -> list[Link]:
    used_a: set[int] = set()
    used_b: set[int] = set()
    links = []
    # Ties are broken by both places alike, so that the order of the two texts makes no difference.
    for minus, _, i, j in sorted(scored, key=lambda s: (s[0], s[1], s[2] + s[3], abs(s[2] - s[3]), min(s[2], s[3]))):
        if i not in used_a and j not in used_b:
            used_a.add(i)
            used_b.add(j)
            links.append(Link(i, j, by or -minus))
    return links


def _contrary(
    a: Reading, b: Reading, left: list[int], right: list[int], links: list[Link], lexis: Lexis
) -> list[Turn]:
    answered = {k.a: k.b for k in links}
    found = []
    for i in left:
        for j in right:
            group = opposite(a.atoms[i], b.atoms[j], lexis)
            if group:
                found.append((-_beside(a, b, i, j, answered), abs(_place(a, i) - _place(b, j)), i, j, group))
    used_a: set[int] = set()
    used_b: set[int] = set()
    turns = []
    for _, _, i, j, group in sorted(found, key=lambda s: (s[0], s[1], s[2] + s[3], abs(s[2] - s[3]), min(s[2], s[3]))):
        if i not in used_a and j not in used_b:
            used_a.add(i)
            used_b.add(j)
            turns.append(Turn(i, j, group))
    return turns


def _beside(a: Reading, b: Reading, i: int, j: int, answered: dict[int, int]) -> int:
    """On how many sides the next word that is answered is the same in both."""
    return sum(_next(a, i, step, answered) == _next_b(b, j, step, answered) != -1 for step in (-1, 1))


def _next(a: Reading, i: int, step: int, answered: dict[int, int]) -> int:
    i += step
    while 0 <= i < len(a.atoms):
        if i in answered:
            return answered[i]
        i += step
    return -1


def _next_b(b: Reading, j: int, step: int, answered: dict[int, int]) -> int:
    taken = set(answered.values())
    j += step
    while 0 <= j < len(b.atoms):
        if j in taken:
            return j
        j += step
    return -1


_ORDER: dict[Nearness, int] = {"equal": 0, "rounded": 1, "within": 2, "overlap": 3, "apart": 4}


def _numbers(a: Reading, b: Reading) -> list[Count]:
    """Numbers that measure the same, the nearest first."""
    scored = []
    for i, x in enumerate(a.atoms):
        for j, y in enumerate(b.atoms):
            if x.amount and y.amount and _comparable(x.amount.dimension, y.amount.dimension):
                near = nearness(x.amount, y.amount)
                scored.append((_ORDER[near], abs(_place(a, i) - _place(b, j)), i, j, near))
    used_a: set[int] = set()
    used_b: set[int] = set()
    counts = []
    for _, _, i, j, near in sorted(scored, key=lambda s: (s[0], s[1], s[2] + s[3], abs(s[2] - s[3]), min(s[2], s[3]))):
        if i not in used_a and j not in used_b:
            used_a.add(i)
            used_b.add(j)
            counts.append(Count(i, j, near))
    return counts


_ANY = frozenset({"", "count", "sample", "model", "request", "user"})  # measure words, which other words can stand for
# Units without which, or with another one, a number says something else.
_HARD = frozenset(
    "time bytes share length date x ratio pp bp bit USD CNY EUR GBP JPY /s FLOPS Hz fps W Wh dB degC".split()
)


def _comparable(one: str, two: str) -> bool:
    return one == two or (bool({one, two} & _ANY) and not {one, two} & _HARD)


def weight(atom: Atom) -> float:
    """How much an atom of matter says."""
    return _NAMED if atom.kind == "name" else 1.0


def covered(reading: Reading, found: Alignment, side: int) -> float:
    """The share of a reading's matter that the other one answers, contrary words and numbers included."""
    total = sum(weight(atom) for atom in reading.atoms if atom.kind in (*MATTER, "amount"))
    if not total:
        return 0.0
    answered = sum(weight(reading.atoms[k[side]]) * k.by for k in found.links)
    answered += sum(weight(reading.atoms[t[side]]) for t in found.turns) + len(found.counts)
    return min(1.0, answered / total)
