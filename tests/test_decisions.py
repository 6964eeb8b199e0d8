"""Decisions of people about pairs of claims: a decided pair does not come back until the text of one side changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import kbgraph
import kbgraph.vocab as v
from answers import opened
from casefile import Scenario, scenarios
from kbgraph.ask.decisions import COLUMNS, row
from kbgraph.model.finding import Finding
from kbgraph.workspace import Workspace
from test_relating import CHECK, corpus

FILE = "kbgraph-decisions.tsv"
CARD = "organized/paper_cards/001-2401-10001.md"
PAIRS = ("duplicate-claim", "conflicting-wording", "conflicting-quantity", "corroborated")
FIRING = [s for s in scenarios("checks") if s.name in PAIRS and s.title.endswith("(fires)")]


def decided(findings: tuple[Finding, ...], predicate: str, **more: str) -> list[str]:
    """The rows that `explain` prints for findings, with a decision written into each."""
    rows = []
    for finding in findings:
        cells = dict(zip(COLUMNS, row(finding).splitlines()[-1].split("\t"), strict=True))
        cells |= {"predicate_id": predicate, **more}
        rows.append("\t".join(cells[name] for name in COLUMNS))
    return rows


def write(root: Path, rows: list[str]) -> None:
    (root / FILE).write_text("\n".join(["\t".join(COLUMNS), *rows]) + "\n", encoding="utf-8")


def found(kb: Workspace, *checks: str) -> tuple[Finding, ...]:
    kb.sync()
    report = kb.check(checks)
    assert {c.outcome for c in report.checks} <= {"clean", "findings"}
    return report.findings


@pytest.mark.parametrize("predicate", ["skos:exactMatch", "owl:differentFrom", "skos:relatedMatch"])
@pytest.mark.parametrize("scenario", FIRING, ids=lambda s: f"{s.name}: {s.title}")
def test_what_a_person_has_decided_does_not_come_back(scenario: Scenario, predicate: str, tmp_path: Path) -> None:
    kb, name = opened(scenario, tmp_path), scenario.name
    rows: list[str] = []
    first = found(kb, name)
    assert first
    open_, turns = first, 0
    while open_ and turns < 5:  # one sentence may stand to several others
        rows += decided(open_, predicate)
        write(kb.root, rows)
        open_, turns = found(kb, name), turns + 1
    assert open_ == ()
    assert found(kb, "malformed-decision", "unused-decision") == ()


def test_a_decision_lapses_when_the_text_of_a_side_changes(tmp_path: Path) -> None:
    with kbgraph.open(corpus(tmp_path / "kb", "14%")) as kb:
        write(kb.root, decided(found(kb, CHECK), "owl:differentFrom", comment="one is of the first version"))
        assert found(kb, CHECK, "unused-decision") == ()
        corpus(kb.root, "15%")
        again, lapsed = sorted(found(kb, CHECK, "unused-decision"), key=lambda f: f.check)
        assert dict(again.values)["why"] == "41% ↔ 15%"
        assert (lapsed.path, lapsed.line, lapsed.severity) == (FILE, 2, "info")
        assert "前缀缓存按租户分开之后，显存占用减少 14%，吞吐不变。" in lapsed.message["en"]
        corpus(kb.root, "14%")
        assert found(kb, CHECK, "unused-decision") == ()


def test_same_counts_as_the_same_meaning_and_not_the_same_does_not(tmp_path: Path) -> None:
    with kbgraph.open(corpus(tmp_path / "kb", "14%")) as kb:
        findings = found(kb, CHECK)
        (values,) = (dict(f.values) for f in findings)
        asked = f"SELECT * {{ <{values['claim']}> {v.KB_SAME_MEANING_AS} <{values['otherClaim']}> }}"
        for predicate, same in {"skos:exactMatch": 1, "owl:differentFrom": 0, "同一": 1, "未定": 0}.items():
            write(kb.root, decided(findings, predicate))
            assert found(kb, CHECK, "malformed-decision") == ()
            assert len(kb.select(asked)) == same, predicate
            assert kb.select(f"SELECT * {{ ?a {v.KB_CONFLICTS_WITH} ?b }}").rows == ()


def test_a_decision_is_a_fact_with_author_day_and_reason(tmp_path: Path) -> None:
    with kbgraph.open(corpus(tmp_path / "kb", "14%")) as kb:
        write(
            kb.root,
            decided(
                found(kb, CHECK), "skos:exactMatch", author_label="mei", mapping_date="2026-11-25", comment="a slip"
            ),
        )
        kb.sync()
        (told,) = kb.query("decisions").dicts()
        assert (told["path"], told["line"], told["by"], told["day"], told["reason"]) == (
            FILE, 2, "mei", "2026-11-25", "a slip",
        )  # fmt: skip
        assert str(told["verdict"]).endswith("#decision-same")
        assert told["other"] == "前缀缓存按租户分开之后，显存占用减少 14%，吞吐不变。"


def test_what_a_person_took_apart_is_no_hop_of_a_trace(tmp_path: Path) -> None:
    with kbgraph.open(corpus(tmp_path / "kb", "14%")) as kb:
        findings = found(kb, CHECK)
        place = "organized/knowledge/serving.md:5"
        assert [hop.passage.path for hop in kb.trace(place).chains[0].hops if hop.passage] == [CARD]
        write(kb.root, decided(findings, "owl:differentFrom"))
        kb.sync()
        assert [hop for hop in kb.trace(place).chains[0].hops if hop.passage] == []


def test_explain_prints_the_row_and_it_decides_nothing_until_a_person_writes_what(tmp_path: Path) -> None:
    with kbgraph.open(corpus(tmp_path / "kb", "14%")) as kb:
        (finding,) = found(kb, CHECK)
        page = kb.explain(finding.fingerprint)
        assert row(finding) in page
        write(kb.root, [row(finding).splitlines()[-1]])
        wrong = found(kb, "malformed-decision")
        assert [(f.path, f.line) for f in wrong] == [(FILE, 2)]
        assert "its predicate_id is not known" in wrong[0].message["en"]
        assert len(found(kb, CHECK)) == 1


def test_a_broken_file_of_decisions_is_told_and_stops_nothing(tmp_path: Path) -> None:
    with kbgraph.open(corpus(tmp_path / "kb", "14%")) as kb:
        for data in (
            b"\xff\xfe\x00\x01",
            b"",
            b"\t\t\t\n",
            b"a\tb\n" * 3,
            b"subject_id\tpredicate_id\tobject_id\n\t\t\n",
        ):
            (kb.root / FILE).write_bytes(data)
            kb.sync()
            assert len([f for f in kb.check([CHECK, "malformed-decision"]).findings if f.check == CHECK]) == 1
