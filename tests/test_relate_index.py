"""Claims found by an index: no order counts, and one by one gives what all at once gives."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbgraph.relate import Claim, Relations, relate
from kbgraph.relate.index import level
from test_relate_pairs import lexis

SUBJECTS = ("cache", "router", "planner", "index", "scheduler", "缓存", "路由器", "调度器", "索引", "compiler")
VERBS = ("reduces", "increases", "supports", "降低", "提高", "支持", "does not support", "may reduce")
OBJECTS = ("latency", "throughput", "memory use", "延迟", "吞吐量", "内存占用", "recall by 30%", "cost by 12%", "开销")
PLACES = ("on one node", "in production", "在集群上", "在单机上", "for long prompts", "under load", "")


def claims(number: int, seed: int = 7) -> list[Claim]:
    """Made-up claims, many alike."""
    chance = random.Random(seed)
    parts = (SUBJECTS, VERBS, OBJECTS, PLACES)
    return [Claim(f"c{i:04}", " ".join(chance.choice(words) for words in parts)) for i in range(number)]


def test_rarity_moves_in_steps_of_four() -> None:
    assert [level(n) for n in (0, 1, 3, 4, 15, 16, 63, 64, 1024)] == [0, 0, 0, 1, 1, 2, 2, 3, 5]


def test_order_makes_no_difference() -> None:
    made = claims(60)
    shuffled = random.Random(1).sample(made, len(made))
    assert relate(made, lexis()) == relate(shuffled, lexis())
    assert len(relate(made, lexis())) > 60


@pytest.mark.parametrize("step", [1, 7, 40])
def test_piece_by_piece_is_as_all_at_once(step: int) -> None:
    made = claims(80)
    grown = Relations(lexis())
    for start in range(0, len(made), step):
        grown.update(made[start : start + step])
    assert grown.all() == relate(made, lexis())


def test_what_goes_leaves_nothing() -> None:
    made = claims(80)
    grown = Relations(lexis())
    grown.update(made)
    changed = [Claim(c.id, "The parser reads tables.") for c in made[10:14]]
    grown.update(changed, gone=[c.id for c in made[:10]])
    assert grown.all() == relate([*changed, *made[14:]], lexis())


def test_an_update_names_all_claims_whose_relations_are_others_now() -> None:
    made = claims(120)
    grown = Relations(lexis())
    grown.update(made[:-4])
    before = grown.all()
    touched = grown.update(made[-4:])
    after = grown.all()
    other = {id_ for r in {*before} ^ {*after} for id_ in (r.a, r.b)}
    assert {c.id for c in made[-4:]} <= touched
    assert [r for r in after if r in {*after} - {*before}] == [r for r in grown.of(touched) if r not in {*before}]
    assert other - touched == {id_ for id_ in other - touched if any(n in touched for n in near(grown, id_))}


def near(relations: Relations, id_: str) -> set[str]:
    """The claims that are near to one."""
    return {other for ranked in relations.index.near[id_] for other, _ in ranked}


def test_a_relation_has_its_smaller_id_first_and_stands_once() -> None:
    found = relate(claims(60), lexis())
    assert all(r.a < r.b for r in found)
    assert len({(r.a, r.b) for r in found}) == len(found)


def test_claims_about_other_things_are_surely_neither_the_same_nor_in_conflict() -> None:
    text = "The method reduces latency by 30% on long prompts."
    one, two = Claim("a", text, frozenset({"urn:x"})), Claim("b", text, frozenset({"urn:y"}))
    assert [(r.kind, r.sure) for r in relate([one, two], lexis())] == [("same-meaning", False)]
    assert [(r.kind, r.sure) for r in relate([one, two._replace(about=one.about)], lexis())] == [("same-meaning", True)]


def test_a_counter_on_two_days_is_superseded() -> None:
    one = Claim("a", "The repository has 1,200 stars.", date="2025-01-01")
    two = Claim("b", "The repository has 4,100 stars.", date="2025-06-01")
    assert [r.kind for r in relate([one, two], lexis())] == ["superseded"]
    assert [r.kind for r in relate([one, two._replace(date="2025-01-01")], lexis())] == ["conflicting-quantity"]


def test_conditions_that_the_graph_knows_are_no_conflict() -> None:
    one = Claim("a", "The engine serves 300 requests per second.", conditions=frozenset({"on one A100"}))
    two = Claim("b", "The engine serves 900 requests per second.", conditions=frozenset({"on eight A100"}))
    assert [r.kind for r in relate([one, two], lexis())] == ["different-condition"]
    same = two._replace(conditions=one.conditions)
    assert [(r.kind, r.sure) for r in relate([one, same], lexis())] == [("conflicting-quantity", True)]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(max_size=40), max_size=8))
def test_any_texts_can_be_related(texts: list[str]) -> None:
    made = [Claim(str(i), text) for i, text in enumerate(texts)]
    found = relate(made, lexis())
    assert found == relate(made[::-1], lexis())
    assert all(0 <= r.same <= 1 and 0 <= r.conflict <= 1 and 0 <= r.score <= 1 for r in found)
