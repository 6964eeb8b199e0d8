"""What holds for all pairs: order makes no difference, a changed digit is never the same, a text says what it says."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kbgraph.relate import Claim, judge_pair
from kbgraph.relate.atoms import read
from test_relate_pairs import lexis

SENTENCES = st.sampled_from(
    [
        "The engine serves 300 requests per second on 8 nodes.",
        "该引擎在 8 个节点上每秒处理 300 个请求。",
        "Falcon improves recall by 12.5% over the baseline in 2024.",
        "Falcon 在 2024 年把召回率提高了 12.5%。",
        "The index holds 1,200,000 vectors of 768 dimensions.",
        "预热耗时 45 毫秒，占总时间的 3%。",
        "GPT-4 and H100 are names.",
    ]
)
WORDS = st.sampled_from(
    [
        "cache",
        "缓存",
        "不",
        "not",
        "all",
        "所有",
        "30%",
        "latency",
        "延迟",
        "降低",
        "reduces",
        "may",
        "可能",
        ",",
        "。",
        "的",
        "the",
        "H100",
        "2024",
        "only",
        "只",
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=12).map(" ".join), SENTENCES)


def mirrored(text: str, other: str) -> tuple[object, object]:
    """The verdict both ways, the second turned round."""
    one = judge_pair(Claim("a", text), Claim("b", other), lexis())
    two = judge_pair(Claim("a", other), Claim("b", text), lexis())
    return one, two._replace(why=tuple(d._replace(a=d.b, b=d.a) for d in two.why))


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS)
def test_either_order_gives_the_same_verdict(text: str, other: str) -> None:
    one, two = mirrored(text, other)
    assert one == two


@settings(max_examples=100, deadline=None)
@given(SENTENCES, st.data())
def test_a_changed_digit_is_never_surely_the_same(sentence: str, data: st.DataObject) -> None:
    places = [m.start() for m in re.finditer(r"\d", sentence)]
    at = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from("123456789"))
    assume(digit != sentence[at])
    changed = sentence[:at] + digit + sentence[at + 1 :]
    verdict = judge_pair(Claim("a", sentence), Claim("b", changed), lexis())
    assert not (verdict.sure and verdict.kind == "same-meaning"), (sentence, changed)


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_a_text_says_what_it_says(text: str) -> None:
    verdict = judge_pair(Claim("a", text), Claim("b", text), lexis())
    assert verdict.kind == "same-meaning"
    assert verdict.why == ()


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_atoms_stand_in_the_text_one_after_the_other(text: str) -> None:
    reading = read(text, lexis())
    places = [(atom.start, atom.end) for atom in reading.atoms]
    assert places == sorted(places)
    assert all(start < end <= len(reading.text) for start, end in places)
    assert all(one[1] <= two[0] for one, two in pairwise(places))
