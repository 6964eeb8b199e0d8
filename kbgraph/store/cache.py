"""What is known of the files without opening them, and what each version of a file said: one SQLite file.

Facts are kept under path, content hash and engine (what read them), so an unchanged file is never read twice and the
graph as of an earlier round can be put together again.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from kbgraph.errors import StoreError
from kbgraph.model.facts import Facts
from kbgraph.store.sqlite import DamagedError, Database, put_aside
from kbgraph.store.versions import Covered, Lifted, Seen, State, Version, unpack

VERSION = 2
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (path BLOB PRIMARY KEY, size INT, mtime INT, ctime INT, sha TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS facts (path BLOB, sha TEXT, engine TEXT, data BLOB, statements INT, lines INT,
    understood INT, ignored TEXT, PRIMARY KEY (path, sha, engine));
CREATE TABLE IF NOT EXISTS versions (path BLOB, sha TEXT, engine TEXT, since INT, until INT);
CREATE INDEX IF NOT EXISTS versions_path ON versions (path);
CREATE TABLE IF NOT EXISTS identities (path BLOB, sha TEXT, identity TEXT, day TEXT,
    PRIMARY KEY (path, sha)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rounds (id TEXT PRIMARY KEY, seq INT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS consumed (round TEXT, path BLOB, sha TEXT, engine TEXT,
    PRIMARY KEY (round, path)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS consumed_path ON consumed (path);
"""


FEW = 100  # up to this many paths are looked up one by one
_KEPT = "SELECT sha FROM facts WHERE engine = ?"


