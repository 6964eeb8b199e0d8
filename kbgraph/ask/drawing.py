"""A map's rows, or the neighbourhood of one node, as a Drawing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import unquote

from kbgraph.ask.layout import Place, blocks, wings
from kbgraph.model.drawing import Drawing, Edge, Node
from kbgraph.model.keys import key_of
from kbgraph.model.query import Cell, Table

# Runs a saved view (`describe`, `neighbours`) with its parameters.
View = Callable[[str, Mapping[str, str]], Table]

PLACES = 5  # of one edge: where to look first, not a concordance


def local(iri: str) -> str:
    """Last part of an IRI, after `#` or `/`."""
    return iri.rstrip("/#").rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def from_map(table: Table, title: str, view: View, cap: int) -> Drawing:
    """The drawing of a map query; above the cap the heaviest nodes stay."""
    edges = _edges(table)
    order = list(dict.fromkeys(n for e in edges for n in (e.source, e.target)))
    kept = _heaviest(edges, cap)
    shown = [e for e in edges if e.source in kept and e.target in kept]
    nodes = [n for n in order if n in kept]
    place = blocks(nodes, [(e.source, e.target) for e in shown])
    return Drawing(title, tuple(_at(_node(n, view), place[n]) for n in nodes), tuple(shown), len(order), len(edges))


def _edges(table: Table) -> list[Edge]:
    """One edge for each source, target and property; rows of one edge add up."""
    if table.query is None:
        return []
    name = {role: table.query.role(role) for role in ("source", "target", "edge", "weight", "path", "line")}
    weight: Counter[tuple[str, str, str]] = Counter()
    places: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for row in table:
        if row[name["source"]] and row[name["target"]]:
            edge = str(row[name["source"]]), str(row[name["target"]]), local(str(row.get(name["edge"]) or ""))
            weight[edge] += _weight(row.get(name["weight"]))
            places[edge] += _place(row.get(name["path"]), row.get(name["line"]))
    return [Edge(*edge, n, tuple(dict.fromkeys(places[edge]))[:PLACES]) for edge, n in weight.items()]


def _weight(value: Cell) -> int:
    return int(value) if isinstance(value, int | float) else 1


def _place(path: Cell, line: Cell) -> list[str]:
    return [f"{path}:{line}" if line else str(path)] if path else []


def _heaviest(edges: Sequence[Edge], cap: int) -> set[str]:
    """So many nodes at most, edge by edge from the heaviest ends on: none stands alone that was linked."""
    load: Counter[str] = Counter()
    for edge in edges:
        load[edge.source] += edge.weight
        load[edge.target] += edge.weight
    kept: set[str] = set()
    for edge in sorted(edges, key=lambda e: (-load[e.source] - load[e.target], -e.weight, e.source, e.target)):
        ends = {edge.source, edge.target} | kept
        kept = ends if len(ends) <= cap else kept
    return kept or set(sorted(load, key=lambda n: (-load[n], n))[:cap])


def from_focus(focus: str, hops: int, view: View, cap: int) -> Drawing:
    """The focus and all within so many hops, nearest first until the cap."""
    distance, links = {focus: 0}, {}
    wave, seen = [focus], {focus}
    for hop in range(1, hops + 1):
        step = [edge for node in wave for edge in _edges(view("neighbours", {"node": node}))]
        links.update({(e.source, e.target, e.label): e for e in step if e.source != e.target})
        wave = sorted({n for e in step for n in (e.source, e.target)} - seen)
        seen.update(wave)
        wave = wave[: max(cap - len(distance), 0)]
        distance.update(dict.fromkeys(wave, hop))
    shown = [e for _, e in sorted(links.items()) if e.source in distance and e.target in distance]
    made = {n: _node(n, view) for n in distance}
    onward = {e.target for e in shown if e.source == focus}
    order = sorted(made, key=lambda n: (n in onward, made[n].kind, made[n].path, made[n].line, made[n].label, n))
    kind = {n: made[n].kind for n in made}
    place = wings(order, distance, [(e.source, e.target) for e in shown], kind)
    nodes = [_at(made[n], place[n]) for n in sorted(order, key=lambda n: distance[n])]
    return Drawing(nodes[0].label, tuple(nodes), tuple(shown), len(seen), len(links), focus=focus, hops=hops)


def _at(node: Node, place: Place) -> Node:
    return node._replace(x=place[0], y=place[1])


def _node(iri: str, view: View) -> Node:
    row = next(iter(view("describe", {"node": iri})), {})
    kind, label, path, text, level = (str(row.get(n) or "") for n in ("kind", "label", "path", "text", "level"))
    line = row.get("line")
    at = line if isinstance(line, int) else 0
    return Node(iri, _name(iri, label or text, path, at), local(kind) or "WebPage", path, at, text, local(level))


def _name(iri: str, label: str, path: str, line: int) -> str:
    """What to write on a node: its public key before its title, else what it is called, else where it stands."""
    key = key_of(iri)
    if key != unquote(iri) and label and label != key:
        return f"{key} {label}"
    return label or (f"{path}:{line}" if path else key)
