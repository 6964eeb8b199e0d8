"""Identifiers that are none or not what they seem, and those that stand beside the one that an entry is for."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift import nodes
from kbgraph.lift.frame import Frame
from kbgraph.lift.scan.found import Id
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


def tell_pointer(frame: Frame, found: Id, line: int, place: str) -> None:
    """Tell a further id of a list entry: it is named there and denotes no entry."""
    node, work = frame.node("m"), nodes.named(frame, found)
    frame.out += (
        f"{node} {v.KB_MENTIONS} {work}",
        f"{node} {v.KB_LINE} {integer(line)}",
        f"{node} {v.KB_PLACE} {text('list')}",
        f"{node} {v.KB_ID_KIND} {text(found.kind)}",
        f"{node} {v.KB_AS_PRINTED} {text(found.printed)}",
    )
    if place:
        frame.out.append(f"{node} {place}")
