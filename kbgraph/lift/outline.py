"""Sections as nodes: title, number, place in the tree, role, declared level and date."""

from __future__ import annotations

import re

from kbgraph import vocab as v
from kbgraph.lift.frame import Frame, Part, concept, worded
from kbgraph.lift.header import labels_in
from kbgraph.lift.levels import declared
from kbgraph.lift.scan.dates import day_in
from kbgraph.model.facts import Term, date, integer, segment, text
from kbgraph.model.lexicon import fold
from kbgraph.model.text import Section

_ASIDE = re.compile(r"[(（\[【][^()（）\[\]【】]*[)）\]】]")
_DIGITS = re.compile(r"\d+(?:\.\d+)*")
_ENDS = " :：.。·-—"
ITEMISED = ("report", "brief", "queue")


def divide(frame: Frame) -> None:
    """Keep node and role of each section."""
    frame.parts = [_part(frame, section) for section in frame.document.sections]
    frame.ordinals = _ordinals(frame)


def _ordinals(frame: Frame) -> dict[int, str]:
    """What a section without a printed number is called by: the number of its item, else its place among its like."""
    sections = frame.document.sections
    if frame.kind not in ("report", "brief"):
        return {}
    items = {s.index: found[0] for s in sections if not s.number and (found := _DIGITS.search(s.printed))}
    if items or any(s.number for s in sections):
        return items
    parts = [s for s in sections if s.index or s.level > 1]
    top = min((s.level for s in parts), default=0)
    return {s.index: str(n) for n, s in enumerate((s for s in parts if s.level == top), 1)}


def outline(frame: Frame) -> None:
    """Tell all sections, and keep the level that each declares."""
    for section, part in zip(frame.document.sections, frame.parts, strict=True):
        if section.index or not is_card_title(frame):
            _tell(frame, section, part)


def is_card_title(frame: Frame) -> bool:
    """Whether the first section is but the title of a card: the card itself stands for it."""
    sections = frame.document.sections
    return frame.kind in ("paper-card", "repo-card") and bool(sections) and sections[0].level == 1


def _part(frame: Frame, section: Section) -> Part:
    node = Term(f"{frame.local}s-{segment(section.anchor)}>")
    # The title of a file says what all of it is, not what one part is for.
    title = section.index == 0 and section.level == 1 and len(frame.document.sections) > 1
    return Part(node, "" if title else role_of(frame, section.title, section.printed))


def role_of(frame: Frame, title: str, printed: str = "") -> str:
    """The role that a heading names: as a whole, or by a word that makes up much of it; "" for none."""
    bare = fold(_ASIDE.sub(" ", title)).strip(_ENDS)
    whole = frame.lookups.sections.get(bare) or frame.lookups.sections.get(fold(title).strip(_ENDS), "")
    if whole or not bare or is_item_head(frame, printed):
        return whole
    hits = frame.lookups.section_words.find(bare)
    longest = max(hits, key=lambda hit: hit.end - hit.start, default=None)
    if longest is None:
        return ""
    size, edge = longest.end - longest.start, longest.start == 0 or longest.end == len(bare)
    much = size * 2 >= len(bare) or (frame.kind in ITEMISED and edge and size >= 3 and size * 6 >= len(bare))
    return longest.concepts[0].name if much else ""


def is_item_head(frame: Frame, printed: str) -> bool:
    """Whether a printed number opens with the word for an item: `增量 1：`, `Item 2`."""
    low = fold(printed)
    return bool(low) and next(frame.words.matcher("item-head").at(low, 0), None) is not None


def _tell(frame: Frame, section: Section, part: Part) -> None:
    node, out = part.node, frame.out
    out += (
        f"{node} {v.RDF_TYPE} {v.DOCO_SECTION}",
        f"{node} {v.DCTERMS_TITLE} {worded(section.title)}",
        f"{node} {v.KB_LINE} {integer(section.line)}",
    )
    if frame.kind not in ("paper-card", "repo-card"):  # the sections of a card are a flat list of its parts
        above = frame.me if section.parent < 0 else frame.parts[section.parent].node
        out += (
            f"{node} {v.DCTERMS_IS_PART_OF} {above}",
            f"{node} {v.KB_LEVEL} {integer(section.level)}",
            f"{node} {v.KB_END_LINE} {integer(section.end_line)}",
        )
    if section.number:
        frame.tell(node, v.KB_NUMBER, text(section.number))
        out += (f"{node} {v.KB_KEY} {text(key)}" for key in keys(frame, section.number))
    elif section.index in frame.ordinals:
        frame.tell(node, v.KB_KEY, text(f"{frame.document.path}§{frame.ordinals[section.index]}"))
    if part.role:
        frame.tell(node, v.KB_ROLE, concept(part.role))
    if frame.kind not in ("paper-card", "repo-card"):
        _tell_head(frame, section, part)


def keys(frame: Frame, number: str) -> tuple[str, ...]:
    """The keys under which a numbered section of this file may be referred to."""
    own = f"{frame.document.path}§{number}"
    if frame.kind != "knowledge":
        return (own,)
    return (own, f"{frame.topic}§{number}", f"*§{number}") if frame.topic else (own, f"*§{number}")


def _tell_head(frame: Frame, section: Section, part: Part) -> None:
    """Level and date that the paragraphs right under the heading declare."""
    blocks, at = frame.document.blocks, section.block + 1
    while at < len(blocks) and blocks[at].kind == "paragraph" and len(blocks[at].text) <= 400:
        if not _declares(frame, section, part, blocks[at].text):
            return
        frame.declaring.add(at)
        at += 1


def _declares(frame: Frame, section: Section, part: Part, head: str) -> bool:
    """Tell what a paragraph declares of its section; whether it does little else."""
    if section.index == 0 and section.level == 1:
        return False  # at the title it is the whole file's
    fields = labels_in(head, frame.lookups.fields)
    dated = next((day for name, _, at in fields if name == "field-updated" and (day := day_in(head[at:]))), "")
    if dated:
        frame.tell(part.node, v.KB_STATED_DATE, date(dated))
    levels, scope = declared(frame, head)
    part.levels = part.levels or levels
    frame.out += (f"{part.node} {v.KB_EVIDENCE_LEVEL} {concept(level)}" for level in levels)
    return bool(dated) or len(scope) * 3 > len(head)
