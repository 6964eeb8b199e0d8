"""Conditions of a statement as short phrases: `单张 A10`, `候选 100 条`, `不计查询编码时间`."""

from __future__ import annotations

import re

from kbgraph.lift.scan.found import Quantity, Stance, Word
from kbgraph.lift.scan.ranges import between
from kbgraph.lift.statements import Statement

_PIECE = re.compile(r"[^，,；;、。：:（）()\n]+")
_JOINED = ("-", "/", ".", "_")  # part of a name or path
_FIGURE = re.compile(r"\d")
_CLOSING, _REACH = "condition-when", 24  # characters from the begin of a piece
# What follows these reaches to the end of its clause; other words take only the figure beside them.
_TO_END = ("condition-excluded", "condition-only-if", "condition-if", "condition-under", "condition-included")
_NEVER = ("condition-baseline",)
_WITH_FIGURE = ("condition-workload", "condition-threshold", "condition-concurrency", "condition-version")


def conditions(
    text: str, said: Statement, stance: Stance, quantities: tuple[Quantity, ...], rests: list[str]
) -> list[str]:
    """The conditions that a statement names, in order; `rests` are what its level brackets say besides the level."""
    words = between(stance.conditions, said.start, said.end)
    kept = tuple(w for w in words if w.concept not in _NEVER and text[w.start - 1 : w.start] not in _JOINED)
    pieces = _PIECE.finditer(text, said.start, said.end) if kept else ()
    found = [_phrase(text, p, inside, quantities, stance) for p in pieces if (inside := between(kept, *p.span()))]
    found += [rest for rest in rests if rest not in found and _FIGURE.search(rest)]
    return list(dict.fromkeys(filter(None, found)))[:6]


def _phrase(
    text: str, piece: re.Match[str], words: tuple[Word, ...], quantities: tuple[Quantity, ...], stance: Stance
) -> str:
    inside = [w for w in words if w.end <= piece.end()]
    inside = [w for w in inside if w.concept not in _WITH_FIGURE or _figured(w, piece, quantities)]
    inside = [w for w in inside if w.concept != "condition-included" or _FIGURE.search(piece.group())]
    closing = [w for w in inside if w.concept == _CLOSING and _closes(w, piece, (*quantities, *stance.negations))]
    inside = [w for w in inside if w.concept != _CLOSING and _opens(w, piece)]
    if closing and not any(w.concept in _TO_END for w in inside):
        return text[piece.start() : closing[0].end].strip(" .")
    if not inside:
        return ""
    whole = any(w.concept in _TO_END for w in inside)
    end = _result(inside[0], piece, quantities) if whole else _end(inside, piece, quantities)
    start = piece.start() if inside[0].start - piece.start() <= 14 else inside[0].start
    return text[start:end].strip(" .")


def _opens(word: Word, piece: re.Match[str]) -> bool:
    """Whether a word opens a condition: one of a single character only at the begin of a piece."""
    return len(word.printed) > 1 or not piece.string[piece.start() : word.start].strip()


def _closes(word: Word, piece: re.Match[str], signs: tuple[Quantity | Word, ...]) -> bool:
    """Whether a word closes a condition: a number or a negation stands between it and the begin of its piece."""
    near = word.start - piece.start() <= _REACH
    return near and any(piece.start() <= sign.start < word.start for sign in signs)


def _result(word: Word, piece: re.Match[str], quantities: tuple[Quantity, ...]) -> int:
    """End of a piece without the figure that closes it: that is what holds under the condition."""
    closing = (q.start for q in quantities if q.start > word.end and q.end >= piece.end() - 1 and q.start < piece.end())
    return min(closing, default=piece.end())


def _figured(word: Word, piece: re.Match[str], quantities: tuple[Quantity, ...]) -> bool:
    """Whether a quantity without a metric of its own stands right at the word."""
    within = [q for q in quantities if piece.start() <= q.start and q.end <= piece.end()]
    near = [q for q in within if q.start <= word.end + 4 and word.start - 4 <= q.end]
    if word.concept == "condition-threshold":
        # `不超过 30% 时…` is a condition, `不超过 3×` at the end what holds under one.
        return any(piece.string[q.end : piece.end()].strip() for q in near)
    return any(not q.metric for q in near)


def _end(words: list[Word], piece: re.Match[str], quantities: tuple[Quantity, ...]) -> int:
    """The last condition word of a piece, or the end of the figure right at it."""
    end = words[-1].end
    beside = (q.end for q in quantities if q.start <= end + 1 and end < q.end <= piece.end())
    return max((at for at in beside), default=end)
