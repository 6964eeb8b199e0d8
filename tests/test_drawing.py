"""Drawings: places that stay, caps that are counted, pages that no text can break."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbgraph.ask.drawing import from_focus, from_map
from kbgraph.ask.layout import layers, rings
from kbgraph.model.drawing import Drawing, Edge, Node
from kbgraph.model.query import Column, SavedQuery, Table

both = {"en": "x", "zh": "x"}
MAP = SavedQuery(
    "cites",
    "map",
    "",
    "shipped",
    both,
    both,
    columns=(Column("a", "source", both), Column("b", "target", both), Column("n", "weight", both)),
)


def rows(*pairs: tuple[str, str, int]) -> Table:
    return Table(("a", "b", "n"), pairs, query=MAP)


COLUMNS = {
    "describe": ("kind", "label", "path", "line", "text", "level"),
    "neighbours": ("source", "edge", "target"),
}


def nothing(name: str, _params: Mapping[str, str]) -> Table:
    return Table(COLUMNS[name], ())


def test_layers_go_from_left_to_right() -> None:
    place = layers(["a", "b", "c"], [("a", "b"), ("b", "c")])
    assert place["a"][0] < place["b"][0] < place["c"][0]


def test_a_circle_is_placed_too() -> None:
    place = layers(["a", "b"], [("a", "b"), ("b", "a")])
    assert sorted(place) == ["a", "b"]
    assert place["a"] != place["b"]


def test_neighbours_stand_at_like_heights() -> None:
    place = layers(["a", "b", "x", "y"], [("a", "y"), ("b", "x")])
    assert (place["a"][1] < place["b"][1]) == (place["y"][1] < place["x"][1])


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=80))
def test_no_two_nodes_share_a_place(pairs: list[tuple[int, int]]) -> None:
    links = [(str(a), str(b)) for a, b in pairs]
    order = sorted({n for link in links for n in link})
    place = layers(order, links)
    assert sorted(place) == order
    assert len(set(place.values())) == len(order)


def test_the_focus_is_in_the_middle_and_each_hop_further_out() -> None:
    place = rings("f", {"f": 0, "a": 1, "b": 1, "c": 2}, [("f", "a"), ("f", "b"), ("b", "c")])
    far = {n: x * x + y * y for n, (x, y) in place.items()}
    assert far["f"] == 0
    assert far["a"] == pytest.approx(far["b"], rel=0.01)
    assert far["c"] > far["b"]


def test_above_the_cap_the_heaviest_stay_and_the_rest_is_counted() -> None:
    drawing = from_map(rows(("s", "w1", 5), ("s", "w2", 1), ("s", "w3", 3)), "t", nothing, 3)
    assert {n.id for n in drawing.nodes} == {"s", "w1", "w3"}
    assert (drawing.all_nodes, drawing.all_edges) == (4, 3)
    assert [e.weight for e in drawing.edges] == [5, 3]


def test_rows_of_one_pair_add_up() -> None:
    drawing = from_map(rows(("s", "w", 2), ("s", "w", 3)), "t", nothing, 10)
    assert drawing.edges == (Edge("s", "w", "", 5),)


def test_a_node_without_description_is_named_by_its_iri() -> None:
    drawing = from_map(rows(("urn:kb:x:a.md", "https://arxiv.org/abs/2401.10001", 1)), "t", nothing, 10)
    assert [n.label for n in drawing.nodes] == ["urn:kb:x:a.md", "arXiv:2401.10001"]


def chain(name: str, params: Mapping[str, str]) -> Table:
    """n0 - n1 - n2 … as a store would answer."""
    if name == "describe":
        return nothing(name, params)
    at = int(params["node"][1:])
    links = [(f"n{at}", "p", f"n{at + 1}")] + ([(f"n{at - 1}", "p", f"n{at}")] if at else [])
    return Table(("source", "edge", "target"), tuple(links))


def test_hops_are_kept() -> None:
    drawing = from_focus("n5", 2, chain, 100)
    assert sorted(n.id for n in drawing.nodes) == ["n3", "n4", "n5", "n6", "n7"]
    assert len(drawing.edges) == 4


def test_a_focus_above_the_cap_says_how_much_there_is() -> None:
    drawing = from_focus("n5", 3, chain, 4)
    assert len(drawing.nodes) == 4
    assert drawing.all_nodes > 4


EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def page(drawing: Drawing) -> str:
    pytest.importorskip("pyvis", reason="the extra `draw` is not installed")
    from kbgraph.render.drawing import render_drawing

    return render_drawing(drawing, "en", "/* vis */", {})


def test_text_of_the_corpus_is_never_markup() -> None:
    html = page(Drawing(EVIL, (Node("urn:a", EVIL, "Claim", EVIL, 3, EVIL),), (), 1, 0))
    assert EVIL not in html
    assert "<script>alert" not in html
    assert "<img" not in html


def test_the_data_reads_back_whole() -> None:
    html = page(Drawing("t", (Node("urn:a", EVIL, "Claim", "a.md", 3, "数<&\u2028"),), (), 1, 0))
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    details = json.loads(found[1])["details"]["urn:a"]
    assert (details["label"], details["text"], details["place"]) == (EVIL, "数<&\u2028", "a.md:3")


def test_nothing_is_asked_of_the_network() -> None:
    html = page(Drawing("t", (Node("urn:a", "a", "Work"),), (), 5, 7))
    assert not re.search(r'(?:src|href)="(?!data:)', html)
    assert "default-src 'none'" in html
    assert "left out: 4 nodes, 7 edges" in html
