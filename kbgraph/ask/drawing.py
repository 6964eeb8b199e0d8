"""A map's rows, or the neighbourhood of one node, as a Drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from kbgraph.ask.layout import layers, rings
from kbgraph.model.drawing import Drawing, Edge, Node
from kbgraph.model.keys import key_of
from kbgraph.model.query import Cell, Table

# Runs a saved view (`describe`, `neighbours`) with its parameters.
View = Callable[[str, Mapping[str, str]], Table]


def local(iri: str) -> str:
    """Last part of an IRI, after `#` or `/`."""
    return iri.rstrip("/#").rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def from_map(table: Table, title: str, view: View, cap: int) -> Drawing:
    """The drawing of a map query; above the cap the heaviest nodes stay."""
    edges = _edges(table)
    order = list(dict.fromkeys(n for e in edges for n in (e.source, e.target)))
    kept = _heaviest(order, edges, cap)
    shown = [e for e in edges if e.source in kept and e.target in kept]
    nodes = [n for n in order if n in kept]
    place = layers(nodes, [(e.source, e.target) for e in shown])
    return Drawing(title, _nodes(nodes, place, view), tuple(shown), len(order), len(edges))


def _edges(table: Table) -> list[Edge]:
    if table.query is None:
        return []
    name = {role: table.query.role(role) for role in ("source", "target", "edge", "weight")}
    found: Counter[tuple[str, str, str]] = Counter()
    for row in table:
        if row[name["source"]] and row[name["target"]]:
            label = local(str(row.get(name["edge"]) or ""))
            found[str(row[name["source"]]), str(row[name["target"]]), label] += _weight(row, name)
    return [Edge(s, t, label, n) for (s, t, label), n in found.items()]


def _weight(row: Mapping[str, Cell], name: Mapping[str, str]) -> int:
    value = row.get(name["weight"])
    return int(value) if isinstance(value, int | float) else 1


def _heaviest(order: Sequence[str], edges: Iterable[Edge], cap: int) -> set[str]:
    load: Counter[str] = Counter()
    for edge in edges:
        load[edge.source] += edge.weight
        load[edge.target] += edge.weight
    return set(sorted(order, key=lambda n: (-load[n], n))[:cap])


def from_focus(focus: str, hops: int, view: View, cap: int) -> Drawing:
    """The focus and all within so many hops, nearest first until the cap."""
    distance, links = {focus: 0}, {}
    wave, seen = [focus], {focus}
    for hop in range(1, hops + 1):
        step = [e for n in wave for e in _around(n, view)]
        links.update({(e.source, e.target, e.label): e for e in step})
        wave = sorted({n for e in step for n in (e.source, e.target)} - seen)
        seen.update(wave)
        wave = wave[: max(cap - len(distance), 0)]
        distance.update(dict.fromkeys(wave, hop))
    shown = [e for _, e in sorted(links.items()) if e.source in distance and e.target in distance]
    place = rings(focus, distance, [(e.source, e.target) for e in shown])
    nodes = _nodes(sorted(distance, key=lambda n: (distance[n], n)), place, view)
    return Drawing(nodes[0].label, nodes, tuple(shown), len(seen), len(links))


def _around(node: str, view: View) -> list[Edge]:
    rows = view("neighbours", {"node": node})
    return [Edge(str(r["source"]), str(r["target"]), local(str(r["edge"]))) for r in rows if r["source"] != r["target"]]


def _nodes(order: Sequence[str], place: Mapping[str, tuple[int, int]], view: View) -> tuple[Node, ...]:
    return tuple(_node(iri, *place[iri], view("describe", {"node": iri})) for iri in order)


def _node(iri: str, x: int, y: int, about: Table) -> Node:
    row = next(iter(about), {})
    kind, label, path, text, level = (str(row.get(n) or "") for n in ("kind", "label", "path", "text", "level"))
    line = row.get("line")
    at = line if isinstance(line, int) else 0
    return Node(iri, _name(iri, label or text, path, at), local(kind) or "WebPage", path, at, text, local(level), x, y)


def _name(iri: str, label: str, path: str, line: int) -> str:
    """What to write on a node: its public key before its title, else what it is called, else where it stands."""
    key = key_of(iri)
    if key != iri and label and label != key:
        return f"{key} {label}"
    return label or (f"{path}:{line}" if path else key)
