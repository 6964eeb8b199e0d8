"""The guided tour of the examples: every command in it runs and ends as it says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

EXAMPLES = ROOT / "examples"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXIT = re.compile(r"\s+# exit (\d+)$")


def blocks(language: str) -> list[str]:
    """The fenced blocks of one language, in order."""
    text = (EXAMPLES / "README.md").read_text("utf-8")
    return [body for name, body in FENCE.findall(text) if name == language]


def commands() -> list[tuple[str, int]]:
    """Each command line of the tour with the exit code that it promises."""
    joined = "".join(blocks("sh")).replace("\\\n", " ")
    lines = [line for line in joined.splitlines() if line.strip() and not line.startswith("#")]
    return [(EXIT.sub("", line), int(promise[1]) if (promise := EXIT.search(line)) else 0) for line in lines]


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the examples to run in."""
    copy = tmp_path_factory.mktemp("tour") / "examples"
    shutil.copytree(EXAMPLES, copy, ignore=shutil.ignore_patterns(".kbgraph"))
    return copy


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line in a shell where `kbgraph` and `python` are those of this environment."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("command", "code"), commands(), ids=lambda value: str(value)[:60])
def test_command_of_the_tour_ends_as_it_says(command: str, code: int, examples: Path) -> None:
    run = shell(command, examples)
    assert run.returncode == code, run.stdout[-2000:] + run.stderr
    assert "Traceback" not in run.stderr


def test_python_of_the_tour_runs_and_prints_what_it_says(examples: Path) -> None:
    """The comment after a `print` is what it prints."""
    for snippet in blocks("python"):
        promised = re.findall(r"^print\(.*\)  # (.*)$", snippet, re.MULTILINE)
        run = subprocess.run([sys.executable, "-c", snippet], cwd=examples, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        assert run.stdout.splitlines() == promised


def test_the_tour_shows_every_part_that_it_promises() -> None:
    shown = {line.split()[1] for line, _ in commands() if line.startswith("kbgraph ")}
    asked = {"sync", "status", "query", "check", "brief", "graph", "export", "explain", "manifest", "rounds", "mcp"}
    assert asked - shown == set()
    assert blocks("python")
