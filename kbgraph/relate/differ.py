"""What two aligned statements differ in, each difference with the words that show it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal, NamedTuple

from kbgraph.relate.align import MATTER, Alignment, covered
from kbgraph.relate.atoms import Atom, Reading
from kbgraph.relate.lexis import Lexis
from kbgraph.relate.order import swapped

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
_WEAK = frozenset({"都", "均", "皆", "both", "any", "each", "certain", "few", "some", "various"})
_BINDING = frozenset({"all", "most", "some", "few", "none", "only", "may", "must"})
_SETS: dict[str, What] = {"thing": "thing", "condition": "condition", "mechanism": "mechanism"}
_EACH = frozenset({"都", "均", "皆", "both", "each"})
_LIMITS = frozenset({"at-most", "less-than", "at-least", "more-than"})
_BESIDE_LIMIT = 4  # atoms between what is limited and the number that limits it
_SHORT = 14  # words of matter of a statement that hardly counts two things


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
        *_classes(a, b, found),
        *_scope(a, b, found),
        *_limits(a, b, found),
        *_swapped(a, b, found),
        *_left(a, b, found),
    )
    return Comparison(covered(a, found, first=True), covered(b, found, first=False), differences)


def _of(reading: Reading, kind: str) -> list[Atom]:
    return [atom for atom in reading.atoms if atom.kind == kind]


def _said(reading: Reading, atoms: list[Atom]) -> str:
    return " … ".join(reading.printed(atom) for atom in atoms)


def _turned(a: Reading, b: Reading, found: Alignment, lexis: Lexis) -> Iterator[Difference]:
    """Contrary words and negations: an odd number of turns excludes, an even one says nothing certain."""
    one, two = _of(a, "negation"), _of(b, "negation")
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
        aimed = _turns(more, across) if _short(a, b) else _aimed(more, less, across)
        yield Difference("negation", _said(a, one), _said(b, two), odd and aimed)


def _placed(a: Reading, b: Reading, found: Alignment, i: int, j: int) -> bool:
    """Whether two contrary words stand beside words that answer one another: in long statements chance brings many."""
    if _short(a, b):
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


def _head(reading: Reading, at: int) -> int:
    """The next word of matter behind a place in its clause, else the last one before it; -1 for none."""
    clause = reading.atoms[at].clause
    words = [i for i, atom in enumerate(reading.atoms) if atom.kind in MATTER and atom.clause == clause]
    return next((i for i in words if i > at), words[-1] if words else -1)


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
            exclusive = kind == "name" and bool(x) and bool(y) and _short(a, b) and _once(a, b, found, "once-propose")
            yield Difference(what, _said(a, x), _said(b, y), exclusive)


def _scope(a: Reading, b: Reading, found: Alignment) -> Iterator[Difference]:
    """One is restricted to what the other goes beyond: another member of the set, a wider range, a sum."""
    only_a, only_b = (any(s.value == "only" for x in _of(r, "quantifier") for s in x.senses) for r in (a, b))
    if only_a == only_b or not _short(a, b):
        return
    wide, beyond = (b, found.only_b) if only_a else (a, found.only_a)
    narrow = a if only_a else b
    words = _of(narrow, "quantifier")[:1]
    extra = [wide.atoms[i] for i in beyond if _other_side(wide.atoms[i], narrow)]
    ranges = [c for c in found.counts if c.near == "within"]
    if extra:
        said = _said(narrow, words), _said(wide, extra)
        yield Difference("scope", *(said if only_a else said[::-1]), True)
    elif ranges:
        yield Difference("scope", a.printed(a.atoms[ranges[0].a]), b.printed(b.atoms[ranges[0].b]), True)


def _limits(a: Reading, b: Reading, found: Alignment) -> Iterator[Difference]:
    """One holds for any of what the other limits by a number: `任意比例的删除`, `deletion ratios up to 30%`."""
    links = [(k.a, k.b) for k in found.links]
    for wide, narrow, across, left in (
        (a, b, dict(links), found.only_b), (b, a, {there: here for here, there in links}, found.only_a),
    ):  # fmt: skip
        every = [i for i, x in enumerate(wide.atoms) if any(s.value == "all" for s in x.senses) and x.key not in _EACH]
        limits = [j for j in left if (amount := narrow.atoms[j].amount) and amount.bound in _LIMITS]
        for i, j in product(every, limits):
            counted = across.get(_head(wide, i), -1)
            if counted >= 0 and abs(counted - j) <= _BESIDE_LIMIT:
                said = wide.printed(wide.atoms[i]), narrow.printed(narrow.atoms[j])
                yield Difference("scope", *(said if wide is a else said[::-1]), True)
                return


def _other_side(atom: Atom, narrow: Reading) -> bool:
    """Whether a word is another member of a contrast set of which the narrow statement has one."""
    sets = {s.group: s.name for x in narrow.atoms if x.kind in MATTER for s in x.senses if s.scheme == "contrast"}
    return any(sets.get(s.group, s.name) != s.name for s in atom.senses if s.scheme == "contrast")


def _swapped(a: Reading, b: Reading, found: Alignment) -> Iterator[Difference]:
    sides = swapped(a, b, found)
    if sides:
        yield Difference("role", *sides, True)


def _classes(a: Reading, b: Reading, found: Alignment) -> Iterator[Difference]:
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
    left = [a.atoms[one[x]] for x in lone if a.atoms[one[x]].key not in _WEAK]
    right = [b.atoms[two[y]] for y in other if b.atoms[two[y]].key not in _WEAK]
    if left or right:
        what = "modality" if {"may", "must"} & {*lone, *other} else "quantifier"
        yield Difference(what, _said(a, left), _said(b, right), False)


def _of_one(a: Reading, b: Reading, found: Alignment, i: int, j: int) -> bool:
    """Whether two quantifiers count the same: always so in short statements."""
    heads = _head(a, i), _head(b, j)
    return _short(a, b) or any((k.a, k.b) == heads for k in found.links)


def _short(a: Reading, b: Reading) -> bool:
    """Whether both are so short that they hardly say two things."""
    return max(sum(atom.kind in MATTER for atom in reading.atoms) for reading in (a, b)) <= _SHORT


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
