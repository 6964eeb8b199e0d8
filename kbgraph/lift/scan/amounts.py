"""One amount at a place of a text: a number in digits or characters with its magnitude, unit and error."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from kbgraph.lift.scan import numbers
from kbgraph.lift.scan.found import Bound
from kbgraph.lift.scan.numbers import product
from kbgraph.lift.scan.numerals import Numerals
from kbgraph.lift.scan.units import MEASURED, Tables, Unit

_ERROR = re.compile(r"\s?(?:±|\+/-|\\pm)\s?(\d+(?:\.\d+)?)|\s?[(（]\s?(?:±|\+/-)\s?(\d+(?:\.\d+)?)\s?%?\s?[)）]")
_OPENS_ERROR = frozenset("±+\\(（")
_BETWEEN = ("/", ":")  # the two sides of a ratio
_OVER = re.compile(r"/(\d{1,3})(?![/%\w]|[.,]\d)")
_TO = re.compile(r":(\d{1,3}(?:\.\d+)?)(?![:%\w]|[.,]\d)")
_NAME_GOES_ON = re.compile(r"[A-Za-z_]|-[A-Za-z]|[.@][A-Za-z]")


@dataclass(slots=True)
class Amount:
    """A number with what follows it, put together step by step: no tuple, since each step would copy it.

    `end` is behind the unit; `low` and `high` differ for vague pairs only.
    """

    start: int
    end: int
    low: Decimal
    high: Decimal
    unit: str = ""
    plain: bool = True  # digits only: no point, separator, exponent or magnitude
    scale: Decimal = Decimal(1)
    letter: str = ""  # K M B T, whose unit the context tells
    error: Decimal | None = None
    label: str = ""  # the unit as printed, folded
    spoken: bool = False  # written in characters
    factor: Decimal = Decimal(1)  # what one of the unit counts: ten percent for 成
    bound: Bound = ""  # of a word between number and unit: 10 多个

    @property
    def strong(self) -> bool:
        """True when more than bare digits says that this is a quantity."""
        return bool(self.unit) or self.scale != 1 or self.error is not None or self.low != self.high


class Reader:
    """A text with the tables that its amounts are read by."""

    def __init__(self, text: str, low: str, tables: Tables, numerals: Numerals) -> None:
        self.text = text
        self.chars = numbers.narrowed(text)
        self.low = low
        self.tables = tables
        self._numerals = numerals

    def at(self, start: int) -> Amount | None:
        """The amount that begins at a place; None for names, dates, versions and words that are no number."""
        found = numbers.NUMBER.match(self.chars, start)
        if found is None:
            return self._in_characters(start)
        number = numbers.read(self.chars, found)
        if number is None:
            return None
        if number.plain and (ratio := self._ratio(start, number.end, number.value)):
            return ratio
        amount = self._scaled(Amount(start, number.end, number.value, number.value, plain=number.plain))
        amount = self._with_unit(self._with_error(amount))
        return None if self._is_name(amount) else self._with_error(amount)

    def _ratio(self, start: int, end: int, value: Decimal) -> Amount | None:
        """`1/3`, `3:1`; not the like of a date or a time of day."""
        if self.chars[end : end + 1] not in _BETWEEN:
            return None
        over = _OVER.match(self.chars, end)
        if over and 0 < value < int(over[1]) and (int(over[1]) <= 10 or value == 1):
            share = numbers.CONTEXT.divide(value, Decimal(over[1])).quantize(Decimal("0.000001"))
            return Amount(start, over.end(), share, share, "ratio", False)
        to = _TO.match(self.chars, end)
        if to is None or not Decimal(to[1]):
            return None
        clock = len(to[1]) == 2 and value < 24 and value != 1
        if clock or (value == 1 and len(to[1]) == 2 and self.low[to.end() : to.end() + 1].isdigit()):
            return None
        share = numbers.CONTEXT.divide(value, Decimal(to[1]))
        share = share if share == share.to_integral_value() else share.quantize(Decimal("0.000001"))
        return Amount(start, to.end(), share, share, "ratio", False)

    def _scaled(self, amount: Amount) -> Amount:
        """With the magnitudes that follow: `2,300万`, `1.5 万亿`, and what is added to them: `三亿2000万`, `4万3`."""
        scale = self.tables.scale(self.chars, self.low, amount.end)
        if scale is None:
            return amount
        amount.low, amount.high = product(amount.low, scale.factor), product(amount.high, scale.factor)
        amount.end, amount.plain, amount.scale, amount.letter = scale.end, False, scale.factor, scale.letter
        return amount if scale.letter else self._added(amount)

    def _added(self, amount: Amount) -> Amount:
        """A smaller number right after a magnitude counts as well; a single digit counts the next lower one."""
        found = numbers.NUMBER.match(self.chars, amount.end)
        number = numbers.read(self.chars, found) if found else None
        if number is None or not number.plain or amount.low != amount.high:
            return amount
        scale = self.tables.scale(self.chars, self.low, number.end)
        if scale and not scale.letter and scale.factor < amount.scale:
            amount.low = amount.high = amount.low + product(number.value, scale.factor)
            amount.end = scale.end
            return amount
        if number.value < 10 and number.end == amount.end + 1 and amount.scale >= 100 and not scale:
            amount.low = amount.high = amount.low + product(number.value, amount.scale) / 10
            amount.end = number.end
        return amount

    def _with_error(self, amount: Amount) -> Amount:
        then = self.chars[amount.end : amount.end + 1]
        if amount.error is not None or not (then in _OPENS_ERROR or then.isspace()):
            return amount
        found = _ERROR.match(self.chars, amount.end)
        if found is not None:
            end = found.end()
            amount.end = end + 1 if amount.unit == "percent" and self.low[end : end + 1] == "%" else end
            amount.error = Decimal(found[1] or found[2])
        return amount

    def _with_unit(self, amount: Amount) -> Amount:
        # `10 多个`: the word of bound stands between number and unit.
        bound = self.tables.bound_after(self.low, amount.end)
        unit = self.tables.unit_after(self.chars, self.low, amount.end)
        if unit is None and bound and (unit := self.tables.unit_after(self.chars, self.low, bound[0])):
            amount.bound = bound[1]
        unit = unit or self.tables.unit_further(self.chars, self.low, amount.end)
        if unit is None and amount.letter:
            amount.unit = self.tables.unit_near(self.low, amount.end)
        return self._and_half(self._counted(amount, unit)) if unit else amount

    def _and_half(self, amount: Amount) -> Amount:
        """`三倍半`, `两年半`: half of the unit is added."""
        more = self.low[amount.end : amount.end + 1] in self._numerals.half and amount.unit in MEASURED
        if not more or self.low[amount.end + 1 : amount.end + 2].isalpha():
            return amount
        half = amount.factor / 2
        amount.low, amount.high = amount.low + half, amount.high + half
        amount.end, amount.plain = amount.end + 1, False
        return amount

    def _counted(self, amount: Amount, unit: Unit) -> Amount:
        if unit.power:
            if amount.low != amount.high or not 0 < amount.low <= 12 or amount.low % 1:
                return amount
            amount.low = amount.high = Decimal(10) ** int(amount.low)
        else:
            amount.low, amount.high = product(amount.low, unit.factor), product(amount.high, unit.factor)
            amount.factor = unit.factor
        # 70B models are not seventy billion models.
        models = amount.letter in {"m", "b", "t"} and unit.symbol == "model"
        amount.end, amount.unit, amount.label = unit.end, "param" if models else unit.symbol, unit.label
        return amount

    def _is_name(self, amount: Amount) -> bool:
        """True for numbers that letters go on after (`3D`, `7B-Instruct`), and for parts of a date."""
        if not amount.unit and _NAME_GOES_ON.match(self.chars, amount.end):
            return True
        if amount.unit and amount.label in self.tables.calendar and not amount.spoken:
            whole = amount.low == amount.low.to_integral_value()
            year = 1900 <= amount.low <= 2100
            return amount.plain and whole and (year if amount.unit == "year" else amount.low <= 31)
        return False

    def _in_characters(self, start: int) -> Amount | None:
        """An amount whose number is written in Chinese characters, `百分之十二` and `三分之二` included."""
        share = self.tables.hundredths.longest(self.low, start)
        if share is not None:
            return self._share(start, share.end, Decimal(share.concepts[0].value))
        if self.low[start : start + 1] in self._numerals.half:
            half = Decimal("0.5")
            amount = self._with_unit(Amount(start, start + 1, half, half, plain=False, spoken=True))
            return amount if amount.unit in MEASURED else None
        run = self._numerals.run.match(self.low, start)
        spoken = self._numerals.read(run.group()) if run else None
        if run is None or spoken is None:
            return None
        over = self.tables.over.longest(self.low, run.end())
        if over is not None:
            return self._fraction(start, over.end, spoken.low)
        plain = not spoken.compound
        amount = Amount(start, run.end(), spoken.low, spoken.high, plain=plain, spoken=True)
        if spoken.compound:
            amount.scale = self._numerals.last_magnitude(run.group())
            amount = self._added(amount)
        elif scaled := self.tables.scale(self.chars, self.low, run.end()):
            amount = self._scaled(amount) if scaled.letter == "" else amount
        return self._with_unit(amount)

    def end_of_run(self, start: int) -> int:
        """Where the characters of a number end that begin at a place."""
        run = self._numerals.run.match(self.low, start)
        return run.end() if run else start + 1

    def _share(self, start: int, at: int, factor: Decimal) -> Amount | None:
        """What `百分之` counts, in percent; `千分之` and `万分之` as well."""
        start_of_number = at + 1 if self.low[at : at + 1] == " " else at
        if self.tables.hundredths.longest(self.low, start_of_number):
            return None
        inner = self.at(start_of_number)
        if inner is None or inner.unit:
            return None
        percent = factor * 100
        return Amount(start, inner.end, product(inner.low, percent), product(inner.high, percent), "percent", False)

    def _fraction(self, start: int, at: int, below: Decimal) -> Amount | None:
        run = self._numerals.run.match(self.low, at)
        above = self._numerals.read(run.group()) if run else None
        if run is None or above is None or not below or above.low >= below:
            return None
        share = numbers.CONTEXT.divide(above.low, below).quantize(Decimal("0.000001"))
        return Amount(start, run.end(), share, share, "ratio", False, spoken=True)
