"""What two aligned statements differ in, each difference with the words that show it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from kbgraph.relate.align import MATTER, Alignment, covered
from kbgraph.relate.atoms import Reading
from kbgraph.relate.lexis import Lexis
from kbgraph.relate.order import swapped
from kbgraph.relate.reach import beyond, head, limited, of_kind, printed, short

What = Literal[
    "number",
    "unit",
    "date",
    "negation",
    "quantifier",
    "modality",
    "scope",
    "term",
    "role",
    "thing",
    "condition",
    "mechanism",
    "name",
]

# Classes of quantifiers and modalities that exclude one another.
_EXCLUDE = frozenset(
    frozenset(pair)
    for pair in (
        ("all", "some"), ("all", "few"), ("all", "none"), ("all", "most"), ("most", "some"), ("most", "few"),
        ("most", "none"), ("some", "none"), ("few", "none"), ("may", "all"), ("may", "must"), ("may", "none"),
    )
)  # fmt: skip
_BINDING = frozenset({"all", "most", "some", "few", "none", "only", "may", "must"})
_SETS: dict[str, What] = {"thing": "thing", "condition": "condition", "mechanism": "mechanism"}


class Difference(NamedTuple):
    """What differs, the words on either side as printed, and whether both cannot hold."""

    what: What
    a: str
    b: str
    exclusive: bool


class Comparison(NamedTuple):
    """How much of the matter of each is answered by the other, and what differs."""

    of_a: float
    of_b: float
    differences: tuple[Difference, ...]

    @property
    def shared(self) -> float:
        """Harmonic mean of both shares."""
        both = self.of_a + self.of_b
        return 2 * self.of_a * self.of_b / both if both else 0.0


def compare(a: Reading, b: Reading, found: Alignment, lexis: Lexis) -> Comparison:
    """Shares and differences of two aligned readings."""
    differences = (
        *_turned(a, b, found, lexis),
        *_counted(a, b, found),
        *_classes(a, b, found, lexis),
        *(Difference("scope", *sides, True) for sides in (*beyond(a, b, found), *limited(a, b, found, lexis))),
        *_swapped(a, b, found, lexis),
        *_left(a, b, found),
    )
    return Comparison(covered(a, found, first=True), covered(b, found, first=False), differences)


def _turned(a: Reading, b: Reading, found: Alignment, lexis: Lexis) -> Iterator[Difference]:
    """Contrary words and negations: an odd number of turns excludes, an even one says nothing certain."""
    one, two = of_kind(a, "negation"), of_kind(b, "negation")
    told = {turn: lexis.sets.get(turn.group, "") for turn in found.turns}
    contrary = [t for t in found.turns if told[t] != "thing" and _placed(a, b, found, t.a, t.b)]
    odd = (len(contrary) + abs(len(one) - len(two))) % 2 == 1
    for turn in found.turns:
        what = _SETS.get(told[turn], "term")
        yield Difference(what, a.printed(a.atoms[turn.a]), b.printed(b.atoms[turn.b]), odd and turn in contrary)
    if len(one) != len(two):
        more, less = (a, b) if len(one) > len(two) else (b, a)
        pairs = [(k.a, k.b) for k in found.links] + [(t.a, t.b) for t in found.turns]
        across = dict(pairs) if more is a else {there: here for here, there in pairs}
        aimed = _turns(more, across) if short(a, b) else _aimed(more, less, across)
        yield Difference("negation", printed(a, one), printed(b, two), odd and aimed)


def _placed(a: Reading, b: Reading, found: Alignment, i: int, j: int) -> bool:
    """Whether two contrary words stand beside words that answer one another: in long statements chance brings many."""
    if short(a, b):
        return True
    across = {k.a: k.b for k in found.links} | {c.a: c.b for c in found.counts}
    return any(across.get(_beside(a, i, step), -1) == _beside(b, j, step) for step in (-1, 1))


def _beside(reading: Reading, at: int, step: int) -> int:
    """The next word of matter or number on one side of a place, in its clause; -2 for none."""
    clause, at = reading.atoms[at].clause, at + step
    while 0 <= at < len(reading.atoms) and reading.atoms[at].clause == clause:
        if reading.atoms[at].kind in (*MATTER, "amount"):
            return at
        at += step
    return -2


def _aimed(more: Reading, less: Reading, across: dict[int, int]) -> bool:
    """Whether a negation turns words that stand beside one another in the other statement as well, or open it there."""
    for at in (i for i, atom in enumerate(more.atoms) if atom.kind == "negation"):
        before, behind = _beside(more, at, -1), across.get(_beside(more, at, 1), -1)
        if behind >= 0 and across.get(before, -2) == _beside(less, behind, -1):
            return True
    return False


def _turns(more: Reading, across: dict[int, int]) -> bool:
    """Whether a negation stands in a clause that the other statement has: `未加隔离时，` left out denies nothing."""
    told = {more.atoms[at].clause for at in across}
    denied = {atom.clause for atom in more.atoms if atom.kind == "negation"}
    return bool(told & denied) or len({atom.clause for atom in more.atoms}) == 1


def _counted(a: Reading, b: Reading, found: Alignment) -> Iterator[Difference]:
    for count in found.counts:
        x, y = a.atoms[count.a], b.atoms[count.b]
        assert x.amount
        assert y.amount
        if count.near != "equal":
            what: What = "date" if x.amount.unit == "date" else "number"
            exclusive = count.near == "apart" and (what == "number" or _once(a, b, found))
            yield Difference(what, a.printed(x), b.printed(y), exclusive)


def _once(a: Reading, b: Reading, found: Alignment, name: str = "") -> bool:
    """Whether what both tell happens once, the thing that it happens to being one."""
    one, two = ({s.name for x in r.atoms for s in x.senses if s.scheme == "once"} for r in (a, b))
    return any(told.startswith(name) for told in one & two) and bool(found.links)


def _left(a: Reading, b: Reading, found: Alignment) -> Iterator[Difference]:
    """Names and numbers that nothing answers, and words in one another's place."""
    one = [a.atoms[i] for i in found.only_a]
    two = [b.atoms[j] for j in found.only_b]
    kinds: tuple[tuple[str, What], ...] = (("amount", "number"), ("name", "name"))
    for kind, what in kinds:
        x, y = ([atom for atom in side if atom.kind == kind] for side in (one, two))
        if x or y:
            exclusive = kind == "name" and bool(x) and bool(y) and short(a, b) and _once(a, b, found, "once-propose")
            yield Difference(what, printed(a, x), printed(b, y), exclusive)


