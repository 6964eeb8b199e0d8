"""Handlers of pipe tables, ragged rows and all."""

from __future__ import annotations

import re
from collections.abc import Callable

from kbgraph.model.document import Problem
from kbgraph.model.text import Cell, Table
from kbgraph.read.page import Closed, Opened, Page, Span

BAR = re.compile(r"(?<!\\)\|")  # between cells, whether or not it stands in code

_new: Callable[..., Cell] = tuple.__new__  # at half the price of the constructor


def _open_table(page: Page, _data: object, span: Span) -> None:
    """Rows stand on consecutive lines, so that lines are counted, not looked up."""
    page.close_text()
    page.rows = []
    page.row_line = page.line(span["start"])


def _open_row(page: Page, _data: object, span: Span) -> None:
    page.row = []
    page.row_end = span["end"]


def _close_cell(page: Page, span: Span) -> None:
    """A cell that the row lacks was made up by the parser at the row's end."""
    if page.parts or span["start"] < page.row_end:
        line = page.row_line
        text, marks = page.take(line)
        page.row.append(_new(Cell, (text, marks, line)))


def _close_head(page: Page, _span: Span) -> None:
    """The line of dashes comes after it."""
    page.header = tuple(page.row)
    page.row_line += 2


def close_row(page: Page, span: Span) -> str:
    """A row ends; gives the source of cells beyond the header, which the parser leaves out."""
    row, width = page.row, len(page.header)
    tail = _tail(page.source[span["start"] : span["end"]].strip(), width) if len(row) >= width else ""
    page.rows.append(tuple(row))
    page.row_line += 1
    return tail


def _tail(row: bytes, width: int) -> str:
    bars = row.count(b"|") - row.startswith(b"|") - row.endswith(b"|")
    if bars < width:
        return ""
    cells = BAR.split(row.removeprefix(b"|").decode("utf-8", "replace"))[width:]
    if cells and not cells[-1]:
        cells.pop()
    return "|".join(cells)


def ragged(page: Page, extra: tuple[Cell, ...]) -> None:
    """The last row with cells added, reported when it is longer or shorter than the header."""
    row = page.rows[-1] = (*page.rows[-1], *extra)
    if len(row) != len(page.header):
        detail = f"{len(row)} cells, {len(page.header)} in the header"
        page.problems.append(Problem("ragged-table", page.row_line - 1, detail))


def _close_table(page: Page, span: Span) -> None:
    table = Table(page.header, tuple(page.rows))
    lines = [" | ".join([cell.text for cell in row]) for row in table.rows]
    text = "\n".join([" | ".join([cell.text for cell in table.header]), "", *lines])
    page.add("table", text, page.line(span["start"]), table=table)


OPENED: Opened = {"Table": _open_table, "TableHead": _open_row, "TableRow": _open_row, "TableCell": None}
CLOSED: Closed = {"Table": _close_table, "TableHead": _close_head, "TableCell": _close_cell}
