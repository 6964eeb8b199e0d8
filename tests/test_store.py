"""One suite that every backend must pass, and what each adds of its own."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kbgraph.errors import BrokenError, BusyError, QueryError, StoreError
from kbgraph.model import facts as make
from kbgraph.model.facts import Facts, Term, make_facts
from kbgraph.model.ntriples import parts, spelled
from kbgraph.store import Store, open_store
from kbgraph.store.answers import cell, names_graphs
from kbgraph.store.disk import Disk
from kbgraph.store.feed import Feed, portions
from kbgraph.store.runs import sorted_lines

KB = "https://w3id.org/kbgraph/ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
LINE = f"<{KB}line>"
TEXT = "<https://schema.org/text>"
# Characters that some writer or reader is known to lose: controls, line ends of other worlds, both quotes, escapes
# that look like SPARQL's, a character beyond the base plane.
HOSTILE = (
    "bell\x07 eof\x1a feed\x0c del\x7f next\x85 line\u2028 para\u2029 zero\u200b odd\ufffe tab\t end\r\n",
    "quote\"''' back\\ \\u0022 } ; DROP ALL # 中文，🎉",
)


def graph(path: str) -> Term:
    """The graph of one file."""
    return make.iri("urn:kb:t:" + make.segment(path))


def document(path: str, *texts: str, sha: str = "0") -> Facts:
    """Facts of one small file: its hash, and a line and text for each of `texts`."""
    name = graph(path)
    triples = [f"{name} <{KB}sha256> {make.text(sha)}"]
    for line, text in enumerate(texts, 1):
        node = make.iri(f"{name[1:-1]}#e-{line}")
        triples += [f"{node} {LINE} {make.integer(line)}", f"{node} {TEXT} {make.tagged(text, 'zh')}"]
    return make_facts(name, triples)


@pytest.fixture(params=["memory:", "rdflib:", "disk"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of each backend; the disk store stands in a folder with a space and Chinese characters."""
    opened = open_store(tmp_path / "库 one" if request.param == "disk" else request.param)
    yield opened
    opened.close()


def test_load_holds_just_what_it_is_given(store: Store) -> None:
    store.load([document("old.md", "x")])
    store.load([document("a.md", "one", "two", sha="aa"), document("b.md", "three", sha="bb")])
    assert store.count() == 8
    assert store.graphs() == {graph("a.md"): "aa", graph("b.md"): "bb"}


def test_an_empty_store_answers(store: Store) -> None:
    assert store.count() == 0
    assert store.graphs() == {}
    assert list(store.dump()) == []
    assert store.select("SELECT ?s WHERE { ?s ?p ?o }").rows == ()
    assert not store.ask("ASK { ?s ?p ?o }")


def test_revise_changes_triples_of_one_graph(store: Store) -> None:
    store.load([document("a.md", "one", "two", sha="1"), document("b.md", "one", sha="1")])
    a, other = document("a.md", "one", "two", sha="1").triples, document("a.md", "one", "drei", sha="2").triples
    never = f"{graph('a.md')} <{KB}path> {make.text('x')}"
    store.revise(graph("a.md"), [*(set(a) - set(other)), never], set(other) - set(a))
    assert sorted(f"{s} {p} {o}" for s, p, o, _ in store.match(g=graph("a.md"))) == sorted(other)
    assert store.graphs() == {graph("a.md"): "2", graph("b.md"): "1"}
    assert store.count() == 8
    store.revise(graph("c.md"), [], [never])
    assert [q[3] for q in store.match(p=Term(f"<{KB}path>"))] == [graph("c.md")]


def test_a_revision_keeps_the_mark_and_an_old_reader_its_state(tmp_path: Path) -> None:
    store, reader = Disk(tmp_path), Disk(tmp_path)
    with store.draft(fresh=True, mark="made by x") as draft:
        draft.load([document("a.md", "one")])
    assert reader.count() == 3
    before = store.name
    store.revise(graph("a.md"), [], [f"{graph('a.md')} <{KB}path> {make.text('a.md')}"])
    assert (store.mark, store.count(), reader.count()) == ("made by x", 4, 3)
    assert store.name != before
    reader.refresh()
    assert reader.count() == 4


