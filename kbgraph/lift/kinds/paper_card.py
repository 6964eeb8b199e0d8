"""A paper card: about a work, with versions, other ids, counters and what was extracted from it."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.body import open_file, read_body
from kbgraph.lift.cards import paper
from kbgraph.lift.counters import tell_fields
from kbgraph.lift.frame import Frame

KIND = "paper-card"


def lift(frame: Frame) -> None:
    """Tell a paper card."""
    open_file(frame, v.KB_PAPER_CARD)
    paper(frame)
    tell_fields(frame)
    read_body(frame)
