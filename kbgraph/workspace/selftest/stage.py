"""The stage of a self-test: a graph in memory of the corpus's files, in which files can be changed and put back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256

from kbgraph.ask.report import Circumstances
from kbgraph.ask.waiver_file import parse_waivers
from kbgraph.model.facts import Facts
from kbgraph.model.finding import Report
from kbgraph.model.query import SavedQuery, Table
from kbgraph.model.settings import Settings, Skipped
from kbgraph.store.versions import Version, unpack
from kbgraph.workspace.checking import COMPUTED, at_once, computed, waivers
from kbgraph.workspace.files import read_file
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.keys import engine
from kbgraph.workspace.lifting import Lifter
from kbgraph.workspace.manifests import within
from kbgraph.workspace.publishing import Derive
from kbgraph.workspace.saved import Saved
from kbgraph.workspace.selftest.surgery import Files


class Stage:
    """A corpus whose files can be changed without touching them; its graph must live in memory."""

    def __init__(self, holdings: Holdings, saved: Saved, checks: Collection[SavedQuery], derive: Derive) -> None:
        self._held = holdings
        self._saved = saved
        self._checks = checks
        self.computed = frozenset(query.name for query in checks if COMPUTED & set(query.tags))
        self._derive = derive
        self._lifter = Lifter(holdings.root, holdings.settings, None)
        self._key = engine(holdings.settings)
        self._known = Circumstances(
            lexicon=holdings.lexicon,
            waivers=waivers(holdings.root, holdings.settings.waivers),
            waiver_file=holdings.settings.waivers,
            today=dt.datetime.now().astimezone().date(),
            whole=True,
        )

    def named(self, path: str) -> str:
        """A path of a fault as it is called here: the file of waivers may have another name."""
        return self._known.waiver_file if path == Settings().waivers else path

    def read(self, path: str) -> bytes | None:
        """What is in a file of the corpus, None when it cannot be read."""
        inner = within(self._held.root, path)
        found = inner if isinstance(inner, Skipped) else read_file(self._held.root, inner)
        return None if isinstance(found, Skipped) else found[0]

    def select(self, query: str, timeout: float, max_rows: int) -> Table:
        """Rows of a SPARQL text over the corpus as it is."""
        return self._held.store.select(query, timeout, max_rows)

    def report(self, files: Files | None = None, *, whole: bool = False) -> Report:
        """What the checks find; with files: as if they were so. Those that need more computed only if `whole`."""
        known = self._known
        own = (files or {}).get(known.waiver_file)
        if own is not None:
            known = replace(known, waivers=parse_waivers(own.decode(), known.waiver_file))
        with self._changed({path: data for path, data in (files or {}).items() if path != known.waiver_file}):
            if whole:
                blind = computed(self._held, self._saved, self._held.lexicon, self._checks)
                return at_once(self._checks, self._held.store, replace(known, blind=blind))
            return at_once([q for q in self._checks if q.name not in self.computed], self._held.store, known)

    @contextmanager
    def _changed(self, files: Files) -> Iterator[None]:
        if not files:
            yield
            return
        before = {path: self._facts_before(path) for path in files}
        self._put({path: self._facts_of(path, data) for path, data in files.items()})
        try:
            yield
        finally:
            self._put(before)

    def _facts_before(self, path: str) -> Facts | None:
        seen = self._held.cache.files().get(path)
        if seen is None:
            return None
        return next(self._held.cache.facts([Version(path, seen.sha, self._key)]))

    def _facts_of(self, path: str, data: bytes | None) -> Facts | None:
        if data is None:
            return None
        return unpack(self._lifter.lifted(path, data, sha256(data).hexdigest()).data)

    def _put(self, facts: dict[str, Facts | None]) -> None:
        """Replace and drop the graphs of these files, then all that is derived."""
        store = self._held.store
        gone = [self._held.graph(path) for path, fact in facts.items() if fact is None]
        store.replace([fact for fact in facts.values() if fact is not None], gone)
        derived = tuple(fact for fact in self._derive(store) if fact.triples)
        if derived:
            store.replace(derived)
