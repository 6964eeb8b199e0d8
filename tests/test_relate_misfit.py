"""Cards, paragraphs and titles in the wrong place: what is said, and what is left alone."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kbgraph.relate.glosses import Glosses
from kbgraph.relate.misfit import MANY, Judged, Leaf, Misfit, Paragraph, misfits
from kbgraph.relate.misfit_words import Told, corpus
from kbgraph.relate.place_text import Reader

READER = Reader(Glosses({"删除": "delet", "结点": "node", "图": "graph"}), frozenset(("the", "and", "with")))
COMMON = (
    "requests wait in a queue by length until the memory budget admits them",
    "blocks of the prefix cache are shared between tenants and evicted when cold",
    "decoding latency depends on batch size, network bandwidth and idle compute",
)
GARDEN = (
    "porcelain glaze cracks when kilns cool quickly; potters soak stoneware overnight and polish rings with carborundum"
)


def leaf(number: int, *said: str, title: str = "", topics: tuple[str, ...] = ("serving",)) -> Leaf:
    """A card on a work of its own, a paragraph a line from line 10 on."""
    paragraphs = tuple(Paragraph(line, line, (text,)) for line, text in enumerate(said, 10))
    return Leaf(f"card-{number}", frozenset((f"work-{number}",)), topics, title, paragraphs)


def told(*leaves: Leaf) -> list[Told]:
    """All that cards say."""
    return [Told(one.key, one.about, paragraph.text) for one in leaves for paragraph in one.paragraphs]


def judge(*leaves: Leaf, more: tuple[Told, ...] = ()) -> Judged:
    return misfits(leaves, [*told(*leaves), *more], READER)


HEALTHY = tuple(leaf(number, *COMMON) for number in range(MANY))


def test_cards_that_share_their_words_fit() -> None:
    assert judge(*HEALTHY) == Judged((), MANY)


def test_a_card_in_words_that_nobody_has_is_far_from_its_topic() -> None:
    stray = leaf(90, f"{GARDEN}; clay bowls, vases and tiles dry slowly on shelves")
    (one,) = judge(*HEALTHY, stray).misfits
    # Of its 21 words only `when` stands elsewhere.
    assert (one.kind, one.key, one.share, one.topic, one.better) == ("card", "card-90", 0.048, "serving", "")
    assert set(one.words) <= {"carborundum", "overnight", "porcelain", "stoneware", "potters", "quickly"}


def test_few_known_words_may_be_chance_in_a_short_card() -> None:
    """Where a card usually shares 4 of its 16 words, one that shares 2 may only be short; one of thousands is not."""
    own = ("".join(chr(97 + n // 26**at % 26) for at in range(4)) for n in range(20000))
    names = [f"q{name}" for name in own]
    cards = [leaf(n, " ".join(["alder", "birch", "cedar", "larch", *names[12 * n : 12 * n + 12]])) for n in range(MANY)]
    short = leaf(90, " ".join(["alder", "birch", *names[200:214]]))
    assert judge(*cards, short).misfits == ()
    (one,) = judge(*cards, leaf(90, " ".join(["alder", "birch", *names[200:3200]]))).misfits
    assert (one.kind, one.key) == ("card", "card-90")


def test_two_cards_of_one_kind_and_a_third_voice_know_one_another() -> None:
    strays = [leaf(90 + n, f"{GARDEN}; clay bowls, vases and tiles dry slowly on shelves") for n in range(3)]
    assert judge(*HEALTHY, *strays).misfits == ()


def test_a_card_that_is_nearer_to_a_known_topic_is_told_with_it() -> None:
    pots = [leaf(20 + n, f"{GARDEN}; clay bowls, vases and tiles dry slowly", topics=("pottery",)) for n in range(6)]
    stray = leaf(90, f"{GARDEN}; clay bowls and vases", topics=("serving",))
    (one,) = judge(*HEALTHY, *pots, stray).misfits
    assert (one.key, one.topic, one.better) == ("card-90", "serving", "pottery")


def test_few_cards_short_cards_and_cards_without_a_topic_are_left_alone() -> None:
    stray = leaf(90, f"{GARDEN}; clay bowls, vases and tiles dry slowly on shelves")
    assert judge(*HEALTHY[: MANY - 2], stray) == Judged((), MANY - 1)
    assert judge(*HEALTHY, leaf(90, "porcelain glaze cracks")).misfits == ()
    assert judge(*HEALTHY, stray._replace(topics=())).misfits == ()


def test_a_paragraph_of_nothing_that_is_known_here_is_foreign() -> None:
    (one,) = judge(*HEALTHY, leaf(90, COMMON[0], COMMON[1], GARDEN)).misfits
    assert (one.kind, one.key, one.line, one.end, one.text, one.near) == ("paragraph", "card-90", 12, 12, GARDEN, "")


def test_a_short_card_is_not_off_topic_for_its_foreign_paragraph() -> None:
    both = f"{COMMON[0]} {COMMON[1]}"
    clay = f"{GARDEN}; clay bowls, vases, tiles, jugs, plates, beads, mugs and lids dry slowly on shelves in shade"
    other = " ".join(f"{clay} {clay[::-1]} x{clay.replace(' ', ' x')}".split())
    assert [one.kind for one in judge(*HEALTHY, leaf(90, f"{both}; {other}")).misfits] == ["card"]
    assert [one.kind for one in judge(*HEALTHY, leaf(90, both, other)).misfits] == ["paragraph"]


def test_a_paragraph_with_the_words_of_another_work_is_of_that_work() -> None:
    potter = leaf(50, GARDEN, topics=())
    (one,) = judge(*HEALTHY, potter, leaf(90, COMMON[0], COMMON[1], GARDEN)).misfits
    assert (one.kind, one.key, one.line, one.near) == ("paragraph", "card-90", 12, "work-50")


def test_a_paragraph_that_names_its_neighbour_or_is_said_of_the_work_elsewhere_belongs() -> None:
    card = leaf(90, COMMON[0], COMMON[1], GARDEN)
    *rest, last = card.paragraphs
    assert judge(*HEALTHY, card._replace(paragraphs=(*rest, last._replace(names=True)))).misfits == ()
    assert judge(*HEALTHY, card, more=(Told("report", card.about, GARDEN),)).misfits == ()
    assert judge(*HEALTHY, leaf(90, "a queue", GARDEN, topics=())).misfits == (), "the rest says too little"
    assert judge(*HEALTHY, leaf(90, *COMMON, "porcelain glaze cracks when kilns cool quickly")).misfits == (), "short"


def test_a_title_without_a_word_of_its_text_is_told_however_few_cards_there_are() -> None:
    (one,) = judge(leaf(1, *COMMON, title="Glaze: Firing Porcelain in Kilns")).misfits
    assert (one.kind, one.line, one.text) == ("title", 1, "Glaze: Firing Porcelain in Kilns")
    assert judge(leaf(1, *COMMON, title="Glaze: Firing Porcelain in a Queue")).misfits == ()
    assert judge(leaf(1, *COMMON, title="Firing Porcelain")).misfits == (), "two words"
    assert judge(leaf(1, COMMON[0], title="Firing Porcelain in Kilns")).misfits == (), "a short text"


def test_a_title_is_held_against_the_other_language_as_well() -> None:
    title = "Deleting Nodes from Graphs"
    assert judge(leaf(1, *COMMON, "删除结点", title=title)).misfits == ()
    assert [one.kind for one in judge(leaf(1, *COMMON, "分词", title=title)).misfits] == ["title"]


def test_of_a_word_it_is_known_who_has_it() -> None:
    known = corpus(told(*HEALTHY[:3]), READER)
    assert [known.others("queue", frozenset((name,))) for name in ("work-0", "work-9")] == [2, 3]
    assert known.share(["queue", "porcelain"], frozenset(("work-0",))) == 0.5
    assert known.nearest(["queue", "length"], frozenset(("work-0",)))[0] == "work-1"
    assert known.printed("Queues, queues and lengths of 7 queues", {"queue", "length"}, 5) == ("queues", "lengths")


@given(st.permutations(HEALTHY))
@settings(max_examples=20, deadline=None)
def test_the_order_of_cards_does_not_matter(cards: list[Leaf]) -> None:
    stray = leaf(90, COMMON[0], COMMON[1], GARDEN)
    assert judge(*cards, stray) == judge(*HEALTHY, stray)


@given(st.text(), st.text())
@settings(deadline=None)
def test_any_text_is_judged(title: str, text: str) -> None:
    for one in judge(*HEALTHY, leaf(90, text, title=title)).misfits:
        assert isinstance(one, Misfit)
        assert 0 <= one.share <= 1
