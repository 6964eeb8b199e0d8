"""The merge actions of a brief -> lines of the documents: a new entry, a revised sentence, a place in the list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from kbgraph.ask.brief.listing import listed, recounted
from kbgraph.ask.brief.rows import CITABLE, Groups, Row, by, number, rows, word
from kbgraph.model.brief import Action, Brief, BriefItem, Statement
from kbgraph.model.document import Document
from kbgraph.model.keys import key_of
from kbgraph.model.lexicon import Lexicon, fold
from kbgraph.model.patch import Changed, Edit, Left, Patch, Reason
from kbgraph.model.query import Table
from kbgraph.model.text import Block

# Sections whose sentences ask: what answers or adds to them is worded by people.
_QUESTIONS = ("section-open-questions", "section-open-trends")
_MARKER = re.compile(r"(\s*)(?:([-*+])|(\d+)([.)]))\s+")
_VERSION = re.compile(r"(\d{4}\.\d{4,5})v(\d+)")
_WRITTEN = ("action-add", "action-revise")
_OURS = ("document-word-own",)  # words for the knowledge base itself
_SAYS = ("beside", "repeats")  # relations to a sentence of the document


class Source(NamedTuple):
    """A document as read, and its lines with their ends."""

    document: Document
    lines: tuple[str, ...]
    lang: str


@dataclass(frozen=True, slots=True)
class _Told:
    sections: Mapping[tuple[str, str], Row]
    entries: Mapping[str, Sequence[Row]]  # of citation lists, by document
    mentions: Groups  # by file

    def asks(self, document: str, section: str) -> bool:
        """Whether a section, or one that it is part of, holds questions."""
        parts = section.split(".")
        above = (self.sections.get((document, ".".join(parts[:n]))) for n in range(1, len(parts) + 1))
        return any(word(row["part"]) in _QUESTIONS for row in above if row is not None)


def patch(made: Brief, answers: Mapping[str, Table], sources: Mapping[str, Source], lexicon: Lexicon) -> Patch:
    """What the merge actions come to in the documents that are given; what they leave to people is told."""
    own = [label for name in _OURS if name in lexicon.by_name for label in lexicon.by_name[name].labels]
    listed_in = by(rows(answers, "brief-listed"), "path")
    known = _Told(
        {(word(r["path"]), word(r["number"])): r for r in rows(answers, "brief-sections")},
        {path: listed_in.get((path,), []) for path in sources},
        by(rows(answers, "brief-mentions"), "path"),
    )
    items = {item.number: _of_the_work(item, made, own) for item in made.items}
    written: dict[str, dict[int, Edit]] = {path: {} for path in sources}
    left: list[Left] = []
    for action in made.actions:
        for item in (items[ground.number] for ground in action.grounds):
            found = _edit(action, item, known, sources)
            if isinstance(found, Edit):
                written[action.document][item.number] = found
            else:
                left.append(Left(item.number, item.title, action.number, found))
    files = tuple(_changed(path, one, written[path], items, known) for path, one in sources.items() if written[path])
    return Patch(files, tuple(left), made.lang, made.labels)


def _edit(action: Action, item: BriefItem, known: _Told, sources: Mapping[str, Source]) -> Edit | Reason:
    if action.document not in sources:
        return "odd-bytes"
    if known.asks(action.document, action.number):
        return "question"
    if action.action not in _WRITTEN:
        return "for-people"
    reason = _unfit(item)
    if reason:
        return reason
    if (action.document, action.number) != _home(item, known):
        return "twice"
    source = sources[action.document]
    if action.action == "action-revise":
        return _revised(action, item, source, _version(item, known)) or "no-sentence"
    return _entry(action, item, source) or "for-people"


def _home(item: BriefItem, known: _Told) -> tuple[str, str]:
    """The one section that an item is written into: the first that its sources name for it."""
    named = [a for a in item.advice if a.number and a.known and a.action in ("", *_WRITTEN)]
    named.sort(key=lambda a: (a.path, a.line, a.text.find(a.number)))
    return next(((a.document, a.number) for a in named if not known.asks(a.document, a.number)), ("", ""))


def _unfit(item: BriefItem) -> Reason | None:
    """Why nothing can be written about an item that would hold before the checks."""
    if not any(key.startswith(CITABLE) for key in item.keys):
        return "no-id"
    if not item.points:
        return "no-points"
    return "no-level" if any(p.numbers and not p.level for p in item.points) else None


def _of_the_work(item: BriefItem, made: Brief, own: Sequence[str]) -> BriefItem:
    """The item without what it says of the knowledge base: answers to tasks, sentences about a document or section."""
    answers = {(s.path, s.line, s.text) for task in made.follow_ups for s in task.by}

    def told(point: Statement) -> bool:
        ours = "§" in point.text or any(name in fold(point.text) for name in own)
        return not ours and (point.path, point.line, point.text) not in answers

    return replace(item, points=tuple(filter(told, item.points)))


def _version(item: BriefItem, known: _Told) -> int:
    """The newest version of its work that an item's sources name, 0 for none."""
    found = ((s, r) for s in item.sources for r in known.mentions.get((s.path,), []))
    inside = (r for s, r in found if s.line <= number(r["line"]) <= max(s.line, s.end_line))
    told = (word(r["version"]).removeprefix("v") for r in inside if key_of(word(r["iri"])) in item.keys)
    return max((int(version) for version in told if version.isdecimal()), default=0)


