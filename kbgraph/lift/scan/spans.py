"""Two amounts that belong together, a range or a change; sign, money and bound around them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal, NamedTuple

from kbgraph.lift.scan.amounts import Amount, Reader
from kbgraph.lift.scan.found import Bound, Quantity
from kbgraph.lift.scan.numbers import product, spelled
from kbgraph.lift.scan.numerals import Numerals
from kbgraph.lift.scan.units import MEASURED, Tables, Unit

_DASH = re.compile(r"\s?[–~～∼]\s?|\s?(?<![—-])—(?!—)\s?|-(?=[\d.])")
_ARROW = re.compile(r"\s?(?:→|⟶|➜|➔|=>|--?>)\s?")
_TIES = frozenset("–~～∼—-→⟶➜➔=")  # what dashes and arrows begin with
_DAY = re.compile(r"(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_GOES_ON = re.compile(r"\s?[-–~—]\s?\d")
_SIGNS = "+-−–"
_CLOSED = ")]}%‰\"'"


class Pair(NamedTuple):
    """Two amounts in one unit."""

    kind: Literal["range", "change"]
    first: Amount
    second: Amount


class Composer:
    """Makes quantities of the amounts of one text."""

    def __init__(self, text: str, low: str, tables: Tables, numerals: Numerals) -> None:
        self.text = text
        self.low = low
        self.tables = tables
        self.reader = Reader(text, low, tables, numerals)

    def compose(self, amount: Amount, floor: int) -> tuple[Quantity | None, bool]:
        """The quantity that an amount begins, and whether it is one without any metric; None for numbers of names."""
        start, amount = self._signed(amount, floor)
        signed = start < amount.start
        if self.tables.names.before(self.low, start):
            return None, False
        pair = self._pair(start, amount)
        last = pair.second if pair else amount
        if not last.strong and self._names(last.end):
            return None, False
        firm = pair is not None or amount.strong or signed or not (amount.plain or _is_bare_decimal(amount, self.text))
        if factor := self.tables.factor_before.before(self.low, start) if not amount.unit else None:
            start, firm, amount = factor[0], True, replace(amount, unit="x")
        return self._bounded(pair, amount, (start, last.end), floor), firm

    def _signed(self, amount: Amount, floor: int) -> tuple[int, Amount]:
        """With a sign and a currency right before it."""
        start = amount.start
        chars = self.reader.chars
        money = self.tables.money_before(self.low, start)
        if money and money[0] >= floor:
            start = money[0]
            amount = amount if amount.unit else self._priced(amount, money[1])
        if start > floor and chars[start - 1] in _SIGNS and not self._joins(start - 1):
            amount = amount if chars[start - 1] == "+" else replace(amount, low=-amount.high, high=-amount.low)
            start -= 1
        return start, amount

    def _priced(self, amount: Amount, currency: str) -> Amount:
        """In a currency whose sign stands before; `$0.15/M tokens` is the price of one."""
        unit = self.tables.rate(self.reader.chars, self.low, Unit(amount.end, currency))
        low, high = product(amount.low, unit.factor), product(amount.high, unit.factor)
        return replace(amount, end=unit.end, low=low, high=high, unit=unit.symbol)

    def _joins(self, at: int) -> bool:
        """True when the sign at a place connects what is before it."""
        before = self.reader.chars[at - 1 : at]
        return bool(before) and before.isascii() and (before.isalnum() or before in _CLOSED + _SIGNS)

    def _names(self, end: int) -> bool:
        """True when the word after a number makes it the name of a section or version: `3.1 节`, `0.9 版`."""
        place = end + 1 if self.low[end : end + 1] == " " else end
        hit = self.tables.names_after.longest(self.low, place)
        return hit is not None and not self.low[hit.start].isascii()

    def _pair(self, start: int, first: Amount) -> Pair | None:
        """The range or change that goes on after an amount."""
        kind, at = self._link(start, first.end)
        if not kind:
            return None
        chars = self.reader.chars
        sign = chars[at : at + 1] if kind == "change" and chars[at : at + 1] in tuple(_SIGNS) else ""
        second = self.reader.at(at + len(sign))
        # `24K prompt → 1.8–2.4s` is no change of the prompt: what follows is a range of its own.
        if second is None or (
            kind == "change" and not second.unit and first.unit and _GOES_ON.match(chars, second.end)
        ):
            return None
        if sign and sign != "+":
            second = replace(second, low=-second.high, high=-second.low)
        if kind == "range" and _DAY.fullmatch(chars, start, second.start + 2) and second.unit not in MEASURED:
            return None
        return _united(kind, first, second, loose=self.low[at - 1] not in "-–—~" or chars[first.end] in "–—~～")

    def _link(self, start: int, end: int) -> tuple[Literal["", "range", "change"], int]:
        """How an amount is tied to the one after it, and where that begins."""
        chars = self.reader.chars
        then = chars[end : end + 1]
        if (chars[end + 1 : end + 2] if then.isspace() else then) in _TIES:
            if arrow := _ARROW.match(chars, end):
                return "change", arrow.end()
            if dash := _DASH.match(chars, end):
                return "range", dash.end()
        place = end + 1 if self.low[end : end + 1] == " " else end
        hit = self.tables.span.longest(self.low, place)
        if hit is None:
            return "", end
        at = hit.end + 1 if self.low[hit.end : hit.end + 1] == " " else hit.end
        said = hit.concepts[0].value
        before = self.tables.span_before.before(self.low, start)
        opened = before[1].value if before else ""
        if said == "and":
            return ("range" if opened == "between" else ""), at
        return ("change" if said == "moved" or opened == "from" else "range"), at

    def _bounded(self, pair: Pair | None, amount: Amount, span: tuple[int, int], floor: int) -> Quantity:
        """With the word of bound before or after it, which belongs to what is printed."""
        start, end = span
        before = self.tables.bound_before(self.low, start)
        after = self.tables.bound_after(self.low, end)
        end = after[0] if after else end
        bound = after[1] if after else None
        if before and before[0] >= floor:
            start, bound = before
        return _quantity(pair, amount, (start, end, self.text[start:end]), bound)


def _is_bare_decimal(amount: Amount, text: str) -> bool:
    """True for digits with a point and nothing else, which may be a version."""
    return (
        "." in text[amount.start : amount.end].strip(".") and text[amount.start : amount.end].replace(".", "").isdigit()
    )


def _united(kind: Literal["range", "change"], first: Amount, second: Amount, loose: bool) -> Pair | None:
    """Both amounts in the unit and magnitude that only the second may have printed; None when they do not fit."""
    if not first.unit and second.unit:
        low, high = product(first.low, second.factor), product(first.high, second.factor)
        first = replace(first, unit=second.unit, low=low, high=high)
    elif first.unit and not second.unit and kind == "change":
        second = replace(second, unit=first.unit)
    if first.scale == 1 and second.scale != 1 and product(first.low, second.scale) <= second.low:
        low, high = product(first.low, second.scale), product(first.high, second.scale)
        first = replace(first, low=low, high=high, plain=False)
    if first.unit != second.unit:
        return None
    if kind == "change":
        return Pair(kind, first, second)
    bare = not first.unit and (first.plain or second.plain)
    return None if first.low > second.high or (bare and not (loose and not first.plain)) else Pair(kind, first, second)


def _quantity(pair: Pair | None, amount: Amount, place: tuple[int, int, str], said: Bound | None) -> Quantity:
    """The quantity of amounts at a place, with the bound that words there say. A vague pair is about a range."""
    last = pair.second if pair else amount
    error = spelled(amount.error) if amount.error is not None else ""
    if pair and pair.kind == "change":
        return Quantity(*place, spelled(last.low), "", "", last.unit, "", said or "", error, spelled(pair.first.low))
    low, high = pair.first.low if pair else amount.low, last.high
    if low != high:
        bound = said if said is not None else "about" if amount.low != amount.high else last.bound
        return Quantity(*place, "", spelled(low), spelled(high), last.unit, "", bound, error)
    return Quantity(*place, spelled(low), "", "", last.unit, "", last.bound if said is None else said, error)
