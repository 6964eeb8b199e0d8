"""The wheel: what is shipped is what stands here, and the main job runs from it alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from conftest import ROOT

pytestmark = pytest.mark.slow
SHIPPED = ("ontology", "queries")


def run(*command: str | Path, cwd: Path) -> str:
    """Output of a command that succeeds; nothing of this environment's Python leaks into it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(command, cwd=cwd, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT, cwd=folder)
    (built,) = folder.glob("kbgraph-*.whl")
    return built


def test_holds_ontology_and_queries_as_they_stand(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = {n: archive.read(n) for n in archive.namelist() if n.startswith("kbgraph/_shipped/")}
    here = {
        f"kbgraph/_shipped/{path.relative_to(ROOT).as_posix()}": path.read_bytes()
        for name in SHIPPED
        for path in (ROOT / name).rglob("*")
        if path.is_file()
    }
    assert inside == here


def test_holds_all_of_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = {n for n in archive.namelist() if ".dist-info/" not in n and not n.startswith("kbgraph/_shipped/")}
    here = {
        p.relative_to(ROOT).as_posix()
        for p in (ROOT / "kbgraph").rglob("*")
        if p.is_file() and "__pycache__" not in p.parts
    }
    assert inside == here


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `kbgraph` of an environment that holds the wheel and what it asks for, no extra."""
    home = tmp_path_factory.mktemp("venv")
    run(sys.executable, "-m", "venv", home, cwd=home)
    run(home / "bin" / "python", "-m", "pip", "install", "-q", wheel, cwd=home)
    return home / "bin" / "kbgraph"


def test_runs_the_main_job(installed: Path, tmp_path: Path) -> None:
    corpus = shutil.copytree(
        ROOT / "examples" / "research-kb", tmp_path / "kb", ignore=shutil.ignore_patterns(".kbgraph")
    )
    brief = run(installed, "--kb", corpus, "brief", "inference", cwd=tmp_path)
    assert brief.startswith("# ")
    assert "organized/knowledge/inference.md" in brief
    assert "arXiv:" in brief


def test_help_needs_no_extra(installed: Path, tmp_path: Path) -> None:
    assert "brief" in run(installed, "--help", cwd=tmp_path)