def _revised(action: Action, item: BriefItem, source: Source, version: int) -> Edit | None:
    """The one line of the section that speaks of the item: what it names stays, what it says is said anew."""
    at = {r.line for r in item.relations if r.kind in _SAYS and (r.path, r.section) == (action.document, action.number)}
    if len(at) != 1:
        return None
    line = at.pop()
    alone = [b for b in source.document.blocks if b.line <= line <= b.end_line and b.kind in ("item", "paragraph")]
    head = _head(source.lines[line - 1], item.keys)
    if len(alone) != 1 or alone[0].line != alone[0].end_line or not head:
        return None
    return Edit(line, replaces=True, head=_newer(head, version), points=item.points)


def _newer(head: str, version: int) -> str:
    """The begin of a line with a newer version of the one work that it names."""
    return _VERSION.sub(lambda m: m[0] if int(m[2]) >= version else f"{m[1]}v{version}", head)


def _head(line: str, keys: Sequence[str]) -> str:
    """A line up to the colon behind the identifier that it is about; "" where it is not built so."""
    for key in keys:
        at = line.find(key.partition(":")[2] or key)
        colon = re.compile("[：:]\\s*").search(line, at + len(key) - len(key.partition(":")[0])) if at >= 0 else None
        if colon:
            return line[: colon.end()]
    return ""


def _entry(action: Action, item: BriefItem, source: Source) -> Edit | None:
    """A new point behind the last one of a section, with the marks that its points have."""
    section = next((s for s in source.document.sections if s.number == action.number), None)
    if section is None:
        return None
    key = next(key for key in item.keys if key.startswith(CITABLE))
    blocks = source.document.blocks
    own = [at for at, b in enumerate(blocks) if b.section == section.index and b.kind not in ("heading", "rule")]
    points = [at for at in own if blocks[at].kind == "item" and blocks[at].depth == 1 and not blocks[at].quoted]
    if points:
        line = max(blocks[at].end_line for at in own if _top(at, blocks) == points[-1])
        head = _next_marker(source.lines[blocks[points[-1]].line - 1])
        return Edit(line, replaces=False, head=head, name=_name(item.title), key=key, points=item.points)
    line = max((blocks[at].end_line for at in own), default=section.line)
    return Edit(line, replaces=False, head="- ", name=_name(item.title), key=key, points=item.points, apart=True)


def _top(at: int, blocks: Sequence[Block]) -> int:
    """The outermost block that one is part of."""
    while blocks[at].parent >= 0:
        at = blocks[at].parent
    return at


def _next_marker(line: str) -> str:
    """What the point after this line's begins with."""
    found = _MARKER.match(line)
    if not found:
        return "- "
    return f"{found[1]}{found[2]} " if found[2] else f"{found[1]}{int(found[3]) + 1}{found[4]} "


def _name(title: str) -> str:
    """What a title calls the thing: its words before a colon or dash, the whole where there are none."""
    return re.split(r"[：:]|\s[—–-]+\s|——", title, maxsplit=1)[0].strip() or title


def _changed(
    path: str, source: Source, written: Mapping[int, Edit], items: Mapping[int, BriefItem], known: _Told
) -> Changed:
    entries = known.entries[path]
    new = [one for number in written for one in _unlisted(items[number])] if entries else []
    added = [edit for key, title in sorted(new) if (edit := listed(key, title, entries, source.lines))]
    count = recounted(len(added), entries, source.document, source.lines)
    edits = (*written.values(), *added, *([count] if count else []))
    return Changed(path, source.lines, source.lang, tuple(sorted(edits, key=lambda e: e.line)))


def _unlisted(item: BriefItem) -> Iterator[tuple[str, str]]:
    """Identifiers of an item that no citation list has, with its title."""
    yield from ((r.text, item.title) for r in item.relations if r.kind == "unlisted")
