"""A work queue: its rows are tasks."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.body import open_file, read_body
from kbgraph.lift.frame import Frame

KIND = "queue"


def lift(frame: Frame) -> None:
    """Tell a queue."""
    open_file(frame, v.KB_QUEUE)
    read_body(frame)
