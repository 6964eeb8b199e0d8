"""Quads in, tables out. Every backend keeps the same promises, which `tests/test_store.py` holds for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from kbgraph.model.facts import Facts, Term
from kbgraph.model.query import Table

__all__ = ["TIMEOUT", "Quad", "Store", "open_store"]

Quad = tuple[Term, Term, Term, Term]
TIMEOUT = 10.0
MAX_ROWS = 100_000
MAX_TRIPLES = 10_000_000


class Store(Protocol):
    """A set of named graphs. What a query sees as default graph is the union of them all."""

    @property
    def name(self) -> str:
        """Name of the state on disk, another after every change; "" for a store in memory."""

    @property
    def mark(self) -> str:
        """What the writer of the present state noted; "" for a store in memory."""

    def load(self, facts: Iterable[Facts]) -> None:
        """Make the store hold just these graphs."""

    def replace(self, changed: Iterable[Facts], gone: Iterable[Term] = ()) -> None:
        """Replace and drop whole graphs; a reader sees all of it or nothing."""

    def revise(self, graph: Term, gone: Iterable[str], new: Iterable[str]) -> None:
        """Take triples `s p o` out of a graph and put others in; what is not there is not missed."""

    def draft(self, fresh: bool = False, mark: str = "") -> AbstractContextManager[Store]:
        """A store to change in several steps, empty if `fresh`; readers see it once the block ends without an error."""

    def writing(self, wait: float = 2.0) -> AbstractContextManager[None]:
        """The writer's lock, held for the block; BusyError when another process keeps it longer than `wait` seconds."""

    def refresh(self) -> None:
        """See what other processes have published since; without it a reader keeps the state that it began with."""

    def graphs(self) -> dict[Term, str]:
        """Every named graph, with the kb:sha256 that it states of itself, "" when it states none."""

    def ready(self) -> None:
        """Start what answers queries asked at once from several threads; before those threads are started."""

    def select(self, query: str, timeout: float = TIMEOUT, max_rows: int = MAX_ROWS) -> Table:
        """Rows in the query's order; BrokenError when a limit is hit, and the query is then really stopped."""

    def ask(self, query: str, timeout: float = TIMEOUT) -> bool:
        """The answer of an ASK query; limits as `select`."""

    def construct(self, query: str, timeout: float = TIMEOUT, max_rows: int = MAX_TRIPLES) -> tuple[str, ...]:
        """Triples `s p o` of a CONSTRUCT query, sorted, without repeats; limits as `select`."""

    def match(
        self, s: Term | None = None, p: Term | None = None, o: Term | None = None, g: Term | None = None
    ) -> Iterator[Quad]:
        """Quads that agree with the terms given, in no order."""

    def dump(self) -> Iterator[str]:
        """All quads as sorted N-Quads lines, without line ends: canonical, since there are no blank nodes."""

    def count(self) -> int:
        """Number of quads."""

    def close(self) -> None:
        """Let go of files and processes; using the store afterwards is an error."""


def open_store(location: str | Path) -> Store:
    """The store at a folder, made when missing; `memory:` (Oxigraph) and `rdflib:` (the reference) live in memory."""
    if location == "memory:":
        from kbgraph.store.oxigraph import Oxigraph  # noqa: PLC0415  (only the engine in use is loaded)

        return Oxigraph()
    if location == "rdflib:":
        from kbgraph.store.rdf import Reference  # noqa: PLC0415  (only the engine in use is loaded)

        return Reference()
    from kbgraph.store.disk import Disk  # noqa: PLC0415  (only the engine in use is loaded)

    return Disk(Path(location))
