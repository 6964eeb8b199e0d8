"""References to files and to sections: what they name, whether it can be looked up, where they stand."""

from __future__ import annotations

import re

from kbgraph import vocab as v
from kbgraph.lift.documents import Documents
from kbgraph.lift.frame import Frame, Passage, concept
from kbgraph.lift.problems import problem
from kbgraph.lift.quotations import line_behind
from kbgraph.lift.scan import refs
from kbgraph.lift.scan.found import FileRef, SectionRef
from kbgraph.lift.wishes import wishes
from kbgraph.model.facts import Term, boolean, integer, text
from kbgraph.model.text import Mark

_WIKILINK = re.compile(r"\[\[([^\[\]\n]{1,200})\]\]")
_ASIDE = re.compile(r"`?\s?[(（]([^（）()]{1,80})[)）]")
_QUOTE = re.compile(r"“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|\"[^\"\n]*\"")
_UNNAMED = frozenset({"code", "comment"})
_ASKING = frozenset({"report", "brief"})  # what a document says of its own sections is no wish


def tell_refs(frame: Frame) -> None:
    """Tell all file and section references."""
    tops = refs.tops_of(frame.settings.globs)
    documents = Documents(frame)
    for passage in frame.passages:
        marks = passage.marks
        if passage.place == "field" and "[[" in passage.text:
            marks = tuple(Mark("wikilink", *m.span(), m[1]) for m in _WIKILINK.finditer(passage.text))
        if marks or "/" in passage.text:
            for found in refs.find_file_refs(passage.text, marks, frame.document.path, tops):
                _tell_file(frame, passage, found)
        if passage.place not in _UNNAMED:
            found_here = list(documents.sections(passage.text, passage.marks))
            wished = wishes(frame, passage.text, found_here) if frame.kind in _ASKING else {}
            for at, section in enumerate(found_here):
                if section.start or passage.place != "heading":  # a heading's own number is no reference
                    node = _tell_section(frame, passage, section, documents)
                    frame.out += (f"{node} {v.KB_ASKS_FOR} {text(phrase)}" for phrase in wished.get(at, ()))


def _tell_place(frame: Frame, node: Term, passage: Passage, start: int, printed: str) -> None:
    out = frame.out
    out += (
        f"{node} {v.KB_LINE} {integer(passage.line_at(start))}",
        f"{node} {v.KB_AS_PRINTED} {text(printed)}",
    )
    within = frame.within(passage)
    if within:
        out.append(f"{node} {within}")
    if passage.role:
        frame.tell(node, v.KB_ROLE, concept(passage.role))


def _tell_file(frame: Frame, passage: Passage, found: FileRef) -> None:
    node = frame.node("r")
    if found.broken:
        problem(frame, "broken-link", passage.line_at(found.start), found.path)
    place = found.mark if found.mark in ("code", "image") and found.syntax != "path" else passage.place
    if place == "body" and frame.kind == "brief" and (_unread(frame, passage, found.end) or _quoted(passage, found)):
        place = "reported"
    frame.tell(node, v.RDF_TYPE, v.KB_FILE_REFERENCE)
    frame.tell(node, v.KB_SYNTAX, text(found.syntax))
    frame.tell(node, v.KB_PLACE, text(place))
    named = ((v.KB_TARGET_PATH, found.path), (v.KB_TARGET_NAME, found.name), (v.KB_TARGET_ANCHOR, found.anchor))
    frame.out += (f"{node} {predicate} {text(value)}" for predicate, value in named if value)
    traits = ((v.KB_OUTSIDE, found.outside), (v.KB_TEMPLATE, found.template))
    frame.out += (f"{node} {predicate} {boolean(True)}" for predicate, holds in traits if holds)
    if line := line_behind(passage.text, found.end):
        frame.tell(node, v.KB_TARGET_LINE, integer(line))
    _tell_place(frame, node, passage, found.start, found.printed)
    used = passage.role in ("role-source", "role-title", "") and place != "reported"
    if passage.item >= 0 and used and found.path and not found.template:
        _source(frame, passage.item, found.path)


def _unread(frame: Frame, passage: Passage, end: int) -> bool:
    """Whether a bracket behind a file's name says that it was not read."""
    aside = _ASIDE.match(passage.text, end)
    return aside is not None and bool(frame.words.matcher("disclaimer").find(aside[1]))


def _quoted(passage: Passage, found: FileRef) -> bool:
    """Whether a file is named inside the quoted words of another text."""
    spans = (m.span() for m in _QUOTE.finditer(passage.text))
    return any(a < found.start and found.end < b and b - a > found.end - found.start + 4 for a, b in spans)


def _source(frame: Frame, item: int, path: str) -> None:
    """A file named as an item's source."""
    paths = frame.items[item].paths
    if path not in paths:
        paths.append(path)


def _tell_section(frame: Frame, passage: Passage, found: SectionRef, documents: Documents) -> Term:
    node = frame.node("x")
    frame.tell(node, v.RDF_TYPE, v.KB_SECTION_REFERENCE)
    of_work = found.of_work or (frame.kind == "paper-card" and not found.document)
    key = "" if of_work else target_key(frame, found, documents)
    if key:  # the number is its end
        frame.tell(node, v.KB_TARGET_KEY, text(key))
    else:
        frame.tell(node, v.KB_TARGET_NUMBER, text(found.number))
    if of_work:
        about = frame.items[passage.item].about if passage.item >= 0 else list(frame.about)
        frame.out += (f"{node} {v.KB_OF_WORK} {work}" for work in about[:1])
    if found.described_as:
        frame.tell(node, v.KB_DESCRIBED_AS, text(found.described_as))
    if passage.place == "reported":
        frame.tell(node, v.KB_PLACE, text("reported"))
    _tell_place(frame, node, passage, found.start, found.printed)
    return node


def target_key(frame: Frame, found: SectionRef, documents: Documents) -> str:
    """The key of the section meant: in the named document, in this one, in the topic's, or in any; "" when unclear."""
    if topic := documents.topic(found.document):
        own = topic == frame.topic and frame.kind == "knowledge"
        return f"{frame.document.path if own else topic}§{found.number}"
    if found.document:
        return f"{_path_of(frame, found.document)}§{found.number}"
    if frame.kind in ("knowledge", "note"):
        numbered = any(section.number for section in frame.document.sections)
        return f"{frame.document.path}§{found.number}" if numbered else ""
    return f"{frame.topic or '*'}§{found.number}"


def _path_of(frame: Frame, document: str) -> str:
    """A document's path; a bare file name is looked for beside the knowledge documents."""
    if "/" in document:
        folder = next((glob.partition("*")[0] for glob, kind in frame.settings.globs if kind == "knowledge"), "")
        above = folder.rstrip("/").rpartition("/")[2]
        tail = document.rpartition("/")[2]
        return folder + tail if above and document == f"{above}/{tail}" else document.removeprefix("./")
    return next(
        (glob.partition("*")[0] + document for glob, kind in frame.settings.globs if kind == "knowledge"), document
    )
