"""Facts as a stream of bytes for a bulk loader, in portions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kbgraph.model.facts import Facts

PORTION = 500_000  # quads loaded at once: a loader that gets more overlaps its batches, and takes twice the memory


class Feed:
    """Facts as a stream of N-Quads bytes, made while they are read: a corpus never stands in memory as a whole."""

    def __init__(self, facts: Iterable[Facts]) -> None:
        self._facts = iter(facts)
        self._rest = memoryview(b"")
        self.error: BaseException | None = None  # of making the facts: no loader passes that on

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes, b"" at the end."""
        try:
            return self._read(size)
        except BaseException as error:
            self.error = error
            raise

    def _read(self, size: int) -> bytes:
        held, have = [self._rest], len(self._rest)
        while size < 0 or have < size:
            fact = next(self._facts, None)
            if fact is None:
                break
            held.append(memoryview(fact.nquads().encode()))
            have += len(held[-1])
        # Only the last piece is cut, and not copied: one large graph is read many times.
        keep = len(held[-1]) - (have - size if 0 <= size < have else 0)
        self._rest, held[-1] = held[-1][keep:], held[-1][:keep]
        return b"".join(held)


def portions(facts: Iterator[Facts]) -> Iterator[Iterable[Facts]]:
    """The facts in portions of so many triples, each drawn on before the next."""
    for first in facts:
        yield _portion(first, facts)


def _portion(first: Facts, rest: Iterator[Facts]) -> Iterator[Facts]:
    yield first
    drawn = len(first.triples)
    while drawn < PORTION and (fact := next(rest, None)) is not None:
        yield fact
        drawn += len(fact.triples)
