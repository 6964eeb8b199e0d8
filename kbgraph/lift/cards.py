"""Cards: which work or repository a card is about, its versions and other ids, and ids that disagree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kbgraph import vocab as v
from kbgraph.lift import nodes
from kbgraph.lift.frame import Frame, concept, worded
from kbgraph.lift.header import ids_of
from kbgraph.lift.naming import named_work
from kbgraph.lift.odd import tell_malformed
from kbgraph.lift.problems import problem
from kbgraph.lift.scan import ids
from kbgraph.lift.scan.dates import day_in
from kbgraph.lift.scan.found import Id
from kbgraph.model.facts import Term, date, iri, text

_VERSION = re.compile(r"(?<![A-Za-z0-9])[vV](\d{1,2})(?![\d.])")
_ALONE = re.compile(r"\S+\s*")
_OTHER_IDS = ("field-doi", "field-openalex", "field-isbn", "field-pmid", "field-s2")


class Key(NamedTuple):
    """An id that claims to be the card's, with the place that names it."""

    place: str
    id: Id
    line: int
    said: bool = False  # in a field made for it: a malformed one is told as well


def paper(frame: Frame) -> None:
    """Tell which work a paper card is about; front matter goes before header, file name and heading."""
    keys: dict[str, Key] = {}
    for key in _keys(frame):
        if key.id.iri:
            keys.setdefault(key.id.iri, key)
        elif key.said:
            tell_malformed(frame, key.id, key.id.malformed, key.line, "")
    if len(keys) > 1:
        told = ", ".join(f"{key.place} {key.id.key}" for key in keys.values())
        problem(frame, "card-key-conflict", next(iter(keys.values())).line, told)
    if not keys:
        return
    work = nodes.named(frame, next(iter(keys.values())).id)
    frame.about = (work,)
    frame.own.add(work)
    frame.tell(frame.me, v.SCHEMA_ABOUT, work)
    if frame.document.title:
        frame.tell(work, v.DCTERMS_TITLE, worded(frame.document.title))
    _tell_versions(frame, work)
    _tell_other_ids(frame, work)


def _keys(frame: Frame) -> list[Key]:
    """Every arXiv id that claims to be the card's, strongest place first."""
    said = list(frame.values("field-arxiv"))
    marked = [s for s in frame.values("field-id") if s.block < 0]
    found = [Key("front matter", i, s.line, True) for s in (*said, *marked) if s.block < 0 for i in ids_of(s)]
    found += [Key("header", i, s.line, True) for s in said if s.block >= 0 for i in ids_of(s)]
    by_name = named_work(frame.document.path)
    found += [Key("file name", by_name, 1)] if by_name else []
    return found + [Key("heading", i, 1) for i in _heading_ids(frame)]


def _heading_ids(frame: Frame) -> Iterator[Id]:
    """Ids in the title, and one that stands alone in the paragraph under it."""
    blocks = frame.document.blocks
    for index, block in enumerate(blocks[:3]):
        alone = (
            block.kind == "paragraph" and index and blocks[index - 1].kind == "heading" and _ALONE.fullmatch(block.text)
        )
        if (block.kind == "heading" and block.level == 1) or alone:
            yield from (i for i in ids.find_ids(block.text, block.marks) if i.kind == "arxiv")


def _tell_versions(frame: Frame, work: Term) -> None:
    for said in frame.values("field-versions"):
        starts = list(_VERSION.finditer(said.value))
        for n, start in enumerate(starts):
            end = starts[n + 1].start() if n + 1 < len(starts) else len(said.value)
            _tell_version(frame, nodes.version(frame, work, start[1]), said.value[start.end() : end])


def _tell_version(frame: Frame, node: Term, told: str) -> None:
    day = day_in(told)
    if day:
        frame.tell(node, v.DCTERMS_DATE, date(day))
    states = dict.fromkeys(word.concept for word in frame.words.concepts("version", told))
    frame.out += (f"{node} {v.KB_VERSION_STATUS} {concept(state)}" for state in states)


def _tell_other_ids(frame: Frame, work: Term) -> None:
    """A DOI of its own is another node of the same work; OpenAlex and other ids are told as printed."""
    for name in _OTHER_IDS:
        kind = name.removeprefix("field-")
        for found in (i for said in frame.values(name) for i in ids.find_ids(said.value)):
            if found.kind == kind and found.iri and f"<{found.iri}>" != work:
                frame.own.add(iri(found.iri))
                frame.tell(work, v.DCTERMS_IDENTIFIER, text(found.printed if kind == "openalex" else found.key))
                if kind in ("doi", "isbn"):
                    frame.tell(work, v.SCHEMA_SAME_AS, nodes.named(frame, found))


def repository(frame: Frame) -> None:
    """Tell which repository a repository card or guide is about: a field, else the title."""
    values = [s.value for s in frame.said if s.concept == "field-repository"] + [frame.document.title]
    for value in values:
        found = next((i for i in ids.find_ids(value, bare_repos=True) if i.kind == "repo"), None)
        if found:
            node = nodes.named(frame, found)
            frame.about = (node,)
            frame.own.add(node)
            frame.tell(frame.me, v.SCHEMA_ABOUT, node)
            return
