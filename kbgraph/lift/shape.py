"""Which kind of material a file is where no glob names it: by its shape."""

from __future__ import annotations

from kbgraph.lift.frame import Frame
from kbgraph.lift.header import ids_of


def kind_by_shape(frame: Frame) -> str:
    """The kind of a file that no glob names: card by its front matter, knowledge document by its sections."""
    if any(said.concept == "field-arxiv" and said.block < 0 and ids_of(said) for said in frame.said):
        return "paper-card"
    lists = sum(part.role == "section-citation-list" for part in frame.parts)
    others = [s for s, p in zip(frame.document.sections, frame.parts, strict=True) if p.role != "section-citation-list"]
    told = sum(bool(s.number) or s.level > 1 for s in others)
    return "knowledge" if lists and told >= 2 else frame.kind
