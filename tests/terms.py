"""RDF in cases: terms as CURIEs, patterns in Turtle with variables matched against facts."""

from __future__ import annotations

import re
from functools import cache

from pyoxigraph import RdfFormat, Store

PREFIXES = {
    "kb": "https://w3id.org/kbgraph/ns#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "prov": "http://www.w3.org/ns/prov#",
    "dcterms": "http://purl.org/dc/terms/",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "sh": "http://www.w3.org/ns/shacl#",
    "oa": "http://www.w3.org/ns/oa#",
    **{name: f"http://purl.org/spar/{name}/" for name in ("fabio", "cito", "biro", "c4o", "doco")},
}
BASE = "urn:kb:kb:"
_LOCAL = re.compile(r"[\w-]+")
_SHORT_LITERALS = {f"{PREFIXES['xsd']}{name}" for name in ("integer", "decimal", "boolean")}


def curie(iri: str) -> str:
    """An IRI as CURIE, as `:path#local` when it is the corpus's own, else whole in angle brackets."""
    if iri == f"{PREFIXES['rdf']}type":
        return "a"
    if iri.startswith(BASE):
        return f":{iri[len(BASE) :]}"
    for name, start in PREFIXES.items():
        if iri.startswith(start) and _LOCAL.fullmatch(iri[len(start) :]):
            return f"{name}:{iri[len(start) :]}"
    return f"<{iri}>"


def shown(term: str) -> str:
    """An N-Triples term as a case writes it: CURIEs, bare numbers and truth values."""
    if term.startswith("<"):
        return curie(term[1:-1])
    lexical, marker, datatype = term.rpartition('"^^<')
    if not marker:
        return term
    return lexical[1:] if datatype[:-1] in _SHORT_LITERALS else f'{lexical}"^^{curie(datatype[:-1])}'


_TRIPLE = re.compile(r"(<[^>]*>) (<[^>]*>) (.*)", re.DOTALL)


def shown_triples(triples: tuple[str, ...]) -> str:
    """Triples one a line in CURIE form, sorted."""
    lines = []
    for triple in triples:
        match = _TRIPLE.fullmatch(triple)
        assert match, f"no triple: {triple!r}"
        lines.append(" ".join(map(shown, match.groups())))
    return "".join(f"{line}\n" for line in sorted(lines))


@cache
def loaded(nquads: str) -> Store:
    """A store of these N-Quads, strictly parsed."""
    store = Store()
    store.bulk_load(nquads.encode(), RdfFormat.N_QUADS)
    return store


def patterns(body: str) -> list[str]:
    """The paragraphs of a pattern block, comments left out."""
    lines = [line for line in body.splitlines() if not line.startswith("#")]
    return [part.strip() for part in re.split(r"\n\s*\n", "\n".join(lines)) if part.strip()]


def matches(nquads: str, material: str, pattern: str) -> bool:
    """Whether the facts hold the pattern; `<>` and `<#x>` are resolved against the material's IRI."""
    prologue = f"BASE <{material}>\nPREFIX : <{BASE}>\n" + "".join(f"PREFIX {k}: <{v}>\n" for k, v in PREFIXES.items())
    return bool(loaded(nquads).query(f"{prologue}ASK {{ {pattern} }}", use_default_graph_as_union=True))
