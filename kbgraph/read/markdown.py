"""Markdown through the parser: source made ready, events in, page out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import Any, NamedTuple

from pyromark import Markdown, Options

from kbgraph.model.document import Problem
from kbgraph.model.text import Cell
from kbgraph.read import containers, inline, leaves, tables
from kbgraph.read.page import Closed, Opened, Page, Pieces, Span
from kbgraph.read.source import fenced_in, harmless, untangled


class Defined(NamedTuple):
    """A link reference definition and the lines that it takes."""

    label: str
    target: str
    line: int
    end_line: int


_PARSER = Markdown(
    options=Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_MATH
    | Options.ENABLE_WIKILINKS
)


_GAP = re.compile(r"(?<=\n)(?=[ \t]*\n)")


def read_markdown(text: str, base: int) -> tuple[Page, list[Defined]]:
    """The page that a text makes, its lines counted from `base`, and its link definitions."""
    definitions = _definitions(text, base)
    if "[[" in text:
        text = untangled(text, [definition.label for definition in definitions])
    if "&" in text:
        text = harmless(text)
    page = _page(text, base)
    if page.unclosed:
        text, problems = fenced_in(text, base)
        page = _page(text, base)
        page.problems += problems
        definitions = _definitions(text, base)
    return page, definitions


def _definitions(text: str, base: int) -> list[Defined]:
    found = _PARSER.reference_definitions(text) if "]:" in text else {}
    if not found:
        return []
    ends = list(accumulate(map(len, text.encode("utf-8", "replace").splitlines(keepends=True))))
    result: list[Defined] = []
    for label, definition in found.items():
        first, last = (bisect_right(ends, definition["span"][side]) + base + 1 for side in ("start", "end"))
        result.append(Defined(label, definition["dest"], first, min(last, base + len(ends))))
    return result


def _page(text: str, base: int) -> Page:
    page = Page(text.encode("utf-8", "replace"), base)
    try:
        _feed(page, _PARSER.events_with_range(text))
    except BaseException as error:
        # A fault in the parser's Rust comes as an exception that is no Exception; reading stays total all the same.
        if type(error).__name__ != "PanicException":
            raise
        return _unparsed(text, base, str(error))
    return page


def _unparsed(text: str, base: int, reason: str) -> Page:
    """A page of plain paragraphs, for a text that the parser cannot take."""
    page = Page(b"", base)
    page.problems.append(Problem("parser-failed", base + 1, reason.split("\n", 1)[0]))
    line = base + 1
    for chunk in _GAP.split(text):
        if chunk.strip("\n"):
            page.add("paragraph", chunk.strip("\n"), line + len(chunk) - len(chunk.lstrip("\n")))
        line += chunk.count("\n")
    return page


def _feed(page: Page, events: Iterable[Any]) -> None:  # noqa: C901  # a branch for each kind of event
    """All events of a document: the hot loop, so names are local and the commonest events come first."""
    opened, closed, parts = _OPENED, _CLOSED, page.parts
    for event, span in events:
        if event.__class__ is str:
            if event == "Rule":
                containers.rule(page, span)
                continue
            if not parts:
                page.first = span
            parts.append("\n")
        elif "Text" in event:
            if not parts:
                page.first = span
            parts.append(event["Text"])
        elif "End" in event:
            tag = event["End"]
            end = closed[tag if tag.__class__ is str else next(iter(tag))]
            if end:
                end(page, span)
        elif "Start" in event:
            tag = event["Start"]
            kind, data = (tag, None) if tag.__class__ is str else next(iter(tag.items()))
            begin = opened[kind]
            if begin:
                begin(page, data, span)
        else:
            if not parts:
                page.first = span
            for kind, data in event.items():
                _PIECES[kind](page, data, span)
    page.close_text()


def _close_row(page: Page, span: Span) -> None:
    tail = tables.close_row(page, span)
    if tail or len(page.rows[-1]) != len(page.header):
        tables.ragged(page, _cells(tail, page.row_line - 1) if tail else ())


def _cells(source: str, line: int) -> tuple[Cell, ...]:
    """Cells of a stretch of a row, read as the header of a table of their own."""
    blocks = _page(f"|{source}|\n|{'-|' * len(tables.BAR.split(source))}", 0).blocks
    if blocks and blocks[0].table:
        return tuple(cell._replace(line=line) for cell in blocks[0].table.header)
    return (Cell(source, (), line),)


_OPENED: Opened = {**inline.OPENED, **containers.OPENED, **leaves.OPENED, **tables.OPENED}
_CLOSED: Closed = {**inline.CLOSED, **containers.CLOSED, **leaves.CLOSED, **tables.CLOSED, "TableRow": _close_row}
_PIECES: Pieces = {**inline.PIECES, **containers.PIECES, **leaves.PIECES}
