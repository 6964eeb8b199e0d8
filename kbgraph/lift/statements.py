"""Passages cut into statements: the smallest stretches that can be true or false by themselves."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from kbgraph.lift import nodes
from kbgraph.lift.frame import Frame, Passage, holds_cjk
from kbgraph.lift.scan.found import Id
from kbgraph.lift.scan.ranges import between
from kbgraph.lift.scan.sentences import sentences
from kbgraph.model.facts import Term

# Labels whose text says where, what to do or how it was judged, and states nothing about the matter.
SILENT = frozenset({
    "role-source", "role-link", "role-title", "role-scope", "role-evidence", "role-advice", "role-action",
    "role-handling", "role-verdict", "role-next-steps", "role-candidate", "role-cross-reference", "role-quote",
    "role-reason",
})  # fmt: skip
SILENT_SECTIONS = frozenset({
    "section-citation-list", "section-citable-ids", "section-merge-actions", "section-follow-ups", "section-tasks",
    "section-evidence-boundary", "section-head", "section-non-arxiv-sources", "section-further-reading",
})  # fmt: skip
_SEMICOLON = re.compile(r"；|;(?=\s)")
_COMMA = re.compile(r"[，,]\s*")
_LINE = re.compile(r"\n")
_BRACKET = re.compile(r"[（(\[【「『“《]|[）)\]】」』”》]")
_OPEN = "（([【「『“《"
_QUESTION = re.compile(r"[?？][\"'”’」』）)\]】*_]*\s*$")
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]+|[\u3400-\u9fff]")
# Addresses, paths, ids and numbers of sections say nothing.
_NAMES = re.compile(
    r"https?://[!-~]+|(?<![A-Za-z0-9_<>{}.-])[A-Za-z0-9_<>{}.-]++(?:/[A-Za-z0-9_<>{}.-]++)+|§\s?[\d.]*[一二三四五六七八九十]?"
    r"|(?i:arxiv|doi|isbn)[\s:：]*[0-9][0-9A-Za-z./-]*"
)
_HEAD_END = re.compile(r"\s*[:：]\s*|\s+[-–—]+\s+|\s*——\s*")
_FIGURE = re.compile(r"\d")
_REACH = 400  # characters: a line may be endless
_SCHEMES = ("arxiv", "doi", "isbn", "http", "https")


class Statement(NamedTuple):
    """A stretch `[start, end)` of a passage; `sentence` is the stretch that its level mark may stand in."""

    start: int
    end: int
    sentence: tuple[int, int]


class Opening(NamedTuple):
    """What the start of an entry names, `**Name**（id）：`; it holds for statements from `start` on."""

    at: int  # where the entry begins
    start: int  # where its text begins
    about: tuple[Term, ...]


def openings(frame: Frame, passage: Passage, found: tuple[Id, ...]) -> list[Opening]:
    """The entries of a passage: it is one, or each of its lines when at least two lines open like one."""
    text = passage.text
    first = _opening(frame, text, found, 0)
    if "\n" not in text or not found:
        return [first]
    starts = [0, *(m.end() for m in _LINE.finditer(text))]
    lines = [_opening(frame, text, between(found, at, len(text)), at) for at in starts]
    return lines if sum(bool(line.about) for line in lines) > 1 else [first]


def _opening(frame: Frame, text: str, found: tuple[Id, ...], at: int) -> Opening:
    end = _head_end(text, found, at) if found else None
    if end is None:
        return Opening(at, at, ())
    named = [i for i in found if i.start < end.start() and i.iri and i.mark not in ("code", "image")]
    chosen = [i for i in named if i.work] or named[:1]
    about = tuple(dict.fromkeys(nodes.named(frame, i) for i in chosen))
    return Opening(at, end.end() if about else at, about)


def _head_end(text: str, found: tuple[Id, ...], at: int) -> re.Match[str] | None:
    """The colon or dash that ends a head: outside brackets and ids, before any stop, within 120 characters."""
    near = found[:12]
    for mark in _HEAD_END.finditer(text, at, at + 160):
        before = text[at : mark.start()]
        if "。" in before or "；" in before or "，" in _unbracketed(before) or len(before) > 120 or "\n" in before:
            return None
        within = any(i.start < mark.end() and mark.start() < i.end and not i.target for i in near)
        if not within and _balance(before) == 0 and not before.lower().endswith(_SCHEMES):
            return mark
    return None


def _unbracketed(text: str) -> str:
    return re.sub(r"[（(][^（）()]*[）)]", "", text)


def _balance(text: str) -> int:
    return sum(1 if m.group() in _OPEN else -1 for m in _BRACKET.finditer(text))


def statements(
    passage: Passage, entries: list[Opening], commands: tuple[tuple[int, int], ...] = ()
) -> Iterator[Statement]:
    """The statements of a passage without the heads of its entries; what is a command to tools is none."""
    text = passage.text
    if _all_link(passage, entries[0].start):
        return
    for first, stop in sentences(text, passage.marks):
        begin = max(first, opening_of(entries, first).start)
        if stop <= begin or any(a < stop and begin < b for a, b in commands):
            continue
        end = _before_question(text, begin, stop) if _QUESTION.search(text, begin, stop) else stop
        clauses = ((a, b) for a, b in _clauses(text, begin, end) if says_something(text[a:b]))
        yield from (Statement(a, b, (begin, end)) for a, b in clauses)


def opening_of(entries: list[Opening], place: int) -> Opening:
    """The entry that a place of the passage stands in."""
    if len(entries) == 1:
        return entries[0]
    return entries[max(0, bisect_right(entries, place, key=attrgetter("at")) - 1)]


def _all_link(passage: Passage, start: int) -> bool:
    """Whether a passage is but a link, or a strong name, with its punctuation."""
    length = len(passage.text.strip(" .。:：，,*"))
    return any(
        m.kind in ("link", "wikilink", "strong") and m.start <= start + 2 and m.end - m.start >= length - 2
        for m in passage.marks
    )


def _before_question(text: str, begin: int, end: int) -> int:
    """End of the statement that a question rests on, where it has figures of its own; else the question's start."""
    last = max(begin, end - _REACH)
    commas = [m.start() for m in _COMMA.finditer(text, last, end) if _balance(text[last : m.start()]) == 0]
    return commas[-1] if commas and _FIGURE.search(text, begin, commas[-1]) else begin


def _clauses(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Parts of a sentence between semicolons, where each is long enough to stand alone."""
    start = at = begin
    depth = 0
    for mark in _SEMICOLON.finditer(text, begin, end):
        depth += _balance(text[at : mark.start()])
        at = mark.end()
        following = text[at : min(end, at + _REACH)]
        if depth == 0 and says_something(text[start : mark.start()]) and says_something(following):
            yield start, mark.start()
            start = at + (text[at : at + 1] == " ")
    if start < end:
        yield start, end


def says_something(text: str) -> bool:
    """Whether a text has enough words to be a statement and neither announces one nor strings values together."""
    if text.rstrip(" *_")[-1:] in (":", "：") or text.count(" / ") >= 2:
        return False
    low = text.lower()
    named = "/" in low or "§" in low or "arxiv" in low or "doi" in low or "isbn" in low
    bare = _NAMES.sub(" ", text) if named else text
    least = 4 if holds_cjk(bare) and not _FIGURE.search(bare) else 2
    return next(islice(_WORD.finditer(bare), least - 1, None), None) is not None
