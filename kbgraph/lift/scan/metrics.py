"""The metric that a quantity belongs to: the nearest one in its clause, with its cut-off."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Literal, NamedTuple

from kbgraph.lift.scan.found import Quantity
from kbgraph.lift.scan.units import Tables

_BOUNDARY = re.compile(r"[，；;。！？!?\n]|,(?![0-9])|\.(?=\s)")
_CUT_AFTER = re.compile(r"\s?@\s?(\d{1,5}(?:/\d{1,5})*)")
_CUT_BEFORE = re.compile(r"top[\s-]?(\d{1,5})\s?$")
_BEHIND = re.compile(r"\s?(?:[^\W\da-z_]?\s?|(?:[a-z]{1,3}\s){1,2})")
_INSIDE = ("-", "_")  # `--tp-size`: part of a longer name
_BESIDE = re.compile(r"\s?[=:：]?\s?\w{0,3}\s?")
_USED_UP = 4  # metrics before a number that may belong to earlier ones
_TOUCHING = re.compile(r"\s?[=:：]?\s?")
# Units that count things: a number of them is often but the setting of the one that was measured.
_THINGS = frozenset({
    "GPU", "core", "node", "vector", "passage", "document", "query", "request", "sample", "count", "user", "language",
    "table", "page", "layer", "model", "expert", "agent", "index", "dim",
})  # fmt: skip
# Heads of compound names: in `P99 latency` the first word says more.
_GENERAL = frozenset({"latency", "score", "rate", "ratio", "cost", "storage", "memory", "error-rate"})
# Units that a metric said after the number may take: `2.4× speedup`, `40% of the latency`; others count things.
_RELATIVE = frozenset({"", "x", "percent", "pp", "ratio"})


class Candidate(NamedTuple):
    """A quantity before its metric is known, and how much it needs one to be a quantity at all."""

    quantity: Quantity
    needs: Literal["", "clause", "beside"] = ""
    letter: str = ""  # its magnitude is a letter: the metric may tell the unit


class _Metric(NamedTuple):
    start: int
    end: int
    name: str


def with_metrics(
    text: str, low: str, tables: Tables, candidates: list[Candidate], blocked: list[tuple[int, int]]
) -> tuple[Quantity, ...]:
    """The quantities with their metrics; those that needed one and have none are left out."""
    metrics = _metrics(text, low, tables)
    if metrics and blocked:
        metrics = [m for m in metrics if not any(a <= m.start < b for a, b in blocked)]
    borders = [m.start() for m in _BOUNDARY.finditer(text)] if metrics else []
    following = [*(c.quantity.start for c in candidates[1:]), len(text)]
    done: list[Quantity] = []
    floor, used = 0, set[int]()
    for at, (candidate, then) in enumerate(zip(candidates, following, strict=True)):
        quantity = candidate.quantity
        behind = _behind(quantity, low, metrics, then)
        # `P99 at 32 concurrent requests is 12 ms`: the first number is what the second was measured at.
        own = behind if candidate.needs == "beside" and behind and behind.beside else None
        border = bisect_right(borders, quantity.start)
        head = max(borders[border - 1] if border else 0, floor)
        before = None if own else _before(quantity, low, metrics, head, used)
        setting = own or (before and not before.touching and _sets_up(candidates, at, borders))
        found = own or (None if setting else before or behind)
        if not (found or setting) and done and _continues(done[-1], quantity, low, tables):
            found = _Nearest(done[-1].metric, True, quantity.end)
        found = found or _NONE
        if own:
            used.add(own.at)
        elif not setting:  # a metric that is said after one number is not the next one's
            floor = max(quantity.end, found.end)
        if (candidate.needs and not found.name) or (candidate.needs == "beside" and not found.beside):
            continue
        unit = tables.metric_units.get(found.name.partition("@")[0], "") if candidate.letter else ""
        said = found.name or (unit and not quantity.unit)
        done.append(quantity._replace(metric=found.name, unit=quantity.unit or unit) if said else quantity)
    return tuple(done)


def _sets_up(candidates: list[Candidate], at: int, borders: list[int]) -> bool:
    """Whether a number of things says under what the next one in its clause was measured."""
    this, following = candidates[at], candidates[at + 1 : at + 2]
    counts = this.quantity.unit in _THINGS if this.quantity.unit else this.needs == "beside"
    if not counts or this.quantity.before or not following:
        return False
    then = following[0].quantity
    measured = then.unit not in _THINGS if then.unit else not following[0].needs
    return measured and bisect_right(borders, this.quantity.start) == bisect_right(borders, then.start)


def _continues(last: Quantity, quantity: Quantity, low: str, tables: Tables) -> bool:
    """True for the next item of an enumeration that one metric covers: `precision 0.81 and 0.79`."""
    between = low[last.end : quantity.start].strip(" 、/,")
    listed = not between or any(c.value == "and" for c in tables.span.get(between))
    alike = last.unit == quantity.unit and last.bound == quantity.bound
    return listed and alike and (bool(quantity.unit) or ("." in last.value) == ("." in quantity.value))


def _metrics(text: str, low: str, tables: Tables) -> list[_Metric]:
    """Metric words of a text with the cut-off that belongs to them: `recall@10`, `Top-10 hit rate`."""
    found: list[_Metric] = []
    for hit in tables.metric.find(text):
        value = hit.concepts[0].value
        start, end = hit.start, hit.end
        if low[start - 1 : start] in _INSIDE or low[end : end + 1] in _INSIDE:
            continue
        if after := _CUT_AFTER.match(low, end):
            end, value = after.end(), f"{value}@{after[1]}"
        elif before := _CUT_BEFORE.search(low, max(0, start - 12), start):
            start, value = before.start(), f"{value}@{before[1]}"
        # `p50/p99 = 12/45 ms`: which is whose is not told here.
        if found and low[found[-1].end : start] == "/":
            start, value = found[-1].start, f"{found.pop().name}/{value}"
        elif found and value in _GENERAL and not low[found[-1].end : start].strip() and start - found[-1].end <= 1:
            start, value = found[-1].start, found.pop().name
        found.append(_Metric(start, end, value))
    return found


class _Nearest(NamedTuple):
    """A metric's name, whether it stands right beside the number, and where what was used ends."""

    name: str
    beside: bool
    end: int
    touching: bool = False  # nothing but a sign between
    at: int = -1  # index of the metric


