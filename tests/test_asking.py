"""Asking a knowledge base: saved, own and unsaved queries, checks with waivers and history, explanations."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import kbgraph
from kbgraph import resources
from kbgraph.errors import ConfigError, HeaderError, QueryError, UsageError
from kbgraph.workspace import Workspace
from rq import VIEW

NOTE = "# Caches\n\n## 1 Policies\n\nSieve keeps hits (arXiv:2401.10001).\n\nSee [other](missing.md).\n"
# One row per file with its number of lines: as simple as a check can be.
LONG = """\
#+ title: {en: Long file, zh: 长文件}
#+ summary: {en: A file of many lines., zh: 行数多的文件。}
#+ why: {en: It is hard to read., zh: 不好读。}
#+ fix: {en: Split it., zh: 拆开。}
#+ severity: info
#+ columns:
#+   file: {role: focus, label: {en: File, zh: 文件}}
#+   path: {role: path, label: {en: Path, zh: 路径}}
#+   line: {role: line, label: {en: Line, zh: 行}}
#+   lines: {role: measure, label: {en: Lines, zh: 行数}}
#+ message: {en: "{lines} lines", zh: "{lines} 行"}
#+ fingerprint: [path]
#+ judged: [lines]
#+ tags: [length]
PREFIX kb: <https://w3id.org/kbgraph/ns#>
SELECT ?file ?path (1 AS ?line) ?lines WHERE { ?file kb:path ?path ; kb:lineCount ?lines FILTER(?lines > 3) }
"""
CASE = """\
# Four lines are long (fires)

## file a.md

```
# A

b

c
```

## expect findings

| path | message |
| --- | --- |
| a.md | 5 lines |

# Two are not (quiet)

## file a.md

```
# A
b
```

## expect findings

| path | message |
| --- | --- |
"""
Make = Callable[..., Workspace]


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lexicon as a synced corpus keeps it: reading it anew costs each test a second."""
    root = tmp_path_factory.mktemp("words")
    (root / "note.md").write_text(NOTE, "utf-8")
    with kbgraph.open(root) as workspace:
        workspace.sync()
    return root / ".kbgraph" / "lexicon.bin"


@pytest.fixture
def make(tmp_path: Path, words: Path) -> Make:
    """A corpus of these files, brought up to date."""

    def made(**files: str) -> Workspace:
        (tmp_path / "kb" / ".kbgraph").mkdir(parents=True, exist_ok=True)
        shutil.copy(words, tmp_path / "kb" / ".kbgraph")
        for name, text in {"note.md": NOTE, **files}.items():
            path = tmp_path / "kb" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        workspace = kbgraph.open(tmp_path / "kb")
        workspace.sync()
        return workspace

    return made


def own(**files: str) -> dict[str, str]:
    return {"queries/checks/long-file.rq": LONG, **files}


def test_queries_of_every_form_give_a_table(make: Make) -> None:
    kb = make()
    assert kb.query("SELECT ?p WHERE { ?m kb:path ?p }").rows == (("note.md",),)
    assert kb.query("ASK { ?m kb:path 'note.md' }").dicts() == [{"answer": True}]
    assert kb.query("ASK { ?m kb:path 'other.md' }").rows == ((False,),)
    built = kb.query("CONSTRUCT { <x:a> dcterms:title ?p } WHERE { ?m kb:path ?p }")
    assert built.columns == ("subject", "predicate", "object")
    assert built.rows == (("x:a", "http://purl.org/dc/terms/title", "note.md"),)
    described = {row[1]: row[2] for row in kb.query("DESCRIBE <urn:kb:kb:note.md>").rows}
    assert described["https://w3id.org/kbgraph/ns#path"] == "note.md"


def test_from_names_graphs_of_the_corpus_and_no_others(make: Make) -> None:
    kb = make()
    assert kb.query("SELECT ?p FROM <urn:kb:kb:note.md> WHERE { ?m kb:path ?p }").rows == (("note.md",),)
    with pytest.raises(QueryError, match="is no graph of this corpus"):
        kb.query("SELECT ?p FROM <file:///etc/passwd> WHERE { ?m kb:path ?p }")


