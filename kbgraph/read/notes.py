"""Footnotes, link definitions and links that the parser refused: what points nowhere, and what nobody points at."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

from kbgraph.model.document import Definition, Problem
from kbgraph.model.text import Block, Mark
from kbgraph.read.markdown import Defined
from kbgraph.read.page import Page
from kbgraph.read.pieces import label_key

_NOTE = re.compile(r"\[\^([^\[\]\s]++)\]")
_LABEL = re.compile(r"\[([^\[\]]++)\]")
_REFUSED = re.compile(
    r"\[[^\[\]\n]*+\]\((?:([^()\n]*+(?:\([^()\n]*+\)[^()\n]*+)*+)\)|((?:https?://|\.{0,2}/)[^\s()]++)(?=\s|$))"
)
_COMMENTS = ("//", "comment", "#")  # labels of definitions that people use as comments
_UNREAD = ("code", "comment")


def note_problems(page: Page, blocks: Sequence[Block], source: str) -> list[Problem]:
    """Footnotes without definition or use, broken links."""
    problems: list[Problem] = []
    if "[^" in source:
        problems += _undefined(blocks)
        problems += _unused(page, blocks)
    if "](" in source:
        problems += _refused(blocks)
    return problems


def _texts(blocks: Sequence[Block]) -> Iterator[tuple[str, tuple[Mark, ...], int]]:
    """Every text that is read, with its marks and first line; cells of tables one by one."""
    for block in blocks:
        if block.table:
            for row in (block.table.header, *block.table.rows):
                yield from row
        elif block.kind not in _UNREAD:
            yield block.text, block.marks, block.line


def _found(
    pattern: re.Pattern[str], text: str, marks: tuple[Mark, ...], line: int
) -> Iterator[tuple[re.Match[str], int]]:
    """Matches outside code, formulas and footnotes, with their lines."""
    hidden = [mark for mark in marks if mark.kind in ("code", "math", "footnote")]
    starts = [mark.start for mark in hidden]
    at = 0
    for match in pattern.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        before = bisect_right(starts, at) - 1
        if before < 0 or at >= hidden[before].end:
            yield match, line


def _undefined(blocks: Sequence[Block]) -> Iterator[Problem]:
    for text, marks, first in _texts(blocks):
        if "[^" in text:
            for match, line in _found(_NOTE, text, marks, first):
                yield Problem("undefined-footnote", line, match[1])


def _unused(page: Page, blocks: Sequence[Block]) -> Iterator[Problem]:
    used = {label_key(label) for label in page.noted}
    used |= {label_key(m[1]) for block in blocks if block.kind == "html" for m in _NOTE.finditer(block.text)}
    seen: dict[str, int] = {}
    for label, line in page.notes:
        key = label_key(label)
        if key in seen:
            yield Problem("duplicate-footnote", line, f"{label}: also line {seen[key]}")
        elif key not in used:
            yield Problem("unused-footnote", line, label)
        seen.setdefault(key, line)


def _refused(blocks: Sequence[Block]) -> Iterator[Problem]:
    """`[a](my note.md)`: for the parser no link."""
    for text, marks, first in _texts(blocks):
        if "](" in text:
            for match, line in _found(_REFUSED, text, marks, first):
                target = match[1] if match[2] is None else match[2]
                if (" " in target.strip() or match[2]) and ("/" in target or "." in target):
                    yield Problem("broken-link", line, target.strip())


def definitions(
    found: Sequence[Defined], page: Page, blocks: Sequence[Block]
) -> tuple[tuple[Definition, ...], list[Problem]]:
    """Link definitions with their uses, a use in raw HTML among them, and those that nothing uses."""
    if not found:
        return (), []
    uses = Counter(page.uses)
    uses.update(label_key(m[1]) for block in blocks if block.kind == "html" for m in _LABEL.finditer(block.text))
    result: list[Definition] = []
    problems: list[Problem] = []
    for label, target, line, _ in found:
        count = uses[label_key(label)]
        result.append(Definition(label, target, line, count))
        if not count and label_key(label) not in _COMMENTS and target not in ("#", ""):
            problems.append(Problem("unused-definition", line, label))
    return tuple(result), problems
