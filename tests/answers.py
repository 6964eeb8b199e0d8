"""Saved queries run over a scenario's files, answers as cells of a case's table."""

from __future__ import annotations

import os
from pathlib import Path

import kbgraph
from casefile import Scenario
from kbgraph.model.finding import Finding
from kbgraph.workspace import Workspace
from terms import curie

# A file's age must not tell: every file of a scenario gets this time.
LONG_AGO = 1_700_000_000


def opened(scenario: Scenario, root: Path) -> Workspace:
    """The scenario's corpus, brought up to date in memory."""
    corpus = scenario.write(root / "kb")
    for path in corpus.rglob("*"):
        os.utime(path, (LONG_AGO, LONG_AGO))
    workspace = kbgraph.open(corpus, store="memory:")
    workspace.sync()
    return workspace


def cell(value: object) -> str:
    """A value of an answer as a case writes it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    short = curie(text) if ":" in text else text
    return (text if short.startswith("<") else short).replace("\n", r"\n")


def answer(scenario: Scenario, header: list[str], root: Path) -> list[list[str]]:
    """Rows of the saved query that the case is named after, projected to the header's columns."""
    workspace = opened(scenario, root)
    if scenario.checks:
        workspace.check(scenario.checks)
    found = workspace.query(scenario.name, **scenario.params)
    places = [found.columns.index(name) for name in header]
    return [[cell(row[place]) for place in places] for row in found.rows]


def shown(finding: Finding, name: str) -> str:
    """One field of a finding: message and fix in English, all else as it is."""
    if name == "also":
        return ", ".join(f"{place.path}:{place.line}" for place in finding.related)
    value = getattr(finding, name)
    if name in {"message", "fix"}:
        return str(value["en"])
    return " ".join(value) if isinstance(value, tuple) else cell(value)


def finding_rows(scenario: Scenario, header: list[str], root: Path) -> list[list[str]]:
    """Findings of the check that the case is named after, projected to the header's fields."""
    report = opened(scenario, root).check([scenario.name])
    assert [(c.check, c.outcome in {"clean", "findings"}) for c in report.checks] == [(scenario.name, True)]
    return [[shown(finding, name) for name in header] for finding in report.findings]
