"""The reference backend: an rdflib Dataset in memory. Slow and plain; it holds the other engines to their word."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice

from pyparsing import ParseException
from rdflib import Dataset, Literal, URIRef
from rdflib.query import Result
from rdflib.term import Node

from kbgraph.errors import StoreError
from kbgraph.model.facts import Facts, Term
from kbgraph.model.ntriples import STRING, parts, spelled, split
from kbgraph.model.query import Cell
from kbgraph.store import Quad
from kbgraph.store.answers import Answer, cell
from kbgraph.store.asking import Asking
from kbgraph.store.child import CAN_FORK, Child, forked, inline
from kbgraph.store.worker import Worker

SHA = URIRef("https://w3id.org/kbgraph/ns#sha256")


class Reference(Asking):
    """Named graphs in rdflib's memory store."""

    name = ""  # nobody comes back to it

    _worker: Worker

    def __init__(self) -> None:
        self._data = Dataset(default_union=True)
        self._worker = Worker(self._start)
        self.mark = ""

    def _start(self) -> Child:
        return forked(self.evaluate) if CAN_FORK else inline(self.evaluate)

    def load(self, facts: Iterable[Facts]) -> None:
        """Make the store hold just these graphs."""
        self._data = Dataset(default_union=True)
        self.replace(facts)

    def replace(self, changed: Iterable[Facts], gone: Iterable[Term] = ()) -> None:
        """Replace and drop whole graphs."""
        new = [(URIRef(parts(fact.graph).value), _terms(fact)) for fact in changed]
        for graph in {*(URIRef(parts(g).value) for g in gone), *(g for g, _ in new)}:
            self._data.remove_graph(self._data.graph(graph))
        for graph, triples in new:
            target = self._data.graph(graph)
            for triple in triples:
                target.add(triple)
        self._worker.close()

    def revise(self, graph: Term, gone: Iterable[str], new: Iterable[str]) -> None:
        """Take triples out of a graph and put others in."""
        out, add = (_terms(Facts(graph, tuple(triples))) for triples in (gone, new))
        target = self._data.graph(URIRef(parts(graph).value))
        for triple in out:
            target.remove(triple)
        for triple in add:
            target.add(triple)
        self._worker.close()

    @contextmanager
    def draft(self, fresh: bool = False, mark: str = "") -> Iterator[Reference]:
        """The store itself: nobody else sees it. A block that fails leaves it without a mark."""
        self.mark = ""
        if fresh:
            self.load(())
        yield self
        self.mark = mark

    def graphs(self) -> dict[Term, str]:
        """Every named graph with its kb:sha256."""
        found = {}
        for graph in self._data.graphs():
            if isinstance(graph.identifier, URIRef) and len(graph):
                sha = graph.value(graph.identifier, SHA)
                found[spell(graph.identifier)] = "" if sha is None else str(sha)
        found.pop(spell(self._data.default_graph.identifier), None)
        return found

    def ready(self) -> None:
        """Nothing: it answers one query after the other."""

    def match(
        self, s: Term | None = None, p: Term | None = None, o: Term | None = None, g: Term | None = None
    ) -> Iterator[Quad]:
        """Quads that agree with the terms given."""
        wanted = tuple(None if t is None else term(t) for t in (s, p, o))
        for *triple, graph in self._data.quads((*wanted, None if g is None else self._data.graph(term(g)))):  # type: ignore[arg-type]
            yield spell(triple[0]), spell(triple[1]), spell(triple[2]), spell(graph)

    def dump(self) -> Iterator[str]:
        """All quads as sorted N-Quads lines."""
        return iter(sorted(f"{s} {p} {o} {g} ." for s, p, o, g in self.match()))

    def count(self) -> int:
        """Number of quads."""
        return sum(1 for _ in self._data.quads())

    def evaluate(self, query: str, max_rows: int) -> Answer:
        """Answer a query in this process, without a time limit."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # rdflib's evaluator uses what rdflib deprecates
            try:
                return _answer(self._data.query(query), max_rows)
            except ParseException as error:
                return ("refused", str(error))
            except Exception as error:  # noqa: BLE001  (rdflib raises bare Exception for prefixes that it does not know)
                return ("refused" if "Unknown namespace prefix" in str(error) else "failed", f"{error}")

    def close(self) -> None:
        """End the worker."""
        self._worker.close()


def _terms(fact: Facts) -> list[tuple[Node, Node, Node]]:
    try:
        return [(term(s), term(p), term(o)) for s, p, o in map(split, fact.triples)]
    except ValueError as error:
        raise StoreError(f"a fact is no N-Quads: {error}", "report this: kbgraph itself makes facts") from error


def _answer(result: Result, max_rows: int) -> Answer:
    if result.type == "ASK":
        return ("truth", bool(result.askAnswer))
    if result.type != "SELECT":
        triples = [" ".join(map(spell, triple)) for triple in islice(result.graph or (), max_rows + 1)]
        return ("full", max_rows) if len(triples) > max_rows else ("triples", triples)
    rows = [tuple(_cell(value) for value in row) for row in islice(result, max_rows + 1)]  # type: ignore[union-attr]
    columns = tuple(str(variable) for variable in result.vars or ())
    return ("full", max_rows) if len(rows) > max_rows else ("table", columns, rows)


def _cell(value: Node | None) -> Cell:
    if isinstance(value, Literal):
        return cell(str(value), str(value.datatype or ""))
    return None if value is None else str(value)


def term(text: str) -> URIRef | Literal:
    """An rdflib term from its N-Triples spelling."""
    kind, value, lang, datatype = parts(text)
    if kind == "iri":
        return URIRef(value)
    if lang:
        return Literal(value, lang=lang)
    return Literal(value, datatype=None if datatype == STRING else URIRef(datatype))


def spell(node: Node | None) -> Term:
    """The canonical N-Triples spelling of an rdflib term."""
    if isinstance(node, Literal):
        return spelled(str(node), node.language or "", str(node.datatype or ""))
    return Term(f"<{node}>")
