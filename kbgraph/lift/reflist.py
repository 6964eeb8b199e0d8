"""Reference lists, the blocks that hold them and their entries; footnotes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kbgraph import vocab as v
from kbgraph.lift.entries import Raw, tell_entry
from kbgraph.lift.frame import Frame, Place
from kbgraph.model.facts import Term, integer
from kbgraph.model.text import Block, Cell, Mark

ROLES = ("section-citation-list", "section-citable-ids")
_NUMBERED = re.compile(r"\[\d{1,4}\]\s*\S")
_MARKER = re.compile(r"\d{1,4}")


def claim_closing(frame: Frame) -> None:
    """Place `[1] …` lines that close a file without a heading for them as a reference list."""
    if any(part.role in ROLES for part in frame.parts):
        return
    blocks, index = frame.document.blocks, len(frame.document.blocks) - 1
    closing: list[int] = []
    while index > 0 and (blocks[index].kind in ("comment", "rule") or _all_numbered(blocks[index])):
        closing.append(index)
        index -= 1
    if sum(blocks[i].text.count("\n") + 1 for i in closing if _all_numbered(blocks[i])) >= 2:
        for i in closing:
            frame.places[i] = Place(skip="list")


def _all_numbered(block: Block) -> bool:
    lines = block.text.split("\n") if block.kind in ("paragraph", "item") else ()
    return bool(lines) and all(_NUMBERED.match(line) for line in lines)


def tell_lists(frame: Frame) -> None:
    """Tell every reference list and its entries."""
    for number, (section, blocks) in enumerate(_lists(frame).items(), 1):
        node = Term(f"{frame.local}list{'' if number == 1 else f'-{number}'}>")
        raws = [raw for index in blocks for raw in _raws(frame, index)]
        if raws:
            _tell_list(
                frame, node, section, frame.document.blocks[blocks[0]].line, frame.document.blocks[blocks[-1]].end_line
            )
            frame.tell(frame.me, v.KB_HAS_REFERENCE_LIST, node)
            standing = section >= 0 and frame.parts[section].role == "section-citable-ids"
            for raw in raws:
                tell_entry(frame, node, section, raw, standing)
    _tell_footnotes(frame)


def _lists(frame: Frame) -> dict[int, list[int]]:
    """Blocks of each reference list by the section that heads it."""
    found: dict[int, list[int]] = {}
    for index, (block, place) in enumerate(zip(frame.document.blocks, frame.places, strict=True)):
        if place.skip == "list" and block.kind not in ("heading", "rule", "comment", "footnote", "code"):
            found.setdefault(_head(frame, block.section), []).append(index)
    return found


def _head(frame: Frame, section: int) -> int:
    """The section that makes what stands in it a reference list."""
    at = section
    while at >= 0:
        if frame.parts[at].role in ROLES:
            return at
        at = frame.document.sections[at].parent
    return section


def _tell_list(frame: Frame, node: Term, section: int, line: int, end_line: int) -> None:
    frame.tell(node, v.RDF_TYPE, v.BIRO_REFERENCE_LIST)
    frame.tell(node, v.KB_LINE, integer(line))
    frame.tell(node, v.KB_END_LINE, integer(end_line))
    if section >= 0:
        frame.tell(node, v.KB_IN_SECTION, frame.parts[section].node)


def _raws(frame: Frame, index: int) -> Iterator[Raw]:
    """The entries that one block of a list holds."""
    block = frame.document.blocks[index]
    if block.table:
        yield from (Raw(*_joined(row), row[0].line) for row in block.table.rows if row)
    elif block.kind == "item" and block.parent < 0:
        number = _MARKER.match(block.marker)
        yield Raw(block.text, block.marks, block.line, number.group() if number else "")
    elif block.kind == "paragraph" and block.parent < 0:
        at = 0
        for offset, line in enumerate(block.text.split("\n")):
            marks = tuple(
                m._replace(start=m.start - at, end=m.end - at) for m in block.marks if at <= m.start <= at + len(line)
            )
            yield Raw(line, marks, block.line + offset, prose=True)
            at += len(line) + 1


def _joined(row: tuple[Cell, ...]) -> tuple[str, tuple[Mark, ...]]:
    """A row as one text, marks with it."""
    text, marks = "", []
    for cell in row:
        marks += [m._replace(start=m.start + len(text), end=m.end + len(text)) for m in cell.marks]
        text += f"{cell.text} — "
    return text.removesuffix(" — "), tuple(marks)


def _tell_footnotes(frame: Frame) -> None:
    """Footnotes are entries of the file itself: no list of theirs claims to be complete."""
    notes: dict[str, Raw] = {}
    for index, block in enumerate(frame.document.blocks):
        holder = _note_of(frame, index)
        if holder:
            notes[holder] = _appended(notes.get(holder), block, f"^{holder}")
    for raw in notes.values():
        tell_entry(frame, frame.me, -1, raw, False)


def _note_of(frame: Frame, index: int) -> str:
    """Label of the footnote that a block is or stands in, else ""."""
    blocks = frame.document.blocks
    while index >= 0 and blocks[index].kind != "footnote":
        index = blocks[index].parent
    return blocks[index].marker if index >= 0 else ""


def _appended(raw: Raw | None, block: Block, label: str) -> Raw:
    """A footnote with one more of its paragraphs."""
    if raw is None:
        return Raw(block.text, block.marks, block.line, label)
    start = len(raw.text) + 1
    marks = tuple(m._replace(start=m.start + start, end=m.end + start) for m in block.marks)
    return raw._replace(text=f"{raw.text}\n{block.text}", marks=raw.marks + marks)
