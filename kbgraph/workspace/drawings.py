"""Drawings: a map query as it stands, or what is around one thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from kbgraph.ask.drawing import from_focus, from_map, local
from kbgraph.ask.params import arxiv, iri
from kbgraph.errors import UsageError
from kbgraph.model.drawing import Drawing
from kbgraph.model.keys import iris_of
from kbgraph.model.query import Both, Cell, Table
from kbgraph.render.words import said
from kbgraph.workspace.saved import Saved

CAP = 500  # nodes: above that a drawing is an unreadable disc
MEND = "give a path, an arXiv id, owner/name, a section such as inference§3.1, a title, or an IRI"
_WORLD = {"Work", "Preprint", "SoftwareSourceCode", "WebPage", "Agent"}

Query = Callable[..., Table]


def draw(
    saved: Saved, query: Query, labels: Mapping[str, Both], *, name: str = "", focus: str = "", hops: int = 1,
    cap: int = CAP, lang: str = "en", params: Mapping[str, str] | None = None,
) -> Drawing:  # fmt: skip
    """The drawing of a map by name, or of a thing and its neighbourhood; UsageError when there is no such thing."""

    def view(which: str, given: Mapping[str, str]) -> Table:
        return query(which, **given)

    if focus:
        made = from_focus(find(query, focus), hops, view, cap)
    else:
        found = saved.get(name)
        if found.kind != "map":
            maps = [one.name for one in saved.all("map")]
            raise UsageError(f"`{name}` is a {found.kind}, no map", f"maps are {', '.join(maps)}")
        made = from_map(query(name, **(params or {})), said(found.title, lang), view, cap)
    return _with_labels(made, labels)


def _with_labels(made: Drawing, labels: Mapping[str, Both]) -> Drawing:
    used = {n.kind for n in made.nodes} | {n.level for n in made.nodes} | {e.label for e in made.edges}
    return Drawing(
        made.title, made.nodes, made.edges, made.all_nodes, made.all_edges,
        {name: labels[name] for name in sorted(used & labels.keys())}, made.focus, made.hops,
    )  # fmt: skip


def find(query: Query, what: str) -> str:
    """The IRI of what is meant: an IRI, arXiv id, owner/name, path, §number, title or label."""
    for candidate in spoken(what.strip()):
        row = next(iter(query("describe", node=candidate)), None)
        if row and row["kind"]:
            return candidate
    rows = list(query("find", what=re.sub(r"\s*§\s*", "§", what.strip())))
    if not rows:
        raise UsageError(f"the graph has nothing called `{what}`", MEND)
    meant = _likeliest(rows)
    if len(meant) > 1:
        told = ", ".join(str(row["say"]) for row in meant[:5])
        raise UsageError(f"`{what}` may mean {len(meant)} things", f"give one of: {told}")
    return str(meant[0]["node"])


def spoken(what: str) -> Iterator[str]:
    """IRIs that the words stand for by their form alone."""
    for term in (arxiv(what), iri(what)):
        if term is not None:
            yield term[1:-1]
            yield re.sub(r"(?<=\d)v\d+$", "", term[1:-1])  # a version that nobody speaks of is its work
    yield from iris_of(what)


def _likeliest(rows: Sequence[Mapping[str, Cell]]) -> list[Mapping[str, Cell]]:
    """A card, its first section and its work share a title: the thing itself is meant, else the file, else the rest."""

    def far(row: Mapping[str, Cell]) -> int:
        return 0 if local(str(row["kind"])) in _WORLD else 2 if "#" in str(row["node"]) else 1

    best = min(far(row) for row in rows)
    return [row for row in rows if far(row) == best]
