"""Ids in the text as pointers: what each names, where it stands, which entries of the reference list it denotes."""

from __future__ import annotations

import re

from kbgraph import vocab as v
from kbgraph.lift import nodes
from kbgraph.lift.frame import Frame, Passage, concept
from kbgraph.lift.odd import tell_malformed
from kbgraph.lift.scan import citations, ids
from kbgraph.lift.scan.found import Id
from kbgraph.model.facts import Term, integer, iri, text

# Places whose mentions count as use; code, comments and pictures show an id and do not cite.
USED = frozenset({"body", "table", "heading", "quote"})
_IN_BRACKETS = re.compile(r"[(（]\s*([A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*)\s*[)）]")
_NOTE = re.compile(r"\[\^([^\]\s]{1,60})\]")
_KEY = re.compile(r"@\{?([^\s\]};,]+)")
_KEY_ENDS = ".:,;!\"'’”)）"


def scan(frame: Frame) -> None:
    """Find the ids of every passage."""
    bare = frame.kind != "note"
    for passage in frame.passages:
        found = ids.find_ids(passage.text, passage.marks, frame.lexicon)
        if bare and "/" in passage.text and passage.place in USED:
            found = _with_repositories(passage.text, found)
        frame.found.append(found)


def _with_repositories(value: str, found: tuple[Id, ...]) -> tuple[Id, ...]:
    """Adds `owner/name` in brackets after what it is called: a bare slash means too many other things."""
    more = []
    for m in _IN_BRACKETS.finditer(value):
        owner, _, name = m[1].lower().partition("/")
        before = value[max(0, m.start() - 80) : m.start()].lower()
        if name in before or owner in before:
            hits = ids.find_ids(m[1], bare_repos=True)
            more += [i._replace(start=m.start(1), end=m.end(1), confidence="high") for i in hits if i.kind == "repo"]
    return tuple(sorted((*found, *more), key=lambda i: (i.start, i.end))) if more else found


def tell_mentions(frame: Frame) -> None:
    """Tell all pointers: by id, by number, key or footnote."""
    numbered = any(label.isdigit() for label in frame.labelled)
    for passage, found in zip(frame.passages, frame.found, strict=True):
        if passage.place != "list":
            for i in found:
                _tell_id(frame, passage, i)
        if passage.place in USED and ("[" in passage.text or "@" in passage.text):
            _tell_labels(frame, passage, numbered)


def _place(passage: Passage, found: Id) -> str:
    """Where an id stands: the innermost code span or picture goes before the passage's own place."""
    return found.mark if found.mark in ("code", "image") else passage.place


def _tell_id(frame: Frame, passage: Passage, found: Id) -> None:
    line, within = passage.line_at(found.start), frame.within(passage)
    place = _place(passage, found)
    reason = found.malformed or ("future-month" if ids.is_future(found, frame.day) else "")
    if reason and place not in ("code", "comment", "image", "reported"):
        tell_malformed(frame, found, reason, line, within)
    if not found.iri or (place == "field" and iri(found.iri) in frame.own):
        return
    node, work = frame.node("m"), nodes.named(frame, found)
    out = frame.out
    out += (
        f"{node} {v.KB_MENTIONS} {work}",
        f"{node} {v.KB_LINE} {integer(line)}",
        f"{node} {v.KB_PLACE} {text(place)}",
        f"{node} {v.KB_ID_KIND} {text(found.kind)}",
        f"{node} {v.KB_AS_PRINTED} {text(found.printed)}",
    )
    if within:
        out.append(f"{node} {within}")
    if passage.role:
        frame.tell(node, v.KB_ROLE, concept(passage.role))
    if found.version:
        frame.tell(node, v.KB_VERSION, text(found.version))
    if found.confidence == "low":
        frame.tell(node, v.KB_CONFIDENCE, text("low"))
    if place in USED:
        out += (f"{node} {v.C4O_DENOTES} {entry}" for entry in frame.entries.get(work, ()))


def _tell_labels(frame: Frame, passage: Passage, numbered: bool) -> None:
    """Pointers by label; `[12]` is one only in a file whose list has numbers."""
    for p in citations.find_pointers(passage.text, passage.marks):
        if numbered or p.kind == "key":
            node = _tell_label(frame, passage, p.label, p.printed, p.start)
            if p.kind == "key":
                frame.out += (f"{node} {v.KB_LABEL} {text(key)}" for key in _longer(passage.text, p.start, p.label))
    notes = {m.start: m.target for m in passage.marks if m.kind == "footnote"}
    for note in _NOTE.finditer(passage.text):
        if not any(m.kind == "code" and m.start <= note.start() < m.end for m in passage.marks):
            label = notes.get(note.start(), note[1])
            _tell_label(frame, passage, f"^{label}", note.group(), note.start())


def _tell_label(frame: Frame, passage: Passage, key: str, printed: str, start: int) -> Term:
    """Tell a pointer by label; the label of a footnote is kept with `^`, so that `[1]` and `[^1]` are two."""
    node, out = frame.node("m"), frame.out
    out += (
        f"{node} {v.KB_LABEL} {text(key.removeprefix('^'))}",
        f"{node} {v.KB_LINE} {integer(passage.line_at(start))}",
        f"{node} {v.KB_PLACE} {text(passage.place)}",
        f"{node} {v.KB_ID_KIND} {text('footnote' if key.startswith('^') else 'key')}",
        f"{node} {v.KB_AS_PRINTED} {text(printed)}",
    )
    within = frame.within(passage)
    if within:
        out.append(f"{node} {within}")
    for entry in frame.labelled.get(key, ()):
        out.append(f"{node} {v.C4O_DENOTES} {entry}")
        if entry in frame.stands_for:
            out.append(f"{node} {v.KB_MENTIONS} {frame.stands_for[entry]}")
    return node


def _longer(value: str, start: int, label: str) -> set[str]:
    """Longer readings of a citation key: which of them is meant only the bibliography knows."""
    found = _KEY.search(value, start)
    raw = found[1] if found else label
    return {raw, raw.rstrip(_KEY_ENDS)} - {label, ""} if raw.startswith(label) else set()