def test_replace_changes_and_drops_whole_graphs(store: Store) -> None:
    store.load([document(n, "one", "two", sha="1") for n in ("a.md", "b.md", "c.md")])
    store.replace([document("b.md", "new", sha="2"), document("d.md", sha="3")], [graph("c.md"), graph("never.md")])
    assert store.graphs() == {graph("a.md"): "1", graph("b.md"): "2", graph("d.md"): "3"}
    assert store.count() == 5 + 3 + 1
    assert store.select(f"SELECT ?t WHERE {{ GRAPH {graph('b.md')} {{ ?s {TEXT} ?t }} }}").rows == (("new",),)


def test_replace_of_many_graphs(store: Store) -> None:
    store.load([document(f"{n}.md", "old") for n in range(60)])
    store.replace([document(f"{n}.md", "new", "more", sha="2") for n in range(50)], [graph("59.md")])
    assert store.count() == 50 * 5 + 9 * 3
    assert list(store.graphs().values()).count("2") == 50


def test_default_graph_is_the_union(store: Store) -> None:
    store.load([document("a.md", "one"), document("b.md", "two")])
    found = store.select(f"SELECT ?t WHERE {{ ?s {TEXT} ?t }} ORDER BY ?t")
    assert (found.columns, found.rows, found.total) == (("t",), (("one",), ("two",)), 2)


@pytest.mark.parametrize("where", ["memory:", "disk"])  # rdflib would fetch what FROM names: it is never asked so
def test_from_puts_a_query_to_the_graphs_that_it_names(where: str, tmp_path: Path) -> None:
    store = open_store(tmp_path / "store" if where == "disk" else where)
    store.load([document("a.md", "one"), document("b.md", "two", "three")])
    asked = f"SELECT ?text FROM {graph('b.md')} WHERE {{ ?from {TEXT} ?text }} ORDER BY ?text"  # noqa: S608  (SPARQL)
    assert store.select(asked).column("text") == ("three", "two")
    named = f"SELECT ?text FROM NAMED {graph('a.md')} {{ GRAPH ?g {{ ?x {TEXT} ?text }} }}"  # noqa: S608  (SPARQL)
    assert store.select(named).column("text") == ("one",)
    store.close()


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT * FROM <urn:x> {}", True),
        ("SELECT*from<urn:x>{}", True),
        ("ASK # FROM\n{ ?from ex:FROM 'FROM \\' FROM' }", False),
        ('ASK { <urn:FROM> $from """a " FROM""" , "from"@from-x }', False),
        ("PREFIX from: <urn:x> ASK { from:a from:b ?c FILTER(?c < 3 && ?c > 1) }", False),
        ("PREFIX from: <urn:x> SELECT * FROM from:g { ?a ?b ?c }", True),
        ('SELECT (""" FROM \\""" FROM \\\\""" AS ?x) { ?a ?b ?c }', False),
        ('SELECT (""" \\\\""" AS ?x) FROM <urn:x> { ?a ?b ?c }', True),
        ("ASK { ?a ?b '" + "a-" * 50_000 + "' . ?c ?d " + "from-" * 50_000 + "x }", False),
    ],
)
def test_from_is_told_from_what_only_looks_like_it(query: str, told: bool) -> None:
    assert names_graphs(query) is told


def test_cells_are_python_values(store: Store) -> None:
    node = graph("a.md")
    values = [make.text("t"), make.integer(-7), make.decimal("1.25"), make.decimal("3"), make.boolean(True)]
    values += [make.date("2026-10-27"), make.tagged("中", "zh"), make.iri("urn:x")]
    store.load([make_facts(node, [f"{node} <urn:p:{n}> {value}" for n, value in enumerate(values)])])
    found = store.select("SELECT ?o ?none WHERE { ?s ?p ?o } ORDER BY ?p")
    assert found.column("o") == ("t", -7, 1.25, 3, True, "2026-10-27", "中", "urn:x")
    assert [type(value) for value in found.column("o")] == [str, int, float, int, bool, str, str, str]
    assert set(found.column("none")) == {None}


