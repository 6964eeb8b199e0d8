"""A knowledge document: numbered sections, claims with levels, a closing citation list."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.body import open_file, read_body
from kbgraph.lift.frame import Frame

KIND = "knowledge"


def lift(frame: Frame) -> None:
    """Tell a knowledge document."""
    open_file(frame, v.KB_KNOWLEDGE_DOC)
    read_body(frame)
