"""Positions for a drawing: layers for a map, rings around a focus. Same graph, same places, from night to night."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

ROW = 60  # pixels between two nodes of a layer
COLUMN = 440  # pixels between two layers
SUB = 330  # pixels between the columns of one layer, wide enough for a label
SHAPE = 1.6  # width to height of the whole
RING = 260  # pixels between two rings
SWEEPS = 4

Links = Sequence[tuple[str, str]]


def layers(order: Sequence[str], links: Links) -> dict[str, tuple[int, int]]:
    """Left to right by depth from the nodes that nothing points at; neighbours at like heights."""
    depth = _depths(order, links)
    columns: dict[int, list[str]] = defaultdict(list)
    for node in order:
        columns[depth[node]].append(node)
    near = _neighbours(links)
    for sweep in range(SWEEPS):
        for level in sorted(columns, reverse=bool(sweep % 2)):
            if level or sweep % 2:
                columns[level] = _settle(columns[level], near, _heights(columns))
    return _place(columns)


def _depths(order: Sequence[str], links: Links) -> dict[str, int]:
    """Breadth-first depth; what only stands in a circle starts at 0."""
    onward: dict[str, list[str]] = defaultdict(list)
    pointed = set()
    for source, target in links:
        onward[source].append(target)
        if source != target:
            pointed.add(target)
    depth: dict[str, int] = {}
    for roots in ([n for n in order if n not in pointed], order):
        wave = [n for n in roots if n not in depth]
        level = 0
        while wave:
            fresh = [n for n in dict.fromkeys(wave) if n not in depth]
            depth.update(dict.fromkeys(fresh, level))
            wave, level = [t for n in fresh for t in onward[n] if t not in depth], level + 1
    return depth


def _neighbours(links: Links) -> Mapping[str, list[str]]:
    near: dict[str, list[str]] = defaultdict(list)
    for source, target in links:
        near[source].append(target)
        near[target].append(source)
    return near


def _heights(columns: Mapping[int, Sequence[str]]) -> dict[str, float]:
    return {n: (i + 0.5) / len(nodes) for nodes in columns.values() for i, n in enumerate(nodes)}


def _settle(nodes: Iterable[str], near: Mapping[str, list[str]], height: Mapping[str, float]) -> list[str]:
    mean = {n: sum(height[m] for m in near[n]) / len(near[n]) if near.get(n) else height[n] for n in nodes}
    return sorted(mean, key=lambda n: (mean[n], n))


def _place(columns: Mapping[int, Sequence[str]]) -> dict[str, tuple[int, int]]:
    """A layer with more nodes than fit the page's height is broken into several columns."""
    out, left = {}, 0
    total = sum(len(nodes) for nodes in columns.values())
    rows = max(12, round(math.sqrt(total * SUB / (SHAPE * ROW))))
    tallest = max((min(len(nodes), rows) for nodes in columns.values()), default=1)
    for level in sorted(columns):
        nodes = columns[level]
        wide = -(-len(nodes) // rows)
        tall = -(-len(nodes) // wide)
        for at, node in enumerate(nodes):
            out[node] = (left + at // tall * SUB, round((at % tall + 0.5) * ROW * tallest / tall))
        left += COLUMN + (wide - 1) * SUB
    return out


def rings(focus: str, hops: Mapping[str, int], links: Links) -> dict[str, tuple[int, int]]:
    """The focus in the middle, each hop one ring further; a node stands near the one that leads to it."""
    near = _neighbours(links)
    angle = {focus: 0.0}
    out = {focus: (0, 0)}
    for hop in range(1, max(hops.values(), default=0) + 1):
        ring = [n for n in sorted(hops) if hops[n] == hop]
        wish = {n: min((angle[m] for m in near[n] if m in angle), default=0.0) for n in ring}
        ring.sort(key=lambda n: (wish[n], n))
        radius = max(RING * hop, len(ring) * ROW / (2 * math.pi))
        for at, node in enumerate(ring):
            angle[node] = 2 * math.pi * at / len(ring)
            out[node] = (round(SHAPE * radius * math.cos(angle[node])), round(radius * math.sin(angle[node])))
    return out
