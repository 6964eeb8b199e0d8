"""Labels found by one expression: the same as by keys, whatever the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kbgraph.lift.matching import Matcher, flat
from kbgraph.lift.trie import pattern_of
from kbgraph.lift.words import SENTENCE
from kbgraph.model.lexicon import Concept
from words import lexicon

LABELS = ("cache", "cache hit", "hit", "p99", "c++", "不", "不会", "不会再", "在…下", "≥", "x", "tok/s", "°c")
MATCHER = Matcher(Concept(f"c-{i}", "s", (label.replace("…", "..."),), {}) for i, label in enumerate(LABELS))
PIECES = st.sampled_from([*LABELS, "caches", "在", "下", "。", " ", "9", "é", "C", "hits", "+", "\u2103", "之间"])


def test_takes_the_longest_label_that_no_word_runs_across() -> None:
    pattern = pattern_of(["hit", "hit rate", "命中", "命中率", "p99"])
    assert pattern
    found = [match.group() for match in pattern.finditer("hit rate, hits, whit, 命中率与命中; p99 p999 hit")]
    assert found == ["hit rate", "命中率", "命中", "p99", "hit"]


def test_says_where_something_else_may_begin() -> None:
    pattern = pattern_of(["ab"], "在")
    assert pattern
    assert [match.span() for match in pattern.finditer("ab在 在ab")] == [(0, 2), (2, 2), (4, 4), (5, 7)]


def test_no_labels_make_no_pattern() -> None:
    assert pattern_of([]) is None


@given(st.lists(PIECES, max_size=12).map("".join))
def test_finds_what_the_walk_by_keys_finds(text: str) -> None:
    low = flat(text)
    assert list(MATCHER._scan(low)) == list(MATCHER._walk(low))


SHIPPED = Matcher(c for scheme in SENTENCE for c in lexicon().schemes[scheme])
WORDS = sorted({label for scheme in SENTENCE for c in lexicon().schemes[scheme] for label in c.labels})


@given(st.lists(st.sampled_from(WORDS) | PIECES, max_size=8).map("".join))
def test_finds_the_same_with_the_shipped_words(text: str) -> None:
    low = flat(text)
    assert list(SHIPPED._scan(low)) == list(SHIPPED._walk(low))


def test_a_long_run_changes_over_without_a_difference() -> None:
    matcher = Matcher(Concept(f"c-{i}", "s", (label,), {}) for i, label in enumerate(("命中率", "hit rate")))
    found = [tuple((h.start, h.end) for h in matcher.find("命中率 and hit rate")) for _ in range(500)]
    assert set(found) == {((0, 3), (8, 16))}
