"""Findings over runs of checks: kept in the graph, known again when lines move and files get other names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import kbgraph
from kbgraph.model.finding import Report
from kbgraph.workspace import Workspace, remembering

CACHE = """# Caches that hold back

## 1. Eviction

TwoQ+ holds cold objects back, as §7 tells.

## 2. References

- arXiv:2601.10101 - TwoQ+
"""
CARD = "# TwoQ+\n\n- **arXiv**: 2601.1010\n- **arXiv**: 2601.10101\n\nSee §9 of this.\n"
NOTE = "Names stay inside, see organized/knowledge/gone.md.\n"
CHECKS = ["orphan-citation", "dangling-section", "dangling-path"]
Open = Callable[[], Workspace]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "kb"
    put(folder, "organized/knowledge/cache.md", CACHE)
    (folder / "kbgraph.toml").write_text('name = "t"\nlanguage = "en"\n', "utf-8")
    return folder


@pytest.fixture
def opened(root: Path) -> Iterator[Open]:
    """The corpus, brought up to date, in a workspace of its own."""
    all_: list[Workspace] = []

    def one() -> Workspace:
        all_.append(kbgraph.open(root))
        all_[-1].sync()
        return all_[-1]

    yield one
    for workspace in all_:
        workspace.close()


def put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, "utf-8")


def move(root: Path, old: str, new: str) -> None:
    put(root, new, (root / old).read_text("utf-8"))
    (root / old).unlink()


def told(report: Report) -> list[tuple[str, str, int, str]]:
    return [(f.check, f.path, f.line, f.state) for f in report.findings]


def prints(report: Report) -> set[str]:
    return {f.fingerprint for f in report.findings}


FIRST = [
    ("dangling-section", "organized/knowledge/cache.md", 5, "new"),
    ("orphan-citation", "organized/knowledge/cache.md", 9, "new"),
]


def test_lines_that_move_and_a_file_that_is_renamed_leave_the_findings_what_they_are(root: Path, opened: Open) -> None:
    first = opened().check(CHECKS)
    assert told(first) == FIRST
    put(root, "organized/knowledge/cache.md", CACHE.replace("## 1.", "More was read since.\n\n## 1."))
    second = opened().check(CHECKS)
    assert told(second) == [
        ("dangling-section", "organized/knowledge/cache.md", 7, "still"),
        ("orphan-citation", "organized/knowledge/cache.md", 11, "still"),
    ]
    move(root, "organized/knowledge/cache.md", "organized/knowledge/eviction policies.md")
    third = opened().check(CHECKS)
    assert [(path, line, state) for _, path, line, state in told(third)] == [
        ("organized/knowledge/eviction policies.md", 7, "still"),
        ("organized/knowledge/eviction policies.md", 11, "still"),
    ]
    assert (prints(first), third.fixed) == (prints(third), ())


def test_a_file_that_is_moved_and_edited_a_little_is_the_same_file(root: Path, opened: Open) -> None:
    first = opened().check(CHECKS)
    (root / "organized/knowledge/cache.md").unlink()
    put(
        root,
        "notes/2026/Caches.md",
        CACHE.replace("holds cold objects", "keeps cold things").replace("## 1. E", "## 1. On e"),
    )
    second = opened().check(["dangling-section"])
    assert [(path, state) for _, path, _, state in told(second)] == [("notes/2026/Caches.md", "still")]
    assert prints(second) <= prints(first)


def test_another_title_is_no_other_file(root: Path, opened: Open) -> None:
    opened().check(CHECKS)
    put(root, "organized/knowledge/cache.md", CACHE.replace("# Caches that hold back", "# Cache design"))
    report = opened().check(CHECKS)
    assert ([f.state for f in report.findings], report.fixed) == (["still", "still"], ())


def test_a_file_without_a_title_is_followed(root: Path, opened: Open) -> None:
    put(root, "notes/a.txt", NOTE)
    assert told(opened().check(["dangling-path"])) == [("dangling-path", "notes/a.txt", 1, "new")]
    move(root, "notes/a.txt", "notes/b.txt")
    put(root, "notes/b.txt", NOTE.replace("Names", "All names"))
    report = opened().check(["dangling-path"])
    assert (told(report), report.fixed) == ([("dangling-path", "notes/b.txt", 1, "still")], ())


def test_a_card_is_known_by_its_work_whatever_it_is_called(root: Path, opened: Open) -> None:
    put(root, "organized/paper_cards/1-2601-10101.md", CARD)
    first = opened().check(["dangling-section", "malformed-identifier"])
    move(root, "organized/paper_cards/1-2601-10101.md", "organized/paper_cards/900-2601-10101.md")
    put(root, "organized/paper_cards/900-2601-10101.md", CARD.replace("# TwoQ+", "# TwoQ+: Probation Queues"))
    assert prints(opened().check(["dangling-section", "malformed-identifier"])) == prints(first)
    assert len(first.findings) >= 2


def test_the_same_sentence_in_two_files_is_two_findings(root: Path, opened: Open) -> None:
    first = opened().check(CHECKS)
    put(root, "organized/knowledge/copy.md", CACHE)
    second = opened().check(CHECKS)
    assert len(second.findings) == len(prints(second)) == 4
    assert prints(first) < prints(second)
    assert sorted(state for *_, state in told(second)) == ["new", "new", "still", "still"]
    (root / "organized/knowledge/copy.md").unlink()
    third = opened().check(CHECKS)
    assert (prints(third), len(third.fixed)) == (prints(first), 2)


def test_a_corpus_in_another_folder_has_the_same_fingerprints(tmp_path: Path) -> None:
    found = []
    for folder in ("one", "two x"):
        put(tmp_path, f"{folder}/organized/knowledge/cache.md", CACHE)
        with kbgraph.open(tmp_path / folder, store="memory:") as kb:
            kb.sync()
            assert kb.base != "urn:kb:t:"
            found.append(prints(kb.check()))
    assert found[0] == found[1]
    assert found[0]


def test_what_changed_is_a_query(root: Path, opened: Open) -> None:
    opened().check(CHECKS)
    put(root, "organized/knowledge/cache.md", CACHE.replace("§7", "§1 and organized/knowledge/gone.md"))
    opened().check(CHECKS)
    rows = [(r["change"], r["check"], r["line"], r["state"]) for r in opened().query("findings-changed")]
    assert rows == [("new", "dangling-path", 5, "new"), ("fixed", "dangling-section", 5, "fixed")]
    put(root, "organized/knowledge/cache.md", CACHE)
    opened().check(CHECKS)
    rows = [(r["change"], r["check"], r["line"], r["state"]) for r in opened().query("findings-changed")]
    assert rows == [("fixed", "dangling-path", 5, "fixed"), ("regressed", "dangling-section", 5, "regressed")]
    print_ = next(f.fingerprint for f in opened().check(CHECKS).findings if f.check == "dangling-section")
    past = [(r["number"], r["change"]) for r in opened().query("finding-history", fingerprint=print_)]
    assert past == [(1, "new"), (3, "regressed")]


def test_what_changed_since_a_round_came_in(root: Path, opened: Open) -> None:
    def changed(**since: str) -> list[tuple[object, object]]:
        return [(row["change"], row["check"]) for row in opened().query("findings-changed", **since)]

    opened().check(CHECKS)
    put(root, "work-guard/r1.json", '{"task_id": "r1", "topic": "cache", "materials": []}')
    put(root, "organized/knowledge/cache.md", CACHE.replace("§7", "§1"))
    opened().check(CHECKS)
    put(root, "work-guard/r2.json", '{"task_id": "r2", "topic": "cache", "materials": []}')
    put(root, "organized/knowledge/cache.md", CACHE.replace("§7", "§1 (arXiv:2601.10101)"))
    opened().check(CHECKS)
    assert changed() == changed(round="r2") == [("fixed", "orphan-citation")]
    assert sorted(changed(round="r1")) == [("fixed", "dangling-section"), ("fixed", "orphan-citation")]
    assert changed(round="r3") == []
    assert root.is_dir()


def test_a_sync_drops_no_finding(root: Path, opened: Open) -> None:
    opened().check(CHECKS)
    asked = "SELECT ?print ?state WHERE { ?finding a kb:Finding ; kb:fingerprint ?print ; kb:state ?state }"
    held = opened().query(asked).rows
    assert len(held) == 2
    put(root, "notes/a.md", "# A\n\nNothing.\n")
    assert opened().query(asked).rows == held, "one file more"
    kb = opened()
    kb.sync(full=True)
    assert kb.query(asked).rows == held, "all of it anew"
    assert [f.state for f in kb.check(CHECKS).findings] == ["still", "still"]
    kb.close()
    (root / ".kbgraph" / "cache.db").unlink()
    assert opened().query(asked).rows == tuple((print_, "still") for print_, _ in held), "a cache that is lost"


def test_what_is_kept_ready_is_no_more_than_a_help(root: Path, opened: Open) -> None:
    first = opened().check(CHECKS)
    ready = root / ".kbgraph" / "findings.bin"
    for damage in (ready.unlink, lambda: ready.write_bytes(b"x" * 99)):
        damage()
        assert opened().check(CHECKS) == first


def test_checks_that_find_nothing_else_write_nothing(root: Path, opened: Open) -> None:
    opened().check(CHECKS)
    state = (root / ".kbgraph" / "store" / "current").read_text("utf-8")
    opened().check(CHECKS)
    assert (root / ".kbgraph" / "store" / "current").read_text("utf-8") == state
    assert opened().sync().changed == ()


def test_a_reader_of_before_goes_on(root: Path, opened: Open) -> None:
    reader = opened()
    count = "SELECT (COUNT(*) AS ?n) WHERE { ?finding kb:state ?state }"
    assert reader.query(count).rows == ((0,),)
    opened().check(CHECKS)
    assert reader.query(count).rows == ((0,),), "it keeps its state"
    reader.sync()
    assert reader.query(count).rows == ((2,),)
    assert root.is_dir()


def test_findings_are_in_no_export_unless_asked_for(root: Path, opened: Open) -> None:
    before = opened().export()
    opened().check(CHECKS)
    kb = opened()
    assert kb.export() == before
    assert all("check-run" not in kb.export(fmt) for fmt in ("trig", "ttl", "csv", "jsonld", "graphml"))
    more = kb.export(findings=True)
    assert {line for line in before.splitlines() if line not in more.splitlines()} == set()
    assert more.count("<urn:kb:t:findings> .\n") == 1 + 4 + 2 * 11
    assert not [node for node in kb.graph().nodes if "finding" in node]
    assert root.is_dir()


def test_findings_are_in_no_drawing(root: Path, opened: Open) -> None:
    asked = ("organized/knowledge/cache.md", "2601.10101")
    before = [opened().drawing(focus=one) for one in asked]
    opened().check([*CHECKS, "uncarded-citation", "unlisted-citation"])
    assert [opened().drawing(focus=one) for one in asked] == before
    assert root.is_dir()


def test_where_nothing_can_be_written_the_findings_are_told_all_the_same(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = opened()
    monkeypatch.setattr(remembering, "writable", lambda _: False)
    assert told(kb.check(CHECKS)) == FIRST
    assert [note.partition(": ")[2] for note in kb.notes] == ["what was found is not remembered"]
    assert kb.query("SELECT ?run WHERE { ?run a kb:CheckRun }").rows == ()


def test_a_graph_of_one_round_remembers_nothing(root: Path, opened: Open) -> None:
    put(
        root,
        "work-guard/1f3a.json",
        '{"task_id": "1f3a", "topic": "cache", "materials": ["organized/knowledge/cache.md"]}',
    )
    opened().check(CHECKS)
    kb = opened()
    kb.sync(manifest="work-guard/1f3a.json")
    alone = kb.check(["orphan-citation"])
    assert [f.state for f in alone.findings] == ["new"]
    assert prints(alone) < prints(opened().check(CHECKS)), "a waiver for one holds for the other"
    kb.sync()
    assert kb.query("SELECT ?n WHERE { ?run kb:ordinal ?n }").rows == ((1,),)


def test_the_graph_of_findings_satisfies_its_shapes(root: Path, opened: Open) -> None:
    opened().check(CHECKS)
    put(root, "organized/knowledge/cache.md", CACHE.replace("§7", "§1"))
    kb = opened()
    report = kb.held(kb.check(CHECKS))
    assert [f.message["en"] for f in report.findings if f.check == "shape-violation"] == []
