"""A new entry of a citation list in the form of its neighbours, and the number of entries that a heading tells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbgraph.ask.brief.rows import Row, number
from kbgraph.model.document import Document
from kbgraph.model.patch import Edit

_ENTRY = re.compile(r"(\s*(?:[-*+]|(?P<n>\d+)[.)])\s+)(?P<id>\[?[A-Za-z]+:\s?\S+?\]?)(?P<joint>\s*[—–:：-]+\s*)\S")
_COUNT = re.compile(r"(?<![\d.§])\d+(?![\d.])")


def listed(key: str, title: str, entries: Sequence[Row], lines: Sequence[str]) -> Edit | None:
    """The entry of an identifier behind the one that it follows: by id where the list is in that order, else last."""
    told = sorted({number(r["line"]) for r in entries})
    kin = [
        (found["id"], at, found) for at in told if (found := _ENTRY.match(lines[at - 1])) and _kind(found["id"], key)
    ]
    if not kin:
        return Edit(told[-1], replaces=False, head=f"- {key} — ", name=title)
    ids = [one for one, _, _ in kin]
    before = [one for one in kin if one[0] < key] if ids == sorted(ids) and not kin[-1][2]["n"] else []
    _, at, found = (before or kin)[-1]
    mark = found[1] if not found["n"] else found[1].replace(found["n"], str(int(found["n"]) + 1), 1)
    return Edit(at, replaces=False, head=f"{mark}{key}{found['joint']}", name=title)


def _kind(printed: str, key: str) -> bool:
    return printed.partition(":")[0] == key.partition(":")[0]


def recounted(added: int, entries: Sequence[Row], document: Document, lines: Sequence[str]) -> Edit | None:
    """The heading of the list with its number of entries, where it tells the right one now."""
    told = {number(r["line"]) for r in entries}
    if not added or not told:
        return None
    first = min(told)
    section = next((s for s in reversed(document.sections) if s.line <= first <= s.end_line), None)
    if section is None:
        return None
    line = lines[section.line - 1]
    at = next((m for m in reversed(list(_COUNT.finditer(line))) if int(m.group()) == len(told)), None)
    if at is None:
        return None
    new = f"{line[: at.start()]}{len(told) + added}{line[at.end() :]}".rstrip("\r\n")
    return Edit(section.line, replaces=True, head=new)
