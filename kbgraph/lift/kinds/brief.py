"""A brief: items with verdicts and advice, made from the materials of one manifest."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.body import open_file, read_body
from kbgraph.lift.frame import Frame
from kbgraph.lift.origin import tell_origin, tell_report_kind

KIND = "brief"


def lift(frame: Frame) -> None:
    """Tell a brief."""
    open_file(frame, v.KB_BRIEF)
    tell_report_kind(frame)
    tell_origin(frame)
    read_body(frame)
