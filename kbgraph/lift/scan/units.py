"""What may follow or precede a number: magnitudes, units, money, bounds; compiled from one lexicon."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple, cast

from kbgraph.lift.scan.found import Bound
from kbgraph.lift.scan.matching import Endings, Hit, Matcher, matcher_of, per_lexicon
from kbgraph.model.lexicon import Concept, Lexicon

# Units of measured things; the others count things.
MEASURED = frozenset(
    {
        "percent",
        "pp",
        "x",
        "ms",
        "s",
        "min",
        "h",
        "day",
        "week",
        "month",
        "year",
        "token",
        "param",
        "USD",
        "EUR",
        "GPU-h",
    }
)
_LETTERED = frozenset({"token", "param"})  # what numbers like 24K and 7B count when a word beside them says so
_GAP = 6  # characters that such a word may stand off
# Letters that scale a number only in this case; others of the lexicon are words or come in any case.
_LETTER_CASE = {"k": "kK", "m": "M", "b": "Bb", "t": "T", "w": "w"}


class Scale(NamedTuple):
    """A magnitude after a number; `letter` when it is a single Latin one, which leaves the unit to the context."""

    end: int
    factor: Decimal
    letter: str = ""


class Unit(NamedTuple):
    """A unit after a number; the number counts `factor` of it. `power` when the number is an exponent of ten."""

    end: int
    symbol: str
    factor: Decimal = Decimal(1)
    power: bool = False
    label: str = ""


class Tables:
    """The parts of a lexicon that belong to numbers."""

    def __init__(self, lexicon: Lexicon) -> None:
        def scheme(name: str) -> tuple[Concept, ...]:
            return lexicon.schemes.get(name, ())

        self.unit = matcher_of(lexicon, "unit")
        self.magnitude = matcher_of(lexicon, "magnitude")
        self.metric = matcher_of(lexicon, "metric")
        shares = [c for c in scheme("numeral") if 0.1 < float(c.value or 0) < 1]
        words = [
            _latin(c) for c in scheme("numeral") if float(c.value or 0) >= 2 and c.name != "numeral-order-of-magnitude"
        ]
        factors = [c for c in scheme("factor") if c.name != "factor-of"]
        self.spoken = Matcher([*factors, *map(_of_two, shares), *words])
        self.not_number = matcher_of(lexicon, "notnumber")
        self.numeral = matcher_of(lexicon, "numeral")
        self._order = Matcher(c for c in scheme("numeral") if c.name == "numeral-order-of-magnitude")
        self._second = Matcher(c for c in scheme("unit") if c.value == "/s")
        self.factor_before = Endings(c for c in scheme("factor") if c.name == "factor-of")
        self._tenth = Matcher(c for c in scheme("numeral") if c.name == "numeral-tenth")
        self._unit_firsts = self.unit.firsts | self._order.firsts | self._tenth.firsts
        self.hundredths = Matcher(c for c in scheme("numeral") if c.value in {"0.01", "0.001", "0.0001"})
        self.over = Matcher(c for c in scheme("numeral-mark") if c.name == "numeral-mark-over")
        self._more = Matcher(c for c in scheme("numeral-mark") if c.name == "numeral-mark-more")
        self.span = Matcher(c for c in scheme("span") if c.value in {"to", "moved", "and"})
        self.span_before = Endings(c for c in scheme("span") if c.value in {"from", "between"})
        bounds = scheme("approx")
        self._before = Endings([*(c for c in bounds if not c.name.endswith("-after")), *scheme("lookalike")])
        self._after = Matcher([*(c for c in bounds if c.name.endswith("-after")), *scheme("lookalike")])
        names = ("notnumber-version-word", "notnumber-ordinal")
        self.names = Endings([*(c for c in scheme("notnumber") if c.name in names), *scheme("section-word")])
        versions = [c for c in scheme("notnumber") if c.name == "notnumber-version-word"]
        self.names_after = Matcher([*scheme("section-word"), *versions])
        self.calendar = frozenset(
            label for c in scheme("notnumber") if c.name == "notnumber-calendar" for label in c.labels
        )
        self._money = Endings(_signs(c) for c in scheme("unit"))
        self.metric_units = _metric_units(scheme("metric"), scheme("unit"))

    def scale(self, chars: str, low: str, end: int) -> Scale | None:
        """The magnitude right after a number, one space apart at most."""
        for start in (end, end + 1) if low[end : end + 1] == " " else (end,):
            for hit in self.magnitude.at(low, start):
                label = low[hit.start : hit.end]
                letter = label in _LETTER_CASE
                if letter and chars[start] not in _LETTER_CASE[label]:
                    continue
                # A letter that stands apart scales only what a unit follows: 128 K tokens.
                if letter and start > end and not self._unit(chars, low, hit.end):
                    continue
                if not self._longer(low, hit):
                    return Scale(hit.end, Decimal(hit.concepts[0].value), label if letter else "")
        return None

    def _longer(self, low: str, hit: Hit) -> bool:
        """True when a unit or a word that is no number begins at the same place and reaches further."""
        others = (self.unit.longest(low, hit.start), self.not_number.longest(low, hit.start))
        return any(other is not None and other.end > hit.end for other in others)

    def unit_after(self, chars: str, low: str, end: int) -> Unit | None:
        """The unit right after a number, with what it is divided by."""
        unit = self._unit(chars, low, end)
        return self.rate(chars, low, unit) if unit else None

    def unit_further(self, chars: str, low: str, end: int) -> Unit | None:
        """The unit that a word like more or fewer stands before: `68 more requests per second`."""
        more = self._more.longest(low, end + 1) if low[end : end + 1] == " " else None
        return self.unit_after(chars, low, more.end) if more else None

    def _unit(self, chars: str, low: str, end: int) -> Unit | None:
        """A unit one space or hyphen after a number at most."""
        start = end + 1 if low[end : end + 1] == " " else end
        hyphen = low[end : end + 1] == "-" and low[end + 1 : end + 2].isascii()
        if not hyphen and low[start : start + 1] not in self._unit_firsts:
            return None
        if order := self._order.longest(low, start):
            return Unit(order.end, "x", power=True)
        for tenth in self._tenth.at(low, start):
            if not any(other.end > tenth.end for other in self.not_number.at(low, start)):
                return Unit(tenth.end, "percent", Decimal(10))
        for place in (start, end + 1) if hyphen else (start,):
            for hit in self.unit.at(low, place):
                if _case_fits(chars, low, hit) and not self._word_goes_on(low, hit):
                    return Unit(hit.end, hit.concepts[0].value, label=low[hit.start : hit.end])
        return None

    def rate(self, chars: str, low: str, unit: Unit) -> Unit:
        """With what a slash divides by: `GB/s`, `美元/百万 token`, whose number is then that of one token."""
        if low[unit.end : unit.end + 1] != "/":
            return unit
        if second := self._second.longest(low, unit.end):
            return unit._replace(end=second.end, symbol=unit.symbol + "/s")
        scale = self.scale(chars, low, unit.end + 1)
        below = self._unit(chars, low, scale.end if scale else unit.end + 1)
        if below is None or below.power:
            return unit
        factor = unit.factor / scale.factor if scale else unit.factor
        return unit._replace(end=below.end, symbol=f"{unit.symbol}/{below.symbol}", factor=factor)

    def _word_goes_on(self, low: str, hit: Hit) -> bool:
        """True when a unit only begins another word: 核 in 核心."""
        other = self.not_number.longest(low, hit.start)
        return other is not None and other.end > hit.end

    def unit_near(self, low: str, end: int) -> str:
        """What a number like `252K 长 prompt` counts, by a word a little behind it."""
        for place in range(end, min(len(low), end + _GAP)):
            if not (low[place].isalnum() or low[place] == " "):
                break
            starts = place and not (low[place].isascii() and low[place - 1].isascii() and low[place - 1].isalnum())
            hit = self.unit.longest(low, place) if starts else None
            if hit and hit.concepts[0].value in _LETTERED:
                return hit.concepts[0].value
        return ""

    def money_before(self, low: str, start: int) -> tuple[int, str] | None:
        """A currency sign right before a number: its start and symbol."""
        if not start or low[start - 1].isspace():
            return None
        found = self._money.before(low, start)
        return (found[0], found[1].value) if found else None

    def bound_before(self, low: str, start: int) -> tuple[int, Bound] | None:
        """A word like about or at least before a number: its start and kind."""
        found = self._before.before(low, start)
        return (found[0], cast("Bound", found[1].value)) if found and found[1].scheme == "approx" else None

    def bound_after(self, low: str, end: int) -> tuple[int, Bound] | None:
        """A word like or more after a number: its end and kind; `10+` is at least ten."""
        if low[end : end + 1] == "+" and not low[end + 1 : end + 2].isdigit():
            return end + 1, "at-least"
        start = end + 1 if low[end : end + 1] == " " else end
        hit = self._after.longest(low, start)
        if hit and hit.concepts[0].scheme == "approx":
            return hit.end, cast("Bound", hit.concepts[0].value)
        return None


def _case_fits(chars: str, low: str, hit: Hit) -> bool:
    """A single letter is a unit in lower case only (x in any), and × before another number is a product."""
    label = low[hit.start : hit.end]
    after = low[hit.end : hit.end + 2]
    goes_on = after.strip()[:1].isdigit() or (after[:1].isascii() and after[:1].isalpha())
    if hit.concepts[0].value == "x" and len(label) == 1 and goes_on:
        return False
    return len(label) > 1 or not label.isascii() or not label.isalpha() or label == "x" or chars[hit.start] == label


def _of_two(concept: Concept) -> Concept:
    """The same concept without labels of one character, which are parts of other words."""
    return replace(concept, labels=tuple(x for x in concept.labels if len(x) > 1))


def _latin(concept: Concept) -> Concept:
    """The same concept with its Latin labels only; numbers in Chinese characters are read by their grammar."""
    return replace(concept, labels=tuple(x for x in concept.labels if x.isascii()))


def _signs(concept: Concept) -> Concept:
    """The same concept with those labels only that are signs of a currency."""
    money = len(concept.value) == 3 and concept.value.isupper()
    labels = tuple(x for x in concept.labels if money and not x[-1].isalnum())
    return replace(concept, labels=labels)


def _metric_units(metrics: tuple[Concept, ...], units: tuple[Concept, ...]) -> dict[str, str]:
    """Metric -> the unit with a label of its own: context lengths count tokens, parameter counts parameters."""
    by_label = {label: unit.value for unit in units for label in unit.labels if unit.value in _LETTERED}
    return {m.value: by_label[x] for m in metrics for x in m.labels if x in by_label}


@per_lexicon
def tables(lexicon: Lexicon) -> Tables:
    """The number tables of a lexicon."""
    return Tables(lexicon)
