"""A drawing as values: placed nodes, edges, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from kbgraph.model.query import Both


class Node(NamedTuple):
    """One node: `kind` is the class's local name, place in the corpus when it has one, position in pixels."""

    id: str
    label: str
    kind: str
    path: str = ""
    line: int = 0
    text: str = ""
    level: str = ""
    x: int = 0
    y: int = 0


class Edge(NamedTuple):
    """One edge; `label` is the property's local name, `weight` how often it stands, `places` where: `path:line`."""

    source: str
    target: str
    label: str = ""
    weight: int = 1
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Drawing:
    """What one map query or one focus shows; `all_nodes` and `all_edges` count what there is before the cap."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    all_nodes: int
    all_edges: int
    labels: Mapping[str, Both] = field(default_factory=dict)  # of kinds, levels and edges
    focus: str = ""  # IRI of the node in the middle
    hops: int = 0  # how far around it
