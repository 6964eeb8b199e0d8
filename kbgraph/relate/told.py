"""How much of a statement another one tells, and what a retelling lost of it or changed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from kbgraph.model.lexicon import Concept
from kbgraph.model.trace import Loss, Passage
from kbgraph.relate.align import Alignment, align, covered
from kbgraph.relate.amounts import Amount
from kbgraph.relate.atoms import Atom, Reading, read
from kbgraph.relate.dropped import lost
from kbgraph.relate.lexis import Lexis

_ENOUGH = 0.5  # share of a statement's matter from which another one tells it
_WITH_NUMBER = 0.2  # ... or this much, beside one of its numbers
_BRACKET = re.compile(r"[（(]([^（）()]+)[）)]")
_PIECE = re.compile(r"[^，,；;、]+")
_LOOSE = frozenset({"", "count", "sample", "model", "request", "user", "date"})  # numbers that pair by chance
_GAINS = frozenset({"percent", "share", "x", "pp", "permille"})  # what is told of something else
_STOP = re.compile(r"[，,；;、。：:（）()\n]|\. |\.$")
_WHOLE = frozenset({"condition-simulated", "condition-single-run"})  # conditions of which one word says all
_WIDE = ("all", "must")
_WAY = "contrast-direction"  # the set of words for up and down
_EXTENT = ("quantifier", "modality")
_NO_RANK = -1


class Told(NamedTuple):
    """How many of a statement's numbers another one has, and the share of its matter."""

    numbers: int
    share: float

    @property
    def enough(self) -> bool:
        """Whether it tells the statement at all."""
        return self.share >= _ENOUGH or (self.numbers > 0 and self.share >= _WITH_NUMBER)


def told(asked: str, other: str, lexis: Lexis, known: str = "") -> Told:
    """How much of what is asked another text tells; names that stand in `known`, such as a title, it may leave out."""
    one, two = read(asked, lexis), read(other, lexis)
    given = {atom.key for atom in read(known, lexis).atoms}
    one = one._replace(atoms=tuple(x for x in one.atoms if not (x.kind == "name" and x.key in given)))
    found = align(one, two, lexis)
    same = sum(count.near in ("equal", "rounded") for count in found.counts)
    return Told(same, covered(one, found, first=True))


def figures(text: str, lexis: Lexis) -> list[str]:
    """The numbers of a text as printed that hardly stand there by chance, the longest first."""
    said = read(text, lexis)
    found = {said.printed(a).strip() for a in said.atoms if a.amount and a.amount.unit not in _LOOSE}
    return sorted(found, key=lambda printed: (-len(printed), printed))


def losses(source: Passage, teller: Passage, lexis: Lexis, beside: Iterable[str] = ()) -> tuple[Loss, ...]:
    """What the teller lost of its source or changed; `beside` is what else the source's material says of the matter."""
    one, two = read(source.printed, lexis), read(teller.printed, lexis)
    found = align(one, two, lexis)
    every = (
        *_numbers(one, two, found, lexis), *_units(one, two, found), *_conditions(source, teller, one, lexis),
        *_baseline(one, two, lexis), *_hedge(source, teller), *_level(source, teller, lexis),
        *_widened(one, two, [one, *(read(text, lexis) for text in beside)], lexis),
    )  # fmt: skip
    return tuple(dict.fromkeys(every))


def _numbers(one: Reading, two: Reading, found: Alignment, lexis: Lexis) -> Iterator[Loss]:
    """Numbers that are others, ranges of which one end is left, and bounds that are gone."""
    for count in found.counts:
        x, y = one.atoms[count.a], two.atoms[count.b]
        a, b = x.amount, y.amount
        if a is None or b is None:
            continue
        if a.unit in _LOOSE and a.bound == "more-than":
            continue  # `over 11 suites` counts the suites
        if not b.bound and (a.low, a.high) == (b.low, b.high) and (a.bound or _limits(one, count.a, lexis)):
            if not _limits(two, count.b, lexis):
                yield Loss("bound", _marked(one, count.a, lexis), two.printed(y))
        elif a.unit in _LOOSE or count.near == "equal":
            continue
        elif count.near == "apart" or (a.low < a.high and b.low == b.high):
            yield Loss("number", _marked(one, count.a, lexis), _marked(two, count.b, lexis))


def _limits(reading: Reading, at: int, lexis: Lexis) -> Atom | None:
    """The word of a bound that a verb parts from its number: `最高提升 41%`."""
    verb = reading.atoms[at - 1] if at > 1 else None
    word = reading.atoms[at - 2] if verb and any(sense.group == _WAY for sense in verb.senses) else None
    return word if word and reading.printed(word).lower() in lexis.lexicon.labels("approx") else None


def _marked(reading: Reading, at: int, lexis: Lexis) -> str:
    """The number as printed, with its bound where there is one."""
    atom, word = reading.atoms[at], _limits(reading, at, lexis)
    start, end = atom.amount.mark if atom.amount else (0, 0)
    if start == end and word is None:
        return reading.printed(atom)
    return reading.text[min(word.start if word else start, atom.start) : max(end, atom.end)].strip()


def _units(one: Reading, two: Reading, found: Alignment) -> Iterator[Loss]:
    """The same figure with no unit, or with another one."""
    left = [two.atoms[j] for j in found.only_b if two.atoms[j].amount]
    for x in (one.atoms[i] for i in found.only_a):
        for y in left:
            if x.amount and y.amount and _other_unit(x.amount, y.amount):
                yield Loss("unit", one.printed(x), two.printed(y))


