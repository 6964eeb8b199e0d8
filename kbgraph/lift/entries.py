"""One entry of a reference list: label, work, title, what it says of its own standing."""

from __future__ import annotations

import re
from typing import NamedTuple

from kbgraph import vocab as v
from kbgraph.lift import nodes
from kbgraph.lift.frame import Frame, concept, worded
from kbgraph.lift.names import learn
from kbgraph.lift.odd import tell_malformed, tell_pointer
from kbgraph.lift.scan import ids
from kbgraph.lift.scan.found import Id
from kbgraph.model.facts import Term, integer, iri, text
from kbgraph.model.text import Mark

_LABEL = re.compile(r"\s*\[([^\[\]\s]{1,60})\][.:：]?\s+|\s*\(?(\d{1,3})[.)、]\s+(?=\D)")
_PREFIX = re.compile(r"(?:arxiv|doi|isbn|pmid|https?://)[\s:：#/.]*$", re.IGNORECASE)
_CUT = re.compile(r"\s*[（→⟶]|\s+[(\[](?=[^()\[\]]*[\u4e00-\u9fff])")
_ASIDE = re.compile(r"[（(]([^（）()]*)[）)]")
_EDGES = " \t\n—–-:：,，.。;；·|/"
_HOLLOW = re.compile(r"[（(\[【]\s*[)）\]】]")


class Raw(NamedTuple):
    """The text of an entry before it is read; `prose` may turn out to be none."""

    text: str
    marks: tuple[Mark, ...]
    line: int
    label: str = ""
    prose: bool = False


def tell_entry(frame: Frame, reference_list: Term, section: int, raw: Raw, standing: bool) -> None:
    """Tell an entry; a line of prose without label and id is passed over."""
    found = ids.find_ids(raw.text, raw.marks, frame.lexicon)
    label, start = _label(raw, found)
    named = [i for i in found if i.iri]
    if raw.prose and not label and not (named and named[0].start - start < 24):
        return
    node, out = frame.node("b"), frame.out
    out += (
        f"{node} {v.RDF_TYPE} {v.BIRO_BIBLIOGRAPHIC_REFERENCE}",
        f"{node} {v.DCTERMS_IS_PART_OF} {reference_list}",
        f"{node} {v.KB_LINE} {integer(raw.line)}",
        f"{node} {v.KB_AS_PRINTED} {text(raw.text)}",
    )
    if label:
        frame.tell(node, v.KB_LABEL, text(label.removeprefix("^")))
        frame.labelled.setdefault(label, []).append(node)
    title, rest = _title(frame, raw.text, found, start, standing)
    if title:
        frame.tell(node, v.DCTERMS_TITLE, worded(title))
    _tell_work(frame, node, named, title)
    _tell_standing(frame, node, rest, standing)
    place = f"{v.KB_IN_SECTION} {frame.parts[section].node}" if section >= 0 else ""
    for i in found:
        if i.malformed:
            tell_malformed(frame, i, i.malformed, raw.line, place)
        elif iri(i.iri) != frame.stands_for.get(node):
            tell_pointer(frame, i, raw.line, place)


def _label(raw: Raw, found: tuple[Id, ...]) -> tuple[str, int]:
    """The label printed before an entry, and where the entry proper begins."""
    printed = _LABEL.match(raw.text)
    if printed and not any(i.start < printed.end() and printed.start() < i.end for i in found):
        return printed[1] or printed[2], printed.end()
    return raw.label, 0


def _tell_work(frame: Frame, node: Term, named: list[Id], title: str) -> None:
    """The work that the entry stands for: its first id of a work, else its first link."""
    chosen = next((i for i in named if i.work), named[0] if named else None)
    if chosen is None:
        return
    work = nodes.named(frame, chosen)
    frame.tell(node, v.BIRO_REFERENCES, work)
    frame.entries.setdefault(work, []).append(node)
    frame.stands_for[node] = work
    if chosen.version:
        frame.tell(node, v.KB_VERSION, text(chosen.version))
    if title:
        learn(frame, title, work)


def _title(frame: Frame, value: str, found: tuple[Id, ...], start: int, standing: bool) -> tuple[str, str]:
    """Title of an entry, ids and remarks left out, and the remarks."""
    pieces, at = [], start
    for i in (i for i in found if not i.target and i.start >= start):
        pieces.append(_PREFIX.sub("", value[at : i.start]))
        at = max(at, i.end)
    bare = _HOLLOW.sub(" ", " ".join([*pieces, value[at:]])).strip(_EDGES)
    cut = _CUT.search(bare, 3)
    title, rest = (bare[: cut.start()], bare[cut.start() :]) if cut else (bare, "")
    if standing and len(title) < 24 and next(frame.words.matcher("standing").at(title.lower(), 0), None):
        return "", bare
    return title.strip(_EDGES), rest or " ".join(_ASIDE.findall(bare))


def _tell_standing(frame: Frame, node: Term, rest: str, standing: bool) -> None:
    disposition = frame.words.disposition(rest) if rest else ""
    if disposition:
        frame.tell(node, v.KB_DISPOSITION, concept(disposition))
    if standing:
        names = dict.fromkeys(word.concept for word in frame.words.concepts("standing", rest))
        frame.out += (f"{node} {v.KB_STANDING} {concept(name)}" for name in names)
