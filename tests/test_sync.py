"""Bringing the graph up to date: in steps as at once, whatever the order, the workers, the kill and the odd file."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

import kbgraph
from kbgraph.config import STATE
from kbgraph.errors import BrokenError, BusyError, StoreError, UsageError
from kbgraph.lift import lift
from kbgraph.model.document import Document
from kbgraph.model.facts import Facts, Term
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.settings import Entry, Settings, Skipped
from kbgraph.store.child import Child
from kbgraph.store.versions import Seen
from kbgraph.workspace import Workspace
from kbgraph.workspace.files import LIMIT, ignoring, odd_names, read_file, same, scan
from kbgraph.workspace.lifting import Outcome
from kbgraph.workspace.pool import lift_all

LONG_AGO = 1_700_000_000


def write(root: Path, path: str, text: str | bytes, age: int = LONG_AGO) -> Path:
    """A file of the corpus, old enough that its age proves that it has not changed."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    os.utime(file, (age, age))
    return file


def card(number: int, extra: str = "") -> str:
    """A small paper card."""
    return f"# Paper {number}\n\n- arXiv: 2401.{number:05d}\n\nIt lowers latency by {number}.5%. {extra}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A corpus of three cards and a note; its name, and so its IRIs, is always the same."""
    folder = tmp_path / "kb"
    write(folder, "kbgraph.toml", 'name = "t"\n')
    for number in (1, 2, 3):
        write(folder, f"organized/paper_cards/{number:03d}.md", card(number))
    write(folder, "note.md", "# 笔记\n\n见 [卡片](organized/paper_cards/001.md)。\n")
    return folder


@pytest.fixture
def opened(root: Path) -> Iterator[Workspace]:
    """The corpus, synced on disk."""
    with kbgraph.open(root) as workspace:
        workspace.sync()
        yield workspace


def fresh(root: Path) -> str:
    """The graph of a folder built from nothing."""
    with kbgraph.open(root, store="memory:") as workspace:
        workspace.sync()
        return workspace.export("nq")


def paths(workspace: Workspace) -> set[object]:
    """Paths of all materials in the graph."""
    return set(workspace.select("SELECT ?p WHERE { ?m <https://w3id.org/kbgraph/ns#path> ?p }").column("p"))


# -- in steps as at once


def test_the_first_sync_reads_everything(root: Path) -> None:
    with kbgraph.open(root) as workspace:
        report = workspace.sync()
        cards = tuple(f"organized/paper_cards/{n:03d}.md" for n in (1, 2, 3))
        assert (report.added, report.changed, report.removed) == (("note.md", *cards), (), ())
        assert (report.documents, report.unchanged, report.skipped) == (4, 0, ())
        stated = workspace.select("SELECT (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } }").rows[0][0]
        implied = 4 + 3 * 3  # materials; a claim with its line and its quantity on each card
        assert report.statements == stated == workspace.export("nq").count("\n") - implied > 40
        assert report.others == ((".toml", 1),)
        assert report.lines == 3 * 5 + 3
        assert paths(workspace) == {"note.md", *cards}