def test_dump_is_sorted_and_the_same_everywhere(store: Store) -> None:
    store.load(
        [document("b.md", "x", sha="2"), document("a.md", HOSTILE[0], sha="1"), document("带 空格.md", HOSTILE[1])]
    )
    lines = list(store.dump())
    other = open_store("memory:")
    other.load(
        [document("带 空格.md", HOSTILE[1]), document("a.md", HOSTILE[0], sha="1"), document("b.md", "x", sha="2")]
    )
    assert lines == list(other.dump()) == sorted(lines)
    assert len(lines) == 9
    assert f'<urn:kb:t:a.md> <{KB}sha256> "1" <urn:kb:t:a.md> .' in lines


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_comes_back_as_it_was(store: Store, text: str) -> None:
    store.load([document("a.md", text)])
    store.replace([document("b.md", text)])
    assert store.select(f"SELECT DISTINCT ?t WHERE {{ ?s {TEXT} ?t }}").rows == ((text,),)
    assert {parts(o).value for _, _, o, _ in store.match(p=Term(TEXT))} == {text}


def test_match_finds_by_every_term(store: Store) -> None:
    store.load([document("a.md", "one", "two"), document("b.md", "one")])
    one = make.tagged("one", "zh")
    assert sorted(g for *_, g in store.match(o=one)) == [graph("a.md"), graph("b.md")]
    assert list(store.match(o=one, g=graph("b.md"))) == [(Term("<urn:kb:t:b.md#e-1>"), TEXT, one, graph("b.md"))]
    assert len(list(store.match(s=Term("<urn:kb:t:a.md#e-2>")))) == 2
    assert len(list(store.match(p=Term(LINE), o=make.integer(1)))) == 2


def test_construct_gives_sorted_triples_once(store: Store) -> None:
    store.load([document("b.md", "same"), document("a.md", "same", "other")])
    query = f"CONSTRUCT {{ <urn:all> <urn:says> ?t }} WHERE {{ ?s {TEXT} ?t }}"
    assert store.construct(query) == ('<urn:all> <urn:says> "other"@zh', '<urn:all> <urn:says> "same"@zh')


def test_ask(store: Store) -> None:
    store.load([document("a.md", "one")])
    assert store.ask(f"ASK {{ ?s {LINE} 1 }}")
    assert not store.ask(f"ASK {{ ?s {LINE} 2 }}")


def test_a_query_of_another_form_or_none_is_refused(store: Store) -> None:
    with pytest.raises(QueryError, match="cannot be parsed"):
        store.select("SELECT ?s WHERE { ?s ?p }")
    with pytest.raises(QueryError, match="cannot be parsed"):
        store.select("SELECT ?s WHERE { ?s nowhere:p ?o }")
    with pytest.raises(QueryError, match="this is a ASK query, and SELECT was wanted"):
        store.select("ASK { ?s ?p ?o }")
    with pytest.raises(QueryError, match="this is a SELECT query, and CONSTRUCT was wanted"):
        store.construct("SELECT ?s WHERE { ?s ?p ?o }")


def test_the_row_limit_stops_a_query(store: Store) -> None:
    store.load([document("a.md", *(str(n) for n in range(20)))])
    assert len(store.select(f"SELECT ?s WHERE {{ ?s {LINE} ?n }}", max_rows=20)) == 20
    with pytest.raises(BrokenError, match="more than 19 rows"):
        store.select(f"SELECT ?s WHERE {{ ?s {LINE} ?n }}", max_rows=19)
    with pytest.raises(BrokenError, match="more than 5 rows"):
        store.construct(f"CONSTRUCT {{ ?s {LINE} ?n }} WHERE {{ ?s {LINE} ?n }}", max_rows=5)


def test_the_time_limit_really_stops_a_query(store: Store) -> None:
    store.load([document("a.md", *(str(n) for n in range(400)))])
    # No pair fits, so no row comes out, and all 400 ** 4 combinations would have to be tried.
    cross = " ".join(f"?s{n} {LINE} ?n{n} ." for n in range(4))
    query = f"SELECT (COUNT(*) AS ?c) WHERE {{ {cross} FILTER(?n0 * ?n1 * ?n2 * ?n3 < 0) }}"
    before = set(running_children())
    begin = time.monotonic()
    with pytest.raises(BrokenError, match=r"stopped after 0\.5 s"):
        store.select(query, timeout=0.5)
    assert time.monotonic() - begin < 5
    assert set(running_children()) <= before
    assert store.ask(f"ASK {{ ?s {LINE} 400 }}"), "the store answers on after a query was stopped"


