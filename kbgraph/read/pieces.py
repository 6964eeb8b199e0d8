"""Pieces of one block's text put together: marks get their offsets, hidden text goes."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate
from operator import itemgetter

from kbgraph.model.text import Mark, MarkKind

# (kind, first piece, piece after the last, target): offsets are summed up once, when the block ends.
LooseMark = tuple[MarkKind, int, int, str]
_ESCAPED = re.compile(r"\[\\\[([^\[\]\n]*+)\\\]\](?=[(\[])")  # what read.markdown makes of `[[pdf]](url)`
_START = itemgetter(1)
_new: Callable[..., Mark] = tuple.__new__  # at half the price of the constructor


def placed(text: str, parts: list[str], marks: list[LooseMark]) -> tuple[Mark, ...]:
    """Marks with offsets into the text, by start. A formula followed by a digit is money: "$5–$10"."""
    if len(marks) == 1 and marks[0][2] == 1 and marks[0][0] != "math":  # a bold label, mostly
        kind, start, _, target = marks[0]
        return (_new(Mark, (kind, len(parts[0]) if start else 0, len(parts[0]), target)),)
    offsets = [0, *accumulate(map(len, parts))]
    marks.sort(key=_START)
    return tuple(
        [
            _new(Mark, (kind, offsets[start], offsets[end], target))
            for kind, start, end, target in marks
            if kind != "math" or not text[offsets[end] : offsets[end] + 1].isdigit()
        ]
    )


def clipped(text: str, marks: tuple[Mark, ...]) -> tuple[str, tuple[Mark, ...]]:
    """A text that lost its end, with its marks inside it."""
    size = len(text)
    return text, tuple(mark._replace(start=min(mark.start, size), end=min(mark.end, size)) for mark in marks)


def trimmed(text: str, marks: tuple[Mark, ...]) -> tuple[str, tuple[Mark, ...]]:
    """Text without blanks around it, and its marks moved along; line breaks at the start stay, since they count."""
    shift = len(text) - len(text.lstrip())
    shift = text.index("\n") if "\n" in text[:shift] else shift
    bare = text[shift:].rstrip()
    if len(bare) == len(text):
        return text, marks
    size = len(bare)
    bounds = [(min(max(mark.start - shift, 0), size), min(max(mark.end - shift, 0), size)) for mark in marks]
    moved = (mark._replace(start=start, end=end) for mark, (start, end) in zip(marks, bounds, strict=True))
    return bare, tuple(moved)


def comment_start(text: str, marks: tuple[Mark, ...]) -> int:
    """Offset of a comment that is never closed, -1 when there is none: in code it is none."""
    hidden = [mark for mark in marks if mark.kind in ("code", "math")]
    at = text.find("<!--")
    while at >= 0 and any(mark.start <= at < mark.end for mark in hidden):
        at = text.find("<!--", at + 4)
    return -1 if at < 0 or text.find("-->", at) >= 0 else at


def uncommented(text: str, marks: tuple[Mark, ...], at: int) -> tuple[str, tuple[Mark, ...]]:
    """Text without the comment that begins at an offset; its line breaks stay, and a mark keeps it."""
    kept = tuple(mark for mark in marks if mark.end <= at)
    return text[:at] + "\n" * text.count("\n", at), (*kept, Mark("html", at, at, text[at:]))


def label_key(label: str) -> str:
    """What two spellings of one label share."""
    return " ".join(label.casefold().split())


def as_typed(code: str) -> str:
    """Code without the escapes that were put into the source for the parser's sake."""
    return _ESCAPED.sub(r"[[\1]]", code) if "[\\[" in code else code


def broken(text: str, raw: str) -> str:
    """Code with its line breaks where the source has them; all at the end when that cannot be told."""
    lines = raw.strip("`").split("\n")
    pieces: list[str] = []
    at = 0
    for line in lines[:-1]:
        size = len(line.lstrip(" \t>") if pieces else line)
        pieces.append(text[at : at + size])
        at += size + 1
        if text[at - 1 : at] != " ":
            return text + "\n" * (len(lines) - 1)
    return "\n".join([*pieces, text[at:]])
