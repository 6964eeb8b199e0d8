"""Text of a material inside a brief: shown as it is, never as markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbgraph.model.brief import Statement
from kbgraph.model.sentences import run_on
from kbgraph.render.brief import joined, quoted, tells, unstopped
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


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("降 18%", "升 2 点。"), "降 18%；升 2 点。"),
        (("降 18%。", "升 2 点"), "降 18%。升 2 点"),
        (("It fell.", "It rose"), "It fell. It rose"),
        (("It fell", "it rose"), "It fell; it rose"),
        (("写的是“都行。”", "其实不行"), "写的是“都行。”其实不行"),
    ],
)
def test_pieces_of_a_sentence_stand_as_they_stood(texts: tuple[str, ...], expected: str) -> None:
    assert run_on(texts) == expected


def test_statements_of_one_line_and_level_are_one() -> None:
    one, two = Statement("快", "a.md", 3, "level-x", ("单卡",), 1), Statement("省", "a.md", 3, "level-x", ("单卡",))
    other = Statement("慢", "a.md", 3, "level-y")
    assert joined([one, two, other]) == [Statement("快；省", "a.md", 3, "level-x", ("单卡",), 1), other]
    assert joined([one, one._replace(text="长" * 200)])[1].text == "长" * 200


@pytest.mark.parametrize(("text", "zh", "en"), [("只读", "“只读”", "“只读”"), ("说“能”", "「说“能”」", "‘说“能”’")])
def test_quotation_marks_do_not_nest_in_themselves(text: str, zh: str, en: str) -> None:
    assert (quoted(text, "zh"), quoted(text, "en")) == (zh, en)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("好。", "好"), ("Good.", "Good"), ("and so on ...", "and so on ..."), ("Wu et al.", "Wu et al.")],
)
def test_a_full_stop_goes_before_a_bracket(text: str, expected: str) -> None:
    assert unstopped(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("§3.1", False), ("§3.1，§6.1。", False), ("§3.1（修订）", True)])
def test_advice_that_only_numbers_sections_is_not_quoted(text: str, expected: bool) -> None:
    assert tells(text) is expected
