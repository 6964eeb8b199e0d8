"""Cards whose text was never extracted: nothing, a style sheet, or the furniture of a web page."""

from __future__ import annotations

import re

from kbgraph.lift.frame import Frame
from kbgraph.lift.lookups import said_nothing
from kbgraph.lift.problems import problem
from kbgraph.lift.scan.found import Word
from kbgraph.model.text import Block

_TEXTS = ("section-abstract", "section-tldr", "section-readme", "section-reusable")
_RULE = re.compile(r"[.#@]?[\w-]+[^{}\n]{0,80}\{[^{}]*:[^{}]*\}|(?:var|function|window\.|document\.)\s?[\w.]+\s?[=({]")
_LONG = 400  # characters: no word for nothing has as many
_SENTENCE = re.compile(r"[^.。!?！？\n|•·]+")
_WORD = re.compile(r"[A-Za-z']+|[\u4e00-\u9fff]")


def tell_failures(frame: Frame) -> None:
    """Tell each text section of a card that holds no text of the work, and a card that holds none at all."""
    sections = [i for i, part in enumerate(frame.parts) if part.role in _TEXTS]
    inside = {i: _blocks(frame, i) for i in sections}
    for index in sections:
        reason = _reason(frame, inside[index])
        if reason == "empty" and any(b for i, b in inside.items() if i != index):
            continue
        if reason:
            section = frame.document.sections[index]
            line = inside[index][0].line if inside[index] else section.line
            problem(frame, "extraction-failed", line, reason)
            frame.failed.add(index)
            if reason == "empty":
                return


def _blocks(frame: Frame, section: int) -> list[Block]:
    return [b for b in frame.document.blocks if b.section == section and b.kind not in ("heading", "rule", "comment")]


def _reason(frame: Frame, blocks: list[Block]) -> str:
    text = "\n".join([block.text for block in blocks])
    if len(text.strip()) < _LONG and said_nothing(frame.lookups, text):
        return "empty"
    styled = sum(len(block.text) for block in blocks if block.kind == "html")
    if "{" in text or "=" in text:
        styled += sum(len(m.group()) for m in _RULE.finditer(text))
    if styled * 2 > len(text):
        return "style sheet or script"
    return "page furniture" if _is_furniture(frame, text) else ""


def _is_furniture(frame: Frame, text: str) -> bool:
    """Whether words of menus, banners and footers stand in most of the sentences, which are short."""
    hits = frame.words.concepts("boilerplate", text)
    if len(hits) < 2:
        return False
    spans = [s.span() for s in _SENTENCE.finditer(text) if _WORD.search(s.group())]
    return sum(_covered(a, b, hits) for a, b in spans) * 2 > len(spans)


def _covered(start: int, end: int, hits: tuple[Word, ...]) -> bool:
    """Whether such words make up much of a sentence: "help" in a long one means nothing."""
    letters = sum(hit.end - hit.start for hit in hits if start <= hit.start < end)
    return letters * 5 >= (end - start) * 2
