"""Cases of the room `read`: bytes in, blocks, sections, fields and problems out."""

from __future__ import annotations

import pytest

from casefile import Expect, Scenario, expectations
from conftest import Expected
from dump import dump
from kbgraph.read import read
from words import heading_words


@pytest.mark.parametrize(
    ("scenario", "expect"), [pytest.param(*pair, id=f"{pair[0].id}: {pair[1].what}") for pair in expectations("read")]
)
def test_read(scenario: Scenario, expect: Expect, expected: Expected) -> None:
    path, data = scenario.one(expect.about)
    expected(scenario, expect, dump(read(data, path, heading_words()), expect.what))
