"""What the README shows is what the product prints; the example's whole brief is kept in both languages."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from conftest import ROOT, Golden
from kbgraph.workspace import Workspace

README = ROOT / "README.md"
BLOCK = re.compile(r"(?<=<!-- output -->\n).*?(?=<!-- end of output -->)", re.DOTALL)


@pytest.fixture(scope="module")
def briefs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    root = tmp_path_factory.mktemp("readme") / "research-kb"
    shutil.copytree(ROOT / "examples" / "research-kb", root, ignore=shutil.ignore_patterns(".kbgraph"))
    with Workspace.open(root, "memory:") as workspace:
        made = workspace.brief("inference")
        return {lang: workspace.render(made, "md", lang) for lang in ("zh", "en")}


def opening(brief: str) -> str:
    """The head of the brief and its first item."""
    return brief[: brief.index("\n### 2. ")].rstrip()


def test_the_readme_shows_the_real_output(briefs: dict[str, str], golden: Golden) -> None:
    assert BLOCK.search(README.read_text("utf-8")), "the README has no place for the output"
    shown = f"\n````markdown\n{opening(briefs['zh'])}\n````\n\n"
    golden(README, BLOCK.sub(lambda _: shown, README.read_text("utf-8")))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_examples_brief(briefs: dict[str, str], golden: Golden, lang: str) -> None:
    golden(Path(__file__).parent / "golden" / f"brief-inference.{lang}.md", briefs[lang])


def test_the_first_two_commands_are_the_main_job_and_the_tests() -> None:
    """`.ci/run`, and who has only the README, take the first two blocks of commands."""
    blocks = re.findall(r"^```sh\n(.*?)^```", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert ["kbgraph brief" in blocks[0], "pytest" in blocks[1]] == [True, True]
    assert [block.count("\n") for block in blocks[:2]] == [1, 1], "one line each: they are run one by one"
