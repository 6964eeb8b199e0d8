"""What does not fit among cards: found when a check needs it, gone with its cause, and never taken for a claim."""

from __future__ import annotations

from pathlib import Path

import pytest
from rdflib import Graph

import kbgraph
from casefile import CASES, parse
from kbgraph.workspace import Workspace
from test_shapes import violations

OFF_TOPIC, CONTAMINATED, TITLE = "off-topic-card", "contaminated-card", "title-content-mismatch"
CHECKS = (OFF_TOPIC, CONTAMINATED, TITLE)

SECOND, NINTH = (f"organized/paper_cards/{n:03}-2401-{10000 + n}.md" for n in (2, 9))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Ten cards, with a foreign paragraph in the second and one in the ninth."""
    scenario = parse(CASES / "checks" / f"{CONTAMINATED}.md")[0]
    return scenario.write(tmp_path / "kb")


def lines(workspace: Workspace) -> list[str]:
    """The graph of what does not fit, without what it was found from."""
    every = workspace.export("nq", findings=True).splitlines()
    return [line for line in every if line.endswith("derived/misfits> .") and "#fingerprint>" not in line]


def paths(workspace: Workspace) -> list[str]:
    """Where foreign paragraphs are."""
    return [finding.path for finding in workspace.check([CONTAMINATED]).findings]


def outcomes(workspace: Workspace) -> dict[str, tuple[str, str]]:
    return {result.check: (result.outcome, result.reason) for result in workspace.check(CHECKS).checks}


def test_it_follows_the_cards_and_does_not_depend_on_what_was_before(root: Path, tmp_path: Path) -> None:
    card = root / SECOND
    text = card.read_text("utf-8")
    with kbgraph.open(root) as workspace:
        workspace.sync()
        assert paths(workspace) == [SECOND, NINTH]
        before = lines(workspace)
        assert len([line for line in before if "#ForeignParagraph>" in line]) == 2
        card.write_text("\n".join(text.splitlines()[:12]) + "\n", "utf-8")
        workspace.sync()
        assert lines(workspace) == []  # nobody has asked yet, and the old ones do not stay
        assert paths(workspace) == [NINTH]
        card.write_text(text, "utf-8")
        workspace.sync()
        workspace.check([CONTAMINATED])
        assert lines(workspace) == before
        plain = workspace.export("nq")
    other = parse(CASES / "checks" / f"{CONTAMINATED}.md")[0].write(tmp_path / "other" / "kb")
    with kbgraph.open(other) as fresh:
        fresh.sync()
        assert fresh.export("nq") == plain, "it is no part of a plain export"
        fresh.check([CONTAMINATED])
        assert lines(fresh) == before


def test_a_misfit_is_no_claim_and_satisfies_the_shapes(root: Path) -> None:
    count = "SELECT (COUNT(DISTINCT ?c) AS ?n) WHERE { ?c a <https://w3id.org/kbgraph/ns#Claim> }"
    with kbgraph.open(root) as workspace:
        workspace.sync()
        before = workspace.query(count).rows
        workspace.check(CHECKS)
        assert workspace.query(count).rows == before
        found = lines(workspace)
    assert not any("schema.org/text" in line for line in found)
    data = Graph().parse(data="\n".join(f"{line.rpartition(' <')[0]} ." for line in found), format="nt")
    assert violations(data) == set()
    wrong = Graph().parse(data="\n".join(f"{line.rpartition(' <')[0]} ." for line in found if "#misfitOf>" not in line))
    assert violations(wrong) == {("misfitOf", "MinCount")}


def test_too_few_cards_and_too_much_text_are_told_and_not_passed_over(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = "9 cards with text enough to compare: at least 10 are needed"
    with kbgraph.open(root) as workspace:
        workspace.sync()
        assert outcomes(workspace) == {OFF_TOPIC: ("clean", ""), CONTAMINATED: ("findings", ""), TITLE: ("clean", "")}
        (root / "organized/paper_cards/010-2401-10010.md").unlink()
        workspace.sync()
        for _ in range(2):  # the second time it is known from the first
            assert outcomes(workspace) == {
                OFF_TOPIC: ("skipped", few), CONTAMINATED: ("skipped", few), TITLE: ("clean", ""),
            }  # fmt: skip
        monkeypatch.setattr("kbgraph.workspace.judging.MOST", 1)
        many = "what does not fit among 27 statements is not looked for: more than 1"
        assert outcomes(workspace) == dict.fromkeys(CHECKS, ("skipped", many))


def test_where_there_are_no_cards_nothing_is_amiss(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nA sentence.\n", "utf-8")
    with kbgraph.open(tmp_path) as workspace:
        workspace.sync()
        assert outcomes(workspace) == dict.fromkeys(CHECKS, ("clean", ""))
