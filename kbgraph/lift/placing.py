"""Where every block stands: in which item, under which label, and whether it may make claims."""

from __future__ import annotations

from typing import NamedTuple

from kbgraph.lift.frame import Frame, Place
from kbgraph.lift.heads import PART_ROLES, item_sections, part_of, role_above
from kbgraph.lift.items import REASONED, headed, listed
from kbgraph.lift.scan import ids
from kbgraph.model.lexicon import fold
from kbgraph.model.text import Block

# A field's label inside an item opens the part that a role's label would.
_AS_ROLE = {
    "field-level": "role-evidence", "field-url": "role-link", "field-source": "role-source",
    "field-title": "role-title", "field-reason": "role-reason", "field-verdict": "role-verdict",
    "field-target": "role-advice", "field-claim": "role-key-points", "field-date": "role-scope",
    "field-author": "role-scope", "field-topic": "role-scope",
}  # fmt: skip


_NOWHERE, _FIELD, _LIST = Place(), Place(skip="field"), Place(skip="list")


class Opening(NamedTuple):
    """A label that opens a part: its role, where what it labels begins."""

    role: str
    offset: int


def opening(frame: Frame, line: str) -> Opening | None:
    """The part that a line opens, if it begins with a label of one."""
    label = frame.label(line)
    if label is None:
        return None
    role = label.concept if label.concept.startswith("role-") else _AS_ROLE.get(label.concept, "")
    return Opening(role, label.offset) if role else None


class Placer:
    """Goes through the blocks in order, keeping the item and the last label."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.fields = {said.block for said in frame.said if said.block >= 0 and _is_list(frame, said.block)}
        self.itemised = frame.kind in ("report", "brief")
        self.of_section: list[int] = []  # section -> item that it is or stands in
        self.role_of: list[str] = []  # section -> role that its heading gives to what is below
        self.sticky: tuple[int, int, str] = (-1, -1, "")  # section, depth, role of the last label that stood alone
        if self.itemised:
            self._sections()

    def _sections(self) -> None:
        chosen = item_sections(self.frame)
        for section in self.frame.document.sections:
            above = section.parent
            item = headed(self.frame, section) if section.index in chosen else -1
            inside = self.of_section[above] if above >= 0 else -1
            self.of_section.append(item if item >= 0 else inside)
            own = self.frame.lookups.roles.get(fold(section.title), "") if inside >= 0 else ""
            self.role_of.append(own or (self.role_of[above] if above >= 0 and inside >= 0 else ""))

    def run(self) -> None:
        """Place all blocks."""
        for index, block in enumerate(self.frame.document.blocks):
            self.frame.places.append(self._place(index, block))

    def _place(self, index: int, block: Block) -> Place:
        role = role_above(self.frame, block.section)
        if index in self.fields:
            return _FIELD
        if block.kind == "footnote" or (block.parent >= 0 and self._in_note(block.parent)):
            return _LIST
        if role == "section-citation-list" or (role == "section-citable-ids" and block.kind != "table"):
            return _LIST
        if not self.itemised or block.kind in ("rule", "comment"):
            return self.frame.places[block.parent] if block.parent >= 0 else _NOWHERE
        return self._itemised(index, block)

    def _in_note(self, parent: int) -> bool:
        return self.frame.document.blocks[parent].kind == "footnote" or self.frame.places[parent].skip == "list"

    def _itemised(self, index: int, block: Block) -> Place:
        item = self.of_section[block.section] if block.section >= 0 else -1
        inherited = self.role_of[block.section] if block.section >= 0 else ""
        if block.parent >= 0:
            above = self.frame.places[block.parent]
            item, inherited = above.item if above.item >= 0 else item, above.role or inherited
        elif item < 0 and block.kind == "item" and self._is_item(block):
            item = listed(self.frame, block)
            self.frame.items[item].end_line = self._last_line(index)
            inherited = "role-reason" if self.frame.items[item].part in REASONED else inherited
        if block.kind in ("item", "paragraph"):
            opened = opening(self.frame, block.text.partition("\n")[0])
            if opened:
                if not block.text[opened.offset :].strip():
                    self.sticky = (block.section, block.depth, opened.role)
                elif block.depth <= self.sticky[1]:
                    self.sticky = (-1, -1, "")
                return Place(item, opened.role)
        return Place(item, inherited or self._stuck(block))

    def _stuck(self, block: Block) -> str:
        """The role of a label that stood alone before this block, in a paragraph of its own."""
        section, depth, role = self.sticky
        return role if section == block.section and (block.depth > depth or depth == 0) else ""

    def _is_item(self, block: Block) -> bool:
        if block.depth != 1 or block.quoted:
            return False
        if part_of(self.frame, block.section) in PART_ROLES:
            return True
        return self.frame.kind == "report" and block.section > 0 and _names_first(self.frame, block)

    def _last_line(self, index: int) -> int:
        """Last line of a list item with all that it holds."""
        blocks, end = self.frame.document.blocks, self.frame.document.blocks[index].end_line
        holders = {index}
        for at in range(index + 1, len(blocks)):
            if blocks[at].parent not in holders:
                break
            holders.add(at)
            end = max(end, blocks[at].end_line)
        return end


def _is_list(frame: Frame, block: int) -> bool:
    """Whether a block that holds fields is a field list or table rather than running text."""
    return frame.document.blocks[block].kind in ("item", "table")


def _names_first(frame: Frame, block: Block) -> bool:
    """Whether a list point opens with a work, repository or page and goes on about it."""
    found = ids.find_ids(block.text, block.marks, frame.lexicon)
    return any(i.start <= 12 and not i.malformed for i in found[:1])
