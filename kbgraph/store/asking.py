"""What both engines have in common: queries are answered by processes of their own, and nobody else sees the store."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
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

    def writing(self, wait: float = 2.0) -> AbstractContextManager[None]:
        """No lock is needed: nobody else sees it."""
        del wait
        return nullcontext()

    def refresh(self) -> None:
        """Nothing: nobody else changes it."""
