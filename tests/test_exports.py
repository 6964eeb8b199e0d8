"""The graph as CSV and GraphML: every statement there, and nothing in it that breaks or runs elsewhere."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import networkx as nx
import pytest

from kbgraph.errors import UsageError
from kbgraph.model import facts as make
from kbgraph.model.facts import Term, make_facts
from kbgraph.store import Store, open_store
from kbgraph.workspace.exports import FORMATS, export

KB = "https://w3id.org/kbgraph/ns#"
A, B = make.iri("urn:kb:t:a.md"), make.iri("urn:kb:t:b%20c.md")

ODD = 'bell\x07 <b> & "c"'
SHOWN = 'bell⟨U+0007⟩ <b> & "c"'


@pytest.fixture
def store() -> Iterator[Store]:
    """Two files: one with texts that are odd, one that both name."""
    opened = open_store("memory:")
    opened.load(
        [
            make_facts(
                A,
                [
                    f"{A} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{KB}Note>",
                    f"{A} <{KB}path> {make.text('a.md')}",
                    f"{A} <{KB}line> {make.integer(-3)}",
                    f"{A} <http://purl.org/dc/terms/title> {make.tagged('=1+1, 中', 'zh')}",
                    f"{A} <https://schema.org/about> {B}",
                    f"{A} <https://schema.org/about> <https://arxiv.org/abs/2401.00001>",
                ],
            ),
            make_facts(B, [f"{B} <{KB}path> {make.text(ODD)}", f"{B} <https://schema.org/about> {A}"]),
        ]
    )
    yield opened
    opened.close()


def test_csv_has_one_row_a_statement(store: Store) -> None:
    rows = list(csv.DictReader(io.StringIO("".join(export(store, "csv")))))
    assert len(rows) == 8
    told = {
        (row["predicate"].rpartition("/")[2], row["object"], row["language"]) for row in rows if row["graph"] == A[1:-1]
    }
    assert ("ns#line", "-3", "") in told, "a number keeps its minus"
    assert ("title", "'=1+1, 中", "zh") in told, "a text is kept from being a formula"
    assert [row["object"] for row in rows if row["subject"] == B[1:-1]] == [A[1:-1], SHOWN]
    assert [row["datatype"].rpartition("#")[2] for row in rows if row["object"] == "-3"] == ["integer"]


def test_graphml_is_read_by_others(store: Store) -> None:
    text = "".join(export(store, "graphml"))
    assert ET.fromstring(text).tag.endswith("graphml")  # noqa: S314  (written by this project)
    graph = nx.parse_graphml(text)
    work = "https://arxiv.org/abs/2401.00001"
    assert set(graph.nodes) == {A[1:-1], B[1:-1], work}
    assert graph.nodes[A[1:-1]] == {"label": "=1+1, 中", "type": "kb:Note"}
    assert graph.nodes[B[1:-1]]["label"] == SHOWN
    assert graph.nodes[work]["label"] == work
    found = sorted((s, t, data["predicate"]) for s, t, data in graph.edges(data=True))
    assert found == [
        (A[1:-1], work, "schema:about"),
        (A[1:-1], B[1:-1], "schema:about"),
        (B[1:-1], A[1:-1], "schema:about"),
    ]


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_the_same_graph_gives_the_same_text(store: Store, form: str) -> None:
    other = open_store("memory:")
    for name in (B, A):  # in another order, in two steps
        quads = [f"{s} {p} {o}" for s, p, o, _ in store.match(g=Term(name))]
        other.replace([make_facts(Term(name), quads)])
    assert "".join(export(other, form)) == "".join(export(store, form))
    other.close()


def test_an_unknown_format_offers_the_nearest(store: Store) -> None:
    with pytest.raises(UsageError, match="did you mean `trig`"):
        export(store, "trigg")
    with pytest.raises(UsageError, match="there are csv, graphml, jsonld, nq, trig, ttl"):
        export(store, "docx")
