"""A guide: hands-on notes on a repository."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.body import open_file, read_body
from kbgraph.lift.cards import repository
from kbgraph.lift.frame import Frame

KIND = "guide"


def lift(frame: Frame) -> None:
    """Tell a guide."""
    open_file(frame, v.KB_GUIDE)
    repository(frame)
    read_body(frame)
