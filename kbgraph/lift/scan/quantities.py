"""Quantities of a text: values, ranges and changes with unit, bound, error and the metric beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from kbgraph.lift.scan.amounts import Amount
from kbgraph.lift.scan.found import Id, Quantity
from kbgraph.lift.scan.ids import find_ids
from kbgraph.lift.scan.matching import Hit, flat, per_lexicon
from kbgraph.lift.scan.metrics import Candidate, with_metrics
from kbgraph.lift.scan.numbers import spelled
from kbgraph.lift.scan.numerals import numerals
from kbgraph.lift.scan.spans import Composer
from kbgraph.lift.scan.units import MEASURED, tables
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.text import Mark

_DIGIT = re.compile("[0-9０-９]")
_DATE = re.compile(
    r"(?<!\d)\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]?\d{2}:?\d{2}(?::?\d{2})?)?(?!\d)|(?<![\d:])\d{1,2}:\d{2}:\d{2}(?!\d)"
)
_DATED = re.compile(r"[-/.:]\d{1,2}[-/.:]")  # what every one of these holds
_REST = re.compile(r"[A-Za-z0-9_]*(?:[.\-/@+:][A-Za-z0-9_]+)*")
# A full-width comma before three digits may separate thousands or clauses: neither number is read.
_AMBIGUOUS = re.compile(r"(?<![0-9])[0-9]{1,3}(?:，[0-9]{3})+(?![0-9])")
_THREE_FOLLOW = re.compile("，[0-9]{3}")
_GLUE = "-./@+#_"
_SPANS_OF_TIME = frozenset({"day", "week", "month", "year"})
_LATIN_WORD = re.compile(r"[A-Za-z][\w.+-]*\s(?:\d[\d.]*/)*$")

_SHORT = re.compile(r"\d+\.\d")  # versions mostly look like this
# The start of a clause, with at most one character that is no Latin letter before the number.
_CLAUSE_OPENS = re.compile(r"(?:^|[，,；;。:：（(\n])\s*[^\W\da-zA-Z]?\s?$")
_WORD_FOLLOWS = re.compile(r"\s?[^\W\d_]")  # a number that stands alone in its clause is no version of anything


class _Finder:
    """What is made once per lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.tables = tables(lexicon)
        self.numerals = numerals(lexicon)
        han = self.numerals.first
        han += "".join(self.numerals.half)
        self.start = re.compile(rf"[0-9]|\.(?=[0-9])|[{han}]" if han else r"[0-9]|\.(?=[0-9])")
        self.han = re.compile(f"[{han}]" if han else "(?!)")


@per_lexicon
def _finder(lexicon: Lexicon) -> _Finder:
    return _Finder(lexicon)


def find_quantities(
    text: str, lexicon: Lexicon, marks: tuple[Mark, ...] = (), ids: Sequence[Id] | None = None
) -> tuple[Quantity, ...]:
    """Quantities in order; versions, dates, names, ids, code and sections are none. `ids` are found if not given."""
    finder = _finder(lexicon)
    low = flat(text)
    found: list[Candidate] = []
    blocked: list[tuple[int, int]] = []
    if _DIGIT.search(text) or finder.han.search(low):
        blocked = _blocked(text, marks, find_ids(text, marks, lexicon) if ids is None else ids)
        found = list(_Scan(text, low, finder, blocked).all())
    found += _spoken(text, finder, found)
    if not found:
        return ()
    found.sort(key=lambda c: c.quantity.start)
    return with_metrics(text, low, finder.tables, found, blocked)


def _spoken(text: str, finder: _Finder, found: list[Candidate]) -> list[Candidate]:
    """Factors, shares and measured numbers that are words: doubled, half, three times; not half-precision."""
    hits = finder.tables.spoken.find(text)
    if not hits:
        return []
    masks = finder.tables.not_number.find(text)
    taken = [(c.quantity.start, c.quantity.end) for c in found] + [(m.start, m.end) for m in masks]
    said = [_said(text, hit, finder) for hit in hits if not any(a < hit.end and hit.start < b for a, b in taken)]
    return [Candidate(quantity) for quantity in said if quantity]


def _said(text: str, hit: Hit, finder: _Finder) -> Quantity | None:
    """The quantity of one such word; a number alone needs a unit of measured things after it."""
    concept, end = hit.concepts[0], hit.end
    value, unit = Decimal(concept.value), "x"
    if concept.scheme == "numeral" and value < 1:
        value, unit = value * 100, "percent"
    elif concept.scheme == "numeral":
        after = finder.tables.unit_after(text, flat(text), end)
        if after is None or not (after.power or after.symbol in MEASURED):
            return None
        value, unit, end = Decimal(10) ** int(value) if after.power else value, after.symbol, after.end
    bound = finder.tables.bound_before(flat(text), hit.start)
    start = bound[0] if bound else hit.start
    return Quantity(start, end, text[start:end], spelled(value), unit=unit, bound=bound[1] if bound else "")


