"""A term of the ontology told in both languages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from kbgraph.model.ntriples import parts, split
from kbgraph.model.prefixes import NS, PREFIXES
from kbgraph.model.query import Both

_RDFS, _SKOS = PREFIXES["rdfs"], PREFIXES["skos"]
_LABELS = (f"{_RDFS}label", f"{_SKOS}prefLabel")
_COMMENTS = (f"{_RDFS}comment", f"{_SKOS}definition", f"{_SKOS}scopeNote")
_WORDS = (f"{_SKOS}altLabel",)
_LINKS = (
    ("kind", f"{PREFIXES['rdf']}type"), ("scheme", f"{_SKOS}inScheme"), ("part of", f"{_RDFS}subClassOf"),
    ("broader", f"{_SKOS}broader"), ("domain", f"{_RDFS}domain"), ("range", f"{_RDFS}range"), ("rank", f"{NS}rank"),
    ("stands for", f"{NS}value"),
)  # fmt: skip

# property -> (value, language) pairs, in the order of the file
Said = Mapping[str, list[tuple[str, str]]]


def terms(triples: Iterable[str]) -> dict[str, Said]:
    """What the ontology says of each `kb:` name, by local name."""
    found: dict[str, dict[str, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    for subject, predicate, value in map(split, triples):
        if subject.startswith(f"<{NS}"):
            told = parts(value)
            found[subject[len(NS) + 1 : -1]][predicate[1:-1]].append((told.value, told.lang))
    return {name: said for name, said in found.items() if any(label in said for label in _LABELS)}


def named(triples: Iterable[str]) -> dict[str, Both]:
    """Labels by language of every term that the ontology describes, by local name, its own before foreign ones."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for subject, predicate, value in sorted(map(split, triples), key=lambda t: t[0].startswith(f"<{NS}")):
        if predicate[1:-1] in _LABELS:
            told = parts(value)
            found[re.split(r"[#/]", subject[1:-1])[-1]][told.lang] = told.value
    return dict(found)


def term_page(name: str, said: Said) -> str:
    """One term: labels, comments, what it links, and the words that recognise it."""
    lines = [f"# kb:{name}", "", " · ".join(_texts(said, _LABELS)), ""]
    lines += [text for comment in _texts(said, _COMMENTS) for text in (comment, "")]
    lines += [
        f"- {label}: {', '.join(_short(value) for value, _ in said[key])}" for label, key in _LINKS if key in said
    ]
    words = _texts(said, _WORDS)
    if words:
        lines.append(f"- words: {', '.join(words)}")
    return "\n".join(lines).rstrip("\n") + "\n"


def _texts(said: Said, keys: Iterable[str]) -> list[str]:
    """Texts of these properties, English first."""
    found = [pair for key in keys for pair in said.get(key, ())]
    return [text for text, _ in sorted(found, key=lambda pair: pair[1] != "en")]


def _short(iri: str) -> str:
    return next((f"{p}:{iri[len(start) :]}" for p, start in PREFIXES.items() if iri.startswith(start)), iri)
