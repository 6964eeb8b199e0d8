"""One file as read: text, fields, sections, what was odd and what was understood."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kbgraph.model.text import Block, Section

Origin = Literal["yaml", "toml", "json", "bib", "tsv", "recovered"]


class Field(NamedTuple):
    """A key and one value, spelled as in the file. A list gives one Field per element; nesting joins keys by a dot.

    A JSON list of objects keeps its index: `materials[0].path`.
    """

    key: str
    value: str
    line: int
    origin: Origin


class Problem(NamedTuple):
    """Something odd in a file: `code` is the name of the check that reports it."""

    code: str
    line: int
    detail: str = ""
    end_line: int = 0


class Definition(NamedTuple):
    """A link reference definition `[label]: target`, with the number of places that use it."""

    label: str
    target: str
    line: int
    uses: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """Lines of the file: read into blocks, and passed over with the reason. Blank lines count as neither."""

    lines: int = 0
    understood: int = 0
    ignored: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A file read whole. Reading is total: whatever the bytes, a Document comes back."""

    path: str  # POSIX path relative to the corpus root; bytes that are no UTF-8 as surrogate escapes
    sha256: str  # of the raw bytes
    encoding: str = "utf-8"
    title: str = ""  # front matter title, else first level-1 heading, else ""
    fields: tuple[Field, ...] = ()
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()
    definitions: tuple[Definition, ...] = ()
    problems: tuple[Problem, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    flattened: bool = False  # lists were restored from running text
