"""What a text lists in brackets right behind a number: `8 materials (reports ×3, cards ×2)`, `2 dropped (A, B, C)`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kbgraph.lift.frame import Frame
from kbgraph.lift.scan.matching import Hit

_BRACKET = re.compile(r"[（(]([^（）()]{3,300})[）)]")
_REACH = 14  # characters between a number and the bracket that lists what was counted
_STOP = re.compile(r"[，,；;。：:（(]")
_PART = re.compile(r"\s*[、，,；;]\s*")
_TIMES = re.compile(r"[×xX]\s?(\d{1,3})(?![\d.])|(?<![\d.])(\d{1,3})\s?[×xX](?![\d\w])")
_SPLITS = (re.compile(r"\s*、\s*"), re.compile(r"\s+[/|]\s+"), re.compile(r",\s+"))
_CLAUSE = re.compile(r"[，；;。]")
# What stands in a list of names: a word in Latin letters that is no sentence, a title, an id.
_NAME = re.compile(r"(?:[A-Z0-9][^\s，。；]*(?:\s[^\s，。；]+){0,3}|《[^》]+》|`[^`]+`)")


class Enumerated(NamedTuple):
    """A number, how many the text itself lists behind it, and both as printed."""

    start: int
    value: int
    listed: int
    printed: str


def enumerated(frame: Frame, text: str, figures: list[tuple[int, int, int]]) -> Iterator[Enumerated]:
    """The counts of a text that list in brackets what they count; a list left open (`…`, and so on) is none."""
    if not figures:
        return
    words = frame.words.matcher("counted").find(text)
    for bracket in _BRACKET.finditer(text):
        before = [f for f in figures if 0 <= bracket.start() - f[1] <= _REACH]
        if before and not _STOP.search(text, before[-1][1], bracket.start()):
            start, end, value = before[-1]
            listed = _listed(frame, bracket[1]) if _counts(words, start, end, bracket.start()) else 0
            if listed > 1:
                yield Enumerated(start, value, listed, text[start : bracket.end()])


def _counts(words: tuple[Hit, ...] | list[Hit], start: int, end: int, bracket: int) -> bool:
    """Whether a word for what is counted stands right before the number, or between it and the bracket."""
    return any(0 <= start - hit.end <= 1 or end <= hit.start + 1 <= bracket for hit in words)


def _listed(frame: Frame, inner: str) -> int:
    """How many things are listed: amounts added up where every part has one, else names; 0 where it is no list."""
    parts = [part for part in _PART.split(inner) if part.strip()]
    amounts = [_TIMES.search(part) for part in parts]
    if len(parts) > 1 and all(amounts):
        return sum(int(m[1] or m[2]) for m in amounts if m)
    head = _CLAUSE.split(inner)[0]
    for split in _SPLITS:
        names = [name for name in split.split(head) if name.strip()]
        if len(names) > 1:
            return len(names) if all(map(_NAME.fullmatch, names)) and not _open(frame, names[-1]) else 0
    return 0


def _open(frame: Frame, last: str) -> bool:
    """Whether the last name of a list says that there are more."""
    return last.rstrip(".").endswith(("…", *frame.lookups.open_ends))
