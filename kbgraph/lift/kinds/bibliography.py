"""A BibTeX file: its entries as a reference list that other files cite by key."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.bibtex import tell_entries
from kbgraph.lift.body import open_file
from kbgraph.lift.frame import Frame

KIND = "bibliography"


def lift(frame: Frame) -> None:
    """Tell a bibliography."""
    open_file(frame, v.KB_BIBLIOGRAPHY)
    tell_entries(frame)
