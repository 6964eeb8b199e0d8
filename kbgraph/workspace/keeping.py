"""A corpus and its graph: opened, brought up to date, taken back to an earlier round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from kbgraph import config
from kbgraph.errors import UsageError
from kbgraph.model.facts import Facts, make_facts
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.settings import Settings
from kbgraph.model.sync import SyncReport
from kbgraph.store import Store, open_store
from kbgraph.store.cache import Cache
from kbgraph.store.sqlite import DamagedError
from kbgraph.workspace.holdings import Holdings, hold
from kbgraph.workspace.sync import Options, silent, sync

if TYPE_CHECKING:
    from kbgraph.workspace.outputs import Outputs
    from kbgraph.workspace.saved import Saved

DERIVE_LIMIT = 600.0  # seconds for one derive query over a large corpus


class Keeper:
    """One corpus and its graph, kept up to date. What the graph is asked is told in Workspace."""

    def __init__(self, holdings: Holdings, store: Store | None = None) -> None:
        self._held = holdings
        self._narrow = store  # a graph of one manifest or of an earlier round, which is asked instead

    @classmethod
    def open(cls, path: str | Path = "", store: str | Path | None = None) -> Self:
        """The corpus at a folder; without one, the corpus around here: the nearest kbgraph.toml or .kbgraph/ upward."""
        if not str(path):
            return cls(hold(config.around(Path()), store))
        if not Path(path).is_dir():
            raise UsageError(f"{path} is no folder", "name the folder that holds the notes")
        return cls(hold(Path(path).absolute(), store))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of files and processes."""
        if self._narrow is not None:
            self._narrow.close()
        if not self._earlier:  # that one shares its cache with the workspace it came from
            self._held.close()

    @property
    def _earlier(self) -> bool:
        return self._narrow is self._held.store

    # -- what it is

    @property
    def root(self) -> Path:
        """The folder of the corpus."""
        return self._held.root

    @property
    def settings(self) -> Settings:
        """What kbgraph.toml says."""
        return self._held.settings

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of the graph itself: where it is kept, what was damaged."""
        return tuple(self._held.notes)

    @property
    def base(self) -> str:
        """What the IRIs of the corpus's own things begin with."""
        return self._held.settings.base

    @property
    def lexicon(self) -> Lexicon:
        """The words of the ontology and the corpus's own."""
        return self._held.lexicon

    @cached_property
    def queries(self) -> Saved:
        """The saved queries."""
        from kbgraph.workspace.saved import Saved  # noqa: PLC0415  (a sync without changes needs none)

        return Saved(self.root, self.is_graph, self._held.compact("queries"))

    def is_graph(self, iri: str) -> bool:
        """Whether an IRI may name a graph of this corpus."""
        return iri.startswith(self.settings.base)

    @property
    def store(self) -> Store:
        """The graph that is asked."""
        return self._held.store if self._narrow is None else self._narrow

    @property
    def _asked(self) -> Holdings:
        """What is asked: a graph of one round has no history of its own to be kept."""
        return (
            self._held if self._narrow is None else replace(self._held, store=self._narrow, folder=None, passing=True)
        )

    # -- bringing it up to date

    def sync(
        self,
        manifest: str | Path | None = None,
        full: bool = False,
        workers: int | None = None,
        wait: float = 2.0,
        progress: Callable[[int, int], None] | None = None,
    ) -> SyncReport:
        """Bring the graph up to date. With a manifest: a graph in memory of its files alone, nothing else is opened."""
        if self._earlier:
            raise UsageError("the graph of an earlier round stays as it is", "open the folder anew")
        if self._narrow is not None:
            self._narrow.close()
            self._narrow = None
        if manifest is not None:
            from kbgraph.workspace.manifests import narrow  # noqa: PLC0415  (most syncs have none)

            self._narrow, report = narrow(self._held, str(manifest), self._derive)
            return report
        options = Options(full, workers, wait, progress or silent)
        try:
            return sync(self._held, self._derive, options)
        except DamagedError as error:
            self._renew(error)
            return sync(self._held, self._derive, options)

    def warm(self) -> None:
        """Load what reading a file needs, by reading one, so that the next one that is saved takes no longer."""
        from kbgraph.workspace.lifting import Lifter  # noqa: PLC0415  (most commands read nothing)

        lifter = Lifter(self._held.root, self._held.settings, self._held.compact("lexicon"))
        for path in [path for path in self._held.cache.files() if path.endswith(".md")][:1]:
            lifter.outcome(path, ())

    def _renew(self, error: DamagedError) -> None:
        if self._held.folder is None:
            raise error
        self._held.cache.close()
        self._held.cache = Cache.renewed(self._held.folder / "cache.db")
        self._held.notes.append(f"{error.message}; it was made anew, earlier rounds cannot be asked for any more")

    def _derive(self, store: Store) -> Iterator[Facts]:
        """Results of the derive queries, each in a graph of its own; each sees the files' facts alone."""
        from kbgraph.ask.implied import stated  # noqa: PLC0415  (most syncs derive nothing)

        for query in self.queries.all("derive"):
            timeout, most = max(query.timeout, DERIVE_LIMIT), max(query.max_rows, 10_000_000)
            triples = store.construct(stated(query.text), timeout, most)
            yield make_facts(self._held.derived(query.name), triples)

    @property
    def folder(self) -> Path | None:
        """Where graph and cache are kept, None in memory."""
        return self._held.folder

    @property
    def sequence(self) -> int:
        """How many changes of the files the graph has seen."""
        return self._held.cache.state().seq

    @property
    def outputs(self) -> Outputs:
        """The files in the corpus's folder that may be written."""
        from kbgraph.workspace.outputs import Outputs  # noqa: PLC0415  (rarely asked for)

        return Outputs(self._held.root, self._held.folder)

    @property
    def synced(self) -> bool:
        """Whether there is a graph to ask."""
        return self._narrow is not None or self._held.cache.state().seq > 0

    def as_of(self, round_id: str) -> Self:
        """The same corpus as it was when a round was first seen, with the versions that the round was given."""
        known = self._held.cache.rounds()
        if round_id not in known:
            told = ", ".join(sorted(known)) or "none yet: a round is recorded when its manifest is synced"
            raise UsageError(f"round `{round_id}` is not recorded", f"recorded are {told}")
        store = open_store("memory:")
        with store.draft(fresh=True) as draft:
            draft.load(self._held.cache.facts(self._held.cache.as_of(round_id)))
            draft.replace(tuple(fact for fact in self._derive(draft) if fact.triples))
        held = replace(self._held, store=store, notes=[f"as of round {round_id}"])
        return type(self)(held, store)
