"""A graph as rdflib sees it: triples are fetched from the store when rdflib asks for them, nothing is copied."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any

from rdflib import Dataset, Graph, URIRef
from rdflib.store import Store as RdflibStore
from rdflib.term import Node

from kbgraph.errors import UsageError
from kbgraph.model.facts import Term
from kbgraph.store import Store
from kbgraph.store.implied import TYPE, types
from kbgraph.store.rdf import spell, term

_Triple = tuple[Any, Any, Any]


class View(RdflibStore):
    """An rdflib store that reads from another store and refuses to be written."""

    context_aware = True
    graph_aware = True
    formula_aware = False
    transaction_aware = False

    def __init__(self, source: Callable[[], Store]) -> None:
        super().__init__()
        self._source = source
        self._prefixes: dict[str, URIRef] = {}

    def triples(
        self, triple_pattern: _Triple, context: Graph | None = None
    ) -> Iterator[tuple[_Triple, Iterator[Graph]]]:
        """Triples that match, each with the graphs that hold it."""
        wanted = [None if node is None else _spelled(node) for node in triple_pattern]
        graph = _named(context)
        if "" in wanted or any(node is not None and not node.startswith("<") for node in wanted[:2]):
            return  # a blank node or a formula, or a literal where none can stand: this graph has none
        found: dict[tuple[Term, ...], list[Term]] = {}
        s, p, o = wanted
        match = self._source().match
        for *triple, g in match(s, p, o, graph):
            found.setdefault(tuple(triple), []).append(g)
        for *triple, g in types(match, s, o, graph) if p in (None, TYPE) else ():
            graphs = found.setdefault(tuple(triple), [])
            graphs += [g] if g not in graphs else []
        for held, graphs in found.items():
            yield tuple(map(term, held)), (Graph(self, term(g)) for g in graphs)  # type: ignore[misc]

    def contexts(self, triple: _Triple | None = None) -> Generator[Graph, None, None]:
        """The named graphs, or those that hold a triple."""
        if triple is None:
            yield from (Graph(self, term(name)) for name in self._source().graphs())
        else:
            yield from (graph for _, graphs in self.triples(triple) for graph in graphs)

    def __len__(self, context: Graph | None = None) -> int:
        name = _named(context)
        source = self._source()
        stated = source.count() if name is None else sum(1 for _ in source.match(g=name))
        return stated + len(set(types(source.match, None, None, name)))

    def bind(self, prefix: str, namespace: URIRef, override: bool = True) -> None:
        """Note a prefix, which is rdflib's own business."""
        if override or prefix not in self._prefixes:
            self._prefixes[prefix] = namespace

    def namespace(self, prefix: str) -> URIRef | None:
        """The namespace of a prefix."""
        return self._prefixes.get(prefix)

    def prefix(self, namespace: URIRef) -> str | None:
        """The prefix of a namespace."""
        return next((prefix for prefix, known in self._prefixes.items() if known == namespace), None)

    def namespaces(self) -> Iterator[tuple[str, URIRef]]:
        """All prefixes."""
        yield from self._prefixes.items()

    def add(self, *_: Any, **__: Any) -> None:  # noqa: ANN401  (whatever rdflib gives)
        """Refused: the folder is the truth."""
        raise _read_only()

    def remove(self, *_: Any, **__: Any) -> None:  # noqa: ANN401  (whatever rdflib gives)
        """Refused: the folder is the truth."""
        raise _read_only()

    def add_graph(self, graph: Graph) -> None:
        """Nothing: rdflib calls it for graphs that it only means to read."""

    def remove_graph(self, *_: Any) -> None:  # noqa: ANN401  (whatever rdflib gives)
        """Refused: the folder is the truth."""
        raise _read_only()


def _read_only() -> UsageError:
    return UsageError("the graph cannot be changed from here", "change the files, then sync; or copy it: Dataset() + …")


def _spelled(node: Node) -> Term:
    try:
        spelled = spell(node)
        term(spelled)
    except ValueError:
        return Term("")
    return spelled if spelled[0] in '<"' and "BNode" not in type(node).__name__ else Term("")


def _named(context: Graph | None) -> Term | None:
    """The graph asked for; None for the union of all."""
    if context is None or context.identifier == URIRef("urn:x-rdflib:default"):
        return None
    return _spelled(context.identifier)


def dataset(source: Callable[[], Store]) -> Dataset:
    """An rdflib Dataset over a store; its default graph is the union of all graphs."""
    return Dataset(View(source), default_union=True)
