"""The document as passages: stretches of text with one place, item and role, in the order of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kbgraph.lift.columns import columns_of
from kbgraph.lift.frame import Frame, Passage, Place
from kbgraph.lift.heads import part_of
from kbgraph.lift.outline import ITEMISED
from kbgraph.lift.placing import Opening, opening
from kbgraph.lift.rows import claim_rows, row_items
from kbgraph.model.text import Block, Mark, Table

_OF_BLOCK = {"code": "code", "comment": "comment"}
# Where a line may go on with another `label: …`: after the end of a sentence or clause, or a bar.
_NEXT = re.compile(r"(?:[。；;！？]\s*|(?<=\w)\.\s+|\s[|｜·]\s)(?=[^\s：:。；;|｜][^：:。；;|｜\n]{0,30}[：:])")
# A line that opens with a label of any words; several such lines are statements of their own.
_LABELLED = re.compile(r"^(?=[^\n:：]*[^\W\d])[^\s:：。；;|｜][^:：。；;|｜\n]{0,30}[：:](?!//)\s?(?=\S)", re.MULTILINE)
_JOINT = re.compile(r"[\s:：,，—–-]*")
_PLACE = re.compile(r"\.(?:md|markdown|txt|json|bib):\d")  # a file with a line
_ASIDE = re.compile(r"\s*(?:[(（][^()（）\n]*[)）])?\s*[:：]?")
_DIGIT_OR_SLASH = re.compile(r"[\d/]")
_LEAD = 2  # characters that may stand before a strong name that opens a list point
_REACH = 120  # characters that a label and the start of its text are looked for in


def passages(frame: Frame) -> None:
    """Cut all blocks into passages; values of front matter that name something come first."""
    for entry in frame.document.fields:
        if entry.origin not in ("json", "bib") and ("[[" in entry.value or _DIGIT_OR_SLASH.search(entry.value)):
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
    if kind == "body" and _reports(frame, block):
        kind = "reported"
    speaks = kind == "body" and block.kind != "html" and index not in frame.declaring and not _heads(frame, block)
    apart = _apart(block.text) if kind == "body" else []
    if not apart and (place.item < 0 or kind != "body"):
        yield Passage(block.text, block.marks, block.line, index, block.section, place.item, place.role, kind, speaks)
        return
    whole = [(0, len(block.text), place.role)] if place.item < 0 else _labelled(frame, block, place.role)
    for start, end, role in (piece for stretch in whole for piece in _cut(stretch, apart)):
        text = block.text[start:end]
        if text.strip():
            line = block.line_at(start)
            marks = moved(block.marks, start, end)
            yield Passage(text, marks, line, index, block.section, place.item, role, kind, speaks)


def _heads(frame: Frame, block: Block) -> bool:
    """Whether a paragraph is but a strong name with a bracket, `**Dropped** (3)`: it heads what follows."""
    if frame.kind not in ITEMISED or block.kind != "paragraph":
        return False
    strong = next((mark for mark in block.marks if mark.kind == "strong"), None)
    return strong is not None and strong.start == 0 and _ASIDE.fullmatch(block.text, strong.end) is not None


def _reports(frame: Frame, block: Block) -> bool:
    """Whether a doubt of a brief names the line of the file that it is about: what it says, it says of that line."""
    return names_place(frame, block.text) and part_of(frame, block.section) == "section-contradictions"


def names_place(frame: Frame, text: str) -> bool:
    """Whether a text of a brief names the file and line that its words are from."""
    return frame.kind == "brief" and _PLACE.search(text) is not None


def _apart(text: str) -> list[int]:
    """Where lines begin that open with a label, when the text begins so and goes on so."""
    starts = [found.start() for found in _LABELLED.finditer(text)] if "\n" in text else []
    return starts if len(starts) > 1 and starts[0] == 0 else []


def _cut(stretch: tuple[int, int, str], apart: list[int]) -> Iterator[tuple[int, int, str]]:
    """The stretch in pieces that begin at these places."""
    start, end, role = stretch
    for at in (*(at for at in apart if start < at < end), end):
        yield start, at, role
        start = at


def _described(frame: Frame, index: int, block: Block) -> Iterator[Passage]:
    """The description of a card: the one field that says something of the matter."""
    for said in frame.said:
        start = block.text.find(said.value) if said.block == index and said.concept == "field-description" else -1
        if start >= 0:
            marks = moved(block.marks, start, len(block.text))
            yield Passage(said.value, marks, block.line_at(start), index, block.section, -1, "", "body")


def _labelled(frame: Frame, block: Block, role: str) -> Iterator[tuple[int, int, str]]:
    """Stretches of a block under one label each; a line or sentence that begins with a label opens the next."""
    start = at = 0
    text, name = block.text, next((m.end for m in block.marks if m.kind == "strong" and m.start <= _LEAD), 0)
    for line in text.split("\n"):
        for place, opened in _openings(frame, line, name if not at else 0):
            if at + place > start:
                yield start, at + place, role
            start, role = at + place + opened.offset, opened.role
        at += len(line) + 1
    yield start, len(text), role


def _openings(frame: Frame, line: str, name: int) -> Iterator[tuple[int, Opening]]:
    """Labels with their places: one that opens the line, those with a colon after its strong name or a sentence."""
    first = opening(frame, line)
    if first:
        yield 0, first
    if ":" not in line and "：" not in line:
        return
    after_name = _JOINT.match(line, name) if name and not first else None
    places = [after_name.end()] if after_name else []
    for place in (*places, *(mark.end() for mark in _NEXT.finditer(line))):
        rest = line[place : place + _REACH]
        found = opening(frame, rest)
        if found is None or rest[: found.offset].rstrip(" *_")[-1:] not in (":", "："):
            continue
        # `evidence:` also announces findings; beside other text it must name a level.
        if found.role != "role-evidence" or frame.words.levels(rest[found.offset :], anywhere=True):
            yield place, found


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
    # In a table of fields, as in a list of them, the description alone says something of the matter.
    fields = place.skip == "field"
    described = {s.line for s in frame.said if s.block == index and s.concept == "field-description"}
    for number, row in enumerate((table.header, *table.rows)):
        item = items.get(number - 1, place.item)
        for column, cell in enumerate(row):
            if cell.text or cell.marks:
                role = columns.role(column) if not fields else ""
                speaks = cell.line in described and column == 1 if fields else number > 0 and role == "role-key-points"
                spot = "quote" if block.quoted else "table"
                yield Passage(cell.text, cell.marks, cell.line, index, block.section, item, role, spot, speaks)
