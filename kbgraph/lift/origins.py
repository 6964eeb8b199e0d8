"""Which item an action in a list of actions comes from."""

from __future__ import annotations

import re

from kbgraph.lift.frame import Frame
from kbgraph.lift.names import used
from kbgraph.lift.scan.found import SectionRef
from kbgraph.model.facts import Term

_FIGURE = re.compile(r"\s*(\d{1,3})")
_REMARK = re.compile(r"\s*[（(]\s*([^（）()\s][^（）()]{1,40})[)）]")
_JOINTS = " +/、,，和与及&"
_RUN = 9  # references to either side that may share an action
_STRUNG = re.compile(r"\s*(?:[+/、&~～–—-]|[^\W\d_]{1,3})?\s*")


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

    def group(self, at: int) -> tuple[int, int]:
        """First and last of the references that are strung together with this one: `§3.1、§3.2 修订`."""
        first = last = at
        while first and at - first < _RUN and self._strung(self.beside(first)[0]):
            first -= 1
        while last + 1 < len(self.targets) and last - at < _RUN and self._strung(self.beside(last)[1]):
            last += 1
        return first, last

    def _strung(self, between: str) -> bool:
        return _STRUNG.fullmatch(between) is not None and not self.frame.words.concepts("action", between)

    def of(self, at: int) -> Term | None:
        """The item of one reference: by printed number, by name, by its own advice on the section, else the last."""
        near = self.beside(at)[0] if self.item_first else self._after(at)
        found = self._numbered(near, nearest=-1 if self.item_first else 0) or self._named(near)
        self.last = found or self.last or self.of_section.get(self.targets[at].number)
        return self.last

    def _after(self, at: int) -> str:
        """Text after a reference; of several that are strung together, `§1.1 + §5.6（rec）`, after the last."""
        after = self.beside(at)[1]
        while at + 1 < len(self.targets) and not after.strip(_JOINTS):
            at += 1
            after = self.beside(at)[1]
        return after

    def _numbered(self, text: str, nearest: int = 0) -> Term | None:
        """The first or last item that a text names by its number."""
        hits = self.frame.words.matcher("item-head").find(text)
        numbers = [figure[1] for hit in hits if (figure := _FIGURE.match(text, hit.end))]
        found = [i.node for number in numbers for i in self.frame.items if i.number == number and _is_own(i.part)]
        return found[nearest] if found else None

    def _named(self, text: str) -> Term | None:
        """An item by a name of its subject, or by a remark in brackets that stands in its title alone."""
        own = [item for item in self.frame.items if _is_own(item.part)]
        named = {node for _, node in used(self.frame, text)}
        found = [item.node for item in own if named.intersection(item.about)]
        remark = _REMARK.match(text)
        word = remark[1].split()[0].lower() if remark else ""
        titled = [item.node for item in own if word and word in item.title.lower()]
        return found[0] if found else titled[0] if len(titled) == 1 else None


def _is_own(part: str) -> bool:
    """Whether an item of this part is one of the file's own entries."""
    return part in ("section-new-items", "section-low-relevance", "")
