"""A number as an interval: what may be meant, in which unit; and how two of them lie to one another."""

from __future__ import annotations

from math import inf
from typing import Literal, NamedTuple

# Units of one dimension, and how many of its first unit each is.
_FACTORS = {
    "ns": ("time", 1e-9), "us": ("time", 1e-6), "ms": ("time", 1e-3), "s": ("time", 1.0), "min": ("time", 60.0),
    "h": ("time", 3600.0), "day": ("time", 86400.0), "week": ("time", 604800.0), "month": ("time", 2629800.0),
    "year": ("time", 31557600.0), "B": ("bytes", 1.0), "KB": ("bytes", 1e3), "MB": ("bytes", 1e6),
    "GB": ("bytes", 1e9), "TB": ("bytes", 1e12), "percent": ("share", 0.01), "permille": ("share", 0.001),
    "share": ("share", 1.0), "m": ("length", 1.0), "km": ("length", 1000.0),
}  # fmt: skip

Nearness = Literal["equal", "rounded", "within", "overlap", "apart"]


class Amount(NamedTuple):
    """A number at `[start, end)` lies in `[low, high]`; rounding may hide `step`; `scale` is a spelled magnitude."""

    start: int
    end: int
    low: float
    high: float
    unit: str = ""
    bound: str = ""
    step: float = 0.0
    scale: float = 1.0
    mark: tuple[int, int] = (0, 0)  # where its bound is said

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
