"""The three forms of a query, answered by processes of their own: what both engines have in common."""

from __future__ import annotations

from typing import Protocol

from kbgraph.model.query import Table
from kbgraph.store import MAX_ROWS, MAX_TRIPLES, TIMEOUT, answers
from kbgraph.store.answers import Answer


class Answering(Protocol):
    """Whoever runs queries under limits."""

    def answer(self, query: str, timeout: float, max_rows: int) -> Answer:
        """The engine's answer."""


class Asking:
    """A store that hands its queries on."""

    _worker: Answering

    def select(self, query: str, timeout: float = TIMEOUT, max_rows: int = MAX_ROWS) -> Table:
        """Rows in the query's order, run in a process of its own."""
        return answers.table(self._worker.answer(query, timeout, max_rows))

    def ask(self, query: str, timeout: float = TIMEOUT) -> bool:
        """Truth of an ASK query, run in a process of its own."""
        return answers.truth(self._worker.answer(query, timeout, 1))

    def construct(self, query: str, timeout: float = TIMEOUT, max_rows: int = MAX_TRIPLES) -> tuple[str, ...]:
        """Sorted triples of a CONSTRUCT query, run in a process of its own."""
        return answers.triples(self._worker.answer(query, timeout, max_rows))
