"""Two statements laid beside one another: which words answer which, and what is left on either side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from kbgraph.relate.amounts import Nearness, nearness
from kbgraph.relate.atoms import Atom, Reading
from kbgraph.relate.lexis import Lexis
from kbgraph.relate.likeness import SHARED, alike, hooks, opposite

MATTER = ("content", "name")
_NAMED = 1.5  # a name says more than a word


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
    """Two readings beside one another; the other way round gives the same, mirrored."""
    left = [i for i, atom in enumerate(a.atoms) if atom.kind in MATTER]
    right = [j for j, atom in enumerate(b.atoms) if atom.kind in MATTER]
    links = _equal(a, b, left, right)
    left, right = _rest(left, {k.a for k in links}), _rest(right, {k.b for k in links})
    near = _similar(a, b, left, right, lexis)
    links += near
    left, right = _rest(left, {k.a for k in near}), _rest(right, {k.b for k in near})
    turns = _contrary(a, b, (left, right), {k.a: k.b for k in links}, lexis)
    left, right = _rest(left, {t.a for t in turns}), _rest(right, {t.b for t in turns})
    counts = _numbers(a, b)
    odd_a = _rest(_amounts(a), {c.a for c in counts})
    odd_b = _rest(_amounts(b), {c.b for c in counts})
    only = tuple(sorted(left + odd_a)), tuple(sorted(right + odd_b))
    return Alignment(tuple(sorted(links)), tuple(turns), tuple(counts), *only)


def _amounts(reading: Reading) -> list[int]:
    return [i for i, atom in enumerate(reading.atoms) if atom.kind == "amount"]


def _rest(indices: Iterable[int], used: set[int]) -> list[int]:
    return [i for i in indices if i not in used]


def _place(reading: Reading, index: int) -> float:
    return index / max(1, len(reading.atoms) - 1)


class _Option(NamedTuple):
    """Two atoms that may answer one another: the smaller `rank`, the better."""

    rank: float
    apart: float  # how far from one another they stand, as a share of their texts
    a: int
    b: int


def _chosen(options: Iterable[_Option]) -> list[_Option]:
    """The best options, each atom used once; ties are broken alike from either side."""
    used_a: set[int] = set()
    used_b: set[int] = set()
    kept = []
    for option in sorted(options, key=lambda o: (o.rank, o.apart, o.a + o.b, abs(o.a - o.b), min(o.a, o.b))):
        if option.a not in used_a and option.b not in used_b:
            used_a.add(option.a)
            used_b.add(option.b)
            kept.append(option)
    return kept


def _apart(a: Reading, b: Reading, i: int, j: int) -> float:
    return abs(i / max(1, len(a.atoms) - 1) - j / max(1, len(b.atoms) - 1))


def _equal(a: Reading, b: Reading, left: list[int], right: list[int]) -> list[Link]:
    """Same words: of several the ones that stand at about the same place."""
    at: dict[str, list[int]] = defaultdict(list)
    for j in right:
        at[b.atoms[j].key].append(j)
    options = [_Option(0.0, _apart(a, b, i, j), i, j) for i in left for j in at.get(a.atoms[i].key, ())]
    return [Link(o.a, o.b, 1.0) for o in _chosen(options)]


def _hooked(a: Reading, b: Reading, left: list[int], right: list[int], lexis: Lexis) -> list[tuple[int, int]]:
    """Pairs of words that have anything in common."""
    holding: dict[str, list[int]] = defaultdict(list)
    for j in right:
        for hook in hooks(b.atoms[j], lexis):
            holding[hook].append(j)
    return sorted({(i, j) for i in left for hook in hooks(a.atoms[i], lexis) for j in holding.get(hook, ())})


def _similar(a: Reading, b: Reading, left: list[int], right: list[int], lexis: Lexis) -> list[Link]:
    options = []
    for i, j in _hooked(a, b, left, right, lexis):
        like = alike(a.atoms[i], b.atoms[j], lexis)
        if like >= SHARED and not opposite(a.atoms[i], b.atoms[j], lexis):
            options.append(_Option(-like, _apart(a, b, i, j), i, j))
    return [Link(o.a, o.b, -o.rank) for o in _chosen(options)]


def _contrary(
    a: Reading, b: Reading, left: tuple[list[int], list[int]], across: dict[int, int], lexis: Lexis
) -> list[Turn]:
    """Words of one contrast set on different sides of it, first those that stand between the same words."""
    back = {there: there for there in across.values()}
    pairs = _hooked(a, b, *left, lexis)
    groups = {(i, j): opposite(a.atoms[i], b.atoms[j], lexis) for i, j in pairs}
    options = []
    for i, j in (pair for pair, group in groups.items() if group):
        between = sum(_next(a, i, step, across) == _next(b, j, step, back) != -1 for step in (-1, 1))
        options.append(_Option(-between, _apart(a, b, i, j), i, j))
    return [Turn(o.a, o.b, groups[o.a, o.b]) for o in _chosen(options)]


def _next(reading: Reading, at: int, step: int, across: dict[int, int]) -> int:
    """The atom of the other text that answers the next answered one on a side; -1 for none."""
    at += step
    while 0 <= at < len(reading.atoms):
        if at in across:
            return across[at]
        at += step
    return -1


_ORDER: dict[Nearness, int] = {"equal": 0, "rounded": 1, "within": 2, "overlap": 3, "apart": 4}


def _numbers(a: Reading, b: Reading) -> list[Count]:
    """Numbers that measure the same, the nearest first."""
    near: dict[tuple[int, int], Nearness] = {}
    for i in _amounts(a):
        for j in _amounts(b):
            x, y = a.atoms[i].amount, b.atoms[j].amount
            if x and y and _comparable(x.dimension, y.dimension):
                near[i, j] = nearness(x, y)
    options = [_Option(_ORDER[how], _apart(a, b, i, j), i, j) for (i, j), how in near.items()]
    return [Count(o.a, o.b, near[o.a, o.b]) for o in _chosen(options)]


_ANY = frozenset({"", "count", "sample", "model", "request", "user"})  # measure words, for which others can stand
# Units without which, or with another one, a number says something else.
_MONEY = ("USD", "CNY", "EUR", "GBP", "JPY")
_RATES = ("/s", "FLOPS", "Hz", "fps", "W", "Wh", "dB", "degC")
_HARD = frozenset(("time", "bytes", "share", "length", "date", "x", "ratio", "pp", "bp", "bit", *_MONEY, *_RATES))


def _comparable(one: str, two: str) -> bool:
    return one == two or (bool({one, two} & _ANY) and not {one, two} & _HARD)


def weight(atom: Atom) -> float:
    """How much an atom of matter says."""
    return _NAMED if atom.kind == "name" else 1.0


def covered(reading: Reading, found: Alignment, first: bool) -> float:
    """The share of a reading's matter that the other one answers, contrary words and numbers included."""
    total = sum(weight(atom) for atom in reading.atoms if atom.kind in (*MATTER, "amount"))
    if not total:
        return 0.0
    answered = sum(weight(reading.atoms[k.a if first else k.b]) * k.by for k in found.links)
    answered += sum(weight(reading.atoms[t.a if first else t.b]) for t in found.turns) + len(found.counts)
    return min(1.0, answered / total)
