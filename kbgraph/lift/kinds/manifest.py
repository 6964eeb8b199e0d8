"""A manifest: the materials that one round may consume, and what it compares them with."""

from __future__ import annotations

import re

from kbgraph import vocab as v
from kbgraph.lift.body import open_file
from kbgraph.lift.frame import Frame
from kbgraph.lift.naming import stem
from kbgraph.model.document import Field
from kbgraph.model.facts import Term, boolean, integer, iri, segment, text
from kbgraph.model.lexicon import fold

KIND = "manifest"
_ENTRY = re.compile(r"(materials|compare)(?:\[(\d+)\])?(?:\.(path|sha256|kind))?")
_WEIGHT = {"path": v.KB_TARGET_PATH, "sha256": v.KB_EXPECTED_SHA256, "kind": v.KB_MATERIAL_KIND}


def lift(frame: Frame) -> None:
    """Tell a manifest and its round."""
    open_file(frame, v.KB_MANIFEST)
    me, fields = frame.me, frame.document.fields
    frame.tell(me, v.RDF_TYPE, v.PROV_COLLECTION)
    given = {entry.key: entry.value for entry in reversed(fields)}
    name = given.get("id") or stem(frame.document.path)
    node = iri(f"{frame.settings.base}round/{segment(name)}")
    frame.tell(me, v.DCTERMS_IDENTIFIER, text(name))
    frame.tell(node, v.RDF_TYPE, v.KB_ROUND)
    frame.tell(node, v.RDF_TYPE, v.PROV_ACTIVITY)
    frame.tell(node, v.KB_MANIFEST_P, me)
    if given.get("topic"):
        for subject in (me, node):
            frame.tell(subject, v.KB_TOPIC, text(fold(given["topic"])))
    if given.get("created"):
        frame.tell(me, v.DCTERMS_CREATED, text(given["created"]))
        frame.tell(node, v.PROV_STARTED_AT_TIME, text(given["created"]))
        frame.tell(node, v.DCTERMS_CREATED, text(given["created"]))
    for entry in _entries(fields):
        _tell(frame, node, entry)


def _entries(fields: tuple[Field, ...]) -> list[dict[str, Field]]:
    """Fields of each entry, in order; a plain string is an entry's path."""
    found: dict[str, dict[str, Field]] = {}
    for number, entry in enumerate(fields):
        part = _ENTRY.fullmatch(entry.key)
        if part:
            place = f"{part[1]}[{part[2] if part[2] and part[3] else f'={number}'}]"
            found.setdefault(place, {}).setdefault(part[3] or "path", entry)
    return [entry for entry in found.values() if "path" in entry]


def _tell(frame: Frame, turn: Term, entry: dict[str, Field]) -> None:
    node, path = frame.node("v"), entry["path"]
    frame.tell(node, v.RDF_TYPE, v.KB_MANIFEST_ENTRY)
    frame.tell(node, v.DCTERMS_IS_PART_OF, frame.me)
    frame.tell(node, v.KB_LINE, integer(path.line))
    frame.out += (f"{node} {_WEIGHT[name]} {text(value.value)}" for name, value in entry.items())
    if path.key.startswith("compare"):
        frame.tell(node, v.KB_COMPARED, boolean(True))
        return
    member = iri(frame.settings.base + segment(path.value))
    frame.tell(frame.me, v.PROV_HAD_MEMBER, member)
    frame.tell(turn, v.PROV_USED, member)
