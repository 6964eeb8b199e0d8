"""A report of an agent: works read, pages found, candidates screened or written up."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.body import open_file, read_body
from kbgraph.lift.frame import Frame
from kbgraph.lift.origin import tell_report_kind

KIND = "report"


def lift(frame: Frame) -> None:
    """Tell a report."""
    open_file(frame, v.KB_REPORT)
    tell_report_kind(frame)
    read_body(frame)
