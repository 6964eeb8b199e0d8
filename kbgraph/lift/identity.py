"""What a file is known by whatever its name is: the work of a card, a round, a title, else the text it begins with."""

from __future__ import annotations

from kbgraph import vocab as v
from kbgraph.lift.naming import stem
from kbgraph.model.document import Document
from kbgraph.model.facts import Facts
from kbgraph.model.lexicon import fold
from kbgraph.model.ntriples import parts, split

_CARDS = {v.KB_PAPER_CARD, v.KB_REPO_CARD}
_LONGEST = 200  # characters of a text


def identity_of(document: Document, facts: Facts) -> tuple[str, str]:
    """Identity and day of a file; the day is "" where it has none, and the identity its path where all else fails."""
    said: dict[str, list[str]] = {}
    head = f"{facts.graph} "
    for triple in facts.triples:
        if triple.startswith(head):
            _, verb, value = split(triple)
            said.setdefault(verb, []).append(value)
    day = min((parts(term).value for term in said.get(v.DCTERMS_DATE, ())), default="")
    return _known(document, said), day


def _known(document: Document, said: dict[str, list[str]]) -> str:
    types = set(said.get(v.RDF_TYPE, ()))
    if types & _CARDS and v.SCHEMA_ABOUT in said:
        return f"work {min(said[v.SCHEMA_ABOUT])}"
    if v.KB_MANIFEST in types and v.DCTERMS_IDENTIFIER in said:
        return f"round {min(said[v.DCTERMS_IDENTIFIER])}"
    stated = min((parts(term).value for term in said.get(v.DCTERMS_TITLE, ())), default="")
    if document.sections or stated != stem(document.path):
        return f"title {fold(stated)[:_LONGEST]}"
    opening = next((text for block in document.blocks if (text := fold(block.text))), "")
    return f"text {opening[:_LONGEST]}" if opening else f"path {document.path}"
