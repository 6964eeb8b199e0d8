"""The graph for networkx."""

from __future__ import annotations

from networkx import MultiDiGraph

from kbgraph.model.ntriples import parts
from kbgraph.workspace.exports import Readable, triples


def network(store: Readable) -> MultiDiGraph[str]:
    """Things as nodes, an edge per triple keyed by its property; literals as lists of text under the property's IRI."""
    made: MultiDiGraph[str] = MultiDiGraph()
    for subject, predicate, value in triples(store):
        name, key = subject[1:-1], predicate[1:-1]
        if value.startswith("<"):
            made.add_edge(name, value[1:-1], key)
        else:
            made.add_node(name)
            made.nodes[name].setdefault(key, []).append(parts(value).value)
    return made