def _key(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _path(key: bytes) -> str:
    return key.decode("utf-8", "surrogateescape")


class Cache:
    """The cache at a path, made when missing; None keeps it in memory, for this process alone."""

    def __init__(self, path: Path | None) -> None:
        self._base = Database(path, _SCHEMA, VERSION)

    @classmethod
    def renewed(cls, path: Path) -> Cache:
        """A new cache in place of a damaged one, which is put aside; the graph itself is elsewhere."""
        put_aside(path)
        return cls(path)

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._base.reading() as db:
            return db.execute(query, values).fetchall()

    # -- what the graph holds now

    def state(self) -> State:
        """The state that was committed last."""
        found = self._rows("SELECT value FROM meta WHERE key = 'state'")
        try:
            said = json.loads(found[0][0]) if found else {}
            return State(**{**said, "derived": tuple(said.get("derived", ()))})
        except (ValueError, TypeError) as error:
            raise DamagedError(f"the cache is damaged: {error}", "run `kbgraph sync --full`") from error

    def files(self) -> dict[str, Seen]:
        """Every file of the graph, as it was when it was read."""
        rows = self._rows("SELECT path, size, mtime, ctime, sha FROM files")
        return {_path(path): Seen(*rest) for path, *rest in rows}

    def touch(self, seen: Mapping[str, Seen]) -> None:
        """Files that were read again and found to be the same."""
        with self._base.writing() as db:
            db.executemany("REPLACE INTO files VALUES (?, ?, ?, ?, ?)", [(_key(p), *s) for p, s in seen.items()])

    def commit(self, state: State, changed: Mapping[str, Seen], gone: Iterable[str], rounds: Iterable[str]) -> State:
        """Make a new state the one that the graph holds; returns it with its number."""
        new = replace(state, seq=self.state().seq + 1)
        dropped = [(_key(path),) for path in gone]
        with self._base.writing() as db:
            db.executemany("DELETE FROM files WHERE path = ?", dropped)
            db.executemany("REPLACE INTO files VALUES (?, ?, ?, ?, ?)", [(_key(p), *s) for p, s in changed.items()])
            ended = [*dropped, *((_key(path),) for path in changed)]
            close = "UPDATE versions SET until = ? WHERE path = ? AND until IS NULL"
            db.executemany(close, [(new.seq, *path) for path in ended])
            opened = [(_key(p), s.sha, new.engine, new.seq) for p, s in changed.items()]
            db.executemany("INSERT INTO versions VALUES (?, ?, ?, ?, NULL)", opened)
            db.executemany("INSERT OR IGNORE INTO rounds VALUES (?, ?)", [(r, new.seq) for r in rounds])
            db.execute("REPLACE INTO meta VALUES ('state', ?)", (json.dumps(asdict(new)),))
            _prune(db, ended)
        return new

    def published(self, generation: str) -> None:
        """The same state of the files is in another generation of the graph now: only what was computed is other."""
        with self._base.writing() as db:
            new = json.dumps(asdict(replace(self.state(), generation=generation)))
            db.execute("REPLACE INTO meta VALUES ('state', ?)", (new,))

    # -- what versions of files said

    def keep(self, lifted: Iterable[Lifted], engine: str) -> None:
        """Keep what was read, at once: a run that is ended need not read it again."""
        many = list(lifted)
        with self._base.writing() as db:
            db.executemany(
                "REPLACE INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(_key(one.path), one.sha, engine, *one[2:6], json.dumps(one.ignored)) for one in many],
            )
            known = [(_key(one.path), one.sha, one.identity, one.day) for one in many]
            db.executemany("REPLACE INTO identities VALUES (?, ?, ?, ?)", known)

    def lifted(self, version: Version) -> Lifted | None:
        """What a version said, None when it was never read."""
        found = self._rows(
            "SELECT data, statements, lines, understood, ignored, identity, day FROM facts LEFT JOIN identities"
            " USING (path, sha) WHERE path = ? AND sha = ? AND engine = ?",
            _key(version.path), version.sha, version.engine,
        )  # fmt: skip
        if not found:
            return None
        data, statements, lines, understood, ignored, *known = found[0]
        reasons = tuple((str(reason), int(count)) for reason, count in json.loads(ignored))
        who = (text or "" for text in known)
        return Lifted(version.path, version.sha, data, statements, lines, understood, reasons, *who)

    def kept(self, paths: Collection[str], engine: str) -> dict[str, list[str]]:
        """For each path the hashes whose facts are kept."""
        if len(paths) < FEW:
            rows = [(p, s) for p in paths for (s,) in self._rows(f"{_KEPT} AND path = ?", engine, _key(p))]
        else:
            rows = [(_path(p), s) for p, s in self._rows(_KEPT.replace("SELECT sha", "SELECT path, sha"), engine)]
        found: dict[str, list[str]] = {}
        for path, sha in rows:
            found.setdefault(path, []).append(sha)
        return found

    def coverage(self) -> Covered:
        """Counts over all files of the graph, the reasons for ignored lines in order; counted once a state."""
        state = self.state()
        found = self._rows("SELECT value FROM meta WHERE key = 'covered'")
        seq, kept = json.loads(found[0][0]) if found else (-1, None)
        if kept is not None and seq == state.seq:
            documents, statements, lines, understood, ignored = kept
            return Covered(documents, statements, lines, understood, tuple((why, number) for why, number in ignored))
        made = self._covered(state.engine)
        with suppress(StoreError), self._base.writing() as db:  # it only saves time
            db.execute("REPLACE INTO meta VALUES ('covered', ?)", (json.dumps([state.seq, made]),))
        return made

    def _covered(self, engine: str) -> Covered:
        rows = self._rows(
            "SELECT statements, lines, understood, ignored FROM files JOIN facts USING (path, sha) WHERE engine = ?",
            engine,
        )
        reasons: Counter[str] = Counter()
        for *_, ignored in rows:
            reasons.update(dict(json.loads(ignored)))
        statements, lines, understood = (sum(row[n] for row in rows) for n in range(3))
        return Covered(len(rows), statements, lines, understood, tuple(sorted(reasons.items())))

    def identities(self) -> dict[str, str]:
        """What each file of the graph is known by, in the order of their days, then of their paths."""
        rows = self._rows("SELECT path, identity FROM files JOIN identities USING (path, sha) ORDER BY day, path")
        return {_path(path): identity for path, identity in rows}

    def facts(self, versions: Iterable[Version]) -> Iterator[Facts]:
        """The facts of these versions; DamagedError when one was never read."""
        for version in versions:
            found = self.lifted(version)
            if found is None:
                raise DamagedError(f"the facts of {version.path!r} are missing", "run `kbgraph sync --full`")
            yield unpack(found.data)

    # -- earlier rounds

    def consume(self, round_id: str, versions: Iterable[Version]) -> None:
        """Record which version of each file a round was given; what was recorded before stands: it is history."""
        with self._base.writing() as db:
            db.execute("INSERT OR IGNORE INTO rounds VALUES (?, ?)", (round_id, self.state().seq))
            rows = [(round_id, _key(v.path), v.sha, v.engine) for v in versions]
            db.executemany("INSERT OR IGNORE INTO consumed VALUES (?, ?, ?, ?)", rows)

    def rounds(self) -> dict[str, int]:
        """Every round with the number of the state in which it was first seen."""
        return dict(self._rows("SELECT id, seq FROM rounds"))

    def as_of(self, round_id: str) -> tuple[Version, ...]:
        """Every file's version when the round was first seen, the ones that it was given before all; sorted by path."""
        seq = self.rounds()[round_id]
        held = self._rows(
            "SELECT path, sha, engine FROM versions WHERE since <= ? AND (until IS NULL OR until > ?)", seq, seq
        )
        given = self._rows("SELECT path, sha, engine FROM consumed WHERE round = ?", round_id)
        merged = {path: (sha, engine) for path, sha, engine in (*held, *given)}
        return tuple(Version(_path(path), *rest) for path, rest in sorted(merged.items()))


def _prune(db: sqlite3.Connection, paths: Iterable[tuple[bytes]]) -> None:
    """Forget versions of these files that neither a round nor the present can ask for."""
    db.executemany(
        "DELETE FROM versions WHERE path = ? AND until IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM rounds WHERE seq >= since AND seq < until)",
        paths,
    )
    db.executemany(
        "DELETE FROM facts AS f WHERE path = ?"
        " AND NOT EXISTS (SELECT 1 FROM versions v WHERE (v.path, v.sha, v.engine) = (f.path, f.sha, f.engine))"
        " AND NOT EXISTS (SELECT 1 FROM consumed c WHERE (c.path, c.sha, c.engine) = (f.path, f.sha, f.engine))",
        paths,
    )
    db.executemany(
        "DELETE FROM identities AS i WHERE path = ?"
        " AND NOT EXISTS (SELECT 1 FROM facts f WHERE (f.path, f.sha) = (i.path, i.sha))",
        paths,
    )
