"""A text as blocks with line numbers: what `read` makes and `lift` takes."""

from __future__ import annotations

from typing import Literal, NamedTuple

MarkKind = Literal["link", "image", "code", "wikilink", "embed", "footnote", "html", "math", "strong"]
BlockKind = Literal["heading", "paragraph", "item", "table", "code", "html", "comment", "footnote", "rule"]


class Mark(NamedTuple):
    """A stretch `[start, end)` of a text that is more than letters; `target` is its destination, label or source."""

    kind: MarkKind
    start: int
    end: int
    target: str = ""


class Cell(NamedTuple):
    """One table cell: plain text, marks into it, source line."""

    text: str
    marks: tuple[Mark, ...]
    line: int


class Table(NamedTuple):
    """Header cells and rows; rows may be ragged, as printed."""

    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]


class Block(NamedTuple):  # ten times cheaper to make than a frozen dataclass, and there are millions
    """One block of text. `text` has one line break per source line break, so `line_at` is exact."""

    kind: BlockKind
    text: str
    line: int  # first source line, from 1
    end_line: int  # last source line
    marks: tuple[Mark, ...] = ()
    depth: int = 0  # list nesting: 0 outside lists, 1 in a top-level list
    marker: str = ""  # "-", "3.", footnote label, or the info string of a code block
    level: int = 0  # heading level 1-6
    quoted: int = 0  # block quote nesting
    section: int = -1  # index into Document.sections, -1 before the first heading
    parent: int = -1  # index of the list item that holds this block, -1 at top
    table: Table | None = None

    def line_at(self, offset: int) -> int:
        """Source line of a character offset into `text`."""
        return self.line + self.text.count("\n", 0, offset)


class Section(NamedTuple):
    """A heading and all up to the next heading of its level or above."""

    index: int  # type: ignore[assignment]  # hides tuple.index, which means nothing here
    level: int  # depth in the tree, from 1
    number: str  # normal form "3.1", "7"; "" when none is printed
    printed: str  # as printed: "§3.1", "七、", "第三节", "增量 1："
    title: str  # plain title without its number
    anchor: str  # unique in the document: explicit {#id}, else GitHub slug, -1, -2 on repeats
    line: int
    end_line: int
    block: int  # index of the heading block
    parent: int = -1


class HeadingWords(NamedTuple):
    """Words of the lexicon that make a bare line a heading, casefolded: section titles, item heads, part labels."""

    sections: frozenset[str] = frozenset()
    items: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()
    ordinals: frozenset[str] = frozenset()  # words before a section's number: "section", "chapter", "附录"
