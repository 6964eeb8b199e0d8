"""The page that is being written: blocks so far, what the next one gathers, and the place where it goes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from kbgraph.model.document import Problem
from kbgraph.model.text import Block, BlockKind, Cell, Mark, MarkKind, Table
from kbgraph.read.pieces import LooseMark, comment_start, placed, uncommented

Span = dict[str, int]  # byte range in the source, as the parser gives it
_new: Callable[..., Block] = tuple.__new__  # makes a Block at half the price of its constructor


class Page:
    """State that the handlers of events share."""

    first: Span = {"start": 0, "end": 0}  # noqa: RUF012  # of the first piece of the present block; never changed in place
    fresh = -1  # index of the item that has no text yet
    marker = ""
    item_start = 0
    quoted = 0
    section = -1
    level = 0  # of the heading that is open, 0 outside
    info: str | None = None  # of the code that is open, None when it is indented
    footnote = ""  # label of the footnote that is open
    before = 0  # blocks there were when it began
    header: tuple[Cell, ...] = ()
    rows: list[tuple[Cell, ...]]
    row: list[Cell]
    row_line = 0
    row_end = 0
    unclosed = False  # raw HTML swallowed the rest of the file

    def __init__(self, source: bytes, base: int) -> None:
        self.source = source
        self.base = base + 1
        self.ends = list(accumulate(map(len, source.splitlines(keepends=True))))
        self.blocks: list[Block] = []
        self.parts: list[str] = []
        self.marks: list[LooseMark] = []
        self.opens: list[tuple[MarkKind, int, str]] = []
        self.anchors: list[tuple[int, str]] = []  # open <a href>
        self.items: list[int] = []  # indices of the list items that are open
        self.problems: list[Problem] = []
        self.uses: list[str] = []  # link definitions used, by label_key
        self.noted: list[str] = []  # labels of the footnotes referred to
        self.notes: list[tuple[str, int]] = []  # footnotes defined, with the line
        self.ids: dict[int, str] = {}  # explicit ids of headings, by block
        self.passed: list[tuple[str, int, int]] = []  # (reason, first line, last line) of what is not read as text

    def line(self, offset: int) -> int:
        """Source line of a byte offset."""
        return bisect_right(self.ends, offset) + self.base

    def take(self, line: int) -> tuple[str, tuple[Mark, ...]]:
        """Text and marks gathered since the last time; `line` is the first source line."""
        parts = self.parts
        if len(parts) == 1 and not self.marks and not self.anchors and "<!--" not in parts[0]:
            return parts.pop(), ()
        if self.anchors:  # a link of raw HTML ends with its block
            self.marks += [("link", start, len(parts), target) for start, target in self.anchors]
            self.anchors.clear()
        text = "".join(parts)
        marks: tuple[Mark, ...] = ()
        if self.marks:
            marks = placed(text, parts, self.marks)
            self.marks.clear()
        parts.clear()
        if "<!--" in text and (at := comment_start(text, marks)) >= 0:
            detail = text[at:].split("\n", 1)[0][:80]
            self.problems.append(Problem("unclosed-comment", line + text.count("\n", 0, at), detail))
            return uncommented(text, marks, at)
        return text, marks

    def add(
        self,
        kind: BlockKind,
        text: str,
        line: int,
        marks: tuple[Mark, ...] = (),
        *,
        end: int = 0,
        marker: str = "",
        level: int = 0,
        table: Table | None = None,
    ) -> None:
        """One more block at the present place."""
        items = self.items
        place = (len(items), marker, level, self.quoted, self.section, items[-1] if items else -1, table)
        self.blocks.append(_new(Block, (kind, text, line, end or line + text.count("\n"), marks, *place)))

    def close_text(self) -> None:
        """The text gathered so far is an item's own, or a paragraph."""
        if self.fresh >= 0:
            self.close_fresh()
        elif self.parts or self.marks:
            line = bisect_right(self.ends, self.first["start"]) + self.base
            text, marks = self.take(line)
            if self.footnote and not self.items:
                self.add("footnote", text, line, marks, marker=self.footnote)
            else:
                self.add("paragraph", text, line, marks)

    def close_fresh(self) -> None:
        """The first text of a list item, or that it has none."""
        parts, items = self.parts, self.items
        line = bisect_right(self.ends, self.first["start"] if parts else self.item_start) + self.base
        text, marks = self.take(line)
        depth = len(items)
        end = line + text.count("\n") if "\n" in text else line
        parent = items[-2] if depth > 1 else -1
        self.blocks[self.fresh] = _new(
            Block, ("item", text, line, end, marks, depth, self.marker, 0, self.quoted, self.section, parent, None)
        )
        self.fresh = -1


# What to do when a kind of thing begins or ends, or a piece comes; None for what leaves no trace.
Opened = dict[str, Callable[[Page, Any, Span], None] | None]
Closed = dict[str, Callable[[Page, Span], None] | None]
Pieces = dict[str, Callable[[Page, Any, Span], None]]
