"""Numbers written in Chinese characters, read by the values that the lexicon gives to each."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from kbgraph.lift.scan.matching import per_lexicon
from kbgraph.model.lexicon import Lexicon

_LONGEST = 24


class Spoken(NamedTuple):
    """A value, or for vague pairs like three-five the lower and the upper one. `compound` when a magnitude is in it."""

    low: Decimal
    high: Decimal
    compound: bool


class Numerals:
    """Digits, magnitudes and the decimal point of one lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._digits: dict[str, int] = {}
        self._magnitudes: dict[str, Decimal] = {}
        for concept in (*lexicon.schemes.get("numeral", ()), *lexicon.schemes.get("magnitude", ())):
            value = Decimal(concept.value or "-1")
            # 倍 is a unit after a number, and no digit.
            for label in () if concept.name == "numeral-fold" else concept.labels:
                if len(label) == 1 and not label.isascii():
                    if value in range(10):
                        self._digits[label] = int(value)
                    elif value >= 10:
                        self._magnitudes[label] = value
        marks = lexicon.schemes.get("numeral-mark", ())
        halves = (c for c in lexicon.schemes.get("numeral", ()) if c.value == "0.5")
        self.half = frozenset(x for c in halves for x in c.labels if len(x) == 1 and not x.isascii())
        self._points = frozenset(x for c in marks if c.name == "numeral-mark-point" for x in c.labels if len(x) == 1)
        chars = "".join(map(re.escape, (*self._digits, *self._magnitudes)))
        point = "".join(self._points)
        self.run = re.compile(
            f"[{chars}]+(?:[{point}][{chars}]+)?" if chars and point else f"[{chars}]+" if chars else "(?!)"
        )
        self.first = chars

    def read(self, run: str) -> Spoken | None:
        """What a run of numeral characters says; None for what is no number, as no run of such a length is."""
        if len(run) > _LONGEST:
            return None
        point = next((i for i, c in enumerate(run) if c in self._points), -1)
        if point >= 0:
            return self._decimal(run[:point], run[point + 1 :])
        pair = self._whole(run)
        return Spoken(*pair, any(c in self._magnitudes for c in run)) if pair else None

    def last_magnitude(self, run: str) -> Decimal:
        """The magnitude that a run ends in, 1 when it ends in a digit: what may be added to it is smaller."""
        return self._magnitudes.get(run[-1], Decimal(1)) if run[-1:] not in self._digits else Decimal(1)

    def _decimal(self, whole: str, digits: str) -> Spoken | None:
        left = self._whole(whole)
        places = digits.rstrip("".join(self._magnitudes))
        if left is None or left[0] != left[1] or not places or not all(c in self._digits for c in places):
            return None
        value = left[0] + Decimal("0." + "".join(str(self._digits[c]) for c in places))
        for char in digits[len(places) :]:
            value *= self._magnitudes[char]
        return Spoken(value, value, True)

    def _whole(self, run: str) -> tuple[Decimal, Decimal] | None:
        """Split at the largest magnitude: what is before it counts it, what is after it is added."""
        best = max((self._magnitudes.get(c, Decimal(0)) for c in run), default=Decimal(0))
        if not best:
            return self._digit_pair(run)
        at = max(i for i, c in enumerate(run) if self._magnitudes.get(c) == best)
        before, after = run[:at], run[at + 1 :]
        left = self._whole(before) if before else (Decimal(1), Decimal(1)) if best == 10 else None
        right = self._rest(after, best)
        if left is None or right is None or (right and left[0] != left[1]):
            return None
        return left[0] * best + right, left[1] * best + right

    def _rest(self, run: str, magnitude: Decimal) -> Decimal | None:
        """What follows a magnitude; a single digit after hundred and above counts the next lower one."""
        if not run:
            return Decimal(0)
        if len(run) == 1 and run in self._digits:
            return self._digits[run] * (magnitude / 10 if magnitude >= 100 else Decimal(1))
        bare = run.lstrip("".join(c for c, v in self._digits.items() if v == 0))
        pair = self._whole(bare) if bare else None
        return pair[0] if pair and pair[0] == pair[1] and pair[0] < magnitude else None

    def _digit_pair(self, run: str) -> tuple[Decimal, Decimal] | None:
        """One digit, or two rising ones that stand for a vague number; longer strings name years and the like."""
        values = [self._digits.get(c, -1) for c in run]
        if -1 in values or len(values) > 2 or (len(values) == 2 and not 0 < values[0] < values[1]):
            return None
        return Decimal(values[0]), Decimal(values[-1])


@per_lexicon
def numerals(lexicon: Lexicon) -> Numerals:
    """The Chinese numerals of a lexicon."""
    return Numerals(lexicon)
