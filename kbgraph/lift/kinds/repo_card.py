"""A repository card: about a repository, with counters and what is new in it."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.body import open_file, read_body
from kbgraph.lift.cards import repository
from kbgraph.lift.counters import tell_fields
from kbgraph.lift.frame import Frame

KIND = "repo-card"


def lift(frame: Frame) -> None:
    """Tell a repository card."""
    open_file(frame, v.KB_REPO_CARD)
    repository(frame)
    tell_fields(frame)
    read_body(frame)
