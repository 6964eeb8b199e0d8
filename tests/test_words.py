"""Words of the lexicon in sentences: labels, levels, stance, verdicts; the longest word wins."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbgraph.lift.scan.matching import Endings, Matcher, flat
from kbgraph.lift.scan.words import SENTENCE, Words, matcher
from kbgraph.model.lexicon import Concept, make_lexicon
from words import lexicon

WORDS = matcher(lexicon())


def concept(name: str, *labels: str, value: str = "") -> Concept:
    return Concept(name, name.split("-", maxsplit=1)[0], labels, {}, value=value)


def test_the_longest_label_wins_and_latin_words_are_whole() -> None:
    found = Matcher([concept("a-not", "不", "not"), concept("a-more", "不超过", "note")])
    text = "不超过三，不行；Not noted, not note."
    assert [(text[h.start : h.end], h.concepts[0].name) for h in found.find(text)] == [
        ("不超过", "a-more"),
        ("不", "a-not"),
        ("Not", "a-not"),
        ("not", "a-not"),
        ("note", "a-more"),
    ]


def test_a_label_of_two_concepts_names_both() -> None:
    (hit,) = Matcher([concept("a-x", "自测"), concept("b-y", "自测")]).find("厂商自测")
    assert [c.name for c in hit.concepts] == ["a-x", "b-y"]


def test_width_and_case_are_equal_and_spans_are_of_the_printed_text() -> None:
    text = "Ｒｅｃａｌｌ，KV　CACHE"
    assert [
        text[h.start : h.end] for h in Matcher([concept("m-r", "recall"), concept("m-k", "kv cache")]).find(text)
    ] == [
        "Ｒｅｃａｌｌ",
        "KV　CACHE",
    ]
    assert len(flat("İΣ９ｘ℃")) == 5


def test_a_label_with_a_gap() -> None:
    gapped = Matcher([concept("c-if", "在...时"), concept("l-time", "时间")])
    text = "在负载升高时变慢，在长时间里"
    assert [text[h.start : h.end] for h in gapped.find(text)] == ["在负载升高时", "时间"]


def test_what_closes_a_gap_ends_no_longer_word() -> None:
    gapped = Matcher([concept("c-if", "在...时"), concept("l-hour", "小时", "耗时")])
    text = "在两小时的窗口里开缓存时更快；在一小时内，在甲上耗时更少"
    assert [text[h.start : h.end] for h in gapped.find(text)] == ["在两小时的窗口里开缓存时", "小时", "耗时"]


def test_labels_do_not_reach_over_the_end() -> None:
    assert Matcher([concept("a-b", "千万", "千万别")]).find("3 千万")[0].end == 4


def test_endings_are_looked_up_backwards() -> None:
    before = Endings([concept("a-about", "约", "about"), concept("l-x", "条约")])
    assert before.before("大约 ", 3) == (1, concept("a-about", "约", "about"))
    assert before.before("条约", 2) == (0, concept("l-x", "条约"))
    assert before.before("roundabout 3", 11) is None


@pytest.mark.parametrize(
    ("text", "name", "rest"),
    [
        ("**来源**：arXiv:2503.10001", "role-source", "arXiv:2503.10001"),
        ("来源 - inbox/a.md", "role-source", "inbox/a.md"),
        ("要点 甲比乙快", "role-key-points", "甲比乙快"),
        ("要点", "role-key-points", ""),
        ("Key points: faster", "role-key-points", "faster"),
        ("【来源】甲", "role-source", "甲"),
        ("1. 来源：甲", "role-source", "甲"),
        ("⚠ 警惕：甲", "role-cautions", "甲"),
        ("**Source** — somewhere", "role-source", "somewhere"),
        ("来源／出处：甲", "role-source", "甲"),
        ("被引（S2）：28", "field-citations", "28"),
        ("Stars:: 12", "field-stars", "12"),
        ("与 knowledge/x.md 现有脉络的关系 - 甲", "role-relation", "甲"),
    ],
)
def test_leading_labels(text: str, name: str, rest: str) -> None:
    found = WORDS.label(text)
    assert found is not None
    assert (found.concept, found.rest) == (name, rest)
    assert text[found.offset :] == rest


@pytest.mark.parametrize("text", ["来源于某处", "Source code is fine", "要点很多。", "甲：来源", "方法论", ""])
def test_no_label(text: str) -> None:
    assert WORDS.label(text) is None


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("降低 40%（摘要页核查）。", ["level-abstract-page"]),
        ("证据等级：模拟而非实机（负载由模拟器生成）", ["level-simulated"]),
        ("快 2 倍（原文核查，11 个语种、单次训练）", ["level-original-checked"]),
        ("来源为某日报（来源为日报的二手转述）", ["level-second-hand"]),
        ("A 第 2 条（证据等级：摘要页核查）；B（证据等级：二手转述）", ["level-abstract-page", "level-second-hand"]),
        ("厂商自测", ["level-self-reported"]),
        ("Evidence level: abstract only", ["level-card-abstract"]),
        ("faster (self-reported).", ["level-self-reported"]),
        ("推测与模拟都有人做", []),  # said, not marked
        ("证据强度（自评）：二手转述", ["level-second-hand"]),
        ("命中率 62%——摘要级。", ["level-card-abstract"]),
        ("别处——模拟也如此。", []),
        ("丢弃（无数据）", []),
        ("（本周推测的数字）", []),
        ("片段级引用精确率 0.81", []),
    ],
)
def test_levels_stand_as_marks(text: str, levels: list[str]) -> None:
    assert [w.concept for w in WORDS.levels(text)] == levels


def test_levels_anywhere_on_demand() -> None:
    assert [w.concept for w in WORDS.levels("均为厂商自测的数字", anywhere=True)] == ["level-self-reported"]


def printed(words: tuple[object, ...]) -> list[str]:
    return [str(getattr(w, "printed", "")) for w in words]


def test_stance_of_a_sentence() -> None:
    found = WORDS.stance("据称任何确定性算法在对抗性到达下都不可能优于基线，仅当负载很低时例外")
    assert printed(found.retellings) == ["据称"]
    assert printed(found.quantifiers) == ["任何", "都不"]
    assert printed(found.hedges) == ["据称", "可能"]
    assert "仅当" in printed(found.conditions)
    english = WORDS.stance("It may not help unless prompts are short")
    assert [printed(w) for w in (english.hedges, english.negations)] == [["may"], ["not"]]
    assert printed(english.conditions)[0] == "unless"


@pytest.mark.parametrize(
    "text",
    ["性能与能力", "平均响应时间", "最近的应用", "例如当前的对比学习", "传输与上传", "推荐系统", "不同的无线设备"],
)
def test_lookalikes_are_no_stance(text: str) -> None:
    found = WORDS.stance(text)
    assert (found.hedges, found.negations, found.quantifiers, found.modalities, found.retellings, found.parties) == (
        ((),) * 6
    )


def test_a_negation_inside_a_longer_word_belongs_to_it() -> None:
    assert WORDS.stance("不超过 3 ms").negations == ()
    assert WORDS.stance("模拟而非实机").negations == ()
    assert printed(WORDS.stance("没有实测").negations) == ["没有"]


def test_verdicts_and_dispositions() -> None:
    assert WORDS.verdict("非新观点，仅计数更新") == "verdict-count-only"
    assert WORDS.verdict("丢弃") == "verdict-dropped"
    assert WORDS.verdict("甲") == ""
    assert WORDS.disposition("（已读未引：结论被覆盖）") == "disposition-read-not-cited"
    assert WORDS.named("level", "  Abstract-Only ") == "level-card-abstract"
    assert WORDS.named("level", "not an abstract only level") == ""


def test_each_lexicon_has_its_own_words() -> None:
    small = make_lexicon([concept("hedge-maybe", "兴许")], "same digest")
    other = make_lexicon([concept("hedge-maybe", "没准")], "same digest")
    assert printed(matcher(small).stance("兴许没准").hedges) == ["兴许"]
    assert printed(matcher(other).stance("兴许没准").hedges) == ["没准"]
    assert matcher(small) is matcher(small)


def test_an_empty_lexicon_finds_nothing() -> None:
    nothing = Words(make_lexicon([], ""))
    assert nothing.stance("不可能任何") == nothing.stance("")
    assert (nothing.label("来源：x"), nothing.levels("（原文核查）"), nothing.verdict("丢弃")) == (None, (), "")


@settings(deadline=None)  # the machine may be busy
@given(st.text(max_size=80))
def test_any_text_gives_spans_inside_it(text: str) -> None:
    hits = WORDS.matcher(*SENTENCE).find(text)
    assert all(0 <= h.start < h.end <= len(text) for h in hits)
    assert all(a.end <= b.start for a, b in pairwise(hits))
    label = WORDS.label(text)
    assert label is None or text[label.offset :] == label.rest
    for word in (*WORDS.levels(text), *WORDS.stance(text).negations):
        assert text[word.start : word.end] == word.printed
