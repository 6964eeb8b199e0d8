"""Where a text belongs in a document: ranked sections, the words that say so, and silence where it is not sure."""

from __future__ import annotations

from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbgraph.relate.glosses import Glosses, pack, unpack
from kbgraph.relate.pieces import pieces
from kbgraph.relate.place import SURE, Held, Outline, Section, outline
from kbgraph.relate.place_scale import add_to, dot, length, scale, unit
from kbgraph.relate.place_text import Reader, script, telling, units

DICTIONARY = unpack(
    pack(
        (
            "語音 语音 [yu3 yin1] /speech sounds/voice/",
            "識別 识别 [shi2 bie2] /to distinguish/recognition/",
            "翻譯 翻译 [fan1 yi4] /to translate/translation/",
            "模型 模型 [mo2 xing2] /model/mold/",
            "緩存 缓存 [huan3 cun2] /(computing) cache/",
            "調度 调度 [diao4 du4] /to dispatch/to schedule/",
        )
    )
)
READER = Reader(DICTIONARY, frozenset(("the", "a", "of", "is", "and", "的")))

SERVING = (
    Section("s1", ("Serving", "Caching")),
    Section("s2", ("Serving", "Scheduling of requests")),
    Section("s3", ("Compression", "Quantization")),
)
HELD = (
    Held("s1", "A prefix cache keeps the keys and values of shared prompts."),
    Held("s1", "Eviction of cached blocks follows the least recent use."),
    Held("s2", "Requests are batched again after each token."),
    Held("s2", "Preemption moves long requests behind short ones."),
    Held("s3", "Weights of four bits lose little accuracy."),
    Held("s3", "Activations with outliers are scaled before rounding to eight bits."),
)
DOCUMENT = outline(SERVING, HELD, READER)

KITCHEN = (Section("k1", ("缓存",)), Section("k2", ("调度",)), Section("k3", ("量化",)))
NOTES = (
    Held("k1", "前缀缓存复用相同提示的键值。"),
    Held("k1", "缓存块按最近使用的次序淘汰。"),
    Held("k2", "每生成一个词元就重新组批。"),
    Held("k2", "长请求会被抢占，短请求先调度。"),
    Held("k3", "四比特权重几乎不损失精度。"),
    Held("k3", "激活中的离群值先缩放再取整。"),
)
CHINESE = outline(KITCHEN, NOTES, READER)


@pytest.mark.parametrize(
    ("document", "text", "section", "word"),
    [
        (DOCUMENT, "Reusing the cache of a shared prompt halves the time to the first token.", "s1", "cache"),
        (DOCUMENT, "Short requests overtake long ones when batches are formed.", "s2", "requests"),
        (DOCUMENT, "Rounding outliers of activations costs accuracy.", "s3", "outliers"),
        (CHINESE, "共享提示的前缀缓存让首个词元快一倍。", "k1", "缓存"),
        (CHINESE, "组批时短请求可以抢占长请求。", "k2", "请求"),
        (CHINESE, "离群值取整后精度下降。", "k3", "离群"),
    ],
)
def test_a_text_goes_where_its_words_stand(document: Outline, text: str, section: str, word: str) -> None:
    placed = document.place(text)
    assert placed.places[0].section == section
    assert word in placed.places[0].words


def test_the_words_do_not_speak_for_another_place() -> None:
    placed = DOCUMENT.place("Cached prompts and batched requests.", top=2)
    said = {place.section: set(place.words) for place in placed.places}
    assert said == {"s1": {"Cached", "prompts"}, "s2": {"batched", "requests"}}


def test_a_name_in_one_language_takes_a_text_in_the_other() -> None:
    named = outline((Section("a", ("Speech",)), Section("b", ("Translation",)), Section("c", ("Agents",))), (), READER)
    spoken = named.place("新的语音识别模型")
    assert (spoken.places[0].section, spoken.places[0].words) == ("a", ("语音",))
    translated = named.place("模型翻译")
    assert (translated.places[0].section, translated.places[0].words) == ("b", ("翻译",))


def test_traditional_characters_are_those_that_the_document_uses() -> None:
    assert CHINESE.place("前綴緩存").places[0].section == "k1"


def test_the_title_of_a_section_counts_before_anything_stands_in_it() -> None:
    placed = outline((*SERVING, Section("s4", ("Serving", "Speculative decoding"))), HELD, READER)
    assert placed.place("A small draft model makes speculative decoding cheap.").places[0].section == "s4"


def test_unknown_words_have_no_place() -> None:
    placed = DOCUMENT.place("Ωμέγα")
    assert (placed.places, placed.sure, placed.abstains) == ((), 0.0, True)
    assert outline((), HELD, READER).place("cache") == placed
    assert DOCUMENT.place("") == placed


