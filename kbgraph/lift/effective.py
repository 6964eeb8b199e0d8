"""The evidence level that holds for a statement: the nearest of sentence, list parent, item, section, file."""

from __future__ import annotations

import re

from kbgraph.lift import nodes
from kbgraph.lift.frame import Frame, Passage
from kbgraph.lift.scan.found import Id, Word
from kbgraph.lift.scan.ranges import between
from kbgraph.lift.statements import Statement

_CLAUSE = re.compile(r"[^，,；;、。|]+")
_CLOSING = re.compile(r"[)）\]】。]")


class Levels:
    """Looks levels up for one file, each block's once."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.of_block: dict[int, str] = {}

    def of(self, passage: Passage, said: Statement, marks: tuple[Word, ...]) -> tuple[str, str]:
        """The level of a statement and where it comes from; two empty strings when nothing declares one."""
        if marks:
            start, end = said.start, said.sentence[1]
            own = mark_of(self.frame, passage.text, between(marks, start, end))
            if own:
                return own, "sentence"
            # A mark that closes a list point or paragraph speaks for the sentences before it as well.
            later = mark_of(self.frame, passage.text, between(marks, end, len(passage.text)))
            if later:
                return later, "parent"
        return self._above(passage)

    def _above(self, passage: Passage) -> tuple[str, str]:
        frame, blocks = self.frame, self.frame.document.blocks
        row = frame.rows.get((passage.block, passage.line))
        if row and row[0]:
            return row[0], "parent"
        parent = blocks[passage.block].parent
        while parent >= 0:
            if parent not in self.of_block:
                text = blocks[parent].text
                self.of_block[parent] = mark_of(frame, text, frame.words.levels(text))
            if self.of_block[parent]:
                return self.of_block[parent], "parent"
            parent = blocks[parent].parent
        if passage.item >= 0 and frame.items[passage.item].levels:
            return frame.items[passage.item].levels[0], "item"
        section = passage.section
        while section >= 0:
            if frame.parts[section].levels:
                return frame.parts[section].levels[0], "section"
            section = frame.document.sections[section].parent
        return (frame.levels[0], "material") if frame.levels else ("", "")


def mark_of(frame: Frame, text: str, marks: tuple[Word, ...]) -> str:
    """The level that a text's first mark states; of several in one bracket the weakest."""
    if not marks:
        return ""
    closing = _CLOSING.search(text, marks[0].end)
    end = closing.start() if closing else len(text)
    names = [word.concept for word in marks if word.start < end]
    ranks = frame.lexicon.by_name
    return min(names, key=lambda name: ranks[name].rank if name in ranks else 0)


def read_parts(frame: Frame) -> None:
    """Give each item the level and pages that its parts state, unless its title did."""
    for passage, found in zip(frame.passages, frame.found, strict=True):
        if passage.item < 0:
            continue
        item = frame.items[passage.item]
        if passage.role in ("role-evidence", "role-source", "role-scope", "role-link", "role-title"):
            anywhere = passage.role == "role-evidence"
            marks = () if item.levels else frame.words.levels(passage.text, anywhere) or _segments(frame, passage.text)
            if marks:
                item.levels = (mark_of(frame, passage.text, marks),)
            _sources(frame, passage, found)
        if passage.role == "role-title" and passage.place == "body" and not item.named:
            item.named = passage.text.strip(" *_\n。.")


def _segments(frame: Frame, text: str) -> tuple[Word, ...]:
    """Levels that stand as a clause of their own in a source: `arXiv:…，原文核查`."""
    found = frame.words.levels(text, anywhere=True)
    spans = [m.span() for m in _CLAUSE.finditer(text)] if found else []
    return tuple(w for w in found if any(text[a:b].strip() == w.printed for a, b in spans))


def _sources(frame: Frame, passage: Passage, found: tuple[Id, ...]) -> None:
    """Pages that an item's source or link names, and its subject where its title gave none."""
    item = frame.items[passage.item]
    named = [i for i in found if i.iri and i.mark not in ("code", "image")]
    for i in named:
        if i.kind == "url":
            node = nodes.named(frame, i)
            if node not in item.pages:
                item.pages.append(node)
    if not item.about:
        works = [nodes.named(frame, i) for i in named if i.work] or [nodes.named(frame, i) for i in named]
        item.about = list(dict.fromkeys(works))
