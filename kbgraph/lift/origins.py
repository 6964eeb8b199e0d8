"""Which item an action in a list of actions comes from."""

from __future__ import annotations

import re

from kbgraph.lift.found import SectionRef
from kbgraph.lift.frame import Frame
from kbgraph.lift.names import used
from kbgraph.model.facts import Term

_FIGURE = re.compile(r"\s*(\d{1,3})")


class Origins:
    """The items behind the sections that one action names."""

    def __init__(self, frame: Frame, text: str, targets: list[SectionRef], of_section: dict[str, Term]) -> None:
        self.frame = frame
        self.text = text
        self.targets = targets
        self.of_section = of_section
        # `条目 1 可进 §5.3` names the item first, `§3.1 修订（增量 1）` the section.
        self.item_first = self._numbered(text[: targets[0].start]) is not None
        self.last: Term | None = None

    def beside(self, at: int) -> tuple[str, str]:
        """Text between a reference and its neighbours, before and after."""
        start = self.targets[at - 1].end if at else 0
        end = self.targets[at + 1].start if at + 1 < len(self.targets) else len(self.text)
        return self.text[start : self.targets[at].start], self.text[self.targets[at].end : end]

    def of(self, at: int) -> Term | None:
        """The item of one reference: by printed number, by name, by its own advice on the section, else the last one."""
        before, after = self.beside(at)
        near = before if self.item_first else after
        number = self.targets[at].number
        found = self._numbered(near) or self._named(after) or self._named(before)
        self.last = found or self.last or self.of_section.get(number)
        return self.last

    def _numbered(self, text: str) -> Term | None:
        for hit in self.frame.words.matcher("item-head").find(text):
            figure = _FIGURE.match(text, hit.end)
            numbered = (i.node for i in self.frame.items if figure and i.number == figure[1] and _is_own(i.part))
            node = next(numbered, None)
            if node:
                return node
        return None

    def _named(self, text: str) -> Term | None:
        named = {node for _, node in used(self.frame, text)}
        return next((i.node for i in self.frame.items if named.intersection(i.about) and _is_own(i.part)), None)


def _is_own(part: str) -> bool:
    """Whether an item of this part is one of the file's own entries."""
    return part in ("section-new-items", "section-low-relevance", "")
