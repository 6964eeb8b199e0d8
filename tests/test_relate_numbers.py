"""Numbers in running text, zh and en: what they are read as, and how two of them lie to one another."""

from __future__ import annotations

from math import inf

import pytest

from kbgraph.relate.amounts import Amount, nearness
from kbgraph.relate.figures import Figures
from words import lexicon

FIGURES = Figures(lexicon())


def read(text: str) -> list[tuple[float, float, str, str]]:
    """Value or range, unit and bound of all numbers."""
    return [(a.low, a.high, a.unit, a.bound) for a in FIGURES.find(text.lower())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,200,000 times 3", [(1200000, 1200000, "x", ""), (3, 3, "", "")]),
        ("120 万条", [(1200000, 1200000, "sample", "")]),
        ("一百二十万", [(1200000, 1200000, "", "")]),
        ("1.2 billion parameters", [(1.2e9, 1.2e9, "param", "")]),
        ("twenty-five percent", [(25, 25, "percent", "")]),
        ("百分之三", [(0.03, 0.03, "share", "")]),
        ("三成", [(pytest.approx(0.3), pytest.approx(0.3), "share", "")]),
        ("三分之二", [(pytest.approx(2 / 3), pytest.approx(2 / 3), "share", "")]),
        ("2 到 4 倍", [(2, 4, "x", "")]),
        ("two to four times", [(2, 4, "x", "")]),
        ("7 to 70 billion parameters", [(7e9, 7e10, "param", "")]),
        ("between 3 and 5 seconds", [(3, 5, "s", "")]),
        ("at least 200 ms", [(200, 200, "ms", "at-least")]),
        ("不超过 200 毫秒", [(200, 200, "ms", "at-most")]),
        ("不到端到端延迟的百分之一", [(0.01, 0.01, "share", "less-than")]),
        ("30 个以上", [(30, 30, "count", "at-least")]),
        ("collected over four weeks", [(4, 4, "week", "")]),
        ("over 40 nodes", [(40, 40, "node", "more-than")]),
    ],
)
def test_a_number(text: str, expected: list[tuple[float, float, str, str]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    "text", ["一些", "一个方法", "十分明显", "gpt-4", "h100", "统一", "at 8:30", "几十个", "one of them", "v1.2.3"]
)
def test_no_number(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("text", ["March 2024", "2024-03", "2024 年 3 月", "2024/3", "mar. 2024"])
def test_a_month_is_all_of_its_days_however_it_is_written(text: str) -> None:
    first = 2024 * 372 + 2 * 31
    assert read(text) == [(first, first + 30, "date", "")]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("200 ms", "0.2 s", "equal"),
        ("30%", "三成", "equal"),
        ("3.7x", "3.68x", "rounded"),
        ("1.2 million", "1230000", "rounded"),
        ("5 items", "more than 3 items", "within"),
        ("2 to 6 items", "4 to 9 items", "overlap"),
        ("about 100 items", "105 items", "within"),
        ("about 100 items", "150 items", "apart"),
        ("more than 5 items", "5 items", "apart"),
        ("less than 5 items", "more than 5 items", "apart"),
        ("March 2024", "2024", "within"),
        ("March 2024", "April 2024", "apart"),
        ("1.2 million", "1.3 million", "apart"),
    ],
)
def test_nearness(a: str, b: str, expected: str) -> None:
    (one,), (two,) = FIGURES.find(a.lower()), FIGURES.find(b.lower())
    assert nearness(one, two) == expected
    assert nearness(two, one) == expected


def test_a_bound_opens_the_interval() -> None:
    assert Amount(0, 1, 5, 5, bound="at-least").span == (5, inf)
    assert Amount(0, 1, 5, 5, bound="less-than").span == (-inf, 5)
    assert Amount(0, 1, 100, 100, bound="about").span == (90, 110)
    assert Amount(0, 1, 3, 3, "min").span == (180, 180)
