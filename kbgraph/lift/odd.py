"""Identifiers that are none, or not what they seem."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.found import Id
from kbgraph.lift.frame import Frame
from kbgraph.model.facts import integer, text


def tell_malformed(frame: Frame, found: Id, reason: str, line: int, place: str) -> None:
    """Tell an odd identifier; `place` is predicate and object, or empty."""
    node, out = frame.node("z"), frame.out
    out += (
        f"{node} {v.RDF_TYPE} {v.KB_MALFORMED_IDENTIFIER}",
        f"{node} {v.KB_AS_PRINTED} {text(found.printed)}",
        f"{node} {v.KB_KEY} {text(found.key)}",
        f"{node} {v.KB_REASON} {text(reason)}",
        f"{node} {v.KB_LINE} {integer(line)}",
    )
    if place:
        out.append(f"{node} {place}")
