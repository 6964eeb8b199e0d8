"""A process of its own, and plain values that go to it and come back through pipes."""

from __future__ import annotations

import contextlib
import gc
import marshal
import os
import signal
import subprocess
import sys
import threading
import warnings
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

from kbgraph.errors import StoreError
from kbgraph.store.answers import Answer

Evaluate = Callable[[Any, int], Answer]  # what is asked, and the most rows that are wanted

MEMORY_LIMIT = 4 << 30  # bytes that a query may take beyond what the store itself holds
CAN_FORK = hasattr(os, "fork")
_RUN = "import sys; sys.path.insert(0, sys.argv[1]); from kbgraph.{module} import serve; serve(*sys.argv[2:])"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Child:
    """A running process, what it reads, what it writes, and how to end it."""

    source: IO[bytes]
    sink: IO[bytes]
    end: Callable[[], object]

    def close(self) -> None:
        """End the process; harmless when it has ended."""
        self.end()
        for stream in (self.source, self.sink):
            with contextlib.suppress(OSError):
                stream.close()


def send(sink: IO[bytes], value: Any) -> None:  # noqa: ANN401  (marshal takes any plain value)
    """Write one plain value, length first."""
    data = marshal.dumps(value)
    sink.write(len(data).to_bytes(8, "big") + data)
    sink.flush()


def receive(source: IO[bytes]) -> Any:  # noqa: ANN401  (marshal gives any plain value)
    """The next value, EOFError when the other side has ended."""
    size = source.read(8)
    data = source.read(int.from_bytes(size, "big")) if len(size) == 8 else b""
    if not data or len(data) < int.from_bytes(size, "big"):
        raise EOFError
    return marshal.loads(data)  # noqa: S302  (from a process that this one has started)


def answering(evaluate: Evaluate, source: IO[bytes], sink: IO[bytes], alarm: Callable[[float], object]) -> None:
    """Answer queries until the other side closes; `alarm` is told each time limit, and 0 when it is kept."""
    with contextlib.suppress(EOFError, BrokenPipeError):
        send(sink, ("ready",))
        while True:
            query, timeout, max_rows = receive(source)
            alarm(timeout + 5)  # a belt, should the one who asked be gone by then
            send(sink, evaluate(query, max_rows))
            alarm(0)


def own_process() -> Callable[[float], object]:
    """Make this process a worker that lives and dies for its parent; its alarm, which ends it."""
    if not CAN_FORK:
        return lambda _: None
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    _bound_memory()
    return lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)


def _bound_memory() -> None:
    """A query that eats the machine's memory ends itself; only where the process can see how much it holds."""
    held = Path("/proc/self/statm")
    if held.exists():
        import resource  # noqa: PLC0415  (Unix alone has it)

        limit = int(held.read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE") + MEMORY_LIMIT
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (limit if hard < 0 else min(limit, hard), hard))


_FORKING = threading.Lock()
_OPEN: weakref.WeakSet[Child] = weakref.WeakSet()  # copies whose pipes this process holds


def forked(evaluate: Evaluate) -> Child:
    """A copy of this process, which sees a store in memory as it is now."""
    with _FORKING:  # a copy that holds another one's pipe keeps it open when that one has ended
        down, up = os.pipe(), os.pipe()
        with warnings.catch_warnings():
            # Python 3.12 warns of threads; the copy runs nothing but the engine's own reading.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid:
            os.close(down[0])
            os.close(up[1])
            child = Child(os.fdopen(up[0], "rb"), os.fdopen(down[1], "wb"), _Ending(pid))
            _OPEN.add(child)
            return child
    try:
        gc.freeze()  # what was garbage in the parent ends its children there, and must not be ended here as well
        os.close(down[1])
        os.close(up[0])
        for stream in [stream for other in [*_OPEN] for stream in (other.source, other.sink)]:
            # The file below the buffer: a buffer may be locked by a thread that this copy does not have.
            with contextlib.suppress(OSError, ValueError):
                stream.raw.close()  # type: ignore[attr-defined]
        answering(evaluate, os.fdopen(down[0], "rb"), os.fdopen(up[1], "wb"), own_process())
    finally:
        os._exit(0)  # nothing of the parent's may run twice: no atexit, no flushed buffer


class _Ending:
    """Ends a forked child once: afterwards its number may belong to another process."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._once = threading.Lock()

    def __call__(self) -> None:
        if self._once.acquire(blocking=False):
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)


def inline(evaluate: Evaluate) -> Child:
    """A thread of this process, for systems that cannot fork: a late query is left behind, and runs until it ends."""
    down, up = os.pipe(), os.pipe()
    source, sink = os.fdopen(down[0], "rb"), os.fdopen(up[1], "wb")
    threading.Thread(target=_alone, args=(evaluate, source, sink), daemon=True).start()
    return Child(os.fdopen(up[0], "rb"), os.fdopen(down[1], "wb"), sink.close)


def _alone(evaluate: Evaluate, source: IO[bytes], sink: IO[bytes]) -> None:
    with contextlib.suppress(ValueError, OSError):  # the sink was closed: nobody waits for the answer
        answering(evaluate, source, sink, lambda _: None)


def spawned(module: str, *arguments: str) -> Child:
    """A new interpreter that runs `serve(*arguments)` of a module of this package, blind to the current folder."""
    home = str(Path(__file__).parents[2])
    command = [sys.executable, "-P", "-c", _RUN.format(module=module), home, *arguments]
    process = subprocess.Popen(  # noqa: S603  (this interpreter, this package)
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    if process.stdin is None or process.stdout is None:  # pragma: no cover  (both were asked for)
        raise StoreError("a worker process has no pipes", "report this")
    return Child(process.stdout, process.stdin, partial(_kill, process))


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
