"""Pairs of statements, zh and en: what each says of the other; the cases stand in cases/relations/."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from casefile import scenarios
from kbgraph import resources
from kbgraph.relate import Claim, Lexis, Verdict, judge_pair, make_lexis
from words import lexicon

LIKELY = 0.55  # what is called the same ranks at least so high
NOTHING = 0.5  # and two matters no higher than this


@cache
def lexis() -> Lexis:
    """The words of the product."""
    return make_lexis(lexicon(), resources.glosses())


def said(verdict: Verdict, expected: str) -> str:
    """The verdict in the words of the cases, as exactly as the expectation asks."""
    if expected in ("surely the same", "the same"):
        if verdict.kind != "same-meaning" or verdict.same < LIKELY:
            return f"{verdict.kind}: {verdict.what} {verdict.same:.2f}"
        return expected if verdict.sure or expected == "the same" else "the same"
    if expected == "not the same":
        return "the same" if verdict.kind == "same-meaning" and verdict.sure else expected
    if expected == "nothing":
        return "something" if verdict.sure or verdict.same > NOTHING or verdict.conflict > NOTHING else expected
    sure = verdict.sure or verdict.kind in ("superseded", "different-condition", "different-mechanism")
    full = f"{verdict.kind}: {verdict.what}" if ":" in expected else verdict.kind
    return full if sure else f"perhaps {full}"


def pairs() -> Iterator[object]:
    """All pairs of the cases."""
    for scenario in scenarios("relations"):
        for expect in scenario.expects:
            for a, b, expected in expect.rows[1:]:
                yield pytest.param(a, b, expected, id=f"{scenario.title}: {a} / {b}")


@pytest.mark.parametrize(("a", "b", "expected"), list(pairs()))
def test_a_pair(a: str, b: str, expected: str) -> None:
    assert said(judge_pair(Claim("a", a), Claim("b", b), lexis()), expected) == expected


@pytest.mark.parametrize(("a", "b", "expected"), list(pairs()))
def test_a_pair_the_other_way_round(a: str, b: str, expected: str) -> None:
    assert said(judge_pair(Claim("a", b), Claim("b", a), lexis()), expected) == expected
