"""What two aligned statements differ in, each difference with the words that show it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from kbgraph.relate.align import Alignment, covered
from kbgraph.relate.atoms import Atom, Reading

What = Literal["number", "unit", "date", "negation", "quantifier", "modality", "scope", "term", "role", "name", "order"]

# Classes of quantifiers and modalities that exclude one another, the weaker first.
_EXCLUDE = frozenset(
    frozenset(pair)
    for pair in (
        ("all", "some"), ("all", "few"), ("all", "none"), ("all", "most"), ("most", "some"), ("most", "few"),
        ("most", "none"), ("some", "none"), ("few", "some"), ("few", "none"), ("may", "all"), ("may", "must"),
        ("may", "none"), ("only", "all"),
    )
)  # fmt: skip
_WEAK = frozenset({"都", "均", "皆", "both", "can", "可", "能", "will", "将", "would"})


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


def compare(a: Reading, b: Reading, found: Alignment) -> Comparison:
    """Shares and differences of two aligned readings."""
    differences = (*_turned(a, b, found), *_counted(a, b, found), *_classes(a, b), *_lone_numbers(a, b, found))
    return Comparison(covered(a, found, 0), covered(b, found, 1), differences)


def _of(reading: Reading, kind: str) -> list[Atom]:
    return [atom for atom in reading.atoms if atom.kind == kind]


def _said(reading: Reading, atoms: list[Atom]) -> str:
    return " … ".join(reading.printed(atom) for atom in atoms)


def _turned(a: Reading, b: Reading, found: Alignment) -> Iterator[Difference]:
    """Contrary words and negations: an odd number of turns excludes, an even one says nothing certain."""
    one, two = _of(a, "negation"), _of(b, "negation")
    turns = len(found.turns) + abs(len(one) - len(two))
    for turn in found.turns:
        yield Difference("term", a.printed(a.atoms[turn.a]), b.printed(b.atoms[turn.b]), bool(turns % 2))
    if len(one) != len(two):
        yield Difference("negation", _said(a, one), _said(b, two), bool(turns % 2))


def _counted(a: Reading, b: Reading, found: Alignment) -> Iterator[Difference]:
    for count in found.counts:
        x, y = a.atoms[count.a], b.atoms[count.b]
        assert x.amount
        assert y.amount
        if count.near != "equal":
            what: What = "date" if x.amount.unit == "date" else "number"
            yield Difference(what, a.printed(x), b.printed(y), count.near == "apart")


def _lone_numbers(a: Reading, b: Reading, found: Alignment) -> Iterator[Difference]:
    for reading, lone, first in ((a, found.only_a, True), (b, found.only_b, False)):
        for index in lone:
            atom = reading.atoms[index]
            if atom.kind in ("amount", "name"):
                printed = reading.printed(atom)
                what: What = "number" if atom.kind == "amount" else "name"
                yield Difference(what, printed if first else "", "" if first else printed, False)


def _classes(a: Reading, b: Reading) -> Iterator[Difference]:
    """Quantifiers and modalities of different classes."""
    for kind in ("quantifier", "modality"):
        one, two = (_class(_of(r, kind)) for r in (a, b))
        if set(one) != set(two):
            across = any(frozenset((x, y)) in _EXCLUDE for x in one for y in two)
            yield Difference(
                "quantifier" if kind == "quantifier" else "modality",
                " … ".join(a.printed(x) for x in one.values()),
                " … ".join(b.printed(y) for y in two.values()),
                across and not set(one) & set(two),
            )
    one, two = (_class([*_of(r, "quantifier"), *_of(r, "modality")]) for r in (a, b))
    for x, y in ((one, two), (two, one)):
        if "may" in x and "may" not in y and {"all", "must"} & set(y):
            yield Difference("modality", *(r.printed(k) for r, k in _ordered(a, b, one, two)), True)


def _ordered(a: Reading, b: Reading, one: dict[str, Atom], two: dict[str, Atom]) -> list[tuple[Reading, Atom]]:
    pick = lambda known: known.get("may") or known.get("all") or known["must"]
    return [(a, pick(one)), (b, pick(two))]


def _class(atoms: list[Atom]) -> dict[str, Atom]:
    """The classes said, each with the first word that says it; words that hardly bind are left out."""
    found: dict[str, Atom] = {}
    for atom in atoms:
        for sense in atom.senses:
            if sense.scheme in ("quantifier", "modality", "hedge") and atom.key not in _WEAK:
                value = sense.value or {"hedge-possibly": "may"}.get(sense.name, "")
                if value and value not in ("propose", "plan", "can", "should"):
                    found.setdefault(value, atom)
    return found
