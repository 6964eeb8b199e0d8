"""Works, repositories and pages as nodes: what each is and how people write it, told once a file."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.frame import Frame
from kbgraph.lift.scan.found import Id
from kbgraph.model.facts import Term, iri, text


def named(frame: Frame, found: Id) -> Term:
    """The node of what an id names, described on first sight; call it for ids that name something."""
    node = iri(found.iri)
    if node not in frame.described:
        frame.described.add(node)
        frame.out += _description(node, found)
        if found.kind == "url":
            frame.pages.add(node)
    return node


def _description(node: Term, found: Id) -> tuple[str, ...]:
    if found.kind == "repo":
        return (f"{node} {v.RDF_TYPE} {v.SCHEMA_SOFTWARE_SOURCE_CODE}", f"{node} {v.RDFS_LABEL} {text(found.key)}")
    if found.kind == "url":
        return (f"{node} {v.RDF_TYPE} {v.FABIO_WEB_PAGE}",)
    return (f"{node} {v.RDF_TYPE} {v.FABIO_WORK}", f"{node} {v.DCTERMS_IDENTIFIER} {text(found.key)}")


def version(frame: Frame, work: Term, number: str) -> Term:
    """The node of one version of a work, described on first sight."""
    node = Term(f"{work[:-1]}v{number}>")
    if node not in frame.described:
        frame.described.add(node)
        frame.tell(node, v.DCTERMS_IS_VERSION_OF, work)
    return node
