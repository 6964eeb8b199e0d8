"""The ontology read with rdflib, and what is written from it: kbgraph/vocab.py and ontology/README.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rdflib import RDF, RDFS, SKOS, Graph, Namespace, URIRef
from rdflib.term import Node

ROOT = Path(__file__).parent.parent
ONTOLOGY = ROOT / "ontology"
KB = Namespace("https://w3id.org/kbgraph/ns#")
LANGUAGES = ("zh", "en")
# Concepts of these schemes stand in the graph or in queries; the other schemes only serve to recognise words.
STORED = (
    "action", "counted", "counter", "disposition", "level", "oddity", "relation",
    "report", "role", "section", "standing", "state", "verdict", "version",
)  # fmt: skip
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

HEADER = '''"""The ontology's names as terms of the graph. Written by `pytest --update` from ontology/: do not edit."""

from collections.abc import Mapping
from typing import Final, NewType

Term = NewType("Term", str)  # the N-Triples spelling of a term; here, since every constant below is one

'''


IMPLIED = """# A class that no rdf:type states in the graph -> the verb whose subjects are its nodes.
IMPLIED: Final[Mapping[str, str]] = {
"""


@cache
def graph(*names: str) -> Graph:
    """These files of the ontology as one graph; all of its vocabulary by default."""
    read = Graph()
    for name in names or ("kbgraph.ttl", "lexicon.ttl"):
        read.parse(ONTOLOGY / name, format="turtle")
    return read


def texts(subject: Node, predicate: URIRef) -> dict[str, str]:
    """Texts of a property by language."""
    found = (o for o in graph().objects(subject, predicate))
    return {str(getattr(o, "language", "") or ""): str(o) for o in found}


def named(kind: URIRef) -> list[URIRef]:
    """Everything of this class that has a name, sorted."""
    return sorted(s for s in graph().subjects(RDF.type, kind) if isinstance(s, URIRef))


def concepts(scheme: str) -> list[URIRef]:
    """Concepts of a scheme, sorted."""
    found = graph().subjects(SKOS.inScheme, KB[f"scheme-{scheme}"])
    return sorted(s for s in found if isinstance(s, URIRef))


def curie(term: URIRef) -> str:
    """A term by its prefix, as the ontology's files write it."""
    return graph().namespace_manager.curie(term, generate=False)


def constant(term: URIRef) -> str:
    """Name of a term's constant; a property that is spelled like a class ends in _P."""
    prefix, local = curie(term).split(":", 1)
    name = f"{prefix}_{_CAMEL.sub('_', local)}".replace("-", "_").upper()
    is_property = (term, RDF.type, RDF.Property) in graph()
    twin = URIRef(str(term)[: -len(local)] + local[0].upper() + local[1:])
    return f"{name}_P" if is_property and twin != term and (twin, RDF.type, RDFS.Class) in graph() else name


def terms() -> list[tuple[str, URIRef]]:
    """Every constant with its term: classes, properties, concepts that are stored; sorted by name."""
    found = named(RDFS.Class) + named(RDF.Property) + [c for scheme in STORED for c in concepts(scheme)]
    return sorted((constant(term), term) for term in found)


def implied() -> list[tuple[URIRef, str]]:
    """Classes that the graph does not state, each with the verb whose subjects are its nodes, one triple a graph."""
    found = [(c, f"<{p}>") for c, p in graph().subject_objects(KB.impliedBySubjectOf)]
    return sorted((c, verb) for c, verb in found if isinstance(c, URIRef))


def vocab_py() -> str:
    """The text of kbgraph/vocab.py."""
    constants = "".join(f'{name}: Final = Term("<{term}>")\n' for name, term in terms())
    classes = "".join(f'    "{name}": "{verb}",\n' for name, verb in implied())
    return f"{HEADER}{constants}\n{IMPLIED}{classes}}}\n"


def _row(term: URIRef, about: URIRef, names: URIRef) -> str:
    label, comment = texts(term, names), texts(term, about)
    cells = (f"`{curie(term)}`", *(label.get(x, "") for x in LANGUAGES), *(comment.get(x, "") for x in LANGUAGES))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _table(title: str, rows: Iterator[str]) -> str:
    return f"\n## {title}\n\n| term | zh | en | 说明 | comment |\n|---|---|---|---|---|\n" + "".join(rows)


def _scheme(scheme: URIRef) -> str:
    label, comment = texts(scheme, RDFS.label), texts(scheme, RDFS.comment)
    members = concepts(str(scheme).rpartition("#scheme-")[2])
    words = ((curie(c), texts(c, SKOS.prefLabel)) for c in members)
    shown = "".join(f"| `{name}` | {word['zh']} | {word['en']} |\n" for name, word in words)
    head = f"\n### {curie(scheme)} · {label['zh']} · {label['en']}\n\n{comment['zh']} {comment['en']}\n\n"
    return f"{head}| concept | zh | en |\n|---|---|---|\n{shown}"


def readme() -> str:
    """The text of ontology/README.md."""
    own = [t for t in named(RDFS.Class) + named(RDF.Property) if t.startswith(KB)]
    foreign = [t for t in named(RDFS.Class) + named(RDF.Property) if not t.startswith(KB)]
    classes = [t for t in own if (t, RDF.type, RDFS.Class) in graph()]
    properties = [t for t in own if t not in classes]
    intro = (
        "# The terms of the graph\n\nWritten by `pytest --update` from the files beside it.\n\n"
        "- `kbgraph.ttl`: own classes and properties (`kb:` is <https://w3id.org/kbgraph/ns#>), "
        "and how terms of others are used\n"
        "- `lexicon.ttl`: the words by which things are recognised, zh and en, as SKOS schemes\n"
        "- `align.ttl`: how evidence levels and kinds stand to other vocabularies\n"
        "- `shapes.ttl`: SHACL shapes for what a stored graph must satisfy\n"
    )
    tables = (
        _table(title, (_row(t, RDFS.comment, RDFS.label) for t in found))
        for title, found in (("Classes", classes), ("Properties", properties), ("Terms of others", foreign))
    )
    schemes = "".join(_scheme(s) for s in named(SKOS.ConceptScheme))
    return intro + "".join(tables) + "\n## Schemes of the lexicon\n" + schemes
