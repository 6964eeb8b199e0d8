"""Which sections of a report or brief are items: by printed head, id in the title, or labelled parts inside."""

from __future__ import annotations

from collections.abc import Iterator

from kbgraph.lift.frame import Frame
from kbgraph.lift.outline import is_item_head
from kbgraph.lift.scan import ids
from kbgraph.model.lexicon import fold
from kbgraph.model.text import Section

PART_ROLES = frozenset({
    "section-new-items", "section-low-relevance", "section-contradictions", "section-follow-ups", "section-kept",
    "section-dropped", "section-re-check", "section-candidates",
})  # fmt: skip
# Labels that only an item's inside has; one of them may stand anywhere, two make an item.
_INNER = frozenset({
    "role-source", "role-key-points", "role-relation", "role-advice", "role-cautions", "role-evidence", "role-scope",
    "role-handling", "role-verdict", "role-link", "role-conclusion",
})  # fmt: skip


def part_of(frame: Frame, section: int) -> str:
    """The part of a report or brief that a section stands in: its own role or that of the nearest section above."""
    while section >= 0:
        role = frame.parts[section].role
        if role in PART_ROLES:
            return role
        section = frame.document.sections[section].parent
    return ""


def role_above(frame: Frame, section: int) -> str:
    """The nearest role of a section or of those above it."""
    while section >= 0:
        if frame.parts[section].role:
            return frame.parts[section].role
        section = frame.document.sections[section].parent
    return ""


def item_sections(frame: Frame) -> frozenset[int]:
    """Indexes of the sections that are items, none inside another."""
    sections = frame.document.sections
    inner = _labelled_parts(frame)
    likely = {s.index for s in sections if _likely(frame, s, inner.get(s.index, 0))}
    chosen: set[int] = set()
    for section in sections:  # parents come before their children
        index = section.index
        if index in likely and not _above(sections, index, chosen):
            below = any(_above(sections, other, {index}) for other in likely)
            if not below or inner.get(index, 0) or is_item_head(frame, section.printed):
                chosen.add(index)
    if not chosen and inner.get(0, 0) >= 2:
        return frozenset({0})  # a report on one thing: its title is the item's
    return frozenset(chosen)


def _above(sections: tuple[Section, ...], index: int, wanted: set[int]) -> bool:
    """Whether a section stands inside one of the wanted ones."""
    index = sections[index].parent
    while index >= 0:
        if index in wanted:
            return True
        index = sections[index].parent
    return False


def _likely(frame: Frame, section: Section, inner: int) -> bool:
    if is_item_head(frame, section.printed):
        return True
    if frame.parts[section.index].role or fold(section.title) in frame.lookups.roles:
        return False
    if section.index == 0 and section.level == 1 and not section.number:
        return False
    above = role_above(frame, section.parent)
    if above and above not in PART_ROLES:
        return False
    if inner >= 2 or _names_something(frame, section):
        return True
    return bool(section.number) and (frame.kind == "report" or above in PART_ROLES or inner > 0)


def _names_something(frame: Frame, section: Section) -> bool:
    head = frame.document.blocks[section.block]
    return any(i.iri and (i.work or i.kind == "repo") for i in ids.find_ids(head.text, head.marks, frame.lexicon))


def _labelled_parts(frame: Frame) -> dict[int, int]:
    """How many different labels of an item's parts stand right inside each section, sub-headings included."""
    found: dict[int, set[str]] = {}
    for section, role in _labels(frame):
        found.setdefault(section, set()).add(role)
    return {section: len(roles) for section, roles in found.items()}


def _labels(frame: Frame) -> Iterator[tuple[int, str]]:
    for block in frame.document.blocks:
        if block.kind not in ("item", "paragraph", "heading") or block.depth > 1:
            continue
        section = block.section
        if block.kind == "heading" and section >= 0:
            section = frame.document.sections[section].parent
        for line in block.text.split("\n"):
            label = frame.label(line)
            if section >= 0 and label and label.concept in _INNER:
                yield section, label.concept
