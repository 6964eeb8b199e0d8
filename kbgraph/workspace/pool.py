"""Many files lifted by several processes; what comes back does not depend on how many, nor on who is faster."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Self

from kbgraph.errors import StoreError
from kbgraph.store.child import Child, receive, send, spawned
from kbgraph.workspace.lifting import Lifter, Outcome, outcome_of

FEW = 120  # up to this many files, starting processes costs more than it saves
CHUNK = 24  # files handed over at once
MOST = 8  # processes, unless more are asked for

Task = tuple[str, Collection[str]]  # path, hashes whose facts are kept already


def lift_all(lifter: Lifter, tasks: Collection[Task], workers: int | None) -> Iterator[Outcome]:
    """The outcome of every file, in any order."""
    count = min(workers or min(os.cpu_count() or 1, MOST), len(tasks) // CHUNK + 1)
    if count < 2 or (workers is None and len(tasks) <= FEW):
        yield from (lifter.outcome(path, kept) for path, kept in tasks)
    else:
        with _Pool(count, lifter.greeting()) as pool:
            yield from pool.outcomes(tasks)


class _Hand:
    """One process that lifts; begun again when a file ends it, and that file is then passed over."""

    def __init__(self, hello: object, over: threading.Event) -> None:
        self._hello = hello
        self._over = over
        self._child: Child | None = None

    def outcomes(self, chunk: list[Task]) -> list[Outcome]:
        """The outcome of each file, one by one when one ended the process; OSError when no process can be started."""
        child, fresh = self._begun()
        with suppress(EOFError, OSError, ValueError):
            if fresh:
                send(child.sink, self._hello)
            send(child.sink, chunk)
            return [outcome_of(one) for one in receive(child.source)]
        self.end()
        if self._over.is_set() or len(chunk) == 1:
            return [Outcome(path, None, None, "reading it ended the process that did so") for path, _ in chunk]
        return [outcome for one in chunk for outcome in self.outcomes([one])]

    def _begun(self) -> tuple[Child, bool]:
        """The process, and whether it was started just now."""
        fresh = self._child is None
        child = self._child or spawned("workspace.lifting")
        self._child = child
        return child, fresh

    def end(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None


class _Pool:
    """Hands, each led by a thread of this process."""

    def __init__(self, count: int, hello: object) -> None:
        self._over = threading.Event()
        self._hands = [_Hand(hello, self._over) for _ in range(count)]
        self._chunks: queue.SimpleQueue[list[Task] | None] = queue.SimpleQueue()
        self._done: queue.Queue[list[Outcome] | OSError | None] = queue.Queue(maxsize=256 * count)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for hand in self._hands:
            hand.end()

    def outcomes(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        left = iter(tasks)
        while chunk := list(islice(left, CHUNK)):
            self._chunks.put(chunk)
        for hand in self._hands:
            self._chunks.put(None)
            threading.Thread(target=self._lead, args=(hand,), daemon=True).start()
        working = len(self._hands)
        while working:
            found = self._done.get()
            if found is None:
                working -= 1
            elif isinstance(found, OSError):
                raise StoreError(f"no process can be started: {found.strerror}", "end others, or use --workers 1")
            else:
                yield from found

    def _lead(self, hand: _Hand) -> None:
        while not self._over.is_set() and (chunk := self._chunks.get()) is not None:
            try:
                found: list[Outcome] | OSError = hand.outcomes(chunk)
            except OSError as error:  # the machine has no room for a process: that is no fault of the files
                found = error
            self._tell(found)
        self._tell(None)

    def _tell(self, found: list[Outcome] | OSError | None) -> None:
        while not self._over.is_set():
            with suppress(queue.Full):
                self._done.put(found, timeout=0.5)
                return