def test_a_query_file_is_run_and_held_to_be_unsafe(make: Make, tmp_path: Path) -> None:
    kb = make()
    file = tmp_path / "my.rq"
    file.write_text(VIEW, "utf-8")
    assert kb.query(str(file)).column("path") == ("note.md",)
    file.write_text(VIEW.replace("WHERE {", "WHERE { SERVICE <http://127.0.0.1:9/> { ?m ?p ?o }"), "utf-8")
    with pytest.raises(QueryError, match="SERVICE would ask another host"):
        kb.query(str(file))


def test_a_corpus_may_add_and_replace_queries(make: Make) -> None:
    found = LONG.replace("Long file", "Own")
    kb = make(**own(), **{"queries/checks/dangling-path.rq": found})
    assert (kb.queries.get("long-file").origin, kb.queries.get("long-file").note) == ("queries/checks/long-file.rq", "")
    replaced = kb.queries.get("dangling-path")
    assert (replaced.title["en"], replaced.note) == ("Own", "replaces the shipped query of the same name")
    assert kb.query("long-file").rows == (("urn:kb:kb:note.md", "note.md", 1, 7),)


def test_a_wrong_own_query_is_told_with_file_and_line(make: Make) -> None:
    kb = make(**{"queries/views/mine.rq": VIEW.replace("#+ title", "#+ tittle")})
    with pytest.raises(HeaderError, match=r"queries/views/mine\.rq:1: unknown key `tittle`"):
        kb.query("mine")
    hostile = LONG.replace("WHERE {", "WHERE { SERVICE <http://127.0.0.1:9/> { ?file ?p ?o }")
    kb = make(**{"queries/checks/hostile.rq": hostile})
    with pytest.raises(HeaderError, match=r"queries/checks/hostile\.rq:16: SERVICE would ask another host"):
        kb.check(["hostile"])


def test_two_own_queries_of_one_name_are_refused(make: Make) -> None:
    with pytest.raises(
        HeaderError, match=r"queries/views/long-file\.rq and queries/checks/long-file\.rq have one name"
    ):
        make(**own(**{"queries/views/long-file.rq": VIEW})).check()


def test_checks_by_name_tag_and_profile(make: Make) -> None:
    kb = make(**own())
    report = kb.check(["long-file"])
    assert [(f.check, f.severity, f.path, f.message["zh"]) for f in report.findings] == [
        ("long-file", "info", "note.md", "7 行")
    ]
    assert [c.check for c in kb.check(tags=["length"]).checks] == ["long-file"]
    assert kb.check(["long-file"], profile={"long-file": "error"}).findings[0].severity == "error"
    assert kb.check(["long-file"], profile={"long-file": "off"}).checks[0].outcome == "skipped"
    assert kb.check("long-file").findings == report.findings
    with pytest.raises(UsageError, match="there is no query `long file`") as caught:
        kb.query("long file")
    assert "`long-file`" in caught.value.mend
    with pytest.raises(UsageError, match="there is no check `long-fil`") as caught:
        kb.check(["long-fil"])
    assert caught.value.mend.startswith("did you mean `long-file`")
    with pytest.raises(UsageError, match="no check has the tag `lenght`") as caught:
        kb.check(tags=["lenght"])
    assert caught.value.mend == "did you mean `length`?"
    with pytest.raises(ConfigError, match="`long-fil` is no check: did you mean `long-file`"):
        kb.check(profile={"long-fil": "error"})
    with pytest.raises(UsageError, match="there is no check `find`") as caught:
        kb.check(["find"])
    assert caught.value.mend == "it is a view: `kbgraph query find`"


def test_waivers_of_the_corpus_count(make: Make) -> None:
    waiver = '[[waiver]]\ncheck = "long-file"\npath = "note.md"\nreason = "it grows"\n'
    kb = make(**own(**{"kbgraph-waivers.toml": waiver}))
    assert [(f.check, f.state) for f in kb.check(["long-file"]).findings] == [("long-file", "waived")]
    kb = make(**own(**{"kbgraph-waivers.toml": waiver + "until = 2020-01-01\n"}))
    found = kb.check(["long-file", "expired-waiver"]).findings
    assert [(f.check, f.state, f.line) for f in found] == [("expired-waiver", "new", 1), ("long-file", "new", 1)]
    kb = make(**own(**{"kbgraph-waivers.toml": waiver.replace("reason", "raeson")}))
    with pytest.raises(ConfigError, match="`raeson`"):
        kb.check(["long-file"])


