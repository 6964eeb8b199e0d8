"""Relations of claims: found when a check needs them, the same whatever came before, gone when their claims change."""

from __future__ import annotations

from pathlib import Path

import pytest

import kbgraph
from kbgraph.workspace import Workspace

CARD = """# ToyCache: Prefix Caches Kept Apart

- arXiv: 2401.10001

## 摘要要点

- 前缀缓存按租户分开之后，显存占用减少 {}，吞吐不变。
"""
DOCUMENT = """# 推理服务

## §1 缓存

- **ToyCache**（arXiv:2401.10001）：前缀缓存按租户分开之后，显存占用减少 41%，吞吐不变（原文核查）。
"""
CHECK = "conflicting-quantity"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return corpus(tmp_path / "kb", "14%")


def corpus(root: Path, value: str) -> Path:
    for path, text in (
        ("organized/paper_cards/001-2401-10001.md", CARD.format(value)),
        ("organized/knowledge/serving.md", DOCUMENT),
    ):
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def relations(workspace: Workspace) -> list[str]:
    """The lines of the graph that tell of relations, those apart that only say what they were found from."""
    lines = workspace.export("nq", findings=True).splitlines()
    return [line for line in lines if line.endswith("derived/relations> .") and "#fingerprint>" not in line]


def test_a_conflict_is_told_with_both_places_and_the_words(root: Path) -> None:
    with kbgraph.open(root) as workspace:
        workspace.sync()
        (finding,) = workspace.check([CHECK]).findings
        assert (finding.path, finding.line) == ("organized/knowledge/serving.md", 5)
        assert [(place.path, place.line) for place in finding.related] == [
            ("organized/paper_cards/001-2401-10001.md", 7)
        ]
        assert dict(finding.values)["why"] == "41% ↔ 14%"  # here, there


def test_relations_follow_their_claims_and_do_not_depend_on_what_was_before(root: Path, tmp_path: Path) -> None:
    with kbgraph.open(root) as workspace:
        workspace.sync()
        workspace.check([CHECK])
        before = relations(workspace)
        assert before
        corpus(root, "41%")  # the card is mended
        workspace.sync()
        assert relations(workspace) == []  # nobody has asked yet, and the old ones do not stay
        assert workspace.check([CHECK]).findings == ()
        corpus(root, "14%")
        workspace.sync()
        workspace.check([CHECK])
        assert relations(workspace) == before
    with kbgraph.open(corpus(tmp_path / "other" / "kb", "14%")) as fresh:
        fresh.sync()
        fresh.check([CHECK])
        assert relations(fresh) == before


def test_what_was_found_is_no_part_of_a_plain_export(root: Path) -> None:
    with kbgraph.open(root) as workspace:
        workspace.sync()
        before = workspace.export("nq")
        workspace.check([CHECK])
        assert workspace.export("nq") == before


def test_more_claims_than_are_related_are_told_and_not_passed_over(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbgraph.workspace.relating.MOST", 1)
    with kbgraph.open(root) as workspace:
        workspace.sync()
        report = workspace.check([CHECK])
        (result,) = report.checks
        assert (result.outcome, result.reason) == (
            "skipped", "relations of 2 claims are not looked for: more than 1"
        )  # fmt: skip
        assert report.findings == ()
