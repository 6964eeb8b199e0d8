"""A graph on disk as a row of generations: every change makes a new folder, and one rename makes it the current one.

A reader therefore always sees a whole state, a kill at any moment leaves the last good one, and a copy costs
milliseconds because unchanged files are hard links.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from kbgraph.errors import StoreError
from kbgraph.model.facts import Facts, Term
from kbgraph.model.query import Table
from kbgraph.store import MAX_ROWS, MAX_TRIPLES, TIMEOUT, Quad, Store
from kbgraph.store.lock import Lock
from kbgraph.store.whole import written

if TYPE_CHECKING:
    from kbgraph.store.oxigraph import Oxigraph

POINTER = "current"
TRIES = 10

Got = TypeVar("Got")


class Disk:
    """The current generation below a folder, opened read-only when first needed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = Lock(root / "lock")
        self._reader: Oxigraph | None = None
        self._read = ""  # name of the generation that the reader has open
        self._turn = threading.RLock()  # one thread at a time opens and lets go

    @property
    def name(self) -> str:
        """Name of the current generation, "" when there is none."""
        return self._pointer()[0]

    @property
    def mark(self) -> str:
        """What its writer noted of the current generation."""
        return self._pointer()[1]

    @property
    def folder(self) -> Path | None:
        """Where the generation lies that this reader holds, None when there is none."""
        self._current()
        return self._root / self._read if self._read else None

    def _pointer(self) -> tuple[str, str]:
        try:
            name, _, mark = (self._root / POINTER).read_text("utf-8", "replace").partition(" ")
        except OSError:
            return "", ""
        good = name.startswith("g") and name[1:].isdigit() and (self._root / name).is_dir()
        return (name, mark) if good else ("", "")

    def _current(self) -> Oxigraph:
        """The generation that this reader holds: the current one when it first asks, or when its own is gone."""
        with self._turn:
            if self._reader is None or (self._read and not (self._root / self._read).is_dir()):
                self.close()
                self._read = self.name
                self._reader = _opened(self._root / self._read, writable=False) if self._read else _opened(None)
            return self._reader

    def _reading(self, use: Callable[[Oxigraph], Got]) -> Got:
        """What `use` makes of the current generation; tries again when a writer removed it in between."""
        for _ in range(TRIES):
            reader = self._current()
            try:
                return use(reader)
            except StoreError:
                with self._turn:  # unless another thread has gone on to the next generation meanwhile
                    if self._reader is reader:
                        if self._read == self.name:
                            raise
                        self.close()
        return use(self._current())

    def refresh(self) -> None:
        """See what has been published since; without it a reader keeps its state."""
        if self._read != self.name:
            self.close()

    def load(self, facts: Iterable[Facts]) -> None:
        """Make the store hold just these graphs, in bulk, in a new generation."""
        with self.draft(fresh=True) as draft:
            draft.load(facts)

    def replace(self, changed: Iterable[Facts], gone: Iterable[Term] = ()) -> None:
        """Replace and drop whole graphs, in a new generation."""
        with self.draft() as draft:
            draft.replace(changed, gone)

    def revise(self, graph: Term, gone: Iterable[str], new: Iterable[str]) -> None:
        """Take triples out of a graph and put others in, in a new generation."""
        with self.draft(mark=self.mark) as draft:
            draft.revise(graph, gone, new)

    @contextmanager
    def draft(self, fresh: bool = False, mark: str = "") -> Iterator[Store]:
        """A new generation, copied from the current one unless `fresh`; published when the block ends well."""
        with self.writing():
            self.refresh()
            folder, old = self._next(), self.name
            if old and not fresh:
                self._reading(lambda store: store.backup(folder))
            draft = _opened(folder)
            try:
                yield draft
                draft.close()
                self._publish(f"{folder.name} {mark}")
            finally:
                with suppress(StoreError):  # already told, or about to be
                    draft.close()
                self._sweep({self.name} if fresh else {self.name, old})

    def _next(self) -> Path:
        numbers = [int(p.name[1:]) for p in self._root.glob("g*") if p.name[1:].isdigit()]
        return self._root / f"g{max(numbers, default=0) + 1:06d}"

    def _publish(self, pointer: str) -> None:
        file = self._root / POINTER
        try:
            with written(file, lasting=True) as out:
                out.write(pointer.encode())
        except OSError as error:
            raise StoreError(f"{file} cannot be written: {error}", "make room on the disk, then sync") from error
        self.refresh()

    def _sweep(self, keep: set[str]) -> None:
        """Remove all other generations: old ones, and what a killed writer left."""
        # The one before is kept by the callers: a reader may be about to open it, and it shares nearly all its files.
        for folder in self._root.glob("g*"):
            if folder.name not in keep:
                shutil.rmtree(folder, ignore_errors=True)  # a system that keeps open files: the next one sweeps

    @contextmanager
    def writing(self, wait: float = 2.0) -> Iterator[None]:
        """The writer's lock, made with the folder."""
        with suppress(OSError):  # the lock says it better
            self._root.mkdir(parents=True, exist_ok=True)
        with self._lock.held(wait):
            yield

    def graphs(self) -> dict[Term, str]:
        """Every named graph with its kb:sha256."""
        return self._reading(lambda store: store.graphs())

    def ready(self) -> None:
        """Start every process that answers queries."""
        self._reading(lambda store: store.ready())

    def select(self, query: str, timeout: float = TIMEOUT, max_rows: int = MAX_ROWS) -> Table:
        """Rows in the query's order, run in a process of its own."""
        return self._reading(lambda store: store.select(query, timeout, max_rows))

    def ask(self, query: str, timeout: float = TIMEOUT) -> bool:
        """Truth of an ASK query, run in a process of its own."""
        return self._reading(lambda store: store.ask(query, timeout))

    def construct(self, query: str, timeout: float = TIMEOUT, max_rows: int = MAX_TRIPLES) -> tuple[str, ...]:
        """Sorted triples of a CONSTRUCT query, run in a process of its own."""
        return self._reading(lambda store: store.construct(query, timeout, max_rows))

    def match(
        self, s: Term | None = None, p: Term | None = None, o: Term | None = None, g: Term | None = None
    ) -> Iterator[Quad]:
        """Quads that agree with the terms given."""
        return self._reading(lambda store: store.match(s, p, o, g))

    def dump(self) -> Iterator[str]:
        """All quads as sorted N-Quads lines."""
        return self._reading(lambda store: store.dump())

    def count(self) -> int:
        """Number of quads."""
        return self._reading(lambda store: store.count())

    def close(self) -> None:
        """Let go of the current generation."""
        with self._turn:
            if self._reader is not None:
                self._reader.close()
            self._reader = None
            self._read = ""


def _opened(folder: Path | None, writable: bool = True) -> Oxigraph:
    from kbgraph.store.oxigraph import Oxigraph  # noqa: PLC0415  (the name of a state is known without the engine)

    return Oxigraph(folder, writable)