def test_stores_that_nobody_closed_do_not_end_the_queries_of_others() -> None:
    for number in range(60):
        store = open_store("memory:")
        store.load([document("a.md", str(number))])
        assert store.ask(f"ASK {{ ?s {LINE} ?n }}")


def running_children() -> list[str]:
    """Child processes of this one that still run."""
    listing = Path("/proc/self/task")
    if not listing.exists():
        pytest.skip("children are listed in /proc only")
    found: list[str] = []
    for task in listing.iterdir():
        with contextlib.suppress(FileNotFoundError):  # a thread that has just ended
            found += (task / "children").read_text().split()
    return found


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("inf"), float("nan")])
def test_a_senseless_time_limit_is_refused(store: Store, timeout: float) -> None:
    with pytest.raises(BrokenError, match="cannot be kept"):
        store.ask("ASK { ?s ?p ?o }", timeout=timeout)


def test_a_query_that_kills_its_process_is_broken(store: Store) -> None:
    store.load([document("a.md", "one")])
    deep = "(" * 200_000 + "1" + ")" * 200_000
    with pytest.raises((BrokenError, QueryError)):
        store.select(f"SELECT ({deep} AS ?x) WHERE {{ ?s ?p ?o }}", timeout=30)
    assert store.count() == 3
    assert store.ask("ASK { ?s ?p ?o }")