def _other_unit(a: Amount, b: Amount) -> bool:
    return (a.low, a.high) == (b.low, b.high) and a.unit not in _LOOSE and a.dimension != b.dimension


def _conditions(source: Passage, teller: Passage, one: Reading, lexis: Lexis) -> Iterator[Loss]:
    classes = lexis.lexicon.labels("condition")
    said = " ".join((teller.printed, *teller.conditions, *_names(teller.level, lexis)))
    given = dict.fromkeys((*source.conditions, *_beside(one.text, lexis)))
    told = _classes(said, classes)
    for condition in lost(said, given, lexis):
        kinds = _classes(condition, classes)
        if not kinds & told & _WHOLE:
            yield Loss("condition", _on(condition, one), "", min(kinds, default=""))


def _on(condition: str, said: Reading) -> str:
    """A condition to the end of its phrase, or to the next number: `单张` of `单张 A10、批大小 1` is `单张 A10`."""
    start = said.text.find(condition)
    if start < 0:
        return condition
    end = start + len(condition)
    stop = _STOP.search(said.text, end)
    ends = [stop.start() if stop else len(said.text), *(a.start for a in said.atoms if a.amount and a.start >= end)]
    return said.text[start : min(ends)].strip()


def _names(concept: str, lexis: Lexis) -> Iterable[str]:
    known = lexis.lexicon.by_name.get(concept)
    return known.pref.values() if known else ()


def _beside(text: str, lexis: Lexis) -> Iterator[str]:
    """What a bracket says with a figure: `（8 卡、每节点 100 Gb/s）`."""
    for bracket in _BRACKET.findall(text):
        for piece in _PIECE.findall(bracket):
            if any(atom.amount for atom in read(piece, lexis).atoms):
                yield piece.strip()


def _classes(text: str, classes: Mapping[str, Concept]) -> set[str]:
    """The kinds of condition of which a text has a word."""
    low = text.lower()
    return {concept.name for label, concept in classes.items() if _has(low, label)}


def _has(low: str, label: str) -> bool:
    if not label.isascii():
        return len(label) > 1 and label in low
    return re.search(rf"(?<![a-z]){re.escape(label)}(?![a-z])", low) is not None


def _baseline(one: Reading, two: Reading, lexis: Lexis) -> Iterator[Loss]:
    """What a gain is compared with, where the teller tells the gain alone."""
    if _gain(one) and _gain(two) and not _compared(two, lexis):
        yield from (Loss("baseline", phrase) for phrase in _compared(one, lexis)[:1])


def _gain(reading: Reading) -> bool:
    return any(atom.amount and atom.amount.unit in _GAINS for atom in reading.atoms)


def _compared(reading: Reading, lexis: Lexis) -> list[str]:
    """Phrases from a word of comparison on to the next number or end of the clause; none of a limit, `长度比超过`."""
    words, limits = (_labels(lexis, name) for name in ("condition-baseline", "condition-threshold"))
    found = []
    for at, atom in enumerate(reading.atoms):
        if reading.printed(atom).lower() in words and not atom.amount:
            rest = [a for a in reading.atoms[at + 1 :] if a.clause == atom.clause]
            taken = rest[: next((i for i, a in enumerate(rest) if a.amount), len(rest))]
            said = [a for a in taken if a.kind != "small"]
            if said and reading.printed(said[0]).lower() not in limits:
                found.append(reading.text[atom.start : taken[-1].end])
    return found


def _labels(lexis: Lexis, name: str) -> Collection[str]:
    known = lexis.lexicon.by_name.get(name)
    return known.labels if known else ()


def _hedge(source: Passage, teller: Passage) -> Iterator[Loss]:
    if source.hedge and not teller.hedge:
        yield Loss("hedge", source.hedge)


def _widened(one: Reading, two: Reading, said: Iterable[Reading], lexis: Lexis) -> Iterator[Loss]:
    """`always`, `any`, `must` of the teller, where the source's material has no such word."""
    weak = lexis.grammar["each"] | lexis.grammar["unspecific"] | lexis.grammar["apiece"]
    strong = [x for x in two.atoms if x.kind in _EXTENT and x.key not in weak and len(x.key) > 1]  # 均, 都 say little
    for value in _WIDE:
        own = [x for x in strong if _means(x, value)]
        if own and not any(_means(x, value) for reading in said for x in reading.atoms):
            word = two.printed(own[0])
            denied = (one.printed(x) for x in one.atoms if x.kind == "negation")
            yield Loss("wording", next((told for told in denied if told.endswith(word)), ""), word)


def _means(atom: Atom, value: str) -> bool:
    return any(sense.value == value for sense in atom.senses)


def _level(source: Passage, teller: Passage, lexis: Lexis) -> Iterator[Loss]:
    """A level that the teller leaves out, or states higher than its source has it."""
    rank = {c.name: c.rank for c in lexis.lexicon.schemes.get("level", ())}
    top = max(rank.values(), default=0)
    there, here = rank.get(source.level, _NO_RANK), rank.get(teller.level, _NO_RANK)
    if there in {_NO_RANK, top}:
        return
    if here > there or here == _NO_RANK:
        yield Loss("level", source.level, teller.level)
