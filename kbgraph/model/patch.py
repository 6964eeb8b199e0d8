"""What a brief would change in the documents: lines to put in, with what they stand on, and what is left to people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kbgraph.model.brief import Statement
from kbgraph.model.query import Both

Reason = Literal["no-id", "no-points", "no-level", "no-sentence", "question", "twice", "for-people", "odd-bytes"]


class Edit(NamedTuple):
    """A new line of a document: its begin as the document writes it, then a name with an id, then statements."""

    line: int  # the line that it goes behind, or takes the place of
    replaces: bool
    head: str
    name: str = ""
    key: str = ""
    points: tuple[Statement, ...] = ()
    apart: bool = False  # an empty line goes before it


class Changed(NamedTuple):
    """A document with its lines, line ends included, and what is to become of them."""

    path: str
    lines: tuple[str, ...]
    lang: str
    edits: tuple[Edit, ...]


class Left(NamedTuple):
    """An item that a merge action names and that the patch leaves to people, with the reason."""

    item: int
    title: str
    number: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class Patch:
    """The merge actions of a brief as changes of lines."""

    files: tuple[Changed, ...]
    left: tuple[Left, ...]
    lang: str = ""
    labels: Mapping[str, Both] = field(default_factory=dict)
