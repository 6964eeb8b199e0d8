"""The example corpora: their faults are found, all and only these, and what they say of themselves is true."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT

EXAMPLES = ROOT / "examples"
KB, VAULT = EXAMPLES / "research-kb", EXAMPLES / "vault"
SEEDS = ROOT.parent / "shared" / "seeds"
FAULTS: dict[str, Any] = tomllib.loads((ROOT / "tests/data/research_kb_faults.toml").read_text("utf-8"))
DANGLING: list[dict[str, Any]] = tomllib.loads((ROOT / "tests/data/vault_links.toml").read_text("utf-8"))["dangling"]
COMPLETE: dict[str, list[str]] = FAULTS["complete"]
WORK_OR_REPOSITORY = re.compile(r"arxiv|doi\.org|github\.com", re.IGNORECASE)
Row = dict[str, Any]
Place = tuple[str, int]


def findings(corpus: Path, folder: Path) -> list[Row]:
    """All findings of a copy of a corpus, as `kbgraph check` prints them."""
    kb = folder / corpus.name
    shutil.copytree(corpus, kb)
    program = Path(sys.executable).with_name("kbgraph")
    command: list[str | Path] = [program, "check", "--kb", kb, "--format", "json", "--fail-on", "never"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    rows: list[Row] = json.loads(run.stdout)["findings"]
    return rows


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """The findings of the research knowledge base."""
    return findings(KB, tmp_path_factory.mktemp("examples"))


def rows_of(kind: str, check: str) -> list[Row]:
    """The rows of one kind (fault, lookalike, arguable) that speak of a check."""
    return [row for row in FAULTS[kind] if row["check"] == check]


def places(row: Row) -> set[Place]:
    """Where a finding that means this fault may stand."""
    return {(row["path"], row["line"]), *((path, line) for path, line in row.get("also", []))}


def of_a_page(row: Row) -> bool:
    """Whether a finding is about a web page: works and repositories naturally stand in several materials."""
    key = row["key"]
    return not any(WORK_OR_REPOSITORY.search(k) for k in (key if isinstance(key, list) else [key]))


def reported(found: list[Row], check: str) -> list[Row]:
    """The findings of a check where the list of faults is complete."""
    rows = [row for row in found if row["check"] == check and any(fnmatchcase(row["path"], g) for g in COMPLETE[check])]
    return [row for row in rows if of_a_page(row)] if check == "same-source" else rows


def excused(row: Row) -> bool:
    """Whether a finding is right either way; line 0 stands for the whole file."""
    return any(a["path"] == row["path"] and a["line"] in {0, row["line"]} for a in rows_of("arguable", row["check"]))


def line_of(row: Row) -> str:
    """The line of the corpus that a row names."""
    path: str = row["path"]
    number: int = row["line"]
    return (KB / path).read_text("utf-8").splitlines()[number - 1]


@pytest.mark.parametrize("check", COMPLETE)
def test_every_fault_is_found_where_it_stands(check: str, found: list[Row]) -> None:
    seen = {(row["path"], row["line"]) for row in reported(found, check)}
    missed = [f"{row['path']}:{row['line']} {row['why']}" for row in rows_of("fault", check) if not places(row) & seen]
    assert missed == []


@pytest.mark.parametrize("check", COMPLETE)
def test_nothing_else_is_called_a_fault(check: str, found: list[Row]) -> None:
    known = set[Place]().union(*map(places, rows_of("fault", check)))
    alarms = [
        f"{row['path']}:{row['line']} {row['message']}"
        for row in reported(found, check)
        if (row["path"], row["line"]) not in known and not excused(row)
    ]
    assert alarms == []


@pytest.mark.parametrize("row", FAULTS["lookalike"], ids=lambda row: f"{row['check']}:{row['line']}")
def test_a_lookalike_stays_quiet(row: Row, found: list[Row]) -> None:
    hits = [f for f in found if (f["check"], f["path"], f["line"]) == (row["check"], row["path"], row["line"])]
    assert [hit["message"] for hit in hits] == []


@pytest.mark.parametrize("check", COMPLETE)
def test_the_list_has_a_case_for_the_check(check: str) -> None:
    assert rows_of("fault", check)


@pytest.mark.parametrize("row", FAULTS["fault"], ids=lambda row: f"{row['check']}:{row['path']}:{row['line']}")
def test_the_list_names_the_line_that_holds_the_fault(row: Row) -> None:
    """A fault's line holds the tail of its key: the number of an id, the digits of a section, a name of a path."""
    tail = re.split(r"[:§/]", row["key"])[-1].removeprefix("www.")
    assert line_of(row).strip()
    assert tail in context(row)


def context(row: Row) -> str:
    """The line of a fault and the six above it: the name of a card or item stands in its heading."""
    lines = (KB / row["path"]).read_text("utf-8").splitlines()
    return "\n".join(lines[max(0, row["line"] - 7) : row["line"]])


def test_hashes_of_the_manifests_are_those_of_the_files_but_for_the_planted_one() -> None:
    stale = {
        entry["path"]
        for manifest in (KB / "work-guard").glob("*.json")
        for entry in json.loads(manifest.read_text("utf-8"))["materials"]
        if "sha256" in entry and entry["sha256"] != hashlib.sha256((KB / entry["path"]).read_bytes()).hexdigest()
    }
    assert stale == {row["key"] for row in rows_of("fault", "changed-material")}


def test_dangling_links_of_the_vault(tmp_path: Path) -> None:
    seen = {(row["path"], row["line"]) for row in findings(VAULT, tmp_path) if row["check"] == "dangling-path"}
    assert seen == {(row["path"], row["line"]) for row in DANGLING}


def texts() -> list[tuple[Path, str]]:
    """Every text file of the examples."""
    files = (f for f in EXAMPLES.rglob("*") if f.is_file() and ".kbgraph" not in f.parts)
    return [(f, f.read_text("utf-8")) for f in sorted(files)]


def test_no_example_id_can_be_a_real_paper() -> None:
    """No month had reached serial 30000 when the examples were written; they use higher ones only."""
    ids = {n for _, text in texts() for n in re.findall(r"(?<![\d.])\d{4}\.\d{5}(?!\d)", text)}
    assert {n for n in ids if int(n[5:]) <= 30000} == set()


def test_no_key_stands_whole_in_an_example() -> None:
    shape = re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|sk-(?!x+\b)[A-Za-z0-9-]{16,}|AKIA[0-9A-Z]{12,})")
    assert [path.name for path, text in texts() if shape.search(text)] == []


@pytest.mark.skipif(not SEEDS.exists(), reason="the reference briefs are not beside this checkout")
def test_no_sentence_of_the_reference_briefs_is_copied() -> None:
    seeds = "\n".join(f.read_text("utf-8") for f in SEEDS.glob("*.txt"))
    sentences = {s.strip() for s in re.split(r"[。；;\n•]| - ", seeds)}
    long = {s for s in sentences if len(s) >= 16 and re.search(r"[\u4e00-\u9fff]", s)}
    assert {s for s in long for _, text in texts() if s in text} == set()