_NONE = _Nearest("", False, 0)


def _before(quantity: Quantity, low: str, metrics: list[_Metric], head: int, used: set[int]) -> _Nearest | None:
    """The last metric before a quantity in its clause that is not used up."""
    last = bisect_right(metrics, quantity.start, key=lambda m: m.end) - 1
    for _ in range(_USED_UP):
        last -= last in used
    if last < 0 or metrics[last].start < head:
        return None
    beside = _BESIDE.fullmatch(low, metrics[last].end, quantity.start) is not None
    touching = _TOUCHING.fullmatch(low, metrics[last].end, quantity.start) is not None
    return _Nearest(metrics[last].name, beside, quantity.end, touching, last)


def _behind(quantity: Quantity, low: str, metrics: list[_Metric], then: int) -> _Nearest | None:
    """The metric that follows a quantity at once, unless the next number claims it."""
    at = bisect_left(metrics, quantity.end, key=lambda m: m.start)
    if at == len(metrics) or (metrics[at].end < then and not low[metrics[at].end : then].strip()):
        return None
    metric = metrics[at]
    beside = metric.start - quantity.end <= 1 and not low[quantity.end : metric.start].strip()
    fits = quantity.unit in _RELATIVE and _BEHIND.fullmatch(low, quantity.end, metric.start) is not None
    return _Nearest(metric.name, beside, metric.end, at=at) if beside or fits else None
