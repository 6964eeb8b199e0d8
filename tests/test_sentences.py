"""Sentences of Chinese and English text, and the normal form of a claim."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbgraph.lift.scan.sentences import normal, sentences
from kbgraph.model.text import Mark


def split(text: str, *marks: Mark) -> list[str]:
    return [text[a:b] for a, b in sentences(text, marks)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("命中率上升。延迟下降！为什么？", ["命中率上升。", "延迟下降！", "为什么？"]),
        ("甲快；乙慢。", ["甲快；乙慢。"]),
        ("It is fast. It is small.", ["It is fast.", "It is small."]),
        ("It costs $1.2M. Done.", ["It costs $1.2M.", "Done."]),
        ("见 v0.17 与 3.2x 的差别。", ["见 v0.17 与 3.2x 的差别。"]),
        ("Doe et al. We follow them.", ["Doe et al. We follow them."]),
        ("Use e.g. LLaMA or i.e. Llama. Then stop.", ["Use e.g. LLaMA or i.e. Llama.", "Then stop."]),
        ("See Fig. 3 and Sec. 4.2 for more. Next.", ["See Fig. 3 and Sec. 4.2 for more.", "Next."]),
        ("J. Doe wrote it. K. Roe read it.", ["J. Doe wrote it.", "K. Roe read it."]),
        ("In 2024. We go on.", ["In 2024.", "We go on."]),
        ("1. The first point stands.", ["1. The first point stands."]),
        ("命中率高达 90%, 且无需改动模型. 另一句", ["命中率高达 90%, 且无需改动模型.", "另一句"]),
        ("稳定（见图。不含预热）且快。", ["稳定（见图。不含预热）且快。"]),
        ("他说“好。”然后走。", ["他说“好。”然后走。"]),
        ("“甲是乙。”丙是丁。", ["“甲是乙。”", "丙是丁。"]),
        ("未闭合（的括号。后面一句。", ["未闭合（的括号。", "后面一句。"]),
        ("See https://a.org/x.html?b=1. Then go.", ["See https://a.org/x.html?b=1.", "Then go."]),
        ("对比 a.py 与 b.py。", ["对比 a.py 与 b.py。"]),
        ("真的吗？！是的。", ["真的吗？！", "是的。"]),
        ("命中率 62%。（摘要页核查）下一句。", ["命中率 62%。（摘要页核查）", "下一句。"]),
        ("It works. (abstract only)", ["It works. (abstract only)"]),
        ("第一句。（第二句。）第三句。", ["第一句。", "（第二句。）", "第三句。"]),
        ("命中率为 0.9. 随后下降", ["命中率为 0.9.", "随后下降"]),
        ("延迟 9.2 ms.吞吐 3x", ["延迟 9.2 ms.", "吞吐 3x"]),
        ("图1.架构", ["图1.架构"]),
        ("等等。。。好。", ["等等。。。", "好。"]),
        ("跨\n行的一句。下一句", ["跨\n行的一句。", "下一句"]),
        ("Really?! Yes.", ["Really?!", "Yes."]),
        ("  ", []),
        ("。！", []),
    ],
)
def test_split(text: str, parts: list[str]) -> None:
    assert split(text) == parts


def test_code_is_never_cut() -> None:
    assert split("Run `a. B` now. Then stop.", Mark("code", 4, 10)) == ["Run `a. B` now.", "Then stop."]


@settings(deadline=None)  # the machine may be busy
@given(st.text(alphabet="甲乙ab12.。！？!?（）()“”「」 \n,，", max_size=60))
def test_sentences_are_in_order_and_hold_every_letter(text: str) -> None:
    found = sentences(text)
    assert all(a < b <= len(text) for a, b in found)
    assert all(before[1] <= after[0] for before, after in pairwise(found))
    assert [c for a, b in found for c in text[a:b] if c.isalnum()] == [c for c in text if c.isalnum()]


def test_long_lines_take_linear_time() -> None:
    assert len(sentences("甲（乙。丙）丁。" * 20_000 + "（" * 5_000)) == 20_000


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("缓存把延迟降低 40%。", "缓存，把延迟降低40%"),
        ("命中率 90%，且快。", "命中率 90%, 且快."),
        ("Tokens are cheap.", "tokens  are cheap"),
        ("＋15.39％", "+15.39%"),
        ("−3.2 %", "-3.2%"),
        ("1.4–2.6×", "1.4-2.6x"),
        ("1,234 条", "1234条"),
        ("KV-cache", "KV cache"),
        ("10 ms", "10ms"),
        ("“任意”到达", "任意到达"),
        ("it doesn’t", "it doesn't"),
        ("≈3 s", "∼3 s"),
        ("GPT-4", "GPT 4"),
    ],
)
def test_one_claim_in_two_typefaces(one: str, other: str) -> None:
    assert normal(one) == normal(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("降低 40%", "降低 14%"),
        ("Module 7101 runs", "Module 7102 runs"),
        ("-3.2%", "3.2%"),
        ("12.3", "123"),
        ("10，200 条", "10200 条"),  # the comma may part clauses
        ("3:1", "31"),
        ("~3 s", "3 s"),
        ("<1%", ">1%"),
        ("A beats B", "B beats A"),
        ("A does not beat B", "A does beat B"),
        ("键若含时间戳", "键若含有时间戳"),
        ("C++", "C"),
        ("C#", "C"),
        ("v0.17", "v017"),
        ("2.1%", "2.1"),
        ("任意到达", "对抗性到达"),
    ],
)
def test_what_differs_stays_different(one: str, other: str) -> None:
    assert normal(one) != normal(other)


@settings(deadline=None)  # the machine may be busy
@given(st.text(max_size=60))
def test_the_normal_form_is_its_own_normal_form(text: str) -> None:
    once = normal(text)
    assert normal(once) == once
    assert once == once.strip()
