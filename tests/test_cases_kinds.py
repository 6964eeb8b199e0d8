"""Cases of the room `lift`: a file of some kind in, triples out."""

from __future__ import annotations

import pytest

from casefile import Expect, Scenario, expectations
from conftest import Expected
from kbgraph.lift import lift
from kbgraph.model.facts import Facts
from kbgraph.model.settings import Settings
from kbgraph.read import read
from terms import matches, patterns, shown_triples
from words import heading_words, lexicon


def lifted(scenario: Scenario, about: str) -> Facts:
    path, data = scenario.one(about)
    return lift(read(data, path, heading_words()), lexicon(), Settings())


@pytest.mark.parametrize(
    ("scenario", "expect"), [pytest.param(*pair, id=f"{pair[0].id}: {pair[1].what}") for pair in expectations("kinds")]
)
def test_kind(scenario: Scenario, expect: Expect, expected: Expected) -> None:
    facts = lifted(scenario, expect.about)
    if expect.what == "exact triples":
        expected(scenario, expect, shown_triples(facts.triples))
        return
    wanted = {"triples": True, "no triples": False}[expect.what]
    material = facts.graph[1:-1]
    wrong = [p for p in patterns(expect.body) if matches(facts.nquads(), material, p) is not wanted]
    assert not wrong, "\n\n".join([f"{expect.what} {scenario.case.name}:", *wrong, "in", shown_triples(facts.triples)])
