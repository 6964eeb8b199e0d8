"""Numbers in a text, however they are written, as intervals: digits, words, Chinese numerals, percent, tenths, dates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import inf
from typing import Literal, NamedTuple

from kbgraph.model.lexicon import Concept, Lexicon

# Units of one dimension and how many of the first each is.
_FACTORS = {
    "ns": ("time", 1e-9), "us": ("time", 1e-6), "ms": ("time", 1e-3), "s": ("time", 1.0), "min": ("time", 60.0),
    "h": ("time", 3600.0), "day": ("time", 86400.0), "week": ("time", 604800.0), "B": ("bytes", 1.0),
    "KB": ("bytes", 1e3), "MB": ("bytes", 1e6), "GB": ("bytes", 1e9), "TB": ("bytes", 1e12), "percent": ("share", 0.01),
    "permille": ("share", 0.001), "share": ("share", 1.0), "month": ("time", 2629800.0), "year": ("time", 31557600.0), "m": ("length", 1.0), "km": ("length", 1000.0),
}  # fmt: skip
_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d) ?[-/.年] ?(1[0-2]|0?[1-9])(?: ?[-/.月] ?(3[01]|[12]\d|0?[1-9]))?(?!\d)(?: ?[日号月])?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SHORT_YEAR = re.compile(r"(?<=[a-z])['’](\d\d)(?!\d)")
_PHRASE = 5  # characters of a set phrase on either side of its numeral
_LATER = ("内", "后", "前", "间")  # after a unit they show that the numeral before it counts
_LASTS = frozenset({"time"})  # "over four weeks" says how long, not more than
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_OUTSIDE = r"(?<![a-z\d.:])(?<![a-z][-‐‑])"  # no part of a name or of a time of day
_TO = re.compile(r" ?(?:-|–|—|~|∼|到|至|to|and|与|和) ?")
_BETWEEN = ("and", "与", "和")
_GAP = r"(?:[^，。,;；:：\d]{0,12}的)? ?(?:the |a |an )?$"

Nearness = Literal["equal", "rounded", "within", "overlap", "apart"]


class Amount(NamedTuple):
    """A number at `[start, end)`: what may be meant lies in `[low, high]`; `step` is what rounding may hide."""

    start: int
    end: int
    low: float
    high: float
    unit: str = ""
    bound: str = ""
    step: float = 0.0

    @property
    def dimension(self) -> str:
        """What it measures: units of one dimension can be compared."""
        return _FACTORS.get(self.unit, (self.unit, 1.0))[0]

    @property
    def span(self) -> tuple[float, float]:
        """The interval in the first unit of its dimension, with its bound."""
        factor = _FACTORS.get(self.unit, ("", 1.0))[1]
        low, high = self.low * factor, self.high * factor
        if self.bound in ("at-least", "more-than"):
            return low, inf
        if self.bound in ("at-most", "less-than"):
            return -inf, high
        slack = 0.1 * abs(high) if self.bound == "about" else 0.0
        return low - slack, high + slack

    @property
    def strict(self) -> bool:
        """Whether the end of the interval is itself left out."""
        return self.bound in ("more-than", "less-than")


def nearness(a: Amount, b: Amount) -> Nearness:
    """How two numbers of one dimension lie to one another."""
    (a0, a1), (b0, b1) = a.span, b.span
    if (a0, a1, a.strict) == (b0, b1, b.strict) or (_near(a0, b0) and _near(a1, b1) and a.strict == b.strict):
        return "equal"
    factor = max(_FACTORS.get(x.unit, ("", 1.0))[1] * x.step for x in (a, b))
    if not (a.bound or b.bound) and max(abs(a0 - b0), abs(a1 - b1)) <= factor / 2:
        return "rounded"
    if a1 < b0 or b1 < a0 or ((a.strict or b.strict) and (_near(a1, b0) or _near(b1, a0))):
        return "apart"
    if (a0 >= b0 and a1 <= b1) or (b0 >= a0 and b1 <= a1):
        return "within"
    return "overlap"


def _near(a: float, b: float) -> bool:
    return a == b or (abs(a) < inf and abs(b) < inf and abs(a - b) <= 1e-9 * max(abs(a), abs(b)))


class Amounts:
    """Reads the numbers of a flat text by the words of one lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        schemes = lexicon.schemes
        numerals = [c for c in schemes.get("numeral", ()) if c.name != "numeral-fold"]
        magnitudes = schemes.get("magnitude", ())
        self._chars, self._words = _numerals(numerals)
        self._big = {x: float(c.value) for c in magnitudes for x in c.labels if len(x) == 1 and not x.isascii()}
        self._scale = {x: float(c.value) for c in magnitudes for x in c.labels}
        self._units = {x: c.value for c in schemes.get("unit", ()) for x in c.labels}
        self._months = {x: int(c.value) for c in schemes.get("month", ()) for x in c.labels}
        bounds = {x: c.value for c in schemes.get("approx", ()) for x in c.labels}
        after = {x for c in schemes.get("approx", ()) if c.name.endswith("-after") for x in c.labels}
        self._bounds = bounds
        self._before = re.compile(f"(?:{_either(bounds.keys() - after)}){_GAP}")
        self._after = re.compile(f" ?({_either(after)})")
        self._unit = re.compile(f" ?({_either(self._units)})")
        self._magnitude = re.compile(f" ?({_either(self._scale)})")
        self._no = re.compile(_either(x for c in schemes.get("notnumber", ()) for x in c.labels if "..." not in x))
        chars = "".join(map(re.escape, (*self._chars, *self._big)))
        words = f"(?:{'|'.join(sorted((w for w in self._words if w.isascii()), key=lambda w: (-len(w), w)))})"
        self._number = re.compile(
            rf"(?P<digits>{_OUTSIDE}{_DIGITS})|(?P<over>[{chars}\d]+)分之(?P<part>[{chars}\d.]+)"
            rf"|(?P<han>[{chars}]+(?:点[{chars}]+)?)"
            rf"|(?<![a-z])(?P<word>{words}(?:[- ]{words})*)(?![a-z])"
        )
        self._named = re.compile(rf"({_either(self._months)})\.? ?(?:(\d{{1,2}})(?:st|nd|rd|th)?,? )?((?:19|20)\d\d)(?!\d)")

    def find(self, low: str) -> list[Amount]:
        """All numbers of a flat text from left to right; two that make a range are one."""
        found = sorted((*self._dates(low), *self._plain(low)), key=lambda a: (a.start, -a.end, a.unit != "date"))
        kept: list[Amount] = []
        for amount in found:
            if not kept or amount.start >= kept[-1].end:
                kept.append(amount)
        return list(_ranges(low, kept))

    def _dates(self, low: str) -> Iterator[Amount]:
        for m in _DATE.finditer(low):
            yield _day(m.start(), m.end(), int(m[1]), int(m[2]), int(m[3] or 0))
        for m in _SHORT_YEAR.finditer(low):
            yield _day(m.start(), m.end(), 2000 + int(m[1]))
        for m in self._named.finditer(low) if self._months else ():
            yield _day(m.start(), m.end(), int(m[3]), self._months[m[1]], int(m[2] or 0))

    def _plain(self, low: str) -> Iterator[Amount]:
        for m in self._number.finditer(low):
            if m["han"] is not None and self._fixed(low, *m.span()) and low[m.end() + 1 : m.end() + 2] not in _LATER:
                continue
            read = self._value(low, m)
            if read is not None:
                yield self._dressed(low, m.start(), *read)

    def _fixed(self, low: str, start: int, end: int) -> bool:
        """Whether a numeral is part of a set phrase."""
        around = self._no.finditer(low, max(0, start - _PHRASE), end + _PHRASE)
        return any(m.start() <= start and end <= m.end() for m in around)

    def _value(self, low: str, m: re.Match[str]) -> tuple[int, float, float] | None:
        """End, value and the unit of the last printed place; None for what counts nothing."""
        end = m.end()
        if m["over"] is not None:
            return self._share(m)
        if m["digits"] is not None:
            printed = m["digits"].replace(",", "")
            value, step = float(printed), 10.0 ** -len(printed.partition(".")[2])
        elif m["han"] is not None:
            if low[m.start() - 1 : m.start()] in ("几", "数") or low[end : end + 1] in ("几",):
                return None
            number = self._han(m["han"])
            if number is None or (len(m["han"]) == 1 and not self._counts(low, m.start(), end)):
                return None
            value, step = number, 0.0
        else:
            number = self._spoken(m["word"])
            if number is None or (m["word"] in ("one", "half", "a half") and not self._unit.match(low, end)):
                return None
            value, step = number, 0.0
        while scale := self._magnitude.match(low, end):
            end, factor = scale.end(), self._scale[scale[1]]
            value, step = value * factor, step * factor
        return end, value, step

    def _share(self, m: re.Match[str]) -> tuple[int, float, float] | None:
        """A part of a whole, the whole first."""
        whole, part = (float(x) if x.replace(".", "").isdigit() and x.isascii() else self._han(x) for x in (m["over"], m["part"]))
        return (m.end(), part / whole, 0.0) if whole and part is not None else None

    def _counts(self, low: str, start: int, end: int) -> bool:
        """Whether a single Chinese numeral counts something: an order before it or a unit after it."""
        unit = self._unit.match(low, end)
        return low[start - 1 : start] == "第" or bool(unit and (low[start] != "一" or unit[1] not in ("个", "种", "条")))

    def _dressed(self, low: str, start: int, end: int, value: float, step: float) -> Amount:
        """The number with its unit and its bound."""
        before = self._before.search(low, max(0, start - 28), start)
        bound = self._bounds.get(self._label(before.group()), "") if before else ""
        for _ in range(2):
            if (after := self._after.match(low, end)) and after[1] not in ("plus", "起"):
                bound, end = bound or self._bounds[after[1]], after.end()
        unit = ""
        if found := self._unit.match(low, end):
            unit, end = self._units[found[1]], found.end()
            if (after := self._after.match(low, end)) and after[1] not in ("plus", "多"):
                bound, end = bound or self._bounds[after[1]], after.end()
        if "分之" in low[start:end]:
            unit = unit or "share"
        elif not unit and not bound and _YEAR.fullmatch(low[start:end]):
            return _day(start, end, int(value))
        if low[end - 1] == "成" and unit == "":
            unit = "share"
        amount = Amount(start, end, value, value, unit, bound, step)
        lasts = bound == "more-than" and before is not None and before.group().startswith("over")
        return amount._replace(bound="") if lasts and amount.dimension in _LASTS else amount

    def _label(self, printed: str) -> str:
        return next((printed[:n] for n in range(len(printed), 0, -1) if printed[:n] in self._bounds), "")

    def _han(self, run: str) -> float | None:
        """What a run of numeral characters says: the largest magnitude counts what is before it, the rest is added."""
        whole, _, places = run.partition("点")
        if places:
            left = self._han(whole)
            digits = "".join(str(int(self._chars[c])) for c in places if c in self._chars and self._chars[c] >= 0)
            rest = places.lstrip("".join(self._chars))
            scale = self._big.get(rest, 1.0) if rest else 1.0
            return None if left is None or not digits else float(f"{left:.0f}.{digits}") * scale
        best = max((self._big.get(c, 0.0) for c in run), default=0.0)
        if not best:
            known = [self._chars[c] for c in run]
            return known[0] if len(known) == 1 else float("".join(str(int(d)) for d in known)) if min(known) >= 0 else None
        at = max(i for i, c in enumerate(run) if self._big.get(c) == best)
        left = self._han(run[:at]) if at else 1.0
        tail = run[at + 1 :].lstrip("零〇")
        right = 0.0 if not tail else self._han(tail)
        if left is None or right is None:
            return None
        return left * best + (right * best / 10 if len(run[at + 1 :]) == 1 and best >= 100 and tail else right)

    def _spoken(self, said: str) -> float | None:
        """What English number words say: tens and digits are added."""
        values = [self._words[w] for w in re.split("[- ]", said) if w in self._words]
        if said in self._words:
            return self._words[said]
        return sum(values) if len(values) == 2 and values[0] >= 20 > 10 > values[1] else values[0] if values else None


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


