"""Text of a material inside a brief: shown as it is, never as markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbgraph.render.escape import code, md, one_line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a *b* `c` [d](e)", r"a \*b\* \`c\` \[d\](e)"),
        ("snake_case _x_", r"snake_case \_x\_"),
        ("<script>", r"\<script\>"),
        ("# 标题", r"\# 标题"),
        ("1. 第一", r"1\. 第一"),
        ("AT&T &amp; co", r"AT&T \&amp; co"),
        ("a\u202eb\x07", "a⟨U+202E⟩b⟨U+0007⟩"),
    ],
)
def test_markup_is_escaped(text: str, expected: str) -> None:
    assert md(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("上一行\n下一行", "上一行下一行"), ("one\ntwo", "one two"), ("吞吐\n2x", "吞吐 2x"), ("，\n然后", "，然后")],
)
def test_line_breaks_between_chinese_characters_vanish(text: str, expected: str) -> None:
    assert one_line(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("a.md:3", "`a.md:3`"), ("a`b", "`` a`b ``")])
def test_code_spans_hold_any_text(text: str, expected: str) -> None:
    assert code(text) == expected


@given(st.text())
def test_a_statement_stays_on_one_line(text: str) -> None:
    assert "\n" not in md(text)
    assert "\n" not in code(text)
