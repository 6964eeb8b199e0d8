"""Cases of the checks: small corpora in, findings out; every check has one that fires and one that stays quiet."""

from __future__ import annotations

from pathlib import Path

import pytest

from answers import answer, finding_rows
from casefile import CASES, Expect, Scenario, expectations, parse, table
from conftest import ROOT, Expected

CHECKS = sorted(path.stem for path in (ROOT / "queries" / "checks").glob("*.rq"))


@pytest.mark.parametrize(
    ("scenario", "expect"), [pytest.param(*pair, id=pair[0].id) for pair in expectations("checks")]
)
def test_check(scenario: Scenario, expect: Expect, expected: Expected, tmp_path: Path) -> None:
    header = expect.rows[0]
    rows = {"rows": answer, "findings": finding_rows}[expect.what](scenario, header, tmp_path)
    expected(scenario, expect, table(header, rows))
    assert scenario.title.endswith("(fires)") == bool(rows), (
        "the title says (fires) when rows are expected, (quiet) when none"
    )


@pytest.mark.parametrize("check", CHECKS)
def test_every_check_has_a_case_that_fires_and_one_that_stays_quiet(check: str) -> None:
    case = CASES / "checks" / f"{check}.md"
    assert case.exists(), f"write {case.relative_to(ROOT)}: a check without a case is not known to work"
    titles = [scenario.title for scenario in parse(case)]
    assert any(title.endswith("(fires)") for title in titles)
    assert any(title.endswith("(quiet)") for title in titles)


def test_no_case_without_its_check() -> None:
    cases = {path.stem for path in (CASES / "checks").glob("*.md")}
    assert cases - set(CHECKS) == set()
