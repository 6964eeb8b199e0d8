"""The document as passages: stretches of text with one place, item and role, in the order of the file."""

from __future__ import annotations

from collections.abc import Iterator

from kbgraph.lift.columns import columns_of
from kbgraph.lift.frame import Frame, Passage, Place
from kbgraph.lift.placing import opening
from kbgraph.lift.rows import claim_rows, row_items
from kbgraph.model.text import Block, Mark, Table

_OF_BLOCK = {"code": "code", "comment": "comment"}


def passages(frame: Frame) -> None:
    """Cut all blocks into passages; values of front matter that name something come first."""
    for entry in frame.document.fields:
        if entry.origin not in ("json", "bib") and (
            "[[" in entry.value or any(c.isdigit() or c == "/" for c in entry.value)
        ):
            frame.passages.append(Passage(entry.value, (), entry.line, -1, -1, -1, "", "field", False))
    for index, (block, place) in enumerate(zip(frame.document.blocks, frame.places, strict=True)):
        if block.table:
            frame.passages += _of_table(frame, index, block, block.table, place)
        elif block.kind != "rule" and block.text:
            frame.passages += _of_text(frame, index, block, place)


def _of_text(frame: Frame, index: int, block: Block, place: Place) -> Iterator[Passage]:
    if place.skip == "field":
        yield from _described(frame, index, block)
    kind = "heading" if block.kind == "heading" else place.skip
    kind = kind or _OF_BLOCK.get(block.kind) or ("quote" if block.quoted else "body")
    speaks = kind == "body" and block.kind != "html" and index not in frame.declaring
    if place.item < 0 or kind != "body":
        yield Passage(block.text, block.marks, block.line, index, block.section, place.item, place.role, kind, speaks)
        return
    for start, end, role in _labelled(frame, block.text, place.role):
        text = block.text[start:end]
        if text.strip():
            line = block.line_at(start)
            marks = moved(block.marks, start, end)
            yield Passage(text, marks, line, index, block.section, place.item, role, kind, speaks)


def _described(frame: Frame, index: int, block: Block) -> Iterator[Passage]:
    """The description of a card: the one field that says something of the matter."""
    for said in frame.said:
        start = block.text.find(said.value) if said.block == index and said.concept == "field-description" else -1
        if start >= 0:
            marks = moved(block.marks, start, len(block.text))
            yield Passage(said.value, marks, block.line_at(start), index, block.section, -1, "", "body")


def _labelled(frame: Frame, text: str, role: str) -> Iterator[tuple[int, int, str]]:
    """Stretches of a block under one label each; a line that begins with a label opens the next."""
    start = at = 0
    for line in text.split("\n"):
        opened = opening(frame, line)
        if opened:
            if at > start:
                yield start, at, role
            start, role = at + opened.offset, opened.role
        at += len(line) + 1
    yield start, len(text), role


def moved(marks: tuple[Mark, ...], start: int, end: int) -> tuple[Mark, ...]:
    """Marks that lie in `[start, end)`, with offsets from there."""
    if not marks or start == 0:
        return tuple(m for m in marks if m.end <= end)
    return tuple(
        m._replace(start=m.start - start, end=m.end - start) for m in marks if start <= m.start and m.end <= end
    )


def _of_table(frame: Frame, index: int, block: Block, table: Table, place: Place) -> Iterator[Passage]:
    columns = columns_of(frame, table)
    claim_rows(frame, index, table, columns)
    items = row_items(frame, block, table, columns, place) if not place.skip else {}
    for number, row in enumerate((table.header, *table.rows)):
        item = items.get(number - 1, place.item)
        for column, cell in enumerate(row):
            if cell.text or cell.marks:
                role = columns.role(column)
                speaks = number > 0 and role == "role-key-points"
                spot = "quote" if block.quoted else "table"
                yield Passage(cell.text, cell.marks, cell.line, index, block.section, item, role, spot, speaks)
