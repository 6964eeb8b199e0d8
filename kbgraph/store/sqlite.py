"""One SQLite file: opened, guarded, thrown away when damaged; its errors in this project's words."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kbgraph.errors import BusyError, StoreError

BUSY = 10.0  # seconds to wait for another process's short transaction


class DamagedError(StoreError):
    """The file cannot be read any more; it can be thrown away and made anew."""


class Database:
    """A SQLite file with a schema, made when missing; None keeps it in memory, for this process alone."""

    def __init__(self, file: Path | None, schema: str, version: int) -> None:
        self._file = file
        self._schema = schema
        self._version = version
        self._turn = threading.RLock()
        self._db = self._connect()

    def _connect(self) -> sqlite3.Connection:
        with _told(self._file):
            try:
                return self._prepared(_connection(self._file))
            except sqlite3.OperationalError:
                if self._file is None or not self._file.is_file() or os.access(self._file.parent, os.W_OK):
                    raise
                # A folder that cannot be written: read what is there, and let writing say why it fails.
                return self._prepared(_connection(self._file, "?mode=ro&immutable=1"))

    def _prepared(self, db: sqlite3.Connection) -> sqlite3.Connection:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > self._version:
            db.close()
            raise StoreError(f"{self._file} was made by a newer kbgraph", "use that one, or remove the file")
        if version < self._version:
            # WAL: readers are never in the way of the writer, and a kill leaves the last whole state.
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(f"BEGIN IMMEDIATE; {self._schema} PRAGMA user_version = {self._version}; COMMIT;")
        db.execute("PRAGMA synchronous = NORMAL")
        return db

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for statements that change nothing."""
        with self._turn, _told(self._file):
            yield self._db

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The connection within one transaction: all of it or nothing."""
        with self._turn, _told(self._file):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # a full disk has rolled back by itself
                    self._db.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Let go of the file."""
        with suppress(sqlite3.Error):
            self._db.close()


def put_aside(file: Path) -> None:
    """Rename a damaged file to its name with `.damaged`, in place of an older one."""
    with suppress(OSError):
        file.replace(f"{file}.damaged")
    for tail in ("-wal", "-shm"):
        Path(f"{file}{tail}").unlink(missing_ok=True)


def _connection(file: Path | None, how: str = "") -> sqlite3.Connection:
    name = ":memory:" if file is None else file.absolute().as_uri() + how
    return sqlite3.connect(name, timeout=BUSY, isolation_level=None, check_same_thread=False, uri=file is not None)


@contextmanager
def _told(file: Path | None) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise BusyError(f"{file} is in use by another kbgraph", "wait for it and try again") from error
        raise StoreError(f"{file} cannot be used: {error}", "make room and the folder writable, then sync") from error
    except sqlite3.ProgrammingError as error:
        raise StoreError(f"{file} is closed", "open the knowledge base anew") from error
    except sqlite3.DatabaseError as error:
        raise DamagedError(f"{file} is damaged: {error}", "run `kbgraph sync --full`") from error