def test_what_fits_two_sections_alike_is_not_decided() -> None:
    twins = outline(
        (Section("a", ("Caching",)), Section("b", ("Caching",)), Section("c", ("Routing",))),
        (Held("a", "prefix cache"), Held("b", "prefix cache"), Held("c", "load of replicas")),
        READER,
    )
    both = twins.place("a cache of prefixes")
    assert [place.section for place in both.places[:2]] == ["a", "b"]
    assert both.places[0].score == both.places[1].score
    assert both.sure < 0.27  # no lead: the chance that is left, 1 / (1 + e ** 1.03) = 0.263
    assert both.abstains
    clear = twins.place("the load of replicas")
    assert clear.places[0].section == "c"
    assert clear.sure > SURE
    assert not clear.abstains


def test_what_stands_under_no_known_section_is_left_out() -> None:
    more = outline(SERVING, (*HELD, Held("gone", "A cache of sevens.")), READER)
    assert more.place("cache of sevens") == DOCUMENT.place("cache of sevens")


def test_a_ranking_names_all_sections() -> None:
    assert sorted(DOCUMENT.ranking("cache")) == ["s1", "s2", "s3"]
    assert DOCUMENT.ranking("cache")[0] == "s1"
    assert DOCUMENT.ranking("Ωμέγα") == ["s1", "s2", "s3"]
    assert [place.section for place in DOCUMENT.place("cache", top=1).places] == ["s1"]


@given(st.permutations(HELD), st.permutations(SERVING))
def test_the_order_in_which_a_document_is_read_does_not_matter(held: list[Held], sections: list[Section]) -> None:
    text = "Batched requests share a cache of four bits."
    assert outline(sections, held, READER).place(text) == DOCUMENT.place(text)


@given(st.text())
def test_any_text_has_a_place_or_none(text: str) -> None:
    for document in (DOCUMENT, CHINESE):
        placed = document.place(text)
        assert placed.abstains == (placed.sure < SURE)
        assert all(place.score >= 0 for place in placed.places)
        assert list(placed.places) == sorted(placed.places, key=lambda place: -place.score)


def test_words_of_pieces() -> None:
    assert [READER.words(piece) for piece in pieces("the GPT-4 模型 的 >= 8")] == [
        [], ["gpt4", "gpt"], ["模型"], ["的"], [], [], ["8"],
    ]  # fmt: skip
    assert READER.read("语音 of models").english == {
        "speech": 1, "sound": 1, "voic": 1, "model": 1,
    }  # fmt: skip
    assert not READER.read("语音 of models", english=False).english
    assert READER.read("ab").spelling == {" ab": 1, "ab ": 1}


@pytest.mark.parametrize(("text", "expected"), [("语音 model", "han"), ("音 recognition", "latin"), ("", "han")])
def test_script(text: str, expected: str) -> None:
    assert script(text) == expected


def test_printed_words_by_weight() -> None:
    found = units("The Models and models: 语音识别很快乐", READER)
    assert [unit.printed for unit in found] == ["Models", "models", "语音", "识别", "很快乐"]


def test_telling_shows_the_heaviest_once() -> None:
    found = units("Models, models, caches, 语音识别", READER)
    weights = {"model": 2.0, "cach": 1.0, "语音": 3.0, "识别": 0.1}
    assert telling(found, weights, {}, 5) == ["语音", "Models", "caches"]  # 0.1 is less than 0.15 of 3
    assert telling(found, weights, {"recognit": 9.0}, 2) == ["识别", "语音"]
    assert telling(found, {}, {}, 5) == []


def test_words_without_a_dictionary() -> None:
    assert [unit.printed for unit in units("语音识别模型", Reader())] == ["语音", "音识", "识别", "别模", "模型"]
    assert [unit.printed for unit in units("语音识别", Reader(Glosses()))] == ["语音识别"]


def test_weights_and_vectors() -> None:
    known = scale([(["a", "b"], "latin"), (["a"], "latin"), (["a", "c"], "latin")], apart=False)
    assert known.weight("a") == pytest.approx(log(4 / 3.5))
    assert known.weight("b") == pytest.approx(log(4 / 1.5))
    assert known.weight("unknown") == known.weight("b")
    assert known.vector({"b": 1, "c": 1}) == pytest.approx({"b": sqrt(0.5), "c": sqrt(0.5)})
    assert known.vector({}) == {}
    total: dict[str, float] = {}
    add_to(total, {"x": 3.0})
    add_to(total, {"x": 1.0, "y": 2.0}, 1.5)
    assert total == {"x": 4.5, "y": 3.0}
    assert (length({"x": 3.0, "y": 4.0}), unit({"x": 5.0}), unit({})) == (5.0, {"x": 1.0}, {})
    assert dot({"x": 2.0, "z": 1.0}, {"x": 3.0, "y": 9.0}) == 6.0


def test_the_small_words_of_a_rare_language_are_not_rare() -> None:
    texts = [(["的", f"han-{at}"], "han") for at in range(80)] + [(["of", f"latin-{at}"], "latin") for at in range(20)]
    assert scale(texts, apart=False).weight("of") == pytest.approx(log(101 / 20.5))
    assert scale(texts, apart=True).weight("of") == pytest.approx(0.1)  # log(21 / 20.5) is less
    assert scale(texts, apart=False).weight("的") == pytest.approx(log(101 / 80.5))
