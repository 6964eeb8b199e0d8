"""The cache: what it keeps, what it forgets, and that damage costs work but never a graph."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kbgraph.errors import BusyError, StoreError
from kbgraph.model.facts import Facts, Term, make_facts
from kbgraph.store.cache import Cache
from kbgraph.store.sqlite import DamagedError
from kbgraph.store.versions import Covered, Lifted, Seen, State, Version, pack, unpack

ODD = "bad\udcffname 中文\n.md"  # a name whose bytes are no UTF-8, with Chinese and a line break


def lifted(path: str, sha: str, *texts: str) -> Lifted:
    """What a version of a file said: one triple for each of `texts`."""
    facts = make_facts(Term("<urn:g>"), [f'<urn:s> <urn:p> "{text}"' for text in texts])
    return Lifted(path, sha, pack(facts), len(texts), 10, 7, (("comment", 2), ("rule", 1)))


def seen(sha: str) -> Seen:
    """A file of 5 bytes with this hash."""
    return Seen(5, 1000, 2000, sha)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    """An empty cache on disk."""
    made = Cache(tmp_path / "cache.db")
    yield made
    made.close()


def put(
    cache: Cache, state: State, files: dict[str, str], gone: tuple[str, ...] = (), rounds: tuple[str, ...] = ()
) -> State:
    """Keep and commit these versions (path -> sha), each saying its own sha."""
    cache.keep([lifted(path, sha, sha) for path, sha in files.items()], state.engine)
    return cache.commit(state, {path: seen(sha) for path, sha in files.items()}, gone, rounds)


def said(cache: Cache, *versions: Version) -> list[Facts]:
    """The facts of these versions."""
    return list(cache.facts(versions))


def test_an_empty_cache(cache: Cache) -> None:
    assert cache.state() == State()
    assert cache.files() == {}
    assert cache.rounds() == {}
    assert cache.lifted(Version("a.md", "1", "e")) is None
    assert cache.coverage() == Covered(0, 0, 0, 0, ())


def test_what_was_committed_is_there_for_the_next_process(cache: Cache, tmp_path: Path) -> None:
    state = put(cache, State("g1", "e"), {ODD: "1", "b.md": "2"})
    assert state == State("g1", "e", seq=1)
    cache.close()
    again = Cache(tmp_path / "cache.db")
    assert again.state() == state
    assert again.files() == {ODD: seen("1"), "b.md": seen("2")}
    assert again.lifted(Version(ODD, "1", "e")) == lifted(ODD, "1", "1")
    assert again.lifted(Version(ODD, "1", "another engine")) is None
    again.close()


def test_facts_survive_packing() -> None:
    odd = Facts(Term("<urn:g>"), ('<urn:s> <urn:p> "next\x85 line\u2028 feed\x0c 中文 🎉"', '<urn:s> <urn:p> ""'))
    assert unpack(pack(odd)) == odd
    assert unpack(pack(Facts(Term("<urn:g>"), ()))) == Facts(Term("<urn:g>"), ())


def test_packed_facts_are_small() -> None:
    triples = [f'<urn:kb:t:a.md#e-{n}> <https://schema.org/text> "claim number {n} of this file"' for n in range(300)]
    assert len(pack(make_facts(Term("<urn:kb:t:a.md>"), triples))) < 300 * 12


def test_coverage_adds_up_present_files_only(cache: Cache) -> None:
    state = put(cache, State("g1", "e"), {"a.md": "1", "b.md": "2", "c.md": "3"}, rounds=("r",))
    put(cache, state, {"a.md": "4"}, gone=("b.md",))
    assert cache.coverage() == Covered(2, 2, 20, 14, (("comment", 4), ("rule", 2)))


def test_touch_changes_stamps_alone(cache: Cache) -> None:
    state = put(cache, State("g1", "e"), {"a.md": "1"})
    cache.touch({"a.md": Seen(5, 7, 8, "1")})
    assert cache.files() == {"a.md": Seen(5, 7, 8, "1")}
    assert cache.state() == state


def test_versions_that_nobody_can_ask_for_are_forgotten(cache: Cache) -> None:
    state = put(cache, State("g1", "e"), {"a.md": "1", "b.md": "1"})
    state = put(cache, state, {"a.md": "2"})
    with pytest.raises(DamagedError, match=r"the facts of 'a\.md' are missing"):
        said(cache, Version("a.md", "1", "e"))
    assert len(said(cache, Version("a.md", "2", "e"), Version("b.md", "1", "e"))) == 2
    state = put(cache, state, {}, gone=("b.md",))
    assert cache.lifted(Version("b.md", "1", "e")) is None


def test_as_of_a_round_gives_the_versions_of_then(cache: Cache) -> None:
    state = put(cache, State("g1", "e"), {"a.md": "1", "b.md": "1", "z.md": "1"})
    state = put(cache, state, {"a.md": "2", "m.json": "1"}, gone=("z.md",), rounds=("r1",))
    state = put(cache, state, {"a.md": "3", "c.md": "1"}, gone=("b.md",))
    state = put(cache, replace(state, engine="new"), {"a.md": "3", "c.md": "1", "m.json": "1"}, rounds=("r1", "r2"))
    assert cache.rounds() == {"r1": 2, "r2": 4}
    first = (Version("a.md", "2", "e"), Version("b.md", "1", "e"), Version("m.json", "1", "e"))
    assert cache.as_of("r1") == first
    assert [f.triples[0] for f in said(cache, *first)] == [f'<urn:s> <urn:p> "{n}"' for n in "211"]
    assert cache.as_of("r2") == tuple(Version(p, s, "new") for p, s in (("a.md", "3"), ("c.md", "1"), ("m.json", "1")))
    with pytest.raises(KeyError):
        cache.as_of("r3")


def test_what_a_round_was_given_stands_before_what_the_folder_held(cache: Cache) -> None:
    state = put(cache, State("g1", "e"), {"a.md": "1", "b.md": "1"}, rounds=("r1",))
    cache.keep([lifted("a.md", "9", "given"), lifted("n.md", "5", "given")], "e")
    cache.consume("r1", [Version("a.md", "9", "e"), Version("n.md", "5", "e")])
    put(cache, state, {"a.md": "2", "b.md": "2"})
    versions = cache.as_of("r1")
    assert versions == (Version("a.md", "9", "e"), Version("b.md", "1", "e"), Version("n.md", "5", "e"))
    assert [f.triples[0].split(" ")[2] for f in said(cache, *versions)] == ['"given"', '"1"', '"given"']
    # Reading it again gives the round nothing new, but for files that it had not been given.
    cache.consume("r1", [Version("a.md", "2", "e"), Version("c.md", "1", "e")])
    assert cache.as_of("r1") == (*versions[:2], Version("c.md", "1", "e"), versions[2])


def test_a_round_may_be_given_files_before_any_sync(cache: Cache) -> None:
    cache.keep([lifted("a.md", "9", "given")], "e")
    cache.consume("r1", [Version("a.md", "9", "e")])
    assert cache.as_of("r1") == (Version("a.md", "9", "e"),)


def test_a_failed_commit_changes_nothing(cache: Cache) -> None:
    state = put(cache, State("g1", "e"), {"a.md": "1"})
    with pytest.raises(UnicodeEncodeError):
        cache.commit(State("g2", "e"), {"b.md": seen("2"), "\ud800": seen("3")}, ("a.md",), ())
    assert cache.state() == state
    assert cache.files() == {"a.md": seen("1")}


@pytest.mark.parametrize("rubbish", [b"", b"rubbish" * 1000, b"SQLite format 3\0" + b"x" * 5000])
def test_a_damaged_file_is_put_aside(tmp_path: Path, rubbish: bytes) -> None:
    file = tmp_path / "cache.db"
    Cache(file).close()
    file.write_bytes(rubbish)
    if not rubbish:
        assert Cache(file).files() == {}, "an empty file is a new one"
        return
    with pytest.raises(DamagedError, match="is damaged"):
        Cache(file)
    made = Cache.renewed(file)
    put(made, State("g1", "e"), {"a.md": "1"})
    assert made.files() == {"a.md": seen("1")}
    assert (tmp_path / "cache.db.damaged").read_bytes() == rubbish
    made.close()


def test_damage_inside_is_told(cache: Cache, tmp_path: Path) -> None:
    put(cache, State("g1", "e"), {f"{n}.md": str(n) for n in range(400)})
    cache.close()
    file = tmp_path / "cache.db"
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    file.write_bytes(data)
    with pytest.raises(DamagedError, match="kbgraph sync --full"):
        Cache(file).files()


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "cache.db"
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="newer kbgraph"):
        Cache(file)


def test_another_process_in_a_transaction_is_waited_for_then_told(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbgraph.store.sqlite.BUSY", 0.1)
    other = sqlite3.connect(tmp_path / "cache.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    mine = Cache(tmp_path / "cache.db")
    with pytest.raises(BusyError, match="in use by another kbgraph"):
        mine.touch({"a.md": seen("1")})
    assert mine.files() == {}, "reading goes on meanwhile"
    other.execute("ROLLBACK")
    mine.touch({"a.md": seen("1")})
    assert cache.files() == {"a.md": seen("1")}
    other.close()
    mine.close()


def test_a_kill_leaves_the_last_commit(tmp_path: Path) -> None:
    code = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_cache import *
cache = Cache(Path(sys.argv[1]) / "cache.db")
n = 0
while True:
    n += 1
    put(cache, State(f"g{{n}}", "e"), {{f"{{m}}.md": f"{{n}}" for m in range(50)}})
    print("written", flush=True)
"""
    for pause in (0.01, 0.05, 0.1, 0.2):
        writer = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE)
        assert writer.stdout
        writer.stdout.readline()
        time.sleep(pause)
        writer.kill()
        writer.wait()
        writer.stdout.close()
        cache = Cache(tmp_path / "cache.db")
        shas = {known.sha for known in cache.files().values()}
        generation = cache.state().generation
        assert generation
        assert shas == {generation[1:]}
        cache.close()


def test_memory_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = Cache(None)
    put(made, State("g1", "e"), {"a.md": "1"})
    made.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_can_be_read(cache: Cache, tmp_path: Path) -> None:
    put(cache, State("g1", "e"), {"a.md": "1"})
    cache.close()
    tmp_path.chmod(0o500)
    try:
        made = Cache(tmp_path / "cache.db")
        assert made.files() == {"a.md": seen("1")}
        with pytest.raises(StoreError, match="cannot be used"):
            made.touch({})
        made.close()
    finally:
        tmp_path.chmod(0o700)
