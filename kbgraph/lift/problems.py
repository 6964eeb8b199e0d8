"""What was odd in reading or lifting a file, as nodes; texts that were never extracted."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.frame import Frame
from kbgraph.model.facts import integer, text


def problem(frame: Frame, code: str, line: int, detail: str = "", end_line: int = 0) -> None:
    """Tell one problem."""
    node = frame.node("p")
    frame.tell(node, v.RDF_TYPE, v.KB_READING_PROBLEM)
    frame.tell(node, v.KB_CODE, text(code))
    frame.tell(node, v.KB_LINE, integer(line))
    if end_line > line:
        frame.tell(node, v.KB_END_LINE, integer(end_line))
    if detail:
        frame.tell(node, v.KB_DETAIL, text(detail))


def tell_problems(frame: Frame) -> None:
    """Tell what the reading found odd."""
    for found in frame.document.problems:
        problem(frame, found.code, found.line, found.detail, found.end_line)
    _tell_empty(frame)


def _tell_empty(frame: Frame) -> None:
    """Tell each section that holds nothing: no block but its heading, comments and rules, and no section below it."""
    sections = frame.document.sections
    held = {block.section for block in frame.document.blocks if block.kind not in ("heading", "comment", "rule")}
    held |= {section.parent for section in sections}
    for section in sections if len(sections) > 1 else ():
        if section.index not in held:
            problem(frame, "empty-section", section.line)
