"""A generated corpus whose gaps are counted as they are made: each check finds all of them and no other."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from conftest import ROOT
from sharedkb import Kb, keys

sys.path.insert(0, str(ROOT / "benchmarks"))
from generate import generate

pytestmark = pytest.mark.slow
# What the generator plants is all there is to find.
CHECKS = (
    "dangling-path",
    "dangling-section",
    "declared-count-differs",
    "duplicate-entry",
    "malformed-identifier",
    "orphan-citation",
    "uncarded-citation",
    "unlisted-citation",
    "weekly-gain-above-total",
    "withdrawn-cited",
)

Gap = dict[str, object]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Kb, list[Gap]]:
    root = tmp_path_factory.mktemp("generated") / "kb"
    made = generate(root, 1000, seed=7)
    gaps = made["gaps"]
    assert isinstance(gaps, list)
    return Kb(root), gaps


@pytest.mark.parametrize("check", CHECKS)
def test_finds_every_gap_and_no_other(known: tuple[Kb, list[Gap]], check: str) -> None:
    kb, gaps = known
    wanted = {(str(gap["path"]), str(gap["key"]).removeprefix("arXiv:")) for gap in gaps if gap["check"] == check}
    found = {(f.path, key) for f in kb.findings(check) for key in keys([f])}
    assert found == wanted


def test_finds_every_number_without_level_and_no_other(known: tuple[Kb, list[Gap]]) -> None:
    """A line may hold several numbers: the line is what counts."""
    kb, gaps = known
    check = "number-without-level"
    wanted = {(gap["path"], gap["line"]) for gap in gaps if gap["check"] == check}
    assert {(f.path, f.line) for f in kb.findings(check)} == wanted


def test_every_file_is_read(known: tuple[Kb, list[Gap]]) -> None:
    kb, _ = known
    files = [path for path in kb.corpus.rglob("*") if path.suffix in {".md", ".json"} and ".kbgraph" not in path.parts]
    assert sorted(kb.paths()) == sorted(path.relative_to(kb.corpus).as_posix() for path in files)


def test_the_generator_repeats_itself(tmp_path: Path) -> None:
    one, two = generate(tmp_path / "one", 400, seed=3), generate(tmp_path / "two", 400, seed=3)
    assert one == two
    assert sorted(p.read_bytes() for p in (tmp_path / "one").rglob("*.md")) == sorted(
        p.read_bytes() for p in (tmp_path / "two").rglob("*.md")
    )
