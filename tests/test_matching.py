"""Labels found in one pass: the same as by trying every label at every place, whatever the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbgraph.lift.scan.matching import Matcher, flat
from kbgraph.lift.scan.words import SENTENCE
from kbgraph.model.lexicon import Concept
from words import lexicon

LABELS = ("cache", "cache hit", "hit", "p99", "c++", "不", "不会", "不会再", "在…下", "在", "≥", "x", "tok/s", "°c")
MATCHER = Matcher(Concept(f"c-{i}", "s", (label.replace("…", "..."),), {}) for i, label in enumerate(LABELS))
PIECES = st.sampled_from(
    [*LABELS, "caches", "在", "下", "。", " ", "9", "é", "C", "hits", "+", "\u2103", "之间", "\ud83d"]
)


def tried(matcher: Matcher, text: str) -> Iterator[tuple[int, int]]:
    """Spans of the longest labels from left to right, by what `longest` finds at each place in turn."""
    low, at = flat(text), 0
    while at < len(low):
        joined = at > 0 and re.fullmatch("[0-9A-Za-z_]{2}", low[at - 1 : at + 1]) is not None
        hit = None if joined else matcher.longest(low, at)
        if hit:
            yield hit.start, hit.end
        at = hit.end if hit else at + 1


def spans(matcher: Matcher, text: str) -> list[tuple[int, int]]:
    return [(hit.start, hit.end) for hit in matcher.find(text)]


def matcher_of(*labels: str) -> Matcher:
    return Matcher(Concept(f"c-{i}", "s", (label,), {}) for i, label in enumerate(labels))


def test_takes_the_longest_label_that_no_word_runs_across() -> None:
    text = "hit rate, hits, whit, 命中率与命中; p99 p999 hit"
    found = matcher_of("hit", "hit rate", "命中", "命中率", "p99").find(text)
    assert [text[hit.start : hit.end] for hit in found] == ["hit rate", "命中率", "命中", "p99", "hit"]


@pytest.mark.parametrize(
    ("text", "found"),
    [("在 A10 下", [(0, 7)]), ("在 A10 下面", [(6, 8)]), ("在内存中", []), ("ab在", [(0, 2)]), ("在 ab 下", [(0, 6)])],
)
def test_a_label_with_a_gap_reaches_to_its_second_part(text: str, found: list[tuple[int, int]]) -> None:
    assert spans(matcher_of("在...下", "ab", "下面"), text) == found


def test_a_label_ends_where_the_text_does() -> None:
    assert [(h.start, h.end) for h in matcher_of("命中率", "命中").at("命中", 0)] == [(0, 2)]


def test_half_a_character_hides_no_label() -> None:
    assert spans(matcher_of("命中率"), "\ud83d 命中率") == [(2, 5)]


def test_no_labels_find_nothing() -> None:
    assert matcher_of().find("命中率") == ()


@given(st.lists(PIECES, max_size=12).map("".join))
def test_finds_what_trying_each_place_finds(text: str) -> None:
    assert spans(MATCHER, text) == list(tried(MATCHER, text))


SHIPPED = Matcher(c for scheme in SENTENCE for c in lexicon().schemes[scheme])
WORDS = sorted({label for scheme in SENTENCE for c in lexicon().schemes[scheme] for label in c.labels})


@given(st.lists(st.sampled_from(WORDS) | PIECES, max_size=8).map("".join))
def test_finds_the_same_with_the_shipped_words(text: str) -> None:
    assert spans(SHIPPED, text) == list(tried(SHIPPED, text))
