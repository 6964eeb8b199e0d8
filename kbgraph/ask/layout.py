"""Positions for a drawing: blocks for a map, wings around a focus. Same graph, same places, from night to night."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

# All in pixels. A node is a box of at most CARD x TALL; the renderer keeps to that.
CARD, TALL = 198, 44
ROW = 52  # from a box to the next one below
LAYER = 296  # from a layer to the next: leaves room for the edges
COLUMN = 220  # between the columns of one layer
GUTTER, BREAK = 48, 26  # between blocks, side by side and one below the other
SHAPE = 1.25  # width to height of the whole
SWEEPS = 4
STEPS = 60  # heights that are tried

Links = Sequence[tuple[str, str]]
Place = tuple[int, int]


class _Block(NamedTuple):
    """What hangs together: places of the boxes' centres, from the block's own upper left corner."""

    places: Mapping[str, Place]
    width: int
    height: int


def blocks(order: Sequence[str], links: Links) -> dict[str, Place]:
    """Each part that hangs together from left to right by depth; the parts in columns, as a newspaper has them."""
    made = [_layered(members, inner) for members, inner in _parts(order, links)]
    return _newspaper(made) if made else {}


def _parts(order: Sequence[str], links: Links) -> list[tuple[list[str], list[tuple[str, str]]]]:
    head = {node: node for node in order}

    def top(node: str) -> str:
        while head[node] != node:
            head[node] = head[head[node]]
            node = head[node]
        return node

    for source, target in links:
        head[top(target)] = top(source)
    members: dict[str, list[str]] = defaultdict(list)
    inner: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for node in order:
        members[top(node)].append(node)
    for link in links:
        inner[top(link[0])].append(link)
    return [(nodes, inner[root]) for root, nodes in members.items()]


def _newspaper(made: Sequence[_Block]) -> dict[str, Place]:
    """The columns' height is the one that makes the whole look largest on a page."""
    tallest = max(block.height for block in made)
    total = sum(block.height + BREAK for block in made)
    limits = (tallest + (total - tallest) * step // STEPS for step in range(STEPS + 1))
    return min((_set(made, limit) for limit in limits), key=lambda one: max(one[1] / SHAPE, one[2]))[0]


def _set(made: Sequence[_Block], limit: int) -> tuple[dict[str, Place], int, int]:
    """Places, width and height when no column but of one block is higher than `limit`."""
    out: dict[str, Place] = {}
    left = top = wide = high = 0
    for block in made:
        if top and top + block.height > limit:
            left, top, wide = left + wide + GUTTER, 0, 0
        out.update((node, (left + x, top + y)) for node, (x, y) in block.places.items())
        high = max(high, top + block.height)
        top, wide = top + block.height + BREAK, max(wide, block.width)
    return out, left + wide, high


def _layered(order: Sequence[str], links: Links) -> _Block:
    """Left to right by depth from the nodes that nothing points at; neighbours at like heights."""
    depth = _depths(order, links)
    layers: dict[int, list[str]] = defaultdict(list)
    for node in order:
        layers[depth[node]].append(node)
    near = _neighbours(links)
    for sweep in range(SWEEPS):
        for level in sorted(layers, reverse=bool(sweep % 2)):
            if level or sweep % 2:
                layers[level] = _settle(layers[level], near, _heights(layers))
    rows = _rows([len(nodes) for nodes in layers.values()])
    columns = [_columns(layers[level], rows) for level in sorted(layers)]
    height = max(len(column) for layer in columns for column in layer) * ROW
    places: dict[str, Place] = {}
    left = 0
    for layer in columns:
        places.update(_stand(layer, left, height))
        left += (len(layer) - 1) * COLUMN + LAYER
    return _Block(places, left - LAYER + CARD, height)


def _rows(sizes: Sequence[int]) -> int:
    """How many boxes one column may hold, so that layers of these sizes, side by side, look largest on a page."""

    def span(rows: int) -> float:
        columns = sum(-(-size // rows) - 1 for size in sizes)
        return max((len(sizes) * LAYER + columns * COLUMN) / SHAPE, min(rows, max(sizes)) * ROW)

    return min(range(1, max(sizes) + 1), key=span)


def _columns(nodes: Sequence[str], rows: int) -> list[Sequence[str]]:
    """The nodes of one layer in as many columns as it takes, all about as long."""
    wide = -(-len(nodes) // rows)
    tall = -(-len(nodes) // wide)
    return [nodes[at : at + tall] for at in range(0, len(nodes), tall)]


def _stand(columns: Sequence[Sequence[str]], left: int, height: int) -> Iterable[tuple[str, Place]]:
    """Columns side by side from `left` on, each in the middle of the height."""
    for at, column in enumerate(columns):
        top = (height - len(column) * ROW) // 2
        for row, node in enumerate(column):
            yield node, (left + at * COLUMN + CARD // 2, top + row * ROW + ROW // 2)


def _depths(order: Sequence[str], links: Links) -> dict[str, int]:
    """Longest way from the left, as far as a page is wide; links that close a circle or lead nowhere do not count."""
    deep = max(3, math.ceil(math.sqrt(len(order) * ROW * SHAPE / LAYER)))
    onward: dict[str, list[str]] = defaultdict(list)
    for source, target in links:
        if source != target:
            onward[source].append(target)
    pointed = {target for targets in onward.values() for target in targets}
    first = [node for node in order if node not in pointed]
    line = _sources_first([*first, *order], onward)
    at = {node: place for place, node in enumerate(line)}
    depth = dict.fromkeys(line, 0)
    for node in line:
        for target in onward[node]:
            if at[target] > at[node]:
                depth[target] = min(max(depth[target], depth[node] + 1), deep)
    for node in first:  # what starts a way stands just before where it leads to
        depth[node] = max(min((depth[target] for target in onward[node]), default=1) - 1, 0)
    return depth


def _sources_first(order: Iterable[str], onward: Mapping[str, list[str]]) -> list[str]:
    """Every node before those that it points at, but where that goes in a circle: depth-first, last seen first."""
    done: list[str] = []
    seen: set[str] = set()
    for root in order:
        path = [] if root in seen else [(root, iter(onward[root]))]
        seen.add(root)
        while path:
            node, rest = path[-1]
            following = next((target for target in rest if target not in seen), None)
            if following is None:
                done.append(node)
                path.pop()
            else:
                seen.add(following)
                path.append((following, iter(onward[following])))
    return done[::-1]


def _neighbours(links: Links) -> Mapping[str, list[str]]:
    near: dict[str, list[str]] = defaultdict(list)
    for source, target in links:
        near[source].append(target)
        near[target].append(source)
    return near


def _heights(layers: Mapping[int, Sequence[str]]) -> dict[str, float]:
    return {n: (i + 0.5) / len(nodes) for nodes in layers.values() for i, n in enumerate(nodes)}


def _settle(nodes: Iterable[str], near: Mapping[str, list[str]], height: Mapping[str, float]) -> list[str]:
    mean = {n: sum(height[m] for m in near[n]) / len(near[n]) if near.get(n) else height[n] for n in nodes}
    return sorted(mean, key=lambda n: (mean[n], n))


def wings(order: Sequence[str], hops: Mapping[str, int], links: Links, kind: Mapping[str, str]) -> dict[str, Place]:
    """The focus (0 hops) in the middle, half of its neighbours on each side, kinds kept together, hops further out."""
    near = _neighbours(links)
    focus = next(node for node in order if not hops[node])
    first = [node for node in order if hops[node] == 1]
    split = _half([len(list(same)) for _, same in groupby(first, key=lambda node: kind[node])])
    layers = {-1: first[:split], 1: first[split:]}
    side = {node: -1 if at < split else 1 for at, node in enumerate(first)}
    rank = {node: at for at, node in enumerate(first)}
    for hop in range(2, max(hops.values(), default=0) + 1):
        lead = {n: min(rank[m] for m in near[n] if hops[m] == hop - 1) for n in order if hops[n] == hop}
        ring = sorted(lead, key=lead.__getitem__)  # stable: by parent, then as given
        parent = {rank[node]: node for node in rank if hops[node] == hop - 1}
        side.update((node, side[parent[lead[node]]]) for node in ring)
        rank.update((node, at) for at, node in enumerate(ring))
        layers |= {sign * hop: [node for node in ring if side[node] == sign] for sign in (-1, 1)}
    return {focus: (0, 0), **_outward(layers)}


def _half(sizes: Sequence[int]) -> int:
    """How many of the first go left: whole groups, as near to one half as they come."""
    return min(accumulate(sizes, initial=0), key=lambda n: abs(2 * n - sum(sizes)))


def _outward(layers: Mapping[int, Sequence[str]]) -> dict[str, Place]:
    rows = _rows([1, *(len(nodes) for nodes in layers.values() if nodes)])
    out: dict[str, Place] = {}
    edge = {-1: LAYER, 1: LAYER}
    for level in sorted(layers, key=abs):
        if layers[level]:
            sign = 1 if level > 0 else -1
            columns = _columns(layers[level], rows)
            tall = len(columns[0]) * ROW
            for node, (x, y) in _stand(columns, edge[sign] - CARD // 2, tall):
                out[node] = (sign * x, y - tall // 2)
            edge[sign] += (len(columns) - 1) * COLUMN + LAYER
    return out
