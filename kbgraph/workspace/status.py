"""What a graph holds, counted, and its rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from urllib.parse import unquote

from kbgraph.ask.implied import stated
from kbgraph.model.query import Table
from kbgraph.model.sync import Round, Status
from kbgraph.store.versions import Covered
from kbgraph.workspace.holdings import Holdings

Select = Callable[[str], Table]

_PREFIXES = """PREFIX kb: <https://w3id.org/kbgraph/ns#>
PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX fabio: <http://purl.org/spar/fabio/>
PREFIX biro: <http://purl.org/spar/biro/>
PREFIX schema: <https://schema.org/>
PREFIX prov: <http://www.w3.org/ns/prov#>
"""
_KINDS = (
    "SELECT ?kind (COUNT(DISTINCT ?m) AS ?n) WHERE { ?m a kb:Material ; a ?kind FILTER("
    "STRSTARTS(STR(?kind), STR(kb:))) } GROUP BY ?kind ORDER BY ?kind"
)
_COVERED = (
    "SELECT (COUNT(?m) AS ?n) (SUM(?l) AS ?lines) (SUM(?u) AS ?understood) WHERE"
    " { ?m kb:lineCount ?l ; kb:understoodLines ?u }"
)
_IGNORED = "SELECT ?why (COUNT(?m) AS ?n) WHERE { ?m kb:ignoredBecause ?why } GROUP BY ?why"
_COUNTED = (
    ("works", "fabio:Work"), ("repositories", "schema:SoftwareSourceCode"), ("web pages", "fabio:WebPage"),
    ("claims", "kb:Claim"), ("evidence lines", "kb:EvidenceLine"), ("quantities", "schema:QuantitativeValue"),
    ("list entries", "biro:BibliographicReference"), ("items", "kb:Item"), ("reading problems", "kb:ReadingProblem"),
)  # fmt: skip
_ROUNDS = """SELECT ?round ?path ?topic ?created (COUNT(DISTINCT ?m) AS ?n) WHERE {
  ?round a kb:Round ; kb:manifest ?manifest . ?manifest kb:path ?path .
  OPTIONAL { ?round kb:topic ?topic } OPTIONAL { ?round dcterms:created ?created } OPTIONAL { ?round prov:used ?m }
} GROUP BY ?round ?path ?topic ?created ORDER BY ?created ?path"""
"""Oldest first."""


def status(holdings: Holdings, select: Select, found: tuple[Round, ...]) -> Status:
    """Kinds, counts, coverage and rounds of a graph."""
    kinds = tuple((str(kind).rpartition("#")[2], _number(n)) for kind, n in select(stated(_PREFIXES + _KINDS)).rows)
    counts = []
    for name, kind in _COUNTED:
        counted = select(stated(f"{_PREFIXES}SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE {{ ?x a {kind} }}"))
        counts.append((name, _number(counted.rows[0][0])))
    covered = _covered(select)
    quads = _number(select("SELECT (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } }").rows[0][0])
    return Status(
        str(holdings.root), kinds, tuple(counts), sum(n for _, n in kinds), quads, covered.lines, covered.understood,
        covered.ignored, found,
    )  # fmt: skip


def _covered(select: Select) -> Covered:
    """What was read of the files of this graph, which may be that of one round."""
    documents, lines, understood = (_number(n) for n in select(_PREFIXES + _COVERED).rows[0])
    reasons: Counter[str] = Counter()
    for told, files in select(_PREFIXES + _IGNORED).rows:
        why, _, number = str(told).rpartition(": ")
        reasons[why] += int(number) * _number(files)
    return Covered(documents, 0, lines, understood, tuple(sorted(reasons.items())))


def rounds(holdings: Holdings, select: Select) -> tuple[Round, ...]:
    """The rounds whose manifests are in the graph, oldest first."""
    recorded = holdings.cache.rounds()
    found = []
    for iri, path, topic, created, number in select(_PREFIXES + _ROUNDS).rows:
        name = unquote(str(iri).removeprefix(f"{holdings.settings.base}round/"), errors="surrogateescape")
        found.append(Round(name, str(topic or ""), str(created or ""), str(path), _number(number), name in recorded))
    return tuple(found)


def _number(cell: object) -> int:
    return int(cell) if isinstance(cell, int | float) else 0
