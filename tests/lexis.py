"""The shipped lexicon and small made-up ones, for tests of the scanners."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pyoxigraph as ox

from kbgraph.model.lexicon import Concept, Lexicon, fold, make_lexicon

KB = "https://w3id.org/kbgraph/ns#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
ONTOLOGY = Path(__file__).parent.parent / "ontology" / "lexicon.ttl"


def _local(term: Term) -> str:
    return term.value.removeprefix(KB) if isinstance(term, ox.NamedNode) else ""


def _concept(name: str, facts: dict[str, list[Term]]) -> Concept:
    """One concept from its properties."""

    def one(prop: str) -> str:
        found = facts.get(prop, [])
        return found[0].value if found and isinstance(found[0], ox.Literal) else ""

    printed = [t for p in ("prefLabel", "altLabel") for t in facts.get(SKOS + p, []) if isinstance(t, ox.Literal)]
    labels = sorted({fold(t.value) for t in printed}, key=lambda label: (-len(label), label))
    pref = {t.language or "": t.value for t in facts.get(SKOS + "prefLabel", []) if isinstance(t, ox.Literal)}
    broader = facts.get(SKOS + "broader", [])
    return Concept(
        name,
        _local(facts[SKOS + "inScheme"][0]).removeprefix("scheme-"),
        tuple(labels),
        pref,
        int(one(KB + "rank") or 0),
        _local(broader[0]) if broader else "",
        one(KB + "value"),
    )


@lru_cache(maxsize=1)
def shipped() -> Lexicon:
    """`ontology/lexicon.ttl` as the product loads it."""
    facts: dict[str, dict[str, list[Term]]] = {}
    for quad in ox.parse(ONTOLOGY.read_bytes(), format=ox.RdfFormat.TURTLE):
        facts.setdefault(_local(quad.subject), {}).setdefault(quad.predicate.value, []).append(quad.object)
    return make_lexicon((_concept(n, f) for n, f in facts.items() if SKOS + "inScheme" in f), "shipped")


def small(*rows: tuple[str, str, str]) -> Lexicon:
    """A lexicon from (concept name, labels split by `|`, value) rows; the scheme is the name up to its last hyphen."""
    concepts = []
    for name, labels, value in rows:
        folded = sorted({fold(label) for label in labels.split("|")}, key=lambda label: (-len(label), label))
        concepts.append(Concept(name, name.split("-")[0], tuple(folded), {"en": folded[0]}, value=value))
    return make_lexicon(concepts, "small")
