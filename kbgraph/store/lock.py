"""One writer at a time: a lock file that the system frees when its holder ends, however it ends."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kbgraph.errors import BusyError, StoreError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_PAUSE = 0.05
# The system's locks belong to processes, so threads of this one are kept apart here.
_HERE: dict[str, threading.Lock] = {}
_GUARD = threading.Lock()


class Lock:
    """The writer's lock at a path; the same Lock may be taken again by the thread that holds it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._owner = 0
        with _GUARD:
            self._here = _HERE.setdefault(os.path.abspath(path), threading.Lock())  # noqa: PTH100  (never resolves)

    @contextmanager
    def held(self, wait: float) -> Iterator[None]:
        """Hold the lock for the block; BusyError when it stays taken for `wait` seconds."""
        if self._owner == threading.get_ident():
            yield
            return
        until = time.monotonic() + wait
        if not self._here.acquire(timeout=wait):
            raise _busy(str(os.getpid()))  # the file stays closed: opening and closing it would free the lock
        try:
            file = self._take(until)
            self._owner = threading.get_ident()
            try:
                yield
            finally:
                self._owner = 0
                os.close(file)  # frees the lock
        finally:
            self._here.release()

    def _take(self, until: float) -> int:
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise StoreError(
                f"{self._path} cannot be written: {error.strerror}",
                "make the folder writable, or choose another place with --store",
            ) from error
        while not _locked(file):
            if time.monotonic() >= until:
                holder = os.read(file, 20).decode("ascii", "replace").strip()
                os.close(file)
                raise _busy(holder)
            time.sleep(_PAUSE)
        with suppress(OSError):  # a full disk: the number is only told, never relied on
            os.ftruncate(file, 0)
            os.write(file, str(os.getpid()).encode())
        return file


def _busy(holder: str) -> BusyError:
    return BusyError(
        f"another kbgraph (process {holder or 'unknown'}) is bringing the graph up to date",
        "wait for it and try again, or use --no-sync to work on the graph as it is",
    )


def _locked(file: int) -> bool:
    try:
        if sys.platform == "win32":
            os.lseek(file, 1 << 30, os.SEEK_SET)  # far behind the number, which others may want to read
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
