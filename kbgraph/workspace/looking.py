"""Folder and cache side by side, by names and stamps alone: what has to be read, what is gone, what is stale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from kbgraph import resources
from kbgraph.model.settings import Entry, Skipped
from kbgraph.store.versions import Seen, State
from kbgraph.workspace.files import Scan, same, scan
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.keys import engine


@dataclass(frozen=True, slots=True)
class Look:
    """Folder and cache side by side: what has to be read, what is gone."""

    scan: Scan
    known: Mapping[str, Seen]
    state: State
    engine: str
    derive: str
    tasks: tuple[str, ...]
    gone: tuple[str, ...]
    stale: bool  # the graph is not the one that the cache speaks of, or was made otherwise

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do at all."""
        return not (self.tasks or self.gone or self.stale)


@dataclass(slots=True)
class Found:
    """What reading the tasks has shown."""

    changed: dict[str, Seen]
    touched: dict[str, Seen]
    skipped: list[Skipped]
    gone: list[str]


def look_at(holdings: Holdings, full: bool) -> Look:
    """Folder and cache side by side, by names and stamps alone."""
    state, known = holdings.cache.state(), holdings.cache.files()
    seen = scan(holdings.root, holdings.settings.ignore)
    key, queries = engine(holdings.settings), derive_digest(holdings)
    every = full or state.engine != key
    entries = seen.listing.entries
    listed = {entry.path for entry in entries}
    gone = tuple(path for path in known if path not in listed)
    stale = full or (state.generation, state.engine, state.derive) != (holdings.store.name, key, queries)
    stale = stale or holdings.store.mark != key
    kept = holdings.cache.kept(known, key) if stale else None  # loading everything needs the facts of everything

    def due(entry: Entry) -> bool:
        old = known.get(entry.path)
        lost = old is not None and kept is not None and old.sha not in kept.get(entry.path, ())
        return every or old is None or not same(entry, old) or lost

    tasks = tuple(entry.path for entry in entries if due(entry))
    return Look(seen, known, state, key, queries, tasks, gone, stale)


def derive_digest(holdings: Holdings) -> str:
    """Digest of all derive queries, the corpus's own among them; "" when there are none."""
    shipped = [f"{query.name}\0{query.text}".encode() for query in resources.queries("derive")]
    files = sorted((holdings.root / "queries" / "derive").glob("*.rq"))
    own = [path.name.encode("utf-8", "surrogateescape") + b"\0" + path.read_bytes() for path in files]
    return blake2b(b"\0".join((*shipped, b"", *own)), digest_size=8).hexdigest() if shipped or own else ""
