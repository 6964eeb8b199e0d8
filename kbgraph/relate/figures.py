"""Numbers in a text, however they are written: digits, words, Chinese numerals, percent, tenths, fractions, dates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kbgraph.model.lexicon import Concept, Lexicon
from kbgraph.relate.amounts import Amount
from kbgraph.relate.patterns import either

_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d) ?[-/.年] ?(1[0-2]|0?[1-9])(?: ?[-/.月] ?(3[01]|[12]\d|0?[1-9]))?(?!\d)(?: ?[日号月])?"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_SHORT_YEAR = re.compile(r"(?<=[a-z])['’](\d\d)(?!\d)")
_PHRASE = 5  # characters of a set phrase on either side of its numeral
_ONE = "一"  # before a measure word it is an article
_LONGEST = 24
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?!:\d)"
_OUTSIDE = r"(?<![a-z\d.:])(?<![a-z][-‐‑])"  # no part of a name or of a time of day
_DASHES = ("-", "–", "—", "~", "∼")
_GAP = r"(?:[^，。,;；:：\d]{0,12}的)? ?(?:the |a |an )?$"  # between a bound and its number
_BEFORE = 28  # characters in which a bound stands before its number
_LASTING = "over"  # "over four weeks" says how long, not more than


class _Read(NamedTuple):
    end: int
    value: float
    step: float = 0.0
    scale: float = 1.0


class Figures:
    """Reads the numbers of a flat text by the words of one lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        schemes = lexicon.schemes
        numerals = [c for c in schemes.get("numeral", ()) if c.name != "numeral-fold"]
        magnitudes = schemes.get("magnitude", ())
        self._chars, self._words = _numerals(numerals)
        self._grammar = lexicon.words("grammar")
        self._big = {x: float(c.value) for c in magnitudes for x in c.labels if len(x) == 1 and not x.isascii()}
        tenths = [c for c in numerals if c.value == "0.1"]
        self._scale = {x: float(c.value) for c in (*magnitudes, *tenths) for x in c.labels}
        self._units = {x: c.value for c in schemes.get("unit", ()) for x in c.labels}
        self._months = {x: int(c.value) for c in schemes.get("month", ()) for x in c.labels}
        self._bounds = {x: c.value for c in schemes.get("approx", ()) for x in c.labels}
        after = {x for c in schemes.get("approx", ()) if c.name.endswith("-after") for x in c.labels}
        self._before = re.compile(f"(?:{either(self._bounds.keys() - after)}){_GAP}")
        self._after = re.compile(f" ?({either(after - {'plus', '起'})})")
        self._unit = re.compile(f" ?({either(self._units)})")
        self._magnitude = re.compile(f" ?({either(self._scale)})")
        self._no = re.compile(either(x for c in schemes.get("notnumber", ()) for x in c.labels if "..." not in x))
        spans = {x: c.value for c in schemes.get("span", ()) for x in c.labels}
        self._to = re.compile(f" ?(?:{either([*_DASHES, *(x for x, v in spans.items() if v == 'to')])}) ?")
        self._and = re.compile(f" ?(?:{either(x for x, v in spans.items() if v == 'and')}) ?")
        self._between = re.compile(either(x for x, v in spans.items() if v == "between"))
        self._number = self._pattern()
        months = either(self._months)
        self._named = re.compile(rf"({months})\.? ?(?:(\d{{1,2}})(?:st|nd|rd|th)?,? )?((?:19|20)\d\d)(?!\d)")

    def _pattern(self) -> re.Pattern[str]:
        """Where a number may begin: digits, a fraction, Chinese numerals, number words."""
        chars = "".join(map(re.escape, (*self._chars, *self._big)))
        words = "|".join(sorted((w for w in self._words if w.isascii()), key=lambda w: (-len(w), w)))
        return re.compile(
            rf"(?P<digits>{_OUTSIDE}{_DIGITS})|(?P<over>[{chars}\d]+)分之(?P<part>[{chars}\d.]+)"
            rf"|(?P<han>[{chars}]+(?:点[{chars}]+)?)|(?<![a-z])(?P<word>(?:{words})(?:[- ](?:{words}))*)(?![a-z])"
        )

    def find(self, low: str) -> list[Amount]:
        """All numbers of a flat text from left to right; two that make a range are one."""
        found = sorted((*self._dates(low), *self._plain(low)), key=lambda a: (a.start, -a.end, a.unit != "date"))
        kept: list[Amount] = []
        for amount in found:
            if not kept or amount.start >= kept[-1].end:
                kept.append(amount)
        return list(self._ranges(low, kept))

    def _dates(self, low: str) -> Iterator[Amount]:
        for m in _DATE.finditer(low):
            yield _day(m.start(), m.end(), int(m[1]), int(m[2]), int(m[3] or 0))
        for m in _SHORT_YEAR.finditer(low):
            yield _day(m.start(), m.end(), 2000 + int(m[1]))
        for m in self._named.finditer(low) if self._months else ():
            yield _day(m.start(), m.end(), int(m[3]), self._months[m[1]], int(m[2] or 0))

    def _plain(self, low: str) -> Iterator[Amount]:
        for m in self._number.finditer(low):
            if (
                m["han"] is not None
                and self._fixed(low, *m.span())
                and low[m.end() + 1 : m.end() + 2] not in self._grammar["after-unit"]
            ):
                continue
            read = self._value(low, m)
            if read is not None:
                yield self._dressed(low, m.start(), read)

    def _fixed(self, low: str, start: int, end: int) -> bool:
        """Whether a numeral is part of a set phrase."""
        around = self._no.finditer(low, max(0, start - _PHRASE), end + _PHRASE)
        return any(m.start() <= start and end <= m.end() for m in around)

    def _value(self, low: str, m: re.Match[str]) -> _Read | None:
        """The number that begins at a match, with its magnitude; None for what counts nothing."""
        end, step = m.end(), 0.0
        if m["over"] is not None:
            return self._share(m)
        if m["digits"] is not None:
            printed = m["digits"].replace(",", "")
            value: float | None = float(printed)
            step = 10.0 ** -len(printed.partition(".")[2])
        elif m["han"] is not None:
            value = self._han(m["han"]) if self._counts(low, m) else None
        else:
            value = self._spoken(m["word"]) if self._says(low, m) else None
        if value is None:
            return None
        scale = 1.0
        while found := self._magnitude.match(low, end):
            end, scale = found.end(), scale * self._scale[found[1]]
        return _Read(end, value * scale, step * scale, scale)

    def _share(self, m: re.Match[str]) -> _Read | None:
        """A part of a whole, the whole first."""
        whole, part = (_digits(x) if x[0].isdigit() and x.isascii() else self._han(x) for x in (m["over"], m["part"]))
        return _Read(m.end(), part / whole) if whole and part is not None else None

    def _counts(self, low: str, m: re.Match[str]) -> bool:
        """Whether Chinese numerals count something: a single one needs an order before it or a unit after it."""
        start, end = m.span()
        if {low[start - 1 : start], low[end : end + 1]} & self._grammar["how-many"] or end - start > _LONGEST:
            return False
        if end - start > 1 or low[start - 1 : start] in self._grammar["ordinal"]:
            return True
        unit = self._unit.match(low, end)
        article = unit and low[start] == _ONE and unit[1] in self._grammar["measure"]
        return bool(self._magnitude.match(low, end) or (unit and not article))

    def _says(self, low: str, m: re.Match[str]) -> bool:
        """Whether a number word counts something: `one` and `half` need a unit."""
        return self._words.get(m["word"], 2.0) > 1 or bool(self._unit.match(low, m.end()))

    def _dressed(self, low: str, start: int, read: _Read) -> Amount:
        """The number with its unit and its bound."""
        end, unit = read.end, ""
        before = self._before.search(low, max(0, start - _BEFORE), start)
        label = self._label(before.group()) if before else ""
        bound, mark = self._bounds.get(label, ""), (before.start(), before.start() + len(label)) if before else (0, 0)
        if after := self._after.match(low, end):
            bound, end = bound or self._bounds[after[1]], after.end()
        if found := self._unit.match(low, end):
            unit, end = self._units[found[1]], found.end()
            if after := self._after.match(low, end):
                bound, end = bound or self._bounds[after[1]], after.end()
        if not unit and (read.scale == 0.1 or (0 < read.value < 1 and not read.step)):
            unit = "share"
        if unit in ("", "year") and not bound and _YEAR.fullmatch(low[start : read.end]):
            return _day(start, end, int(read.value))
        amount = Amount(start, end, read.value, read.value, unit, bound, read.step, read.scale, mark)
        lasts = before is not None and before.group().startswith(_LASTING) and amount.dimension == "time"
        return amount._replace(bound="") if lasts else amount

    def _label(self, printed: str) -> str:
        return next((printed[:n] for n in range(len(printed), 0, -1) if printed[:n] in self._bounds), "")

    def _han(self, run: str) -> float | None:
        """What a run of numeral characters says: the largest magnitude counts what is before it, the rest is added."""
        whole, _, places = run.partition("点")
        if places:
            left = self._han(whole)
            digits = "".join(str(int(self._chars[c])) for c in places if c in self._chars)
            rest = places.lstrip("".join(self._chars))
            scale = self._big.get(rest, 1.0) if rest else 1.0
            return None if left is None or not digits else float(f"{left:.0f}.{digits}") * scale
        best = max((self._big.get(c, 0.0) for c in run), default=0.0)
        if not best:
            return float("".join(str(int(self._chars[c])) for c in run))
        at = max(i for i, c in enumerate(run) if self._big.get(c) == best)
        left = self._han(run[:at]) if at else 1.0
        tail = run[at + 1 :].lstrip("零〇")
        right = 0.0 if not tail else self._han(tail)
        if left is None or right is None:
            return None
        return left * best + (right * best / 10 if len(run[at + 1 :]) == 1 and best >= 100 and tail else right)

    def _spoken(self, said: str) -> float | None:
        """What English number words say: tens and digits are added."""
        if said in self._words:
            return self._words[said]
        values = [self._words[word] for word in re.split("[- ]", said) if word in self._words]
        if len(values) == 2 and values[0] >= 20 and values[1] < 10:
            return sum(values)
        return values[0] if values else None

    def _ranges(self, low: str, found: list[Amount]) -> Iterator[Amount]:
        """Two numbers with a joining word between them as one range."""
        at = 0
        while at < len(found):
            one, two = found[at], found[at + 1] if at + 1 < len(found) else None
            if two and self._joined(low, one, two):
                scale = two.scale if one.scale == 1 and one.low * two.scale < two.high else 1.0
                yield two._replace(start=one.start, low=one.low * scale, step=max(one.step, two.step))
                at += 2
            else:
                yield one
                at += 1

    def _joined(self, low: str, one: Amount, two: Amount) -> bool:
        """Whether what stands between two numbers makes them a range."""
        if one.low >= two.low or one.bound or one.unit not in ("", two.unit):
            return False
        joint = low[one.end : two.start]
        if self._to.fullmatch(joint):
            return True
        return bool(self._and.fullmatch(joint) and self._between.search(low, max(0, one.start - _BEFORE), one.start))


def _digits(printed: str) -> float | None:
    return float(printed) if printed.replace(".", "", 1).isdigit() else None


def _numerals(concepts: Iterable[Concept]) -> tuple[dict[str, float], dict[str, float]]:
    """Single characters by value, and words by value."""
    chars: dict[str, float] = {}
    words: dict[str, float] = {}
    for concept in concepts:
        for label in concept.labels:
            if len(label) == 1 and not label.isascii() and float(concept.value) in range(10):
                chars[label] = float(concept.value)
            elif label.isascii() and float(concept.value):
                words[label] = float(concept.value)
    return chars, words


def _day(start: int, end: int, year: int, month: int = 0, day: int = 0) -> Amount:
    """A date as an interval of days: a year or month alone is all of its days."""
    low = year * 372 + max(month - 1, 0) * 31 + max(day - 1, 0)
    length = 1 if day else 31 if month else 372
    return Amount(start, end, low, low + length - 1, "date")