def test_nothing_changed_reads_nothing(opened: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    name = opened._held.store.name
    monkeypatch.setattr("kbgraph.workspace.pool.lift_all", None)
    report = opened.sync()
    assert report.nothing_new
    assert (report.unchanged, report.documents) == (4, 4)
    assert opened._held.store.name == name


def test_steps_give_what_a_fresh_build_gives(root: Path, opened: Workspace) -> None:
    write(root, "organized/paper_cards/002.md", card(2, "On 4 GPUs only."), LONG_AGO + 5)
    write(root, "organized/paper_cards/004.md", card(4))
    (root / "note.md").unlink()
    report = opened.sync()
    assert report.added == ("organized/paper_cards/004.md",)
    assert report.changed == ("organized/paper_cards/002.md",)
    assert report.removed == ("note.md",)
    assert report.unchanged == 2
    assert opened.export("nq") == fresh(root)
    shutil.rmtree(root / "organized")
    write(root, "only.md", "# left\n\nA claim stands here.\n")
    opened.sync()
    assert paths(opened) == {"only.md"}
    assert opened.export("nq") == fresh(root)


def test_an_emptied_folder_gives_an_empty_graph(root: Path, opened: Workspace) -> None:
    shutil.rmtree(root / "organized")
    (root / "note.md").unlink()
    report = opened.sync()
    assert (report.documents, report.statements, len(report.removed)) == (0, 0, 4)
    assert opened.export("nq") == ""


def test_a_rename_leaves_no_trace_of_the_old_name(root: Path, opened: Workspace) -> None:
    old = root / "note.md"
    for name in ("New Name.md", "new name.md", "新 名.md", "note.md"):
        old = old.rename(root / name)
        report = opened.sync()
        assert (report.added, len(report.removed)) == ((name,), 1)
        assert opened.export("nq") == fresh(root)
        assert len(paths(opened)) == 4


def test_a_change_back_finds_its_facts_kept(root: Path, opened: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    before = opened.export("nq")
    opened._held.cache.commit(opened._held.cache.state(), {}, (), ["r"])  # a round, so that the version is remembered
    write(root, "note.md", "other\n", LONG_AGO + 5)
    opened.sync()
    write(root, "note.md", "# 笔记\n\n见 [卡片](organized/paper_cards/001.md)。\n", LONG_AGO + 10)
    monkeypatch.setattr("kbgraph.workspace.lifting.lift", None)
    assert opened.sync().changed == ("note.md",)
    assert opened.export("nq") == before


def test_new_stamps_on_the_same_text_change_nothing(root: Path, opened: Workspace) -> None:
    name = opened._held.store.name
    os.utime(root / "note.md", (LONG_AGO + 99, LONG_AGO + 99))
    assert opened.sync().nothing_new
    assert opened._held.store.name == name
    assert opened._held.cache.files()["note.md"].mtime_ns == (LONG_AGO + 99) * 10**9


def test_a_file_written_just_now_is_never_trusted(root: Path, opened: Workspace) -> None:
    file = write(root, "note.md", "aaaa\n", int(time.time()))
    opened.sync()
    stamps = file.stat()
    assert opened._held.cache.files()["note.md"].mtime_ns == -1
    file.write_bytes(b"bbbb\n")
    os.utime(file, ns=(stamps.st_atime_ns, stamps.st_mtime_ns))
    assert opened.sync().changed == ("note.md",), "same size, same time, other text"


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_and_order_do_not_matter(tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "kb"
    write(root, "kbgraph.toml", 'name = "t"\n')
    for number in range(1, 140):
        write(root, f"papers/{number % 7}/{number:05d} 卡.md", card(number))
    expected = fresh(root)
    monkeypatch.setattr("kbgraph.workspace.files._place", lambda one: (one.reason, one.path))
    with kbgraph.open(root) as workspace:
        assert len(workspace.sync(workers=workers).added) == 139
        assert workspace.export("nq") == expected


def test_a_worker_that_is_ended_costs_the_one_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kbgraph.store.child import spawned

    started: list[object] = []
    calls = count()

    def weak(module: str, *arguments: str) -> object:
        child = spawned(module, *arguments)
        if next(calls) == 0:
            child.end()  # the first one is dead on arrival
        started.append(child)
        return child

    monkeypatch.setattr("kbgraph.workspace.pool.spawned", weak)
    for number in range(4, 60):
        write(root, f"organized/paper_cards/{number:03d}.md", card(number))
    with kbgraph.open(root) as workspace:
        report = workspace.sync(workers=2)
        assert (report.documents, report.skipped) == (60, ())
        assert len(started) == 3
        assert workspace.export("nq") == fresh(root)


def test_no_room_for_a_process_is_no_fault_of_the_files(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> Child:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    for number in range(30):
        write(root, f"many/{number:03d}.md", card(number))
    with kbgraph.open(root) as workspace:
        monkeypatch.setattr("kbgraph.workspace.pool.spawned", none)
        with pytest.raises(StoreError, match="no process can be started: Resource temporarily unavailable"):
            workspace.sync(workers=2)
        monkeypatch.undo()
        assert workspace.sync(workers=2).documents == 34


def test_an_interrupt_while_the_graph_is_built_anew_leaves_the_old_one(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with kbgraph.open(root) as workspace:
        workspace.sync()
        before = workspace.export("nq")

        def interrupted(*_: object) -> Iterator[Outcome]:
            yield from list(lift_all(*_))[:2]  # type: ignore[arg-type]  # (as it was called)
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr("kbgraph.workspace.pool.lift_all", interrupted)
            with pytest.raises(KeyboardInterrupt):
                workspace.sync(full=True)
        assert workspace.export("nq") == before
        assert workspace.sync(full=True).documents == 4
        assert workspace.export("nq") == before


def test_many_changes_are_loaded_in_bulk(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbgraph.workspace.publishing.MANY", 2)
    with kbgraph.open(root) as workspace:
        workspace.sync()
        for number in (1, 2, 3):
            write(root, f"organized/paper_cards/{number:03d}.md", card(number, "Again."), LONG_AGO + 1)
        assert len(workspace.sync().changed) == 3
        assert workspace.export("nq") == fresh(root)


def test_settings_that_change_facts_read_everything_again(root: Path, opened: Workspace) -> None:
    write(root, "kbgraph.toml", 'name = "t"\nbase = "https://example.org/kb/"\n')
    with kbgraph.open(root) as again:
        assert again.sync().nothing_new, "no file has changed"
        assert again.export("nq") == fresh(root)
        assert "urn:kb:t:" not in again.export("nq")
    del opened


def test_ignored_files_are_not_read(root: Path, opened: Workspace) -> None:
    write(root, "kbgraph.toml", 'name = "t"\nignore = ["organized/**", "*.tmp.md"]\n')
    write(root, "x.tmp.md", "# no\n")
    with kbgraph.open(root) as again:
        again.sync()
        assert paths(again) == {"note.md"}
    del opened


def test_full_gives_the_same_graph(root: Path, opened: Workspace) -> None:
    before = opened.export("nq")
    report = opened.sync(full=True)
    assert report.nothing_new
    assert report.unchanged == 4
    assert opened.export("nq") == before == fresh(root)


def test_nothing_but_the_state_folder_is_written(root: Path, opened: Workspace) -> None:
    def held() -> dict[str, bytes]:
        own = (p for p in root.rglob("*") if p.is_file() and STATE not in p.parts)
        return {str(p): p.read_bytes() for p in own}

    before = held()
    write(root, "note.md", "changed\n")
    opened.sync()
    opened.check()
    assert {path: data for path, data in held().items() if not path.endswith("note.md")} == {
        path: data for path, data in before.items() if not path.endswith("note.md")
    }
    assert "*" in (root / STATE / ".gitignore").read_text(encoding="utf-8").splitlines()


# -- what is odd


def test_odd_things_are_passed_over_with_a_reason(root: Path) -> None:
    outside = write(root.parent, "outside.md", "# outside\n")
    (root / "out.md").symlink_to(outside)
    (root / "twin.md").symlink_to(root / "note.md")
    (root / "gone.md").symlink_to(root / "nothing.md")
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "away").symlink_to(root.parent, target_is_directory=True)
    (root / "picture.md.png").symlink_to(outside)
    os.mkfifo(root / "pipe.md")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(root / "s.md"))
    with (root / "huge.md").open("wb") as huge:
        huge.truncate(LIMIT + 1)
    for hidden in (".hidden/h.md", ".obsidian/o.md", "node_modules/x/README.md", ".x.md"):
        write(root, hidden, "# hidden\n")
    with kbgraph.open(root, store="memory:") as workspace:
        report = workspace.sync()
    listener.close()
    assert report.documents == 4
    assert report.skipped == (
        Skipped("away", "link that leads out of the corpus"),
        Skipped("gone.md", "link to nothing"),
        Skipped("huge.md", "larger than 64 MB"),
        Skipped("loop", "link to what is read in its own place"),
        Skipped("out.md", "link that leads out of the corpus"),
        Skipped("pipe.md", "not a regular file"),
        Skipped("s.md", "not a regular file"),
        Skipped("twin.md", "link to what is read in its own place"),
    )


def test_a_file_that_cannot_be_read_leaves_the_graph(
    root: Path, opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def refuse(path: object, flags: int, *rest: int) -> int:
        if os.fsdecode(path).endswith("note.md"):  # type: ignore[arg-type]
            raise PermissionError(13, "Permission denied")
        return real(path, flags, *rest)  # type: ignore[arg-type]

    write(root, "note.md", "changed\n", LONG_AGO + 1)
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        report = opened.sync()
    assert report.skipped == (Skipped("note.md", "cannot be read: Permission denied"),)
    assert report.removed == ("note.md",)
    assert "note.md" not in paths(opened)
    assert opened.sync().added == ("note.md",), "and comes back when it can be read"


def test_a_fault_in_one_file_does_not_lose_the_others(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(document: Document, lexicon: Lexicon, settings: Settings) -> Facts:
        if "002" in document.path:
            raise ZeroDivisionError
        return lift(document, lexicon, settings)

    monkeypatch.setattr("kbgraph.workspace.lifting.lift", faulty)
    with kbgraph.open(root, store="memory:") as workspace:
        report = workspace.sync()
    assert report.documents == 3
    assert [s.path for s in report.skipped] == ["organized/paper_cards/002.md"]
    assert report.skipped[0].reason.startswith("a fault in kbgraph (ZeroDivisionError in test_sync.py:")


def test_a_file_that_changes_while_it_is_read_is_read_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = root / "note.md"
    real = os.read
    changes = iter((b"second and longer\n", b"third, the last text\n"))

    def changing(opened: int, size: int) -> bytes:
        data = real(opened, size)
        new = next(changes, None) if data else None
        if new is not None:
            file.write_bytes(new)
        return data

    monkeypatch.setattr(os, "read", changing)
    found = read_file(root, "note.md")
    assert not isinstance(found, Skipped)
    assert found[0] == b"third, the last text\n"


def test_a_file_that_never_rests_is_passed_over(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = root / "note.md"
    real = os.read

    def changing(opened: int, size: int) -> bytes:
        data = real(opened, size)
        with file.open("ab") as more:
            more.write(b"x")
        return data

    monkeypatch.setattr(os, "read", changing)
    assert read_file(root, "note.md") == Skipped("note.md", "keeps changing while it is read")


@pytest.mark.parametrize(
    "name", ["a b.md", "a%20b.md", "C#.md", "what?.md", 'quote".md', "back\\slash.md", "new\nline.md", "🚀.md",
             "UPPER.MD", "x.markdown", "-dash.md", "bad\udcff.md", "$(touch x).md"]
)  # fmt: skip
def test_every_name_is_one_document(tmp_path: Path, name: str) -> None:
    write(tmp_path / "kb", name, "# title\n\nA claim stands here.\n")
    with kbgraph.open(tmp_path / "kb") as workspace:
        report = workspace.sync()
        assert (report.added, report.documents) == ((name,), 1)
        assert workspace.sync().nothing_new
        assert paths(workspace) == {name.replace("\udcff", "\ufffd")}


def test_names_that_will_clash_elsewhere_are_told(tmp_path: Path) -> None:
    for name in ("A.md", "a.md", "e\u0301te.md", "\u00e9te.md", "bad\udcff.md", "plain.md"):
        write(tmp_path, name, "x\n")
    found = odd_names(entry.path for entry in scan(tmp_path).listing.entries)
    assert [one.path for one in found] == ["a.md", "bad\udcff.md", "\u00e9te.md"]
    assert found[0].reason == "differs only in capitals or composition from A.md"
    assert found[1].reason == "name is not UTF-8"


@pytest.mark.parametrize(
    ("globs", "path", "ignored"),
    [
        (["drafts/**"], "drafts/a/b.md", True), (["drafts/**"], "x/drafts/b.md", False),
        (["*.tmp.md"], "a/b.tmp.md", True),
        (["a/*.md"], "a/b.md", True), (["a/*.md"], "a/b/c.md", False), (["**/x.md"], "x.md", True),
        (["**/x.md"], "a/b/x.md", True), (["archive/"], "archive", True), (["a?.md"], "ab.md", True),
        ([], "a.md", False),
        (["a.md"], "axmd", False), (["[x].md"], "[x].md", True),
    ],
)  # fmt: skip
def test_ignoring(globs: list[str], path: str, ignored: bool) -> None:
    assert ignoring(globs)(path) is ignored


def test_stamps_are_compared_whole() -> None:
    entry = Entry("a", 1, 2, 3)
    assert same(entry, Seen(1, 2, 3, "x"))
    assert not any(same(entry, seen) for seen in (Seen(9, 2, 3, "x"), Seen(1, 9, 3, "x"), Seen(1, 2, 9, "x")))


# -- the graph and what is known of it


def test_a_new_process_finds_the_same_graph(root: Path, opened: Workspace) -> None:
    code = "import sys, kbgraph; sys.stdout.buffer.write(kbgraph.open(sys.argv[1]).export('nq').encode())"
    done = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, check=True)
    assert done.stdout.decode() == opened.export("nq")


def test_no_statements_from_documents_is_an_error(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbgraph.workspace.lifting.lift", lambda *_: Facts(Term("<urn:g>"), ()))
    with kbgraph.open(root) as workspace, pytest.raises(BrokenError, match="0 statements from 4 documents"):
        workspace.sync()


def test_an_unknown_store_is_an_error(root: Path) -> None:
    with pytest.raises(UsageError, match="did you mean `memory:`"):
        kbgraph.open(root, store="memroy:")
    with pytest.raises(UsageError, match="on a server"):
        kbgraph.open(root, store="http://localhost:7878/query")
    with pytest.raises(UsageError, match="holds other things"):
        kbgraph.open(root, store=root / "organized")
    with pytest.raises(UsageError, match="is no folder"):
        kbgraph.open(root / "nowhere")


def test_the_graph_may_stand_elsewhere(root: Path, tmp_path: Path) -> None:
    place = tmp_path / "图 here"
    with kbgraph.open(root, store=place) as workspace:
        workspace.sync()
    with kbgraph.open(root, store=place) as workspace:
        assert workspace.sync().nothing_new
        assert workspace.export("nq") == fresh(root)
    assert not (root / STATE).exists()


@pytest.mark.parametrize("lost", ["store", "cache.db", "store/current", "lexicon.bin", "settings.bin"])
def test_whatever_is_lost_is_made_again(root: Path, opened: Workspace, lost: str) -> None:
    before = opened.export("nq")
    opened.close()
    gone = root / STATE / lost
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    with kbgraph.open(root) as workspace:
        workspace.sync()
        assert workspace.export("nq") == before
        assert workspace.sync().unchanged == 4


@pytest.mark.parametrize("rubbish", [b"rubbish" * 999, b"SQLite format 3\0" + b"\xff" * 9000])
def test_a_damaged_cache_is_told_and_the_graph_kept(root: Path, opened: Workspace, rubbish: bytes) -> None:
    before, name = opened.export("nq"), opened._held.store.name
    opened.close()
    for file in (root / STATE).glob("cache.db*"):
        file.unlink()
    (root / STATE / "cache.db").write_bytes(rubbish)
    with kbgraph.open(root) as workspace:
        assert workspace._held.store.name == name, "the last good graph is there"
        assert workspace.export("nq") == before
        report = workspace.sync()
        assert "is damaged" in report.notes[0]
        assert workspace.export("nq") == before
        assert report.documents == 4


def test_facts_damaged_inside_are_made_again(root: Path, opened: Workspace) -> None:
    before = opened.export("nq")
    with opened._held.cache._base.writing() as db:
        db.execute("UPDATE facts SET data = x'00'")
    shutil.rmtree(root / STATE / "store")
    with kbgraph.open(root) as workspace:
        assert "damaged" in workspace.sync().notes[0]
        assert workspace.export("nq") == before


def test_a_graph_newer_than_the_cache_is_mended_by_difference(
    root: Path, opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, "note.md", "changed\n", LONG_AGO + 1)
    write(root, "new.md", "# new\n\nA claim stands here.\n")
    (root / "organized/paper_cards/003.md").unlink()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("kbgraph.store.cache.Cache.commit", killed)
        with pytest.raises(KeyboardInterrupt):
            opened.sync()
    loads: list[object] = []
    monkeypatch.setattr("kbgraph.store.oxigraph.Oxigraph.load", lambda *a: loads.append(a))
    opened.sync()
    assert opened.export("nq") == fresh_by(root, monkeypatch)
    assert loads == [], "only the difference was written"


def fresh_by(root: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """As `fresh`, with all patches taken back."""
    monkeypatch.undo()
    return fresh(root)


def test_a_kill_at_any_moment_is_mended_by_the_next_run(root: Path) -> None:
    for number in range(4, 40):
        write(root, f"organized/paper_cards/{number:03d}.md", card(number))
    code = """
import sys, os, pathlib, kbgraph
root = pathlib.Path(sys.argv[1])
n = 0
while True:
    n += 1
    for k in range(1, 4):
        file = root / "organized/paper_cards" / f"{k:03d}.md"
        file.write_text(f"# Paper {k}\\n\\nVersion {n} of {k}.\\n")
        os.utime(file, (1_700_000_000 + n, 1_700_000_000 + n))
    with kbgraph.open(root) as kb:
        kb.sync(wait=20)
    print("synced", flush=True)
"""
    for pause in (0.01, 0.1, 0.2, 0.35):
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(root)], stdout=subprocess.PIPE, start_new_session=True
        )
        assert process.stdout
        process.stdout.readline()
        time.sleep(pause)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        with kbgraph.open(root) as workspace:
            workspace.sync(wait=20)
            assert workspace.export("nq") == fresh(root)
            assert workspace.sync().nothing_new


def test_two_writers(root: Path, opened: Workspace) -> None:
    write(root, "note.md", "changed\n", LONG_AGO + 1)
    with opened._held.store.writing():
        failed: list[BaseException] = []

        def other() -> None:
            with kbgraph.open(root) as second:
                try:
                    second.sync(wait=0.1)
                except BusyError as error:
                    failed.append(error)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert [str(os.getpid()) in str(error) for error in failed] == [True]
        code = "import sys, kbgraph; kbgraph.open(sys.argv[1]).sync(wait=0.1)"
        done = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, check=False)
        assert b"BusyError" in done.stderr, "the other thread's try has not freed the lock"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", "import sys, kbgraph; kbgraph.open(sys.argv[1]).sync(wait=30)", str(root)]
        )
        for _ in range(3)
    ]
    assert [process.wait() for process in processes] == [0, 0, 0]
    with kbgraph.open(root) as workspace:
        assert workspace.sync().nothing_new
        assert workspace.export("nq") == fresh(root)


def test_a_reader_sees_what_another_process_published(root: Path, opened: Workspace) -> None:
    assert len(paths(opened)) == 4
    write(root, "new.md", "# new\n")
    code = "import sys, kbgraph; kbgraph.open(sys.argv[1]).sync()"
    subprocess.run([sys.executable, "-c", code, str(root)], check=True)
    assert len(paths(opened)) == 4, "until it looks again"
    assert opened.sync().nothing_new
    assert len(paths(opened)) == 5


@pytest.mark.usefixtures("opened")
def test_asking_while_another_process_writes(root: Path) -> None:
    code = """
import sys, os, pathlib, kbgraph
root = pathlib.Path(sys.argv[1])
for n in range(6):
    (root / "note.md").write_text(f"# note\\n\\nVersion {n} of it.\\n")
    os.utime(root / "note.md", (1_700_000_100 + n, 1_700_000_100 + n))
    with kbgraph.open(root) as kb:
        kb.sync(wait=30)
"""
    writer = subprocess.Popen([sys.executable, "-c", code, str(root)])
    asked = 0
    while writer.poll() is None:
        with kbgraph.open(root) as reader:
            assert len(paths(reader)) == 4
            asked += 1
    assert writer.returncode == 0
    assert asked > 1


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """A folder mounted read-only over itself for the block."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root can mount")
    place = str(folder)
    for command in (["mount", "--bind", place, place], ["mount", "-o", "remount,ro,bind", place]):
        if subprocess.run(command, check=False, capture_output=True).returncode:
            pytest.skip("mounting is not allowed here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def test_a_folder_that_cannot_be_written_is_read_in_memory(root: Path) -> None:
    expected = fresh(root)
    with read_only(root):
        with kbgraph.open(root) as workspace:
            report = workspace.sync()
            assert "kept in memory" in report.notes[0]
            assert workspace.export("nq") == expected
        with kbgraph.open(root, store=root.parent / "elsewhere") as workspace:
            assert workspace.sync().notes == ()
            assert workspace.export("nq") == expected
        with pytest.raises(StoreError, match="choose another place"):
            kbgraph.open(root, store=root / "inside")


def test_a_graph_in_a_folder_that_cannot_be_written_is_used(root: Path, opened: Workspace) -> None:
    expected = opened.export("nq")
    opened.close()
    with read_only(root / STATE):
        with kbgraph.open(root) as workspace:
            assert workspace.sync().notes == ()
            assert workspace.export("nq") == expected
        write(root, "note.md", "changed\n", LONG_AGO + 1)
        with kbgraph.open(root) as workspace:
            assert "kept in memory" in workspace.sync().notes[0]
            assert workspace.export("nq") == fresh(root)


# -- rounds and manifests


def manifest(root: Path, name: str, materials: list[object], compare: list[str] | None = None) -> Path:
    """A manifest of a round."""
    said = {"id": name, "topic": "serving", "created": "2026-10-01", "materials": materials, "compare": compare or []}
    return write(root, f"work-guard/{name}.json", json.dumps(said))


def test_a_manifest_opens_nothing_but_its_files(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kbgraph.workspace import files

    first = "organized/paper_cards/001.md"
    manifest(root, "r1", [{"path": first}, {"path": "gone.md"}, {"path": "../outside.md"}], ["note.md"])
    write(root.parent, "outside.md", "# outside\n")
    asked: list[str] = []
    real = files._read_once

    def watched(file: bytes) -> object:
        asked.append(os.fsdecode(file).removeprefix(f"{root}/"))
        return real(file)

    monkeypatch.setattr(files, "_read_once", watched)
    with kbgraph.open(root) as workspace:
        report = workspace.sync(manifest=root / "work-guard/r1.json")
        assert asked == ["work-guard/r1.json", first, "note.md"]
        assert report.added == ("note.md", first, "work-guard/r1.json")
        assert report.skipped == (
            Skipped("../outside.md", "leads out of the corpus"),
            Skipped("gone.md", "named by the manifest, and missing"),
        )
        assert paths(workspace) == {"note.md", first, "work-guard/r1.json"}
        workspace.sync()
        assert len(paths(workspace)) == 5, "a sync without a manifest is about all files again"


def test_the_status_of_a_round_is_about_its_own_files(root: Path) -> None:
    manifest(root, "r1", ["note.md"])
    with kbgraph.open(root) as workspace:
        workspace.sync()
        whole = workspace.status()
        workspace.sync(manifest="r1")
        narrow = workspace.status()
    assert (whole.documents, narrow.documents) == (5, 2)
    assert whole.lines == 3 * 5 + 3 + narrow.lines - 3


def test_a_material_that_changed_since_is_told(root: Path) -> None:
    manifest(root, "r1", [{"path": "note.md", "sha256": "0" * 64}])
    with kbgraph.open(root) as workspace:
        report = workspace.sync(manifest="r1")
        assert [one.path for one in report.odd] == ["note.md"]
        assert "changed since the manifest was written" in report.odd[0].reason


def test_a_link_in_a_manifest_does_not_lead_out(root: Path) -> None:
    write(root.parent, "secret.md", "# secret\n")
    (root / "link.md").symlink_to(root.parent / "secret.md")
    (root / "away").symlink_to(root.parent, target_is_directory=True)
    manifest(root, "r1", ["link.md", "away/secret.md", "/etc/hostname", "note.md"])
    with kbgraph.open(root) as workspace:
        report = workspace.sync(manifest="r1")
    assert {(s.path, s.reason) for s in report.skipped} == {
        ("link.md", "link that leads out of the corpus"),
        ("away/secret.md", "link that leads out of the corpus"),
        ("/etc/hostname", "leads out of the corpus"),
    }


def test_what_is_no_manifest_is_refused(root: Path) -> None:
    manifest(root, "r1", ["note.md"])
    write(root, "work-guard/empty.json", "{}")
    with kbgraph.open(root) as workspace:
        with pytest.raises(UsageError, match="did you mean `r1`"):
            workspace.sync(manifest="r2")
        with pytest.raises(UsageError, match="names no materials"):
            workspace.sync(manifest=root / "work-guard/empty.json")


def test_the_graph_as_of_a_round_comes_back_byte_for_byte(root: Path) -> None:
    with kbgraph.open(root) as workspace:
        manifest(root, "r1", ["note.md"])
        workspace.sync()
        first = workspace.export("nq")
        write(root, "note.md", "# 笔记\n\n第二版写在这里。\n", LONG_AGO + 1)
        workspace.sync()
        (root / "organized/paper_cards/003.md").unlink()
        manifest(root, "r2", ["organized/paper_cards/001.md"])
        workspace.sync()
        second = workspace.export("nq")
        write(root, "note.md", "third\n", LONG_AGO + 2)
        write(root, "organized/paper_cards/001.md", "# all new\n", LONG_AGO + 2)
        workspace.sync()
        assert workspace.as_of("r1").export("nq") == first
        assert workspace.as_of("r2").export("nq") == second
        assert first != second != workspace.export("nq")
        assert [(r.id, r.recorded, r.materials) for r in workspace.rounds()] == [("r1", True, 1), ("r2", True, 1)]
        with pytest.raises(UsageError, match="recorded are r1, r2"):
            workspace.as_of("r3")


def test_reading_a_round_again_does_not_rewrite_what_it_was_given(root: Path, opened: Workspace) -> None:
    manifest(root, "r1", ["note.md"])
    opened.sync()
    opened.sync(manifest="r1")
    write(root, "note.md", "# 笔记\n\n之后改过的一句话在此。\n", LONG_AGO + 1)
    opened.sync()
    assert [row["state"] for row in opened.tables.round("r1")] == ["changed"]
    opened.sync(manifest="r1")
    opened.sync()
    assert [row["state"] for row in opened.tables.round("r1")] == ["changed"]


def test_a_round_keeps_the_versions_that_it_was_given(root: Path, opened: Workspace) -> None:
    manifest(root, "r1", ["note.md"])
    opened.sync()
    given = "# 笔记\n\n给这一轮的版本在此。\n"
    write(root, "note.md", given, LONG_AGO + 1)
    opened.sync(manifest="r1")
    write(root, "note.md", "later\n", LONG_AGO + 2)
    opened.sync()
    query = 'ASK { ?c <https://schema.org/text> ?t FILTER(CONTAINS(?t, "给这一轮的版本")) }'
    with opened.as_of("r1") as earlier:
        assert earlier.store.ask(query)
        with pytest.raises(UsageError, match="stays as it is"):
            earlier.sync()
    assert not opened.store.ask(query), "and the present graph is still open"
    assert opened.sync().nothing_new


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # rdflib's evaluator uses what rdflib deprecates
def test_rdflib_sees_the_graph_without_a_copy(root: Path, opened: Workspace) -> None:
    from rdflib import Graph, Literal, URIRef

    data = opened.rdflib()
    assert len(data) == opened.export("nq").count("\n")
    path = URIRef("https://w3id.org/kbgraph/ns#path")
    assert {str(o) for o in data.objects(None, path)} == paths(opened)
    rows = data.query("SELECT ?m WHERE { ?m <https://w3id.org/kbgraph/ns#path> 'note.md' }")
    assert [str(row[0]) for row in rows] == ["urn:kb:t:note.md"]  # type: ignore[index]
    note = data.graph(URIRef("urn:kb:t:note.md"))
    assert isinstance(note, Graph)
    assert (URIRef("urn:kb:t:note.md"), path, Literal("note.md")) in note
    assert 0 < len(note) < len(data)
    with pytest.raises(UsageError, match="cannot be changed"):
        data.add((URIRef("urn:a"), path, Literal("x")))
    write(root, "second.md", "# two\n")
    opened.sync()
    assert "second.md" in {str(o) for o in data.objects(None, path)}, "it is a view"
