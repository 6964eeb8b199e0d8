"""Graphs of what was found when a check needed it: read, and put in the place of what was there."""

from __future__ import annotations

from collections.abc import Collection

from kbgraph import vocab as v
from kbgraph.errors import BusyError, StoreError
from kbgraph.model.facts import Term, text
from kbgraph.workspace.holdings import Holdings, writable


def statements(holdings: Holdings) -> int:
    """How many statements the files make."""
    count = holdings.store.select(f"SELECT (COUNT(*) AS ?n) WHERE {{ ?e {v.KB_ASSERTS} ?c }}").rows[0][0]
    return int(str(count))


def triples(holdings: Holdings, graph: Term) -> list[str]:
    """What a graph holds now, as `s p o`."""
    return [f"{s} {p} {o}" for s, p, o, _ in holdings.store.match(g=graph)]


def edition(graph: Term, stamp: str) -> str:
    """The triple by which a graph tells what it was found from."""
    return f"{graph} {v.KB_FINGERPRINT} {text(stamp)}"


def put(holdings: Holdings, graph: Term, new: Collection[str], what: str) -> str:
    """Put triples in the place of all that a graph holds; gives the reason where that cannot be done."""
    if not writable(holdings):
        return f"{what} cannot be kept: nothing can be written here"
    try:
        with holdings.store.writing():
            holdings.store.revise(graph, triples(holdings, graph), new)
            if not holdings.passing:
                holdings.cache.published(holdings.store.name)
    except (BusyError, StoreError) as error:
        return f"{what} are not up to date: {error.message}"
    return ""
