"""Drawings: places that stay and never overlap, caps that are counted, pages that no text can break."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbgraph.ask.drawing import from_focus, from_map
from kbgraph.ask.layout import CARD, TALL, Place, blocks, wings
from kbgraph.model.drawing import Drawing, Edge, Node
from kbgraph.model.keys import iris_of, key_of
from kbgraph.model.query import Cell, Column, SavedQuery, Table
from kbgraph.render.drawing import LOOKS, OTHER, render_drawing, shorten
from kbgraph.render.escape import width
from kbgraph.workspace.explaining import labels

both = {"en": "x", "zh": "x"}


def saved(*roles: str) -> SavedQuery:
    """A query with a column for each role, called after it."""
    columns = tuple(Column(role, role, both) for role in roles)
    return SavedQuery("q", "map", "", "shipped", both, both, columns=columns)


CITES = saved("source", "target", "weight", "path", "line")
AROUND = saved("source", "edge", "target", "path", "line")


def rows(*found: tuple[str, str, int, str | None, int | None]) -> Table:
    return Table(("source", "target", "weight", "path", "line"), found, query=CITES)


def pair(source: str, target: str, weight: int = 1) -> tuple[str, str, int, None, None]:
    return source, target, weight, None, None


def nothing(_name: str, _params: Mapping[str, str]) -> Table:
    return Table(("kind", "label", "path", "line", "text", "level"), ())


def apart(place: Mapping[str, Place]) -> bool:
    """Whether no box touches another."""
    return all(abs(a[0] - b[0]) >= CARD or abs(a[1] - b[1]) >= TALL for a, b in combinations(place.values(), 2))


def test_a_map_goes_from_left_to_right() -> None:
    place = blocks(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("a", "c"), ("d", "c")])
    assert place["a"][0] < place["b"][0] < place["c"][0]
    assert place["d"][0] == place["b"][0], "what starts a way stands just before where it leads"


def test_a_circle_is_placed_too() -> None:
    place = blocks(["a", "b", "c"], [("a", "b"), ("b", "a"), ("c", "c")])
    assert sorted(place) == ["a", "b", "c"]
    assert apart(place)


def test_neighbours_stand_at_like_heights() -> None:
    place = blocks(["a", "b", "x", "y", "r"], [("r", "a"), ("r", "b"), ("a", "y"), ("b", "x")])
    assert (place["a"][1] < place["b"][1]) == (place["y"][1] < place["x"][1])


def test_what_hangs_together_stands_together() -> None:
    sections = [f"s{n}" for n in range(9)]
    links = [(s, f"{s}-{w}") for s in sections for w in "abc"]
    place = blocks([n for s in sections for n in (s, *(t for f, t in links if f == s))], links)
    for section in sections:
        own = sorted(y for n, (_, y) in place.items() if n.startswith(f"{section}-"))
        assert own[0] <= place[section][1] <= own[-1]
        assert len({x for n, (x, _) in place.items() if n.startswith(f"{section}-")}) == 1


def test_a_long_chain_stays_on_the_page() -> None:
    names = [f"n{n}" for n in range(60)]
    place = blocks(names, list(pairwise(names)))
    wide = max(x for x, _ in place.values()) - min(x for x, _ in place.values())
    high = max(y for _, y in place.values()) - min(y for _, y in place.values())
    assert wide < 3 * high
    assert apart(place)


links = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=80)


@given(links)
def test_no_box_of_a_map_covers_another(pairs: list[tuple[int, int]]) -> None:
    named = [(str(a), str(b)) for a, b in pairs]
    order = sorted({n for link in named for n in link})
    place = blocks(order, named)
    assert sorted(place) == order
    assert apart(place)


@given(links, st.integers(1, 3))
def test_no_box_around_a_focus_covers_another(pairs: list[tuple[int, int]], far: int) -> None:
    hops, wave = {"0": 0}, {0}
    for hop in range(1, far + 1):
        wave = {n for link in pairs for n in link if wave & set(link) and str(n) not in hops}
        hops |= {str(n): hop for n in wave}
    named = [(str(a), str(b)) for a, b in pairs if str(a) in hops and str(b) in hops]
    place = wings(sorted(hops), hops, named, dict.fromkeys(hops, "Work"))
    assert sorted(place) == sorted(hops)
    assert place["0"] == (0, 0)
    assert apart(place)


def test_each_hop_stands_further_out_on_the_side_of_what_leads_to_it() -> None:
    hops = {"f": 0, "a": 1, "b": 1, "a1": 2, "b1": 2}
    kind = {**dict.fromkeys(hops, "Work"), "b": "Claim"}
    place = wings(list(hops), hops, [("f", "a"), ("f", "b"), ("a", "a1"), ("b1", "b")], kind)
    assert place["f"] == (0, 0)
    assert place["a1"][0] < place["a"][0] < 0 < place["b"][0] < place["b1"][0]


def test_kinds_are_not_torn_apart() -> None:
    kind = {"f": "Work", "card": "PaperCard", **{f"c{n}": "Claim" for n in range(5)}}
    place = wings(list(kind), {n: int(n != "f") for n in kind}, [("f", n) for n in kind if n != "f"], kind)
    assert [n for n, (x, _) in place.items() if x < 0] == ["card"]


def test_above_the_cap_the_heaviest_stay_and_the_rest_is_counted() -> None:
    drawing = from_map(rows(pair("s", "w1", 5), pair("s", "w2", 1), pair("s", "w3", 3)), "t", nothing, 3)
    assert {n.id for n in drawing.nodes} == {"s", "w1", "w3"}
    assert (drawing.all_nodes, drawing.all_edges) == (4, 3)
    assert [e.weight for e in drawing.edges] == [5, 3]


def test_the_cap_leaves_no_node_without_its_edge() -> None:
    drawing = from_map(rows(*(pair(f"z{n}", f"a{n}") for n in range(9))), "t", nothing, 6)
    assert [(e.source, e.target) for e in drawing.edges] == [("z0", "a0"), ("z1", "a1"), ("z2", "a2")]
    assert len(drawing.nodes) == 6


def test_rows_of_one_edge_add_up_and_keep_their_places() -> None:
    table = rows(("s", "w", 2, "a.md", 3), ("s", "w", 3, "a.md", 8), ("s", "w", 1, "b.md", None))
    assert from_map(table, "t", nothing, 10).edges == (Edge("s", "w", "", 6, ("a.md:3", "a.md:8", "b.md")),)


def test_an_empty_map_is_a_drawing_without_nodes() -> None:
    assert from_map(rows(), "t", nothing, 10) == Drawing("t", (), (), 0, 0)


def test_a_node_without_description_is_named_by_its_iri() -> None:
    drawing = from_map(rows(pair("urn:kb:x:a%20b.md", "https://arxiv.org/abs/2401.10001")), "t", nothing, 10)
    assert [n.label for n in drawing.nodes] == ["urn:kb:x:a b.md", "arXiv:2401.10001"]


def test_a_public_key_comes_before_the_title_and_a_name_of_ours_does_not() -> None:
    def view(_name: str, _params: Mapping[str, str]) -> Table:
        return Table(("kind", "label", "path", "line", "text", "level"), (("x#Work", "T", "a b.md", 3, "", ""),))

    drawing = from_map(rows(pair("urn:kb:x:a%20b.md", "https://arxiv.org/abs/2401.10001")), "t", view, 10)
    assert [n.label for n in drawing.nodes] == ["T", "arXiv:2401.10001 T"]
    assert {(n.kind, n.path, n.line) for n in drawing.nodes} == {("Work", "a b.md", 3)}


def chain(name: str, params: Mapping[str, str]) -> Table:
    """n0 -> n1 -> n2 … as a store would answer, each edge at a line of its own."""
    if name == "describe":
        return nothing(name, params)
    at = int(params["node"][1:])
    found: list[tuple[Cell, ...]] = [(f"n{at}", "p", f"n{at + 1}", "a.md", at + 1)]
    found += [(f"n{at - 1}", "p", f"n{at}", "a.md", at)] if at else []
    return Table(("source", "edge", "target", "path", "line"), tuple(found), query=AROUND)


def test_hops_are_kept() -> None:
    drawing = from_focus("n5", 2, chain, 100)
    assert next(n.id for n in drawing.nodes) == "n5"
    assert sorted(n.id for n in drawing.nodes) == ["n3", "n4", "n5", "n6", "n7"]
    assert [(e.source, e.places) for e in drawing.edges] == [(f"n{n}", (f"a.md:{n + 1}",)) for n in (3, 4, 5, 6)]
    assert (drawing.focus, drawing.hops) == ("n5", 2)


def test_a_focus_above_the_cap_says_how_much_there_is() -> None:
    drawing = from_focus("n5", 3, chain, 4)
    assert sorted(n.id for n in drawing.nodes) == ["n3", "n4", "n5", "n6"]
    assert (drawing.all_nodes, drawing.all_edges) == (6, 5)


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        ("Home", ("Home",)),
        ("arXiv:2507.34485 Admission under KV Budgets", ("arXiv:2507.34485", "Admission under KV B…")),
        ("§3.2 预填充与解码分离", ("§3.2 预填充与解码分离",)),
        ("博客与通讯发现（muyan，2026-10-26 09:10）", ("博客与通讯发现", "（muyan，2026-10-26…")),
        ("预算要留出一页的余量，否则抢占会抖动。", ("预算要留出一页的余", "量，否则抢占会抖动。")),
        ("https://forum.example/thread?id=118&page=2", ("forum.example/", "thread?id=118&page=2")),
        ("a" * 30, ("a" * 20, "a" * 10)),
    ],
)
def test_labels_break_where_a_person_would(label: str, lines: tuple[str, ...]) -> None:
    assert shorten(label) == lines


@given(st.text(min_size=1))
def test_labels_fit_their_box(label: str) -> None:
    lines = shorten(label)
    assert len(lines) in (1, 2)
    assert all(width(line) <= 21 for line in lines)


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("kind", [*LOOKS, "other"])
def test_white_text_is_readable_and_the_box_is_seen_on_dark_paper(kind: str) -> None:
    colour = luminance(LOOKS.get(kind, OTHER).colour)
    assert 1.05 / (colour + 0.05) >= 4.5
    assert (colour + 0.05) / (luminance("#161a1f") + 0.05) >= 2.2


def test_kinds_differ_by_more_than_colour() -> None:
    signs = [look.glyph for look in (*LOOKS.values(), OTHER)]
    assert len(set(signs)) == len(signs)


def test_every_class_that_a_file_can_have_has_a_look_and_a_name() -> None:
    named = labels()
    assert [kind for kind in LOOKS if kind not in named] == []
    inner = {
        "Material",
        "Located",
        "CrossReference",
        "CheckRun",
        "Finding",
        "Waiver",
        "Entity",
        "Activity",
        "Collection",
        "Concept",
    }
    judged = {"Misfit", "OffTopicCard", "ForeignParagraph", "AlienTitle"}  # found when a check asks; no file has one
    other = {"ConceptScheme", "ValidationResult", "SPARQLSelectExecutable", "Violation", "Warning", "Info"}
    classes = {name for name in named if name[0].isupper()}
    assert classes - inner - judged - other == set(LOOKS)


def test_spoken_names_lead_back_to_their_iris() -> None:
    for iri in ("https://doi.org/10.1145/3.4", "https://openalex.org/W12", "urn:isbn:9787111839200"):
        assert iris_of(key_of(iri)) == (iri,)
    assert iris_of("Owner/Name") == ("https://github.com/owner/name", "https://gitlab.com/owner/name")
    assert iris_of("doi:") == iris_of("a/b/c.md") == iris_of("§3.1") == ()


EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def page(drawing: Drawing, lang: str = "en") -> str:
    return render_drawing(drawing, lang)


def test_text_of_the_corpus_is_never_markup() -> None:
    html = page(Drawing(EVIL, (Node("urn:a", EVIL, "Claim", EVIL, 3, EVIL),), (), 1, 0, focus="urn:a"))
    assert EVIL not in html
    assert "<script>alert" not in html
    assert "<img" not in html


def data(html: str) -> dict[str, list[dict[str, object]]]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    return dict(json.loads(found[1]))


def test_the_data_reads_back_whole_and_nothing_is_hidden_in_it() -> None:
    html = page(Drawing("t", (Node("urn:a", EVIL, "Claim", "a.md", 3, "数<&\u2028\u202e"),), (), 1, 0))
    (node,) = data(html)["nodes"]
    assert (node["name"], node["text"], node["place"]) == (EVIL, "数<&⟨U+2028⟩⟨U+202E⟩", "a.md:3")


def test_edges_between_two_nodes_are_one_line_with_all_their_names_and_places() -> None:
    names = {"mentions": {"en": "mentions", "zh": "提及"}, "about": {"en": "about", "zh": "关于"}}
    nodes = (Node("urn:a", "a", "Item", "a.md", 3), Node("https://arxiv.org/abs/2401.10001", "b", "Work"))
    ends = nodes[0].id, nodes[1].id
    edges = (
        Edge(*ends, "about"),
        Edge(*ends, "mentions", 2, ("a.md:3", "a.md:5")),
        Edge(*ends, "mentions", 1, ("b.md",)),
    )
    found = data(page(Drawing("t", nodes, edges, 2, 3, names), "zh"))
    (edge,) = found["edges"]
    assert (edge["name"], edge["places"], edge["weight"]) == ("关于 · 提及", ["a.md:3, 5", "b.md"], 4)
    assert [node["url"] for node in found["nodes"]] == ["", "https://arxiv.org/abs/2401.10001"]


def test_a_part_of_a_file_says_which_file_when_there_is_room() -> None:
    part, file = Node("urn:a#s", "Related", "Section", "x/guide.md", 9), Node("urn:a", "Guide", "Guide", "x/guide.md")
    shown = data(page(Drawing("t", (part, file), (), 2, 0)))["nodes"]
    assert [node["short"] for node in shown] == ["▭ Related\nguide.md", "☆ Guide"]


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "2 hops around: 1 nodes, 0 edges; left out: 4 nodes, 7 edges"),
        ("zh", "周围 2 步内：1 个节点，0 条边；另有 4 个节点、7 条边没有画出"),
    ],
)
def test_what_was_left_out_is_told_and_nothing_is_asked_of_the_network(lang: str, told: str) -> None:
    html = page(Drawing("t", (Node("urn:a", "a", "Work"),), (), 5, 7, focus="urn:a", hops=2), lang)
    assert f">{told}</span>" in html
    assert not re.search(r'(?:src|href)="(?!data:)', html)
    assert "default-src 'none'" in html
