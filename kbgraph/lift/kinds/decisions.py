"""What people have decided of pairs of claims."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.body import open_file
from kbgraph.lift.decisions import tell_decisions
from kbgraph.lift.frame import Frame

KIND = "decisions"


def lift(frame: Frame) -> None:
    """Tell a list of decisions."""
    open_file(frame, v.KB_DECISION_LIST)
    tell_decisions(frame)
