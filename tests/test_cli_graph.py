"""`kbgraph graph`: the drawing as a page and as JSON, what is left out, what is meant, and what is no drawing."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from kbgraph.cli import _run

DOC = """# Labels

## 1. Where names go

Names stay inside their area (arXiv:2401.10001, see guide.md).

## 2. What comes first

- **Order** (arXiv:2401.10001): features first, see §1.
- **Scale** (arXiv:2402.10002): fewer names on small maps.

## 3. References

- arXiv:2401.10001 - Naming Areas
- arXiv:2402.10002 - Small Maps
- arXiv:2403.10003 - Never Cited
"""
OTHER = "# Colours\n\n## 1. Names\n\nSee organized/knowledge/labels.md.\n"
GUIDE = "# Guide\n\nNothing.\n"
FILES = {
    "kbgraph.toml": "",
    "organized/knowledge/labels.md": DOC,
    "organized/knowledge/colours.md": OTHER,
    "organized/knowledge/guide.md": GUIDE,
}


class Ran(NamedTuple):
    """Exit code, standard output, standard error."""

    code: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of three documents, read once."""
    root = tmp_path_factory.mktemp("template") / "kb"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert _run(["sync", "--kb", str(root)]) == 0
    return root


@pytest.fixture
def kbgraph(
    template: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Command:
    """`kbgraph graph`, run inside a copy of the corpus."""
    monkeypatch.chdir(shutil.copytree(template, tmp_path / "kb"))

    def run(*arguments: str) -> Ran:
        code = _run(["graph", *arguments])
        return Ran(code, *capsys.readouterr())

    return run


def labels(ran: Ran) -> list[str]:
    assert (ran.code, ran.err) == (0, "")
    return [node["label"] for node in json.loads(ran.out)["nodes"]]


def test_the_default_is_the_map_of_citations_as_a_page(kbgraph: Command) -> None:
    ran = kbgraph("-o", "page.html")
    assert ran == (0, "", "")
    page = Path("page.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "<title>Sections and the works they cite</title>" in page
    assert "4 nodes, 3 edges" in page
    assert "<title>各节与所引作品</title>" in kbgraph("--lang", "zh").out


def test_json_has_nodes_with_places_and_edges_with_theirs(kbgraph: Command) -> None:
    found = json.loads(kbgraph("-f", "json").out)
    assert (found["version"], found["all_nodes"], found["all_edges"], found["focus"]) == (1, 4, 3, "")
    nodes = {node["label"]: node for node in found["nodes"]}
    assert sorted(nodes) == [
        "arXiv:2401.10001 Naming Areas",
        "arXiv:2402.10002 Small Maps",
        "§1 Where names go",
        "§2 What comes first",
    ]
    first = nodes["§1 Where names go"]
    assert (first["kind"], first["path"], first["line"]) == ("Section", "organized/knowledge/labels.md", 3)
    names = {node["id"]: label for label, node in nodes.items()}
    assert sorted((names[e["source"]][:2], names[e["target"]][6:16], e["places"]) for e in found["edges"]) == [
        ("§1", "2401.10001", ["organized/knowledge/labels.md:5"]),
        ("§2", "2401.10001", ["organized/knowledge/labels.md:9"]),
        ("§2", "2402.10002", ["organized/knowledge/labels.md:10"]),
    ]
    assert found["labels"]["Section"] == {"zh": "节", "en": "section"}


def test_a_map_takes_its_parameters(kbgraph: Command) -> None:
    assert len(labels(kbgraph("-f", "json", "-p", "document=organized/knowledge/labels.md"))) == 4
    ran = kbgraph("-f", "json", "-p", "document=organized/knowledge/colours.md")
    assert json.loads(ran.out)["nodes"] == []
    assert ran.err == "kbgraph: `citations` finds nothing to draw in this corpus; `kbgraph queries` lists other maps\n"


def test_what_the_cap_leaves_out_is_told(kbgraph: Command) -> None:
    ran = kbgraph("-f", "json", "--max-nodes", "2")
    assert ran.err == "kbgraph: 2 of 4 nodes left out; --max-nodes shows more\n"
    found = json.loads(ran.out)
    assert (len(found["nodes"]), found["all_nodes"], len(found["edges"]), found["all_edges"]) == (2, 4, 1, 3)
    assert "left out: 2 nodes, 2 edges" in kbgraph("--max-nodes", "2").out


def test_the_same_graph_gives_the_same_page(kbgraph: Command) -> None:
    assert kbgraph("--focus", "labels§1", "--hops", "3").out == kbgraph("--focus", "labels§1", "--hops", "3").out


@pytest.mark.parametrize(
    ("focus", "label"),
    [
        ("arXiv:2401.10001", "arXiv:2401.10001 Naming Areas"),
        ("2401.10001v3", "arXiv:2401.10001 Naming Areas"),
        ("https://arxiv.org/pdf/2401.10001", "arXiv:2401.10001 Naming Areas"),
        ("organized/knowledge/labels.md", "Labels"),
        ("Labels", "Labels"),
        ("§2", "§2 What comes first"),
        ("organized/knowledge/labels.md §1", "§1 Where names go"),
        ("What comes first", "§2 What comes first"),
        ("Naming Areas", "arXiv:2401.10001 Naming Areas"),
    ],
)
def test_a_focus_may_be_called_by_any_of_its_names(kbgraph: Command, focus: str, label: str) -> None:
    ran = kbgraph("-f", "json", "--focus", focus)
    assert labels(ran)[0] == json.loads(ran.out)["title"] == label


def test_around_a_work_stand_the_sections_that_speak_of_it(kbgraph: Command) -> None:
    found = json.loads(kbgraph("-f", "json", "--focus", "2403.10003").out)
    (edge,) = found["edges"]
    assert (edge["label"], edge["places"]) == ("references", ["organized/knowledge/labels.md:16"])
    assert [node["label"] for node in found["nodes"]] == ["arXiv:2403.10003 Never Cited", "§3 References"]
    assert (found["hops"], found["focus"]) == (1, "https://arxiv.org/abs/2403.10003")


def test_around_a_file_stand_its_chapters_and_the_files_it_names(kbgraph: Command) -> None:
    found = json.loads(kbgraph("-f", "json", "--focus", "organized/knowledge/labels.md").out)
    names = {node["id"]: node["label"] for node in found["nodes"]}
    edges = sorted((names[e["source"]], e["label"], names[e["target"]], e["places"]) for e in found["edges"])
    assert edges == [
        ("§1 Names", "FileReference", "Labels", ["organized/knowledge/colours.md:5"]),
        ("§1 Where names go", "isPartOf", "Labels", []),
        ("§2 What comes first", "isPartOf", "Labels", []),
        ("§3 References", "isPartOf", "Labels", []),
    ]
    wider = json.loads(kbgraph("-f", "json", "--focus", "organized/knowledge/labels.md", "--hops", "2").out)
    assert len(wider["nodes"]) > len(names)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--query", "citation"], "`citation`"),
        (["--query", "orphan-citation"], "`orphan-citation` is a check, no map\n  maps are citations, references, "),
        (["--focus", "no such thing"], "the graph has nothing called `no such thing`\n  give a path, an arXiv id,"),
        (
            ["--focus", "§1"],
            "  give one of: organized/knowledge/colours.md§1, organized/knowledge/labels.md§1\n",
        ),
        (["--query", "round-sources"], "round-sources needs -p manifest=…\n"),
        (["-p", "document"], "`document` is no parameter\n"),
        (["--focus", "§2", "-p", "document=x.md"], "--focus draws no map\n  leave out --query and -p"),
        (["--hops", "9"], "Invalid value for '--hops'"),
        (["-f", "svg"], "'svg' is not one of 'html', 'json'"),
        (["-o", "no/such/folder/page.html"], "no/such/folder/page.html cannot be written"),
    ],
)
def test_what_cannot_be_drawn_is_told_with_its_mend(kbgraph: Command, arguments: list[str], told: str) -> None:
    ran = kbgraph(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_without_the_extra_the_page_says_how_to_get_it(kbgraph: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyvis", None)
    ran = kbgraph("-o", "page.html")
    assert ran == (2, "", "kbgraph: drawing needs pyvis\n  install it: pip install 'kbgraph[draw]'\n")
    assert not Path("page.html").exists()
    assert kbgraph("-f", "json").code == 0, "JSON needs no extra"


def test_a_terminal_is_not_filled_with_a_page(kbgraph: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    ran = kbgraph()
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("kbgraph: a terminal cannot show a drawing\n  write it to a file: -o graph.html\n")
    assert kbgraph("-f", "json").code == 0
