"""Cases of the views and maps: small corpora in, rows out."""

from __future__ import annotations

from pathlib import Path

import pytest

from answers import answer
from casefile import CASES, Expect, Scenario, expectations, table
from conftest import ROOT, Expected

VIEWS = sorted(
    path.relative_to(ROOT / "queries") for kind in ("views", "maps") for path in (ROOT / "queries" / kind).glob("*.rq")
)
EXPECTED = [*expectations("views"), *expectations("maps")]


@pytest.mark.parametrize(("scenario", "expect"), [pytest.param(*pair, id=pair[0].id) for pair in EXPECTED])
def test_view(scenario: Scenario, expect: Expect, expected: Expected, tmp_path: Path) -> None:
    header = expect.rows[0]
    assert expect.what == "rows"
    expected(scenario, expect, table(header, answer(scenario, header, tmp_path)))


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_every_view_has_a_case_with_rows(view: Path) -> None:
    case = (CASES / view).with_suffix(".md")
    assert case.exists(), f"write {case.relative_to(ROOT)}: a view without a case is not known to work"
    assert any(len(expect.rows) > 1 for s, expect in EXPECTED if s.case == case)