def _swapped(a: Reading, b: Reading, found: Alignment, lexis: Lexis) -> Iterator[Difference]:
    sides = swapped(a, b, found, lexis)
    if sides:
        yield Difference("role", *sides, True)


def _classes(a: Reading, b: Reading, found: Alignment, lexis: Lexis) -> Iterator[Difference]:
    """Quantifiers and modalities of different classes; they exclude where they are said of the same."""
    one, two = _bound(a), _bound(b)
    lone, other = sorted(set(one) - set(two)), sorted(set(two) - set(one))
    pairs = [(x, y) for x in lone for y in other if frozenset((x, y)) in _EXCLUDE]
    if pairs:
        x, y = pairs[0]
        what: What = "modality" if "may" in (x, y) else "quantifier"
        of_one = what == "modality" or _of_one(a, b, found, one[x], two[y])
        yield Difference(what, a.printed(a.atoms[one[x]]), b.printed(b.atoms[two[y]]), of_one)
        return
    weak = lexis.grammar["each"] | lexis.grammar["unspecific"]
    left = [a.atoms[one[x]] for x in lone if a.atoms[one[x]].key not in weak]
    right = [b.atoms[two[y]] for y in other if b.atoms[two[y]].key not in weak]
    if left or right:
        what = "modality" if {"may", "must"} & {*lone, *other} else "quantifier"
        yield Difference(what, printed(a, left), printed(b, right), False)


def _of_one(a: Reading, b: Reading, found: Alignment, i: int, j: int) -> bool:
    """Whether two quantifiers count the same: always so in short statements."""
    heads = head(a, i), head(b, j)
    return short(a, b) or any((k.a, k.b) == heads for k in found.links)


def _bound(reading: Reading) -> dict[str, int]:
    """Classes of quantifiers and modalities, each with the first atom that says it."""
    found: dict[str, int] = {}
    for index, atom in enumerate(reading.atoms):
        if atom.kind in ("quantifier", "modality"):
            for sense in atom.senses:
                value = "may" if sense.name == "hedge-possibly" else sense.value
                if value in _BINDING:
                    found.setdefault(value, index)
    return found
