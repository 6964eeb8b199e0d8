"""Quantities as nodes: value or range, unit, metric, bound, condition, as printed."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.frame import Frame
from kbgraph.lift.scan.found import Quantity
from kbgraph.model.facts import Term, boolean, decimal, integer, text


def tell_quantity(frame: Frame, found: Quantity, owner: Term, line: int, condition: str = "") -> None:
    """Tell one quantity of an evidence line; `line` is 0 where the evidence line's own tells it."""
    node, out = frame.node("q"), frame.out
    out += (
        f"{node} {v.KB_QUANTITY_OF} {owner}",
        f"{node} {v.KB_AS_PRINTED} {text(found.printed)}",
    )
    if line:
        frame.tell(node, v.KB_LINE, integer(line))
    numbers = ((v.SCHEMA_VALUE, found.value), (v.SCHEMA_MIN_VALUE, found.low), (v.SCHEMA_MAX_VALUE, found.high))
    out += (f"{node} {predicate} {decimal(value)}" for predicate, value in numbers if value)
    words = ((v.SCHEMA_UNIT_TEXT, found.unit), (v.KB_METRIC, found.metric), (v.KB_BOUND, found.bound))
    out += (f"{node} {predicate} {text(value)}" for predicate, value in (*words, (v.KB_CONDITION, condition)) if value)
    if found.before:
        out += (
            f"{node} {v.KB_CHANGE} {boolean(True)}",
            f"{node} {v.KB_FROM} {decimal(found.before)}",
            f"{node} {v.KB_TO} {decimal(found.value)}",
        )
