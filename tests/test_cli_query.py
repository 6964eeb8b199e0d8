"""The commands that ask: query, queries, check, explain. Forms, exit codes, and what is said where."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from kbgraph.cli import _run
from rq import VIEW
from test_asking import CASE, LONG, NOTE

HOSTILE = "# \x1b[31mRed\x1b[0m \u202etxt.exe\n\n=1+1\n\nb\n"


class Ran(NamedTuple):
    """Exit code, standard output, standard error."""

    code: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus with a check of its own, read once: what is kept for the next start saves each test a second."""
    root = tmp_path_factory.mktemp("template") / "kb"
    files = {"note.md": NOTE, "queries/checks/long-file.rq": LONG, "queries/checks/long-file.case": CASE}
    for name, text in {**files, "kbgraph.toml": ""}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert _run(["sync", "--kb", str(root)]) == 0
    assert _run(["queries", "--kb", str(root)]) == 0
    return root


@pytest.fixture
def corpus(template: Path, tmp_path: Path) -> Path:
    """A copy of the corpus."""
    return Path(shutil.copytree(template, tmp_path / "kb"))


@pytest.fixture
def kbgraph(corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command line, run inside the corpus."""
    monkeypatch.chdir(corpus)

    def run(*arguments: str) -> Ran:
        code = _run(arguments)
        return Ran(code, *capsys.readouterr())

    return run


def test_check_tells_findings_and_ends_with_one(kbgraph: Command) -> None:
    ran = kbgraph("check", "long-file", "--fail-on", "info")
    assert ran == (1, "note.md:1: info long-file 7 lines\n", "kbgraph: 1 info\n")
    assert kbgraph("check", "long-file", "--lang", "zh").out == "note.md:1: info long-file 7 行\n"


@pytest.mark.parametrize(
    ("grade", "fail_on", "code"),
    [
        ("info", "info", 1), ("info", "warning", 0), ("info", "error", 0), ("info", "never", 0),
        ("warning", "info", 1), ("warning", "warning", 1), ("warning", "error", 0), ("warning", "never", 0),
        ("error", "info", 1), ("error", "warning", 1), ("error", "error", 1), ("error", "never", 0),
        ("off", "info", 0),
    ],
)  # fmt: skip
def test_exit_code_follows_severity_and_fail_on(
    kbgraph: Command, tmp_path: Path, grade: str, fail_on: str, code: int
) -> None:
    profile = tmp_path / "profile.toml"
    profile.write_text(f'long-file = "{grade}"\n', "utf-8")
    assert kbgraph("check", "long-file", "--profile", str(profile), "--fail-on", fail_on).code == code


def test_a_clean_check_is_silent(kbgraph: Command, corpus: Path) -> None:
    (corpus / "note.md").write_text("# N\n", "utf-8")
    assert kbgraph("check", "long-file") == (0, "", "")
    found = json.loads(kbgraph("check", "long-file", "-f", "json").out)
    assert found["checks"] == [{"check": "long-file", "outcome": "clean", "count": 0}]


def test_a_broken_check_ends_with_three_and_says_why(kbgraph: Command, corpus: Path) -> None:
    text = LONG.replace("#+ judged", "#+ sanity: {cards: kb:PaperCard}\n#+ judged")
    (corpus / "queries" / "checks" / "long-file.rq").write_text(text, "utf-8")
    ran = kbgraph("check", "long-file", "--fail-on", "never")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("kbgraph: long-file is broken: saw nothing to judge: no cards in the graph; it looks for")
    found = json.loads(kbgraph("check", "long-file", "-f", "json").out)
    assert (found["checks"][0]["outcome"], found["summary"]["broken"]) == ("broken", 1)


def test_a_bad_header_ends_with_two(kbgraph: Command, corpus: Path) -> None:
    (corpus / "queries" / "checks" / "long-file.rq").write_text(LONG.replace("#+ fix", "#+ fox"), "utf-8")
    ran = kbgraph("check", "long-file")
    assert (ran.code, ran.out) == (2, "")
    assert "queries/checks/long-file.rq:4: unknown key `fox`: is it `fix`?" in ran.err


def test_waived_findings_do_not_count(kbgraph: Command, corpus: Path) -> None:
    waiver = '[[waiver]]\ncheck = "long-file"\npath = "note.md"\nreason = "it grows"\n'
    (corpus / "kbgraph-waivers.toml").write_text(waiver, "utf-8")
    assert kbgraph("check", "long-file", "--fail-on", "info") == (0, "", "kbgraph: 1 waived\n")


def test_since_last_shows_what_the_graph_before_did_not_have(kbgraph: Command, corpus: Path) -> None:
    assert kbgraph("check", "long-file", "--since-last", "--fail-on", "info").code == 1
    (corpus / "other.md").write_text(NOTE, "utf-8")
    ran = kbgraph("check", "long-file", "--since-last", "--fail-on", "info")
    assert (ran.code, ran.out) == (1, "other.md:1: info long-file 7 lines\n")
    (corpus / "other.md").unlink()
    assert kbgraph("check", "long-file", "--since-last", "--fail-on", "info") == (0, "", "kbgraph: 1 fixed\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["check", "long-fil"], "there is no check `long-fil`\n  did you mean `long-file`"),
        (["check", "--tag", "lenth"], "no check has the tag `lenth`\n  did you mean `length`?"),
        (["check", "--profile", "none.toml"], "none.toml cannot be read"),
        (["check", "--fail-on", "fatal"], "'fatal' is not one of"),
        (["chek"], "there is no command `chek`: did you mean `check`?"),
        (["query", "long-fiel"], "there is no query `long-fiel`\n  did you mean `long-file`"),
        (["query"], "name one query: a saved name, an .rq file, or -e SPARQL"),
        (["query", "long-file", "-e", "ASK {}"], "name one query"),
        (["query", "none.rq"], "none.rq cannot be read"),
        (["query", "find"], "find needs -p what=…"),
        (["query", "find", "-p", "wat=1"], "find has no parameter `wat`\n  did you mean what?"),
        (["query", "find", "-p", "what"], "`what` is no parameter"),
        (["query", "find", "-p", "what=1", "-p", "what=2"], "parameter `what` is given twice"),
        (["query", "-e", "SELECT * {"], "`{` has no partner"),
        (["query", "-e", "SELECT * { ?s ?p }"], "the query cannot be parsed: error at 1:19"),
        (["query", "-e", "SELECT * { SERVICE <http://127.0.0.1:9/> {} }"], "SERVICE would ask another host"),
        (["query", "-e", "SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }"], "is no graph of this corpus"),
        (["query", "-e", "LOAD <file:///etc/hostname>"], "LOAD changes or loads data"),
        (["query", "-e", "ASK {}", "--as-of", "none"], "round `none` is not recorded"),
        (["query", "long-file", "-f", "jsn"], "'jsn' is not one of"),
        (["queries", "show", "long-fil"], "there is no query `long-fil`\n  did you mean `long-file`"),
        (["explain", "long-fil"], "nothing here is called `long-fil`\n  did you mean `long-file`"),
        (["explain", "0123456789abcdef"], "no finding has the fingerprint 0123456789abcdef"),
    ],
)
def test_wrong_use_ends_with_two_and_says_what_to_do(kbgraph: Command, arguments: list[str], told: str) -> None:
    ran = kbgraph(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_query_in_every_form(kbgraph: Command) -> None:
    assert kbgraph("query", "long-file").out == (
        "File               Path     Line  Lines\n-----------------  -------  ----  -----\n"
        "urn:kb:kb:note.md  note.md  1     7\n"
    )
    rows = json.loads(kbgraph("query", "long-file", "-f", "json").out)["rows"]
    assert rows == [{"file": "urn:kb:kb:note.md", "path": "note.md", "line": 1, "lines": 7}]
    table = list(csv.reader(io.StringIO(kbgraph("query", "long-file", "-f", "csv").out)))
    assert table == [["file", "path", "line", "lines"], ["urn:kb:kb:note.md", "note.md", "1", "7"]]
    assert kbgraph("query", "long-file", "-f", "md", "--lang", "zh").out == (
        "| 文件 | 路径 | 行 | 行数 |\n| --- | --- | --- | --- |\n| urn:kb:kb:note.md | note.md | 1 | 7 |\n"
    )
    assert "<title>Long file</title>" in kbgraph("query", "long-file", "-f", "html").out


def test_expressions_know_the_prefixes_and_keep_their_order(kbgraph: Command) -> None:
    assert kbgraph("query", "-e", "SELECT ?p { ?m kb:path ?p }", "-f", "csv").out == "p\nnote.md\n"
    assert kbgraph("query", "-e", "ASK { ?m kb:path 'note.md' }", "-f", "csv").out == "answer\ntrue\n"
    values = "SELECT ?n { VALUES ?n { 1 3 2 } } ORDER BY DESC(?n)"
    assert kbgraph("query", "-e", values, "-f", "csv").out == "n\n3\n2\n1\n"
    assert kbgraph("query", "-e", "SELECT ?n { VALUES ?n { } }") == (0, "no rows\n", "")


def test_a_title_is_found_whatever_its_language(kbgraph: Command, corpus: Path) -> None:
    (corpus / "b.md").write_text("# 玩具缓存\n", "utf-8")
    asked = "SELECT ?p { ?m kb:path ?p ; dcterms:title ?t FILTER(STR(?t) = '玩具缓存') }"
    assert kbgraph("query", "-e", asked, "-f", "csv").out == "p\nb.md\n"
    plain = kbgraph("query", "-e", "SELECT ?p { ?m kb:path ?p ; dcterms:title '玩具缓存' }", "-f", "csv")
    assert (plain.code, plain.out) == (0, "p\n")
    assert "texts of dcterms:title carry a language" in plain.err
    assert "b.md" in kbgraph("query", "find", "-p", "what=玩具缓存").out


def test_a_query_file_runs(kbgraph: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.rq").write_text(VIEW, "utf-8")
    ran = kbgraph("query", str(tmp_path / "mine.rq"), "-f", "csv", "-o", str(tmp_path / "out.csv"))
    assert ran == (0, "", "")
    assert (tmp_path / "out.csv").read_text("utf-8") == "path,lines\nnote.md,7\n"


def test_queries_are_listed_and_own_ones_said_to_be(kbgraph: Command, corpus: Path) -> None:
    (corpus / "queries" / "checks" / "dangling-path.rq").write_text(LONG, "utf-8")
    rows = {row["name"]: row for row in json.loads(kbgraph("queries", "-f", "json").out)["rows"]}
    assert rows["long-file"] == {
        "name": "long-file", "kind": "check", "severity": "info", "title": "Long file",
        "origin": "queries/checks/long-file.rq",
    }  # fmt: skip
    assert rows["dangling-path"]["origin"] == "replaces the shipped query of the same name"
    assert rows["orphan-citation"]["origin"] == "shipped"
    assert rows["find"]["severity"] is None


def test_looking_up_names_leaves_no_state_behind(kbgraph: Command, corpus: Path) -> None:
    shutil.rmtree(corpus / ".kbgraph")
    for arguments in (
        ["queries"],
        ["queries", "show", "long-file"],
        ["explain", "orphan-citation"],
        ["explain", "kb:path"],
    ):
        assert kbgraph(*arguments).code == 0
    assert not (corpus / ".kbgraph").exists()


def test_a_query_is_shown_with_its_text(kbgraph: Command) -> None:
    out = kbgraph("queries", "show", "long-file").out
    assert out.startswith("# long-file\n\n**Long file**. A file of many lines.\n")
    assert out.endswith(f"\n```sparql\n{LONG}```\n")
    assert json.loads(kbgraph("queries", "show", "long-file", "-f", "json").out)["fingerprint"] == ["path"]


def test_options_may_stand_before_the_inner_command(
    kbgraph: Command, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(corpus.parent)
    for arguments in (["--kb", "kb", "show", "long-file"], ["show", "long-file", "--kb", "kb"]):
        assert kbgraph("queries", *arguments).out.startswith("# long-file\n")


def test_case_files_are_run(kbgraph: Command, corpus: Path) -> None:
    ran = kbgraph("queries", "test", "long-file")
    assert ran == (
        0,
        "long-file: Four lines are long (fires): as expected\nlong-file: Two are not (quiet): as expected\n",
        "kbgraph: 2 of 2 as expected\n",
    )
    (corpus / "queries" / "checks" / "long-file.case").write_text(CASE.replace("5 lines", "6 lines"), "utf-8")
    ran = kbgraph("queries", "test", "long-file")
    assert ran.code == 1
    assert "row 1: expected a.md | 6 lines; found a.md | 5 lines\n" in ran.out


def test_explain(kbgraph: Command) -> None:
    print_ = json.loads(kbgraph("check", "long-file", "-f", "json").out)["findings"][0]["fingerprint"]
    out = kbgraph("explain", print_[:8], "--lang", "zh").out
    assert out.startswith("note.md:1: info long-file 7 行\n")
    assert f'[[waiver]]\nfingerprint = "{print_}"' in out
    assert "# kb:Material\n" in kbgraph("explain", "kb:Material").out


def test_nothing_of_a_file_controls_the_terminal(kbgraph: Command, corpus: Path) -> None:
    (corpus / "note.md").write_text(HOSTILE, "utf-8")
    for fmt in ("text", "json", "csv", "md", "html"):
        out = kbgraph("query", "-e", "SELECT ?t { ?m dcterms:title ?t }", "-f", fmt).out
        assert "\x1b" not in out
        assert "\u202e" not in out
        assert "⟨U+202E⟩" in out


def test_two_runs_on_equal_input_give_equal_bytes(kbgraph: Command) -> None:
    runs = {kbgraph("check", "-f", "json", "--fail-on", "never").out for _ in range(3)}
    assert len(runs) == 1


def test_questions_are_utf8_in_any_locale(corpus: Path) -> None:
    (corpus / "b.md").write_text("# 玩具缓存\n", "utf-8")
    plain = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    asked = "SELECT ?p ?t { ?m kb:path ?p ; dcterms:title ?t FILTER(STR(?t) = '玩具缓存') }"
    command = [sys.executable, "-c", "from kbgraph.cli import main; main()", "query", "-f", "csv", "-e", asked]
    ran = subprocess.run(command, cwd=corpus, env=plain, capture_output=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, b"p,t\nb.md,\\u73a9\\u5177\\u7f13\\u5b58\n")
