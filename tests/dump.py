"""A Document as text that a person can check: one line a block, field, section or problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kbgraph.model.document import Document
from kbgraph.model.text import Block, Cell, Mark

PART = Callable[[Document], Iterator[str]]


def _shown(text: str) -> str:
    """Text on one line, control characters spelled out."""
    return "".join(c if c.isprintable() or c == "\u3000" else c.encode("unicode_escape").decode() for c in text)


def _span(line: int, end_line: int) -> str:
    return f"{line}" if end_line in (0, line) else f"{line}-{end_line}"


def _marks(text: str, marks: tuple[Mark, ...]) -> Iterator[str]:
    for mark in marks:
        target = f" -> {_shown(mark.target)}" if mark.target else ""
        yield f"    {mark.kind} {mark.start}-{mark.end} [{_shown(text[mark.start : mark.end])}]{target}"


def _traits(block: Block) -> Iterator[str]:
    yield block.kind
    if block.level:
        yield f"h{block.level}"
    if block.marker:
        yield f"marker={_shown(block.marker)}"
    for name in ("depth", "quoted"):
        if getattr(block, name):
            yield f"{name}={getattr(block, name)}"
    for name in ("section", "parent"):
        if getattr(block, name) >= 0:
            yield f"{name}={getattr(block, name)}"


def _row(cells: tuple[Cell, ...]) -> str:
    return " | ".join(_shown(cell.text) for cell in cells)


def blocks(document: Document) -> Iterator[str]:
    """Each block: index, lines, kind and place, text; its marks and rows below it."""
    for index, block in enumerate(document.blocks):
        yield f"{index} @{_span(block.line, block.end_line)} {' '.join(_traits(block))}: {_shown(block.text)}".rstrip()
        yield from _marks(block.text, block.marks)
        if block.table:
            yield f"    head: {_row(block.table.header)}".rstrip()
            for row in block.table.rows:
                yield f"    @{row[0].line if row else '?'}: {_row(row)}".rstrip()
            for cell in (c for row in (block.table.header, *block.table.rows) for c in row):
                yield from _marks(cell.text, cell.marks)


def fields(document: Document) -> Iterator[str]:
    """Each field: line, origin, key, value."""
    for field in document.fields:
        yield f"@{field.line} {field.origin} {_shown(field.key)} = {_shown(field.value)}".rstrip()


def sections(document: Document) -> Iterator[str]:
    """Each section: index, lines, depth, number, anchor, title."""
    for s in document.sections:
        number = f"§{s.number} ({_shown(s.printed)})" if s.number or s.printed else "-"
        parent = f" parent={s.parent}" if s.parent >= 0 else ""
        place = f"{s.index} @{_span(s.line, s.end_line)} h{s.level} {number} #{_shown(s.anchor)}{parent}"
        yield f"{place}: {_shown(s.title)}".rstrip()


def problems(document: Document) -> Iterator[str]:
    """Each problem: lines, code, detail."""
    for p in document.problems:
        yield f"@{_span(p.line, p.end_line)} {p.code}: {_shown(p.detail)}".rstrip(": ")


def definitions(document: Document) -> Iterator[str]:
    """Each link definition: line, label, target, uses."""
    for d in document.definitions:
        yield f"@{d.line} [{_shown(d.label)}] -> {_shown(d.target)} uses={d.uses}"


def head(document: Document) -> Iterator[str]:
    """Title, encoding, coverage and what else holds for the file as a whole."""
    yield f"title: {_shown(document.title)}".rstrip()
    yield f"encoding: {document.encoding}"
    coverage = document.coverage
    yield f"lines: {coverage.lines} understood: {coverage.understood}"
    yield from (f"ignored: {count} {_shown(reason)}" for reason, count in coverage.ignored)
    if document.flattened:
        yield "flattened"


PARTS: dict[str, PART] = {
    "blocks": blocks,
    "fields": fields,
    "sections": sections,
    "problems": problems,
    "definitions": definitions,
    "head": head,
}


def dump(document: Document, part: str) -> str:
    """One part of a document as lines; KeyError for a part that is none of PARTS."""
    return "".join(f"{line}\n" for line in PARTS[part](document))
