"""Any Markdown file of no kind of its own."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.body import open_file, read_body
from kbgraph.lift.frame import Frame

KIND = "note"


def lift(frame: Frame) -> None:
    """Tell a note."""
    open_file(frame, v.KB_NOTE)
    read_body(frame)