def _blocked(text: str, marks: tuple[Mark, ...], ids: Sequence[Id]) -> list[tuple[int, int]]:
    """Stretches whose digits count nothing."""
    spans = [(i.start, i.end) for i in ids if not i.target]
    spans += [(m.start, m.end) for m in marks if m.kind in {"code", "image", "footnote", "wikilink", "embed"}]
    if _DATED.search(text):
        spans += [m.span() for m in _DATE.finditer(text)]
    if _THREE_FOLLOW.search(text):
        spans += [m.span() for m in _AMBIGUOUS.finditer(text)]
    return sorted(spans)


class _Scan:
    """One pass over the numbers of a text."""

    def __init__(self, text: str, low: str, finder: _Finder, blocked: list[tuple[int, int]]) -> None:
        self.text = text
        self.low = low
        self.finder = finder
        self.blocked = blocked
        self.composer = Composer(text, low, finder.tables, finder.numerals)
        self.chars = self.composer.reader.chars
        self._masks: tuple[tuple[int, int], ...] | None = None

    def all(self) -> Iterator[Candidate]:
        """Every candidate, none overlapping."""
        reached = floor = block = 0
        blocked, many = self.blocked, len(self.blocked)
        for place in self.finder.start.finditer(self.chars):
            at = place.start()
            while block < many and blocked[block][1] <= at:
                block += 1
            if at < reached or (block < many and blocked[block][0] <= at):
                continue
            if self._glued(at, floor):
                reached = self._rest(at)
                continue
            amount = self.composer.reader.at(at)
            if amount is None:
                reached = self._rest(at)
            elif candidate := self._candidate(amount, floor):
                yield candidate
                reached = candidate.quantity.end
                floor = floor if candidate.needs else reached
            else:
                reached = amount.end

    def _rest(self, at: int) -> int:
        """The end of the name or number that begins at a place."""
        if self.chars[at] > "\x7f":
            return self.composer.reader.end_of_run(at)
        rest = _REST.match(self.chars, at)
        return max(at + 1, rest.end() if rest else at)

    def _glued(self, at: int, floor: int) -> bool:
        """True when a number is part of a name before it: Llama2-70B, P99, v0.17, recall@10, #12, 2024-05."""
        if at <= floor or self.chars[at] > "\x7f":
            return False
        place = at - 1
        char = self.chars[place]
        # Letters, or the second side of a product of sizes: 16×16, 7×24.
        if (char.isascii() and char.isalpha()) or char in "_#" or (char == "×" and self.chars[place - 1].isdigit()):
            return True
        if char not in _GLUE:
            return False
        while place >= floor and self.chars[place] in _GLUE:
            place -= 1
        if place < floor or not self.chars[place].isascii():
            return False
        # A slash between numbers lists them; other signs make one name of them.
        return self.chars[place].isalpha() or (self.chars[place].isdigit() and char != "/")

    def _candidate(self, amount: Amount, floor: int) -> Candidate | None:
        if amount.spoken and self._masked(amount):
            return None
        quantity, firm = self.composer.compose(amount, floor)
        if quantity is None:
            return None
        if amount.spoken:
            # Of `三到五倍` only the second number has the unit.
            joined = replace(amount, unit=quantity.unit, high=amount.high + bool(quantity.low or quantity.before))
            return Candidate(quantity) if self._counts(joined) else None
        if firm:
            return Candidate(quantity, letter=amount.letter)
        if amount.plain:
            return Candidate(quantity, "" if quantity.bound else "beside")
        # A decimal right after a Latin word may be a version; after a name it is, unless the name is a metric.
        short = _SHORT.fullmatch(self.chars, amount.start, amount.end) is not None
        near = max(0, quantity.start - 40)
        word = _LATIN_WORD.search(self.text, near, quantity.start) if amount.low >= 1 or short else None
        if word:
            return Candidate(quantity, "clause" if word.group()[0].islower() else "beside")
        named = short and _WORD_FOLLOWS.match(self.text, quantity.end)
        opens = named and _CLAUSE_OPENS.search(self.text, near, quantity.start)
        return Candidate(quantity, "clause" if opens else "")

    def _counts(self, amount: Amount) -> bool:
        """True for numbers in characters that do count: measured, large, or with a decimal point."""
        if amount.unit in MEASURED:
            return amount.low != 1 or amount.low != amount.high or amount.unit not in _SPANS_OF_TIME
        if amount.plain:
            return False
        return bool(amount.unit) or amount.low >= 10000 or amount.low % 1 != 0

    def _masked(self, amount: Amount) -> bool:
        """True when a word that counts nothing covers the whole amount: 统一, 十分, 五花八门."""
        if self._masks is None:
            self._masks = tuple((h.start, h.end) for h in self.finder.tables.not_number.find(self.text))
        # A word that begins before the number covers it; one that begins with it may be shorter: 两个 in 两个月.
        start, end = amount.start, amount.end
        return any(a <= start < b and (a < start or end <= b) for a, b in self._masks)
