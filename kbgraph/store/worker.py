"""Answers queries under a time limit: no engine here lets go of a running query, so its process is ended."""

from __future__ import annotations

import math
import queue
import threading
import weakref
from collections.abc import Callable
from typing import Self

from kbgraph.errors import BrokenError, LateError, StoreError
from kbgraph.store.answers import Answer, Asked
from kbgraph.store.child import Child, receive, send

START_LIMIT = 120.0  # seconds that a worker may take to open its store on a crowded machine


class _Watch:
    """Ends a child when an exchange takes too long; `late` tells whether it did."""

    def __init__(self, child: Child, seconds: float) -> None:
        self.late = False
        self._child = child
        self._over = False
        self._turn = threading.Lock()
        self._timer = threading.Timer(seconds, self._fire)

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._turn:
            self._over = True

    def _fire(self) -> None:
        with self._turn:
            if not self._over:
                self.late = True
                self._child.end()


class Worker:
    """Answers queries in a child process that is started when needed and ended when a limit is hit."""

    def __init__(self, start: Callable[[], Child]) -> None:
        self._start = start
        self._child: Child | None = None
        self._greeted = False
        self._turn = threading.RLock()

    def answer(self, query: Asked, timeout: float, max_rows: int) -> Answer:
        """The engine's answer; BrokenError when it takes longer than `timeout` seconds or ends its process."""
        if not 0 < timeout < math.inf:
            raise BrokenError(f"a time limit of {timeout} s cannot be kept", "give a number above 0")
        with self._turn:
            self.start()
            return self._exchange((query, timeout, max_rows), timeout)

    def begin(self) -> None:
        """Start the process, unless it runs, without waiting for it."""
        with self._turn:
            if self._child is None:
                try:
                    self._child = self._start()
                except OSError as error:  # no room for a process, or for its pipes
                    raise StoreError(
                        f"no process can be started: {error.strerror}", "end others, then ask again"
                    ) from error
                self._last = weakref.finalize(self, self._child.close)  # a store that nobody closed
                self._greeted = False

    def start(self) -> None:
        """Start the process, unless it runs; StoreError when it cannot open its store."""
        with self._turn:
            self.begin()
            if not self._greeted:
                greeting = self._exchange(None, START_LIMIT)
                if greeting[0] == "failed":
                    self.close()
                    raise StoreError(*greeting[1:])
                self._greeted = True

    def _exchange(self, request: tuple[Asked, float, int] | None, timeout: float) -> Answer:
        child = self._child
        assert child is not None
        watch = _Watch(child, timeout)
        try:
            with watch:
                if request:
                    send(child.sink, request)
                answer = tuple(receive(child.source))
        except (EOFError, OSError):
            self.close()
            raise _ended(timeout if watch.late else 0, request is None) from None
        except BaseException:  # Ctrl-C among others: the answer that is under way belongs to nobody
            self.close()
            raise
        if watch.late:  # it was done and ended in the same moment
            self.close()
        return answer

    def close(self) -> None:
        """End the process; the next query starts another, which sees the store as it is then."""
        with self._turn:
            if self._child is not None:
                self._last.detach()
                self._child.close()
                self._child = None


class Workers:
    """Workers over one store: as many queries run at once as are asked at once, up to `most`."""

    def __init__(self, start: Callable[[], Child], most: int) -> None:
        self._all = [Worker(start) for _ in range(most)]
        self._idle: queue.LifoQueue[Worker] = queue.LifoQueue()  # who asks one after the other starts one process
        for worker in self._all:
            self._idle.put(worker)

    def answer(self, query: Asked, timeout: float, max_rows: int) -> Answer:
        """As Worker.answer; waits for a worker where all have work."""
        worker = self._idle.get()
        try:
            return worker.answer(query, timeout, max_rows)
        finally:
            self._idle.put(worker)

    def start(self) -> None:
        """Start all of them, side by side."""
        for worker in self._all:
            worker.begin()
        for worker in self._all:
            worker.start()

    def close(self) -> None:
        """End the processes; the next query starts another, which sees the store as it is then."""
        for worker in self._all:
            worker.close()


def _ended(timeout: float, starting: bool) -> Exception:
    if starting:
        return StoreError("the graph cannot be opened for reading", "run `kbgraph sync --full`")
    if timeout:
        return LateError(f"the query was stopped after {timeout:g} s", "narrow it, or raise its `timeout`")
    return BrokenError(
        "the query ended the process that ran it (out of memory, or nested too deeply)", "narrow the query"
    )
