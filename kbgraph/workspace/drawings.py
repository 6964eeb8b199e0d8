"""Drawings: a map query as it stands, or what is around one thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from kbgraph.ask.drawing import from_focus, from_map
from kbgraph.errors import UsageError
from kbgraph.model.drawing import Drawing
from kbgraph.model.query import Both, Table
from kbgraph.render.words import said
from kbgraph.workspace.saved import Saved

CAP = 500  # nodes: above that a drawing is an unreadable disc
_ARXIV = re.compile(r"(?:arxiv:\s*)?((?:[a-z-]+(?:\.[A-Z]{2})?/\d{7})|\d{4}\.\d{4,5})(?:v\d+)?", re.IGNORECASE)
_REPO = re.compile(r"[\w.-]+/[\w.-]+")

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
    used = {n.kind for n in made.nodes} | {n.level for n in made.nodes}
    return Drawing(
        made.title, made.nodes, made.edges, made.all_nodes, made.all_edges,
        {name: labels[name] for name in sorted(used & labels.keys())},
    )  # fmt: skip


def find(query: Query, what: str) -> str:
    """The IRI of what is meant: an IRI, arXiv id, owner/name, path, §number, title or label."""
    for iri in _spelled(what):
        if len(query("describe", node=iri)) and next(iter(query("describe", node=iri)))["kind"]:
            return iri
    rows = list(query("find", what=what))
    if not rows:
        mend = "give a path, an arXiv id, owner/name, a section such as §3.1, a title, or an IRI"
        raise UsageError(f"the graph has nothing called `{what}`", mend)
    nodes = sorted({str(row["node"]) for row in rows})
    if len(nodes) > 1:
        raise UsageError(f"`{what}` may mean {len(nodes)} things", "give one of their IRIs: " + ", ".join(nodes[:5]))
    return nodes[0]


def _spelled(what: str) -> list[str]:
    out = [what] if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:\S+$", what) and not what.lower().startswith("arxiv:") else []
    arxiv = _ARXIV.fullmatch(what.strip())
    if arxiv:
        out.append(f"https://arxiv.org/abs/{arxiv[1]}")
    elif _REPO.fullmatch(what):
        out.append(f"https://github.com/{what.lower()}")
    return out