def test_findings_are_new_then_still_there_then_fixed(make: Make) -> None:
    def states(kb: Workspace) -> tuple[list[str], int]:
        report = kb.check(["long-file"])
        return [f.state for f in report.findings], len(report.fixed)

    kb = make(**own())
    assert [states(kb), states(kb)] == [(["new"], 0)] * 2
    kb.close()
    kb = make(**own(**{"other.md": "# O\n"}))
    assert [states(kb), states(kb)] == [(["still"], 0)] * 2
    kb.close()
    kb = make(**own(**{"note.md": "# Caches\n"}))
    assert [states(kb), states(kb)] == [([], 1)] * 2
    kb.close()


def test_parsed_queries_are_kept_until_one_changes(make: Make, tmp_path: Path) -> None:
    kb = make(**own())
    titles = {query.name: query.title["en"] for query in kb.queries.all()}
    kb.close()
    kept = tmp_path / "kb" / ".kbgraph" / "queries.bin"
    assert kept.is_file()
    kb = make(**own())
    assert {query.name: query.title["en"] for query in kb.queries.all()} == titles
    assert kb.queries.get("long-file").text == LONG
    kb.close()
    kb = make(**{"queries/checks/long-file.rq": LONG.replace("Long file", "Very long file")})
    assert kb.queries.get("long-file").title["en"] == "Very long file"
    kb.close()


def test_explanations(make: Make) -> None:
    kb = make(**own())
    assert kb.explain("long-file").startswith("# long-file\n\n**Long file**. A file of many lines.\n\nWhy: It is hard")
    assert "# kb:level-second-hand" in kb.explain("kb:level-second-hand")
    assert "材料" in kb.explain("Material")
    (finding,) = kb.check(["long-file"]).findings
    told = kb.explain(finding.fingerprint, "zh")
    assert told.startswith("note.md:1: info long-file 7 行\n  处理: 拆开。\n")
    assert f'fingerprint = "{finding.fingerprint}"' in told
    assert "\njudged = " in told
    with pytest.raises(UsageError, match="no finding has the fingerprint 0123456789abcdef"):
        kb.explain("0123456789abcdef")
    with pytest.raises(UsageError, match="nothing here is called `long-fiel`") as caught:
        kb.explain("long-fiel")
    assert "`long-file`" in caught.value.mend


def test_cases_of_own_queries_run(make: Make) -> None:
    from kbgraph.workspace.testing import run_cases

    def results(case: str) -> list[tuple[str, str, str]]:
        kb = make(**own(**{"queries/checks/long-file.case": case}))
        return [tuple(result) for result in run_cases(kb.root, kb.queries, ["long-file"], _opened)]  # type: ignore[misc]

    assert results(CASE) == [("long-file", "Four lines are long (fires)", ""), ("long-file", "Two are not (quiet)", "")]
    wrong = results(CASE.replace("| a.md | 5 lines |", "| a.md | 4 lines |"))
    assert wrong[0][2] == "row 1: expected a.md | 4 lines; found a.md | 5 lines"
    assert results(CASE.replace("| path | message |", "| path | mesage |"))[0][2] == "no such column: mesage"
    assert "leads out" in results(CASE.replace("## file a.md", "## file ../../a.md", 1))[0][2]


def _opened(root: Path) -> Workspace:
    workspace = kbgraph.open(root, store="memory:")
    workspace.sync()
    return workspace


def test_shipped_queries_are_found_in_the_source_tree() -> None:
    path = resources.cases("checks", "orphan-citation")
    assert path is not None
    assert path.is_file()


def test_findings_of_a_corpus_as_json(make: Make) -> None:
    from kbgraph.render import render

    found = json.loads(render(make(**own()).check(["long-file"]), "json", "en"))
    assert found["summary"] == {"error": 0, "warning": 0, "info": 1, "waived": 0, "broken": 0}
    assert found["findings"][0]["values"] == {"file": "urn:kb:kb:note.md", "path": "note.md", "line": 1, "lines": 7}