def test_an_interrupt_leaves_the_store_usable(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.load([document("a.md", "one")])

    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("kbgraph.store.worker.receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.ask("ASK { ?s ?p ?o }")
    assert store.ask("ASK { ?s ?p ?o }")


def test_a_query_sees_what_was_written_before_it(store: Store) -> None:
    store.load([document("a.md", "one")])
    for n in range(3):
        store.replace([document("a.md", f"text {n}")])
        assert store.select(f"SELECT ?t WHERE {{ ?s {TEXT} ?t }}").rows == ((f"text {n}",),)


def test_a_malformed_fact_changes_nothing(store: Store) -> None:
    store.load([document("a.md", "one")])
    before = list(store.dump())
    with pytest.raises(StoreError, match="a fact is no N-Quads"):
        store.replace([document("b.md", "two"), Facts(graph("a.md"), ("<urn:s> <urn:p> nonsense",))])
    assert list(store.dump()) == before


def test_a_draft_is_seen_once_it_ends(store: Store) -> None:
    store.load([document("a.md", "one")])
    with store.draft() as draft:
        draft.replace([document("b.md", "two")])
        assert draft.construct(f"CONSTRUCT {{ ?s {LINE} 9 }} WHERE {{ ?s {LINE} ?n }}") == tuple(
            f'<urn:kb:t:{n}.md#e-1> {LINE} "9"^^<{XSD}integer>' for n in "ab"
        )
        draft.replace([], [graph("a.md")])
    assert store.graphs() == {graph("b.md"): "0"}
    with store.draft(fresh=True) as draft:
        draft.load([document("c.md", sha="c")])
    assert store.graphs() == {graph("c.md"): "c"}


def test_queries_from_several_threads(store: Store) -> None:
    store.load([document("a.md", *(str(n) for n in range(30)))])
    found: list[int] = []

    def ask() -> None:
        found.extend(len(store.select(f"SELECT ?s WHERE {{ ?s {LINE} ?n FILTER(?n <= 10) }}")) for _ in range(5))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [10] * 20


# -- the disk store alone


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """An empty store on disk."""
    opened = Disk(tmp_path / "store")
    yield opened
    opened.close()


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The outcome of a Python text run in a process of its own, with the helpers of this file at hand."""
    head = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\nfrom test_store import *\n"
    return subprocess.run([sys.executable, "-c", head + code, *arguments], capture_output=True, text=True, check=False)


def test_a_new_process_finds_what_was_stored(disk: Disk, tmp_path: Path) -> None:
    disk.load([document("a.md", "one", "two", sha="s")])
    done = run("d = Disk(Path(sys.argv[1])); print(d.count(), d.graphs())", str(tmp_path / "store"))
    assert done.stdout == "5 {'<urn:kb:t:a.md>': 's'}\n", done.stderr


def test_the_name_changes_with_every_change(disk: Disk) -> None:
    names = [disk.name]
    disk.load([document("a.md", "one")])
    names.append(disk.name)
    disk.replace([document("a.md", "two")])
    names.append(disk.name)
    assert names == ["", "g000001", "g000002"]
    with disk.draft(mark="made by 中 1"):
        pass
    assert (disk.name, disk.mark) == ("g000003", "made by 中 1")


def test_a_failed_draft_leaves_the_last_good_state(disk: Disk, tmp_path: Path) -> None:
    disk.load([document("a.md", "one")])
    with pytest.raises(StoreError), disk.draft() as draft:  # noqa: PT012  (the second step fails, not the first)
        draft.replace([document("b.md", "two")])
        draft.replace([Facts(graph("a.md"), ("nonsense",))])
    assert disk.name == "g000001"
    assert disk.select(f"SELECT ?t WHERE {{ ?s {TEXT} ?t }}").rows == (("one",),)
    assert sorted(p.name for p in (tmp_path / "store").iterdir()) == ["current", "g000001", "lock"]


def test_a_reader_keeps_its_state_until_it_refreshes(disk: Disk, tmp_path: Path) -> None:
    disk.load([document("a.md", "one")])
    reader = Disk(tmp_path / "store")
    assert reader.count() == 3
    assert reader.ask(f"ASK {{ ?s {LINE} 1 }}")
    disk.replace([document("a.md", "one", "two")])
    assert disk.count() == 5
    reader.refresh()
    assert reader.count() == 5
    reader.close()


def test_a_reader_reads_while_another_process_writes(disk: Disk, tmp_path: Path) -> None:
    disk.load([document("a.md", "0")])
    code = """
d = Disk(Path(sys.argv[1]))
for n in range(1, 15):
    d.replace([document("a.md", str(n)), document("b.md", str(n))])
"""
    home = str(Path(__file__).parent)
    writer = subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {home!r})\nfrom test_store import *\n{code}",
         str(tmp_path / "store")]
    )  # fmt: skip
    seen: list[tuple[object, ...]] = []
    while writer.poll() is None:
        disk.refresh()
        seen.append(disk.select(f"SELECT ?t WHERE {{ ?s {TEXT} ?t }}").column("t"))
    assert writer.returncode == 0
    disk.refresh()
    assert {row[0] for row in disk.select(f"SELECT ?t WHERE {{ ?s {TEXT} ?t }}").rows} == {"14"}
    whole = [texts for texts in seen if texts != ("0",)]
    assert all(len(texts) == 2 and texts[0] == texts[1] for texts in whole), "both graphs come from one state"


def test_a_second_writer_is_told_to_wait(disk: Disk, tmp_path: Path) -> None:
    with disk.writing():
        done = run(
            "d = Disk(Path(sys.argv[1]))\ntry:\n with d.writing(wait=0.1): pass\nexcept BusyError as e: print(e)",
            str(tmp_path / "store"),
        )
        assert f"process {os.getpid()}" in done.stdout, done.stderr
        assert "--no-sync" in done.stdout
        with disk.writing():
            pass  # who holds it may take it again
        failed: list[BusyError] = []

        def other() -> None:
            try:
                with Disk(tmp_path / "store").writing(wait=0.1):
                    pass
            except BusyError as error:
                failed.append(error)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert len(failed) == 1
    done = run("d = Disk(Path(sys.argv[1]))\nwith d.writing(wait=0.1): print('free')", str(tmp_path / "store"))
    assert done.stdout == "free\n"


def test_a_kill_while_writing_leaves_a_whole_state(disk: Disk, tmp_path: Path) -> None:
    disk.load([document("a.md", "0"), document("b.md", "0")])
    code = """
d = Disk(Path(sys.argv[1]))
n = 0
while True:
    n += 1
    d.replace([document("a.md", str(n)), document("b.md", str(n))])
    print("written", flush=True)
"""
    head = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\nfrom test_store import *\n"
    reached = set()
    for pause in (0.02, 0.05, 0.11, 0.17, 0.23):
        writer = subprocess.Popen([sys.executable, "-c", head + code, str(tmp_path / "store")], stdout=subprocess.PIPE)
        assert writer.stdout
        writer.stdout.readline()
        time.sleep(pause)
        writer.kill()
        writer.wait()
        writer.stdout.close()
        disk.refresh()
        rows = disk.select(f"SELECT ?t WHERE {{ ?s {TEXT} ?t }}").rows
        assert len(rows) == 2
        assert rows[0] == rows[1]
        reached.add(rows[0])
        disk.replace([document("a.md", "0"), document("b.md", "0")])  # the next writer is not in the way of the dead
        assert len([p for p in (tmp_path / "store").iterdir() if p.name.startswith("g")]) == 2
    assert reached != {("0",)}, "at least one writer must have written"


def test_a_damaged_generation_is_told(disk: Disk, tmp_path: Path) -> None:
    disk.load([document("a.md", "one")])
    disk.close()
    for file in (tmp_path / "store" / "g000001").glob("MANIFEST*"):
        file.write_bytes(b"rubbish")
    with pytest.raises(StoreError, match="kbgraph sync --full"):
        disk.count()
    with pytest.raises(StoreError, match=r"g000001 cannot be opened: Corruption"):
        disk.ask("ASK { ?s ?p ?o }")  # the process that would answer says why it cannot
    disk.load([document("a.md", "two")])
    assert disk.count() == 3


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs mounts of Linux")
def test_a_full_disk_keeps_the_last_good_state(tmp_path: Path) -> None:
    if os.geteuid() != 0 or not sys.platform.startswith("linux"):
        pytest.skip("only root can mount a small file system")
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", small], check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        disk = Disk(small / "store")
        disk.load([document("a.md", "one")])
        filler = (document(f"{n}.md", *("x" * 40 + str(n * m) for m in range(200))) for n in range(2000))
        with pytest.raises(StoreError, match="cannot be written"):
            disk.load(filler)
        assert disk.select(f"SELECT ?t WHERE {{ ?s {TEXT} ?t }}").rows == (("one",),)
        disk.replace([document("a.md", "two")])
        assert disk.select(f"SELECT ?t WHERE {{ ?s {TEXT} ?t }}").rows == (("two",),)
        disk.close()
    finally:
        subprocess.run(["umount", "-l", small], check=True)


# -- values


@pytest.mark.parametrize(
    ("value", "datatype", "expected"),
    [
        ("12", "integer", 12), ("-0", "integer", 0), ("1.50", "decimal", 1.5), ("42", "decimal", 42),
        ("1e3", "double", 1000.0),
        ("true", "boolean", True), ("0", "boolean", False), ("x", "integer", "x"), ("maybe", "boolean", "maybe"),
        ("2026-01-01", "date", "2026-01-01"), ("7", "nonNegativeInteger", 7),
    ],
)  # fmt: skip
def test_cell(value: str, datatype: str, expected: object) -> None:
    assert cell(value, XSD + datatype) == expected
    assert type(cell(value, XSD + datatype)) is type(expected)


@pytest.mark.parametrize("text", [*HOSTILE, "", "plain"])
def test_terms_are_taken_apart_and_spelled_again(text: str) -> None:
    assert parts(make.text(text)) == ("literal", text, "", XSD + "string")
    assert parts(spelled(text, "zh")).value == text
    assert parts(spelled(text, "", XSD + "date")) == ("literal", text, "", XSD + "date")


def test_what_is_no_term_is_refused() -> None:
    for text in ("_:b", "nonsense", '"open', '"a" "b"', '"a"@'):
        with pytest.raises(ValueError, match=re.escape(text)):
            parts(text)


@pytest.mark.parametrize("run_length", [1, 2, 3, 100])
def test_lines_are_sorted_whatever_the_run(tmp_path: Path, run_length: int) -> None:
    lines = [f"{word}\n".encode() for word in json.loads('["b", "中", "a", "c", "a", "Z", "é"]')]
    whole = tmp_path / "all"
    whole.write_bytes(b"".join(lines))
    assert list(sorted_lines(whole, run_length)) == sorted(lines)


def test_a_load_in_portions_is_one_graph(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbgraph.store.feed.PORTION", 4)
    store.load(document(f"{n}.md", "one", "two") for n in range(7))
    assert store.count() == 7 * 5
    assert len(store.graphs()) == 7


@pytest.mark.parametrize("size", [1, 7, 100, 10_000, -1])
def test_a_feed_gives_every_byte_once(size: int) -> None:
    facts = [document(f"{n}.md", "中文" * n, "two") for n in range(5)]
    feed = Feed(facts)
    read = b"".join(iter(lambda: feed.read(size), b""))
    assert read == "".join(fact.nquads() for fact in facts).encode()
    assert [len(list(portion)) for portion in portions(iter(facts))] == [5]
