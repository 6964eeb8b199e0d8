"""Cards far from their topic, foreign stretches in a card, titles over other texts: what is said and what is not."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbgraph.relate import topic
from kbgraph.relate.glosses import pack, unpack
from kbgraph.relate.place_text import Reader
from kbgraph.relate.topic import FEWEST, OFF, Card, Topics, topics, without
from kbgraph.relate.topic_cut import Stretch, doubt, stretches
from kbgraph.relate.topic_mix import FOREIGN, NOTHING, Sheet, shelf
from kbgraph.relate.topic_parts import Part, parts, seam
from kbgraph.relate.topic_title import Titled, titles

READER = Reader(
    unpack(
        pack(
            (
                "緩存 缓存 [huan3 cun2] /(computing) cache/",
                "語音 语音 [yu3 yin1] /speech sounds/voice/",
                "識別 识别 [shi2 bie2] /to distinguish/recognition/",
                "量化 量化 [liang4 hua4] /to quantize/quantization/",
                "翻譯 翻译 [fan1 yi4] /to translate/translation/",
                "剪枝 剪枝 [jian3 zhi1] /to prune/pruning/",
                "調度 调度 [diao4 du4] /to dispatch/to schedule/scheduling/",
                "權重 权重 [quan2 zhong4] /weight/",
                "前綴 前缀 [qian2 zhui4] /prefix/",
                "共享 共享 [gong4 xiang3] /to share/",
                "提示 提示 [ti2 shi4] /prompt/hint/",
                "命中 命中 [ming4 zhong4] /to hit/",
                "複用 复用 [fu4 yong4] /to reuse/",
                "噪聲 噪声 [zao4 sheng1] /noise/",
                "誤差 误差 [wu4 cha1] /error/",
                "質量 质量 [zhi4 liang4] /quality/",
                "速度 速度 [su4 du4] /speed/",
                "語種 语种 [yu3 zhong3] /language/tongue/",
                "稀有 稀有 [xi1 you3] /rare/",
                "請求 请求 [qing3 qiu2] /request/",
                "搶占 抢占 [qiang3 zhan4] /to preempt/",
                "開銷 开销 [kai1 xiao1] /overhead/",
                "模型 模型 [mo2 xing2] /model/",
                "房間 房间 [fang2 jian1] /room/",
                "語料 语料 [yu3 liao4] /corpus/",
            )
        )
    ),
    frozenset(("the", "a", "of", "is", "and", "in", "it", "for")),
)

CACHE = (
    "A prefix cache shares the keys of prompts between requests.",
    "Eviction of cache blocks follows the attention of later tokens.",
    "Cached keys and values move to the memory of the host.",
    "Requests that share a prompt are routed to the warm cache.",
    "The cache is compressed to two bits for keys and values.",
    "Pages of the cache are shared between requests and copied on write.",
    "Attention over a paged cache needs a kernel of its own.",
)
GARDEN = (
    "Roses want a sunny bed and rich soil.",
    "Prune the branches of apple trees in late winter.",
    "Compost feeds the soil and holds the water of summer.",
    "Tulips are planted in autumn, deep in the bed.",
    "Water tomatoes in the morning and feed the soil.",
    "Cut roses above a bud that looks outward.",
    "Mulch keeps the soil of the bed moist in summer.",
)
CARDS = tuple(
    Card(f"{name}-{at}", (name,), "", text)
    for name, held in (("cache", CACHE), ("garden", GARDEN))
    for at, text in enumerate(held)
)
TOPICS = topics(CARDS, READER)


def test_cards_of_a_topic_are_near_to_it() -> None:
    assert [TOPICS.judge(card).off for card in CARDS] == [False] * len(CARDS)
    assert max(TOPICS.judge(card).score for card in CARDS[:7]) < -1


def test_a_card_under_the_wrong_topic_is_told_with_the_better_one_and_words() -> None:
    strayed = TOPICS.judge(Card("new", ("cache",), "Feeding roses", "Rich soil and water for the bed of roses."))
    assert strayed.off
    assert strayed.score > OFF
    assert strayed.better == "garden"
    assert {"soil", "roses"} <= set(strayed.words)
    assert not TOPICS.judge(Card("new", ("garden",), "Feeding roses", "Rich soil and water for the bed of roses.")).off


def test_a_card_that_fits_no_topic_is_told_where_its_topic_is_well_known() -> None:
    strange = Card("new", ("cache",), "", "Ωμέγα ψυχή λόγος κόσμος")
    unsure = TOPICS.judge(strange)
    assert unsure.score > OFF
    assert (unsure.off, unsure.better, unsure.words) == (False, "", ())
    many = [card._replace(key=f"{card.key}-{at}") for card in CARDS for at in range(3)]
    strayed = topics(many, READER).judge(strange)
    assert (strayed.off, strayed.better) == (True, "")
    assert set(strayed.words) == {"Ωμέγα", "ψυχή", "λόγος", "κόσμος"}


def test_a_wrong_card_among_those_of_a_topic_does_not_speak_for_itself() -> None:
    wrong = Card("wrong", ("cache",), "", "Mulch and compost keep the soil of roses moist in summer.")
    strayed = topics((*CARDS, wrong), READER).judge(wrong)
    assert (strayed.off, strayed.better) == (True, "garden")


def test_one_of_several_topics_is_enough() -> None:
    text = "Rich soil and water for the bed of roses."
    both = TOPICS.judge(Card("new", ("cache", "garden"), "", text))
    assert not both.off
    assert both.score < TOPICS.judge(Card("new", ("cache",), "", text)).score


def test_topics_with_few_cards_and_unknown_ones_say_nothing() -> None:
    few = topics(CARDS[: FEWEST - 1], READER)
    for card in (Card("new", ("cache",), "", GARDEN[0]), Card("new", ("none",), "", "x"), Card("new", (), "", "x")):
        strayed = few.judge(card)
        assert (strayed.score, strayed.off, strayed.better, strayed.words) == (0.0, False, "", ())


def test_chinese_cards() -> None:
    zh = {
        "缓存": ("前缀缓存复用键值", "缓存块淘汰", "键值缓存移到内存", "共享前缀的请求复用缓存", "分页缓存的键值共享"),
        "园艺": ("月季喜阳光和肥土", "冬末给果树剪枝", "堆肥让土壤保水", "秋天在肥土里种花", "夏天给土壤盖草保水"),
    }
    cards = [Card(f"{name}{at}", (name,), "", text) for name, held in zh.items() for at, text in enumerate(held)]
    known = topics(cards, READER)
    strayed = known.judge(Card("new", ("缓存",), "", "夏天土壤要保水和肥土"))
    assert (strayed.off, strayed.better) == (True, "园艺")
    assert {"夏天", "土壤"} & set(strayed.words)
    assert [known.judge(card).off for card in cards] == [False] * 10


@given(st.permutations(CARDS))
def test_the_order_of_cards_does_not_matter(cards: list[Card]) -> None:
    card = Card("new", ("cache",), "", "Soil of roses in a cache.")
    known = topics(cards, READER)
    assert known.judge(card) == TOPICS.judge(card)
    assert [known.judge(one) for one in CARDS] == [TOPICS.judge(one) for one in CARDS]


@given(st.text(), st.text())
def test_any_card_is_judged(title: str, text: str) -> None:
    strayed = TOPICS.judge(Card("new", ("cache",), title, text))
    assert strayed.off == (strayed.better == "garden")
    assert strayed.score > OFF or not strayed.off


def test_a_large_topic_is_shown_by_some_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topic, "MOST", FEWEST)
    known = topics(CARDS, READER)
    assert known.sizes == {"cache": 5, "garden": 5}
    left_out = [card for card in CARDS if card.key not in known.shown]
    assert len(left_out) == 4
    changed = [card._replace(text="Something else.") if card == left_out[0] else card for card in CARDS]
    assert topics(changed, READER).judge(CARDS[0]) == known.judge(CARDS[0])
    assert known.judge(left_out[0]).off is False


def test_leaving_a_sum() -> None:
    assert without(1.0, sqrt(2)) == pytest.approx(0.0)  # x of x + y, which have nothing in common
    assert without(2.0, 2.0) == pytest.approx(1.0)  # x of x + x
    assert without(1.0, 1.0) == 0.0  # alone


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two 2.5x faster! 三。四；五", ["One.", "Two 2.5x faster!", "三。", "四；", "五"]),
        ("a\n\nb\n", ["a", "b"]),
        ("结果见 v1.2。完", ["结果见 v1.2。", "完"]),
        (" \n", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [part.text for part in parts(text)] == expected


def test_lines_are_paragraphs() -> None:
    assert parts("A. B.\n\nC.") == [Part("A.", 0), Part("B.", 0), Part("C.", 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("误差降到 4. 93%。", "误差降到 4. 93%。"),
        ("提出一种方法。 8% 准确率。", "提出一种方法。 8% 准确率。"),
        ("成功率达到 93.", "成功率达到 93."),
        ("It ends at 61.", ""),
        ("Built on Llama 3.", ""),  # as far as can be seen, a name or a number may end a sentence
        ("First shown in 2024.", ""),
        ("Steps: 1. Clip it. 2. Sample it.", ""),
        ("误差降到 4.93%。 提升 8%。", ""),
        ("结束于 3.\n8% 另起一段。", ""),
        ("", ""),
    ],
)
def test_seams(text: str, expected: str) -> None:
    assert seam(parts(text)) == expected


def counted(text: str) -> Counter[str]:
    return Counter(text.split())


def test_stretches_of_a_card() -> None:
    found = [Part("x", 0), Part("y", 1), Part("z", 2)]
    counts = [counted("a b c d e"), counted("p q r s t"), counted("a b c d e f")]
    weights = dict.fromkeys("abcdefpqrst", 1.0)
    cut = stretches(found, counts, counted("a b"), weights)
    # The middle shares no word with the rest: -0 - 0.5 / 6.
    assert cut[0] == Stretch(1, 2, 0.0, -0.5 / 6)
    # The first sentence against title, second and third: a, b stand there twice, c, d, e once.
    near = (2 + 2 + 1 + 1 + 1) / sqrt(5 * (4 + 4 + 1 + 1 + 1 + 1 + 5))
    assert {(s.start, s.end): s.near for s in cut}[0, 1] == pytest.approx(near)
    # Then a cosine of 7 / sqrt(120) with ten words, of 7 / 11 with eleven, of 7 / sqrt(96), of 7 / sqrt(85).
    assert [(s.start, s.end) for s in cut] == [(1, 2), (1, 3), (0, 2), (2, 3), (0, 1)]


def test_few_words_make_no_stretch() -> None:
    found = [Part("x", 0), Part("y", 0)]
    weights = dict.fromkeys("abcdefghi", 1.0)
    assert stretches(found, [counted("a b c d"), counted("e f g h i")], Counter(), weights) == []
    assert doubt(4) == 0.1


@given(st.lists(st.lists(st.sampled_from("abcdefghijkl"), min_size=6, max_size=9), min_size=2, max_size=6))
def test_moving_sentences_gives_what_counting_anew_gives(sentences: list[list[str]]) -> None:
    weights = {word: 1.0 + at / 4 for at, word in enumerate("abcdefghijkl")}
    counts = [Counter(words) for words in sentences]
    for cut in stretches([Part("", 0)] * len(counts), counts, Counter("ab"), weights):
        inside = sum(counts[cut.start : cut.end], Counter[str]())
        outside = sum([*counts[: cut.start], *counts[cut.end :]], Counter("ab"))
        both = sum(inside[word] * outside[word] * weights[word] ** 2 for word in weights)
        sizes = [sqrt(sum((side[word] * weights[word]) ** 2 for word in weights)) for side in (inside, outside)]
        assert cut.near == pytest.approx(both / sizes[0] / sizes[1])
        assert cut.score == pytest.approx(-cut.near - 0.5 / (len(inside) + 1))


STRANGER = "Tulip bulbs of winter gardens want deep sandy beds, mulch and patient watering."
SHEETS = (
    Sheet(
        "mixed",
        "Paged attention for prefix caches",
        "Paged attention copies prefix caches on write.\nPrefix caches in pages need attention kernels of their own.\n"
        + STRANGER
        + "\nPages of caches are found by attention kernels in tables.",
    ),
    Sheet(
        "garden",
        "Planting tulip bulbs",
        "Bulbs of tulips sleep in winter beds.\nGardens with sandy beds suit tulip bulbs.\n" + STRANGER,
    ),
    Sheet("speech", "Speech recognition", "Recognition of speech in noisy rooms.\nSpeech of many rooms is recognised."),
    Sheet("pruning", "Pruning of weights", "Weights near zero are pruned.\nPruning weights in blocks keeps the speed."),
)


def test_a_foreign_paragraph_is_told_with_its_home() -> None:
    known = shelf(SHEETS, READER)
    said = known.judge("mixed")
    assert said.foreign
    assert said.score > FOREIGN
    assert (said.start, said.end, said.quote, said.elsewhere) == (2, 3, STRANGER, "garden")
    assert {"mulch", "Tulip"} & set(said.words)
    assert not {"caches", "attention"} & set(said.words)


def test_the_home_of_a_paragraph_and_other_cards_are_left_alone() -> None:
    known = shelf(SHEETS, READER)
    assert [known.judge(key).foreign for key in ("garden", "speech", "pruning")] == [False, False, False]


def test_a_sentence_of_many_cards_is_foreign_to_none() -> None:
    common = "Notes are kept by the reading group of the department and may hold mistakes."
    many = [sheet._replace(text=f"{sheet.text}\n{common}") for sheet in SHEETS]
    many.append(Sheet("short", "Translation", f"Translation of rare tongues.\n{common}"))
    known = shelf(many, READER)
    assert [key for key in known.sheets if known.judge(key).foreign] == ["mixed"]
    assert known.judge("mixed").quote == STRANGER


def test_a_card_with_little_text_has_nothing_to_compare() -> None:
    said = shelf([Sheet("one", "Caches", "A cache.")], READER).judge("one")
    assert (said.score, said.foreign, said.quote) == (NOTHING, False, "")


def test_a_torn_text_is_told_by_its_seam() -> None:
    said = shelf([Sheet("one", "缓存", "缓存命中率达到 93. 4% 以上。")], READER).judge("one")
    assert (said.foreign, said.torn, said.score) == (True, "缓存命中率达到 93. 4% 以上。", NOTHING)


def test_chinese_card_with_a_foreign_half() -> None:
    garden = "冬末给果树剪枝，堆肥让土壤保水，秋天种下郁金香。"
    sheets = [
        Sheet("a", "键值缓存的分页管理", f"分页管理让键值缓存不留空洞。键值缓存按页共享，写时复制分页。{garden}"),
        Sheet("b", "果树与郁金香的种植", f"果树要在冬末剪枝。郁金香在秋天种下，土壤要保水。{garden}"),
        Sheet("c", "语音识别的噪声", "噪声里的语音识别误差大。语音越清楚，识别的误差越小。"),
    ]
    said = [shelf(sheets, READER).judge(key) for key in "abc"]
    assert [one.foreign for one in said] == [True, False, False]
    assert (said[0].quote, said[0].elsewhere) == (garden, "b")


PAPERS = (
    ("Prefix cache for shared prompts", "共享提示的前缀缓存：缓存按前缀复用，命中后首个词元更快，缓存可以分页。"),
    ("Speech recognition in noise", "噪声中的语音识别：识别误差随语音质量变化，识别模型在嘈杂房间里仍稳定。"),
    ("Weight quantization to four bits", "把权重量化到四比特：量化误差很小，权重分组量化后速度翻倍，质量几乎不变。"),
    ("Translation of rare tongues", "稀有语种的翻译：翻译质量随语料变化，翻译模型借助相近语种，质量提高。"),
    ("Pruning of small weights", "权重剪枝：按大小剪枝，剪枝后权重稀疏，速度提高，质量几乎不变，剪枝分块进行。"),
    ("Request scheduling", "请求调度：调度器重新组批，短请求先调度，长请求被抢占，调度开销很小。"),
)
NAMED = tuple(Sheet(f"p{at}", title, text) for at, (title, text) in enumerate(PAPERS))


def test_titles_across_languages() -> None:
    known = titles(NAMED, READER)
    assert [known.judge(sheet).alien for sheet in NAMED] == [False] * 6
    assert known.judge(NAMED[0]).score < 0


def test_a_title_over_another_text_is_told_with_the_card_that_it_fits() -> None:
    swapped = NAMED[1]._replace(text=NAMED[0].text)
    said = titles((NAMED[0], swapped, *NAMED[2:]), READER).judge(swapped)
    assert (said.alien, said.other) == (True, "p0")
    assert {"Speech", "recognition"} <= set(said.words)
    assert said.score > 0


def test_without_title_or_text_nothing_is_said() -> None:
    known = titles(NAMED, READER)
    for sheet in (Sheet("x", "", NAMED[0].text), Sheet("x", "Speech", ""), Sheet("x", "Speech", "A cache.")):
        assert known.judge(sheet) == Titled("x", -2.0, alien=False, other="", words=())


@given(st.permutations(SHEETS), st.permutations(NAMED))
def test_the_order_of_sheets_does_not_matter(sheets: list[Sheet], named: list[Sheet]) -> None:
    known, first = shelf(sheets, READER), shelf(SHEETS, READER)
    assert [known.judge(sheet.key) for sheet in SHEETS] == [first.judge(sheet.key) for sheet in SHEETS]
    assert titles(named, READER).judge(NAMED[3]) == titles(NAMED, READER).judge(NAMED[3])


@given(st.text(), st.text())
def test_any_sheet_is_judged(title: str, text: str) -> None:
    sheet = Sheet("any", title, text)
    said = shelf((*SHEETS, sheet), READER).judge("any")
    assert said.foreign == (said.score > FOREIGN or bool(said.torn))
    assert titles((*NAMED, sheet), READER).judge(sheet).key == "any"


def test_what_is_kept_of_cards_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [shelf(SHEETS, READER).judge(sheet.key) for sheet in SHEETS]
    monkeypatch.setattr("kbgraph.relate.topic_mix._KEPT", 1)
    assert [shelf(SHEETS, READER).judge(sheet.key) for sheet in SHEETS] == whole


def test_topics_are_values() -> None:
    assert isinstance(TOPICS, Topics)
    assert TOPICS.sizes == {"cache": 7, "garden": 7}
