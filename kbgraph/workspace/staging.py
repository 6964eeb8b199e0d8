"""A throw-away copy of a corpus's graph, in memory, in which files may say something else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain

from kbgraph.model.facts import Facts
from kbgraph.store import open_store
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.keys import engine
from kbgraph.workspace.publishing import Derive, versions


def staged(holdings: Holdings, derive: Derive, files: Mapping[str, Facts | None]) -> Holdings:
    """The corpus as if these files said this, None for a file that is not there; close its store when done."""
    others = {path: seen.sha for path, seen in holdings.cache.files().items() if path not in files}
    store = open_store("memory:")
    with store.draft(fresh=True) as draft:
        said = (fact for fact in files.values() if fact is not None)
        draft.load(chain(said, holdings.cache.facts(versions(others, engine(holdings.settings)))))
        draft.replace(tuple(fact for fact in derive(draft) if fact.triples))
    known = holdings.cache.identities()
    return replace(holdings, store=store, folder=None, passing=True, met=known, notes=[])
