"""Which kind of material a file is where no glob names it: by its shape."""

from __future__ import annotations

from kbgraph.lift.frame import Frame
from kbgraph.lift.header import ids_of
from kbgraph.lift.outline import is_item_head
from kbgraph.lift.scan.dates import day_in


def kind_by_shape(frame: Frame) -> str:
    """The kind of a file that no glob names: card by front matter, brief by title and items, document by sections."""
    if any(said.concept == "field-arxiv" and said.block < 0 and ids_of(said) for said in frame.said):
        return "paper-card"
    if _is_brief(frame):
        return "brief"
    lists = sum(part.role == "section-citation-list" for part in frame.parts)
    others = [s for s, p in zip(frame.document.sections, frame.parts, strict=True) if p.role != "section-citation-list"]
    told = sum(bool(s.number) or s.level > 1 for s in others)
    return "knowledge" if lists and told >= 2 else frame.kind


def _is_brief(frame: Frame) -> bool:
    """Whether the title calls the file a brief of a day, and sections below it are items."""
    sections = frame.document.sections
    title = frame.document.title or (sections[0].title if sections else "")
    if frame.words.best("report", title) != "report-e1prep" or not day_in(title):
        return False
    return any(is_item_head(frame, section.printed) for section in sections)