def _either(labels: Iterable[str]) -> str:
    """One of these labels, the longest first; a Latin one stands apart."""
    return "|".join(_bounded(x) for x in sorted(labels, key=lambda x: (-len(x), x))) or "(?!)"


def _bounded(label: str) -> str:
    left = r"(?<![a-z])" if label[0].isascii() and label[0].isalpha() else ""
    right = r"(?![a-z])" if label[-1].isascii() and label[-1].isalpha() else ""
    return f"{left}{re.escape(label)}{right}"


def _day(start: int, end: int, year: int, month: int = 0, day: int = 0) -> Amount:
    """A date as an interval of days: a year or month alone is all of its days."""
    low = year * 372 + max(month - 1, 0) * 31 + max(day - 1, 0)
    length = 1 if day else 31 if month else 372
    return Amount(start, end, low, low + length - 1, "date")


def _ranges(low: str, found: list[Amount]) -> Iterator[Amount]:
    """Two numbers with a joining word between them as one range."""
    at = 0
    while at < len(found):
        one, two = found[at], found[at + 1] if at + 1 < len(found) else None
        joint = low[one.end : two.start] if two else ""
        if two and _TO.fullmatch(joint) and one.low < two.low and one.unit in ("", two.unit) and not one.bound:
            if joint.strip() not in _BETWEEN or "between" in low[: one.start] or "介于" in low[: one.start]:
                scale = two.high / two.low if two.low else 1.0
                lowest = one.low * (1e9 if two.low >= 1e9 > one.low * 1e3 else 1e6 if two.low >= 1e6 > one.low * 1e3 else 1)
                yield two._replace(start=one.start, low=lowest if scale else one.low, step=max(one.step, two.step))
                at += 2
                continue
        yield one
        at += 1

