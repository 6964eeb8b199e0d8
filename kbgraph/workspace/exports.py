"""The whole graph as text: N-Quads, TriG, Turtle, JSON-LD, CSV and GraphML, in pieces, in one order.

Every class is stated, those too that the store leaves to the ontology: who reads the text has no other way to know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import groupby
from typing import Protocol
from xml.sax.saxutils import quoteattr

from kbgraph.errors import UsageError
from kbgraph.model.facts import Term
from kbgraph.model.ntriples import LANG_STRING, STRING, parts, split_quad
from kbgraph.render import escape
from kbgraph.render.escape import visible
from kbgraph.store import Quad
from kbgraph.store.implied import types, whole
from kbgraph.store.serialise import TYPE, Triple, jsonld, short, trig, turtle

_LABELS = tuple(
    f"<{iri}>"
    for iri in (
        "http://purl.org/dc/terms/title", "http://www.w3.org/2000/01/rdf-schema#label", "https://schema.org/text",
        "https://w3id.org/kbgraph/ns#path", "https://w3id.org/kbgraph/ns#asPrinted",
        "http://purl.org/dc/terms/identifier",
    )
)  # fmt: skip
_NUMBER = re.compile(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?")


class Readable(Protocol):
    """As much of a store as an export reads."""

    def graphs(self) -> Mapping[Term, str]:
        """Every named graph."""

    def match(
        self, s: Term | None = None, p: Term | None = None, o: Term | None = None, g: Term | None = None
    ) -> Iterator[Quad]:
        """Quads that agree with the terms given."""

    def dump(self) -> Iterator[str]:
        """All quads as sorted N-Quads lines."""


class Without:
    """A store without some of its graphs: what was found on a corpus is no fact of it, and depends on earlier runs."""

    def __init__(self, store: Readable, *graphs: Term) -> None:
        self._store = store
        self._graphs = graphs

    def graphs(self) -> Mapping[Term, str]:
        """Every other graph."""
        return {name: sha for name, sha in self._store.graphs().items() if name not in self._graphs}

    def match(
        self, s: Term | None = None, p: Term | None = None, o: Term | None = None, g: Term | None = None
    ) -> Iterator[Quad]:
        """Quads of the other graphs."""
        return (quad for quad in self._store.match(s, p, o, g) if quad[3] not in self._graphs)

    def dump(self) -> Iterator[str]:
        """Lines of the other graphs."""
        ends = tuple(f" {graph} ." for graph in self._graphs)
        return (line for line in self._store.dump() if not line.endswith(ends))


def export(store: Readable, fmt: str) -> Iterator[str]:
    """The graph in a format, in pieces; the same graph gives the same text."""
    if fmt not in FORMATS:
        near = get_close_matches(fmt, FORMATS, 1)
        mend = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(sorted(FORMATS))}"
        raise UsageError(f"there is no export format `{fmt}`", mend)
    return FORMATS[fmt](store)


def _nq(store: Readable) -> Iterator[str]:
    return (f"{line}\n" for line in whole(store))


def _graphs(store: Readable) -> Iterator[tuple[Term, Iterable[Triple]]]:
    """Graphs by name, each with its sorted triples; one graph at a time is in memory."""
    for name in sorted(store.graphs()):
        yield name, sorted({quad[:3] for quad in (*store.match(g=name), *types(store.match, None, None, name))})


def _trig(store: Readable) -> Iterator[str]:
    return trig(_graphs(store))


def _jsonld(store: Readable) -> Iterator[str]:
    return jsonld(_graphs(store))


def triples(store: Readable) -> Iterator[Triple]:
    """Triples of all graphs, sorted, each once."""
    return (triple for triple, _ in groupby(quad[:3] for quad in map(split_quad, whole(store))))


def _ttl(store: Readable) -> Iterator[str]:
    return turtle(triples(store))


def _csv(store: Readable) -> Iterator[str]:
    """One row a quad: bare IRIs and texts, with language and datatype; what hides or would be a formula is shown."""
    yield "subject,predicate,object,language,datatype,graph\n"
    for quad in map(split_quad, whole(store)):
        yield ",".join(_cells(quad)) + "\n"


def _cells(quad: Quad) -> tuple[str, ...]:
    s, p, o, g = map(parts, quad)
    # A number keeps its minus; a text that starts like a formula gets an apostrophe.
    number = o.datatype not in {"", STRING, LANG_STRING}
    value = o.value if number and _NUMBER.fullmatch(o.value) else escape.csv(o.value)
    return escape.csv(s.value), escape.csv(p.value), value, o.lang, "" if o.lang else o.datatype, escape.csv(g.value)


def _graphml(store: Readable) -> Iterator[str]:
    """Every thing a node with its label and type, every statement between two things an edge."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for key, owner in (("label", "node"), ("type", "node"), ("predicate", "edge")):
        yield f'<key id="{key}" for="{owner}" attr.name="{key}" attr.type="string"/>\n'
    yield '<graph id="kbgraph" edgedefault="directed">\n'
    objects: set[Term] = set()
    subjects: set[Term] = set()
    for subject, of in groupby(triples(store), key=lambda triple: triple[0]):
        subjects.add(subject)
        said: dict[str, list[Term]] = {}
        for _, p, o in of:
            said.setdefault(p, []).append(o)
            if o.startswith("<") and p != TYPE:
                objects.add(o)
        yield _node(subject, said)
    yield from (_node(thing, {}) for thing in sorted(objects - subjects))
    for s, p, o in triples(store):
        if o.startswith("<") and p != TYPE:
            yield f'<edge source={_xml(s)} target={_xml(o)}><data key="predicate">{_text(short(p))}</data></edge>\n'
    yield "</graph>\n</graphml>\n"


def _node(thing: Term, said: Mapping[str, list[Term]]) -> str:
    label = next((parts(said[p][0]).value for p in _LABELS if p in said), parts(thing).value)
    types = " ".join(short(t) for t in said.get(TYPE, ()))
    kind = f'<data key="type">{_text(types)}</data>' if types else ""
    return f'<node id={_xml(thing)}><data key="label">{_text(label)}</data>{kind}</node>\n'


def _xml(term: Term) -> str:
    return quoteattr(visible(parts(term).value))


def _text(value: str) -> str:
    return visible(value).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


FORMATS: Mapping[str, Callable[[Readable], Iterator[str]]] = {
    "csv": _csv,
    "graphml": _graphml,
    "jsonld": _jsonld,
    "nq": _nq,
    "trig": _trig,
    "ttl": _ttl,
}
