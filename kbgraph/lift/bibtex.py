"""Entries of a BibTeX file out of its fields: `key.title`, one group a key."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift import nodes
from kbgraph.lift.frame import Frame, Said, worded
from kbgraph.lift.header import ids_of
from kbgraph.lift.scan import ids
from kbgraph.lift.scan.found import Id
from kbgraph.model.document import Field
from kbgraph.model.facts import Term, integer, text

_WORKS = ("eprint", "arxiv", "arxivid", "doi", "isbn", "pmid", "url", "note", "journal")


def tell_entries(frame: Frame) -> None:
    """Tell the list and its entries."""
    entries: dict[str, list[Field]] = {}
    for found in frame.document.fields:
        key = found.key.rpartition(".")[0] or found.key
        entries.setdefault(key, []).append(found)
    if not entries:
        return
    node = Term(f"{frame.local}list>")
    frame.tell(node, v.RDF_TYPE, v.BIRO_REFERENCE_LIST)
    frame.tell(node, v.KB_LINE, integer(frame.document.fields[0].line))
    frame.tell(frame.me, v.KB_HAS_REFERENCE_LIST, node)
    for key, fields in entries.items():
        _tell(frame, node, key, fields)


def _tell(frame: Frame, reference_list: Term, key: str, fields: list[Field]) -> None:
    node = frame.node("b")
    frame.tell(node, v.RDF_TYPE, v.BIRO_BIBLIOGRAPHIC_REFERENCE)
    frame.tell(node, v.DCTERMS_IS_PART_OF, reference_list)
    frame.tell(node, v.KB_LINE, integer(fields[0].line))
    frame.tell(node, v.KB_LABEL, text(key))
    values = {found.key.rpartition(".")[2].lower(): found for found in fields}
    if "title" in values:
        frame.tell(node, v.DCTERMS_TITLE, worded(values["title"].value.strip("{}")))
    work = next((i for name in _WORKS if name in values for i in _named(values[name], name)), None)
    if work:
        frame.tell(node, v.BIRO_REFERENCES, nodes.named(frame, work))


def _named(found: Field, name: str) -> tuple[Id, ...]:
    if name in ("eprint", "arxiv", "arxivid"):
        return tuple(i for i in ids_of(Said("field-arxiv", found.value, found.line)) if i.iri)
    prefix = {"doi": "doi:", "isbn": "ISBN ", "pmid": "PMID "}.get(name, "")
    return tuple(i for i in ids.find_ids(prefix + found.value) if i.iri)
