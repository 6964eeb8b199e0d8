"""Named systems: names and aliases that headings, entries and titles give, and where a sentence uses them."""

from __future__ import annotations

import re

from kbgraph.lift import nodes
from kbgraph.lift.frame import Frame, holds_cjk
from kbgraph.lift.scan import ids
from kbgraph.lift.scan.found import Id
from kbgraph.model.facts import Term
from kbgraph.model.text import Mark

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*[A-Za-z0-9+]|[A-Z]")
_HEAD = re.compile(r"\s*(?:——|—|–|[：:]|\s-\s)\s*")
_GLOSS = re.compile(r"\s*[（(]([^（）()]{1,80})[）)]")
_CLOSED = re.compile(r"[）)]")
_ALSO = re.compile(r"[；;，,、]")
_SPACED = re.compile(r"[A-Za-z][\w.+-]*(?: [A-Z0-9][\w.+-]*){0,2}")


def learn(frame: Frame, title: str, node: Term) -> None:
    """Keep the name that opens a title: `TierANN` of `TierANN: SSD-Resident …`."""
    head = _HEAD.split(title, 1)
    if len(head) > 1:
        remember(frame, head[0], node)


def remember(frame: Frame, name: str, node: Term) -> None:
    """Keep a name, where it looks like one: a Latin word with a capital, digit or dash in it, or a short CJK phrase."""
    name = name.strip(" *_`「」“”\"'").removesuffix("的")
    opening = _SPACED.match(name)
    if opening and len(opening.group()) > 1:
        _keep(frame, opening.group(), node, whole=opening.end() == len(name))
    elif 3 <= len(name) <= 12 and holds_cjk(name):
        frame.names.phrases.setdefault(name.lower(), node)


def _keep(frame: Frame, name: str, node: Term, whole: bool) -> None:
    """A Latin name counts when it could not be an everyday word: `The` of `The survey (id)` is one."""
    first, _, rest = name.partition(" ")
    own = node.endswith(f"/{name.lower()}>")  # a repository by its own name
    if (
        own
        or any(c.isupper() or c.isdigit() for c in first[1:])
        or "-" in first
        or (whole and first[0].isupper() and len(name) > 2)
    ):
        frame.names.words.setdefault(name.lower(), node)
        if rest:
            frame.names.longer.setdefault(first.lower(), []).append(name.lower())


def gather(frame: Frame) -> None:
    """Learn all names that the file gives to works and repositories."""
    for passage, found in zip(frame.passages, frame.found, strict=True):
        if found and passage.place in ("body", "table", "heading") and ("（" in passage.text or "(" in passage.text):
            _from_text(frame, passage.text, passage.marks, found)


def _from_text(frame: Frame, text: str, marks: tuple[Mark, ...], found: tuple[Id, ...]) -> None:
    """`Name（id）` and `id（Name）`."""
    for i in (i for i in found if i.iri and i.kind != "url" and i.mark not in ("code", "image")):
        node = nodes.named(frame, i)
        before = text[: i.start]
        opened = max(before.rfind("（"), before.rfind("("))
        if opened >= 0 and i.start - opened <= 24 and not _CLOSED.search(before, opened):
            start = max(before.rfind(c, 0, opened) for c in "，。；、,;：:\n") + 1
            remember(frame, _last_name(before[start:opened], marks, start), node)
        gloss = _GLOSS.match(text, i.end)
        for alias in _ALSO.split(gloss[1]) if gloss else ():
            if _WORD.search(alias) and not ids.find_ids(alias):
                remember(frame, alias, node)


def _last_name(words: str, marks: tuple[Mark, ...], at: int) -> str:
    """What is named right before a bracket: the strong stretch there, else the words themselves."""
    end = at + len(words.rstrip())
    strong = next((m for m in marks if m.kind == "strong" and at <= m.start and m.end == end), None)
    return words[strong.start - at :] if strong else _HEAD.split(words)[0].strip()


def used(frame: Frame, text: str) -> list[tuple[int, Term]]:
    """Names that stand in a text: offset and what each means, in order."""
    names = frame.names
    if not names.words and not names.phrases:
        return []
    low, found = text.lower(), []
    for word in _WORD.finditer(low):
        spelled = (name for name in names.longer.get(word.group(), ()) if low.startswith(name, word.start()))
        node = names.words.get(next(spelled, word.group()))
        if node:
            found.append((word.start(), node))
    found += [(at, node) for name, node in names.phrases.items() if (at := low.find(name)) >= 0]
    return sorted(found)
