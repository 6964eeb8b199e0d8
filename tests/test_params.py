"""Parameters: typed values become terms, and the two engines agree on what the bound query means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbgraph.ask.header import adhoc
from kbgraph.ask.params import TYPES, bind, term
from kbgraph.ask.tokens import code, tokenise
from kbgraph.errors import UsageError
from kbgraph.model.facts import Term, make_facts
from kbgraph.model.query import Param, SavedQuery
from kbgraph.store import open_store

XSD = "http://www.w3.org/2001/XMLSchema#"


def query(text: str, *params: Param) -> SavedQuery:
    return SavedQuery("sample", "view", text, "shipped", {"en": "s"}, {"en": "s"}, params=params)


@pytest.mark.parametrize(
    ("kind", "value", "made"),
    [
        ("iri", "https://x.example/a#b", "<https://x.example/a#b>"),
        ("iri", "<urn:kb:t:a%20b.md#s-1>", "<urn:kb:t:a%20b.md#s-1>"),
        ("iri", "urn:kb:t:知识.md", "<urn:kb:t:知识.md>"),
        ("iri", "no iri", None),
        ("iri", "relative/path", None),
        ("iri", "http://x.example/> } DROP ALL #", None),
        ("iri", "http://x.example/\u202e", "<http://x.example/%E2%80%AE>"),
        ("arxiv", "2401.10001", "<https://arxiv.org/abs/2401.10001>"),
        ("arxiv", "arXiv:2401.10001v3", "<https://arxiv.org/abs/2401.10001v3>"),
        ("arxiv", "ARXIV: 2401.10001", "<https://arxiv.org/abs/2401.10001>"),
        ("arxiv", "https://arxiv.org/pdf/2401.10001v2.pdf", "<https://arxiv.org/abs/2401.10001v2>"),
        ("arxiv", "http://www.arxiv.org/abs/hep-th/9901001?context=x", "<https://arxiv.org/abs/hep-th/9901001>"),
        ("arxiv", "10.48550/arXiv.2401.10001", "<https://arxiv.org/abs/2401.10001>"),
        ("arxiv", "https://doi.org/10.48550/arXiv.2401.10001", "<https://arxiv.org/abs/2401.10001>"),
        ("arxiv", "math.GT/0309136", "<https://arxiv.org/abs/math/0309136>"),
        ("arxiv", "2413.10001", None),
        ("arxiv", "2401.100", None),
        ("arxiv", "10.1145/1234", None),
        ("path", "./organized//knowledge/a.md", '"organized/knowledge/a.md"'),
        ("path", "organized\\知识 1.md", '"organized/知识 1.md"'),
        ("path", "../a.md", None),
        ("path", "/etc/passwd", None),
        ("path", "C:\\a.md", None),
        ("path", "", None),
        ("section", "3.1", '"3.1"'),
        ("section", "§ 3.1", '"3.1"'),
        ("section", "§７", '"7"'),
        ("section", "inference§3.1", '"inference§3.1"'),
        ("section", "organized/knowledge/a.md §2", '"organized/knowledge/a.md§2"'),
        ("section", "3.1.", None),
        ("section", "intro", None),
        ("topic", " Inference  Serving ", '"inference serving"'),
        ("topic", "推理", '"推理"'),
        ("topic", " ", None),
        ("date", "2026-02-28", f'"2026-02-28"^^<{XSD}date>'),
        ("date", "2026-02-30", None),
        ("date", "28.2.2026", None),
        ("int", "-07", f'"-7"^^<{XSD}integer>'),
        ("int", "1.0", None),
        ("int", "１２", None),
        ("decimal", "+01.50", f'"1.5"^^<{XSD}decimal>'),
        ("decimal", "-0.0", f'"0"^^<{XSD}decimal>'),
        ("decimal", ".5", f'"0.5"^^<{XSD}decimal>'),
        ("decimal", "100", f'"100"^^<{XSD}decimal>'),
        ("decimal", "1e3", None),
        ("decimal", ".", None),
        ("decimal", "", None),
        ("string", 'a "b" \\ c\nd', '"a \\"b\\" \\\\ c\\nd"'),
        ("string", "", '""'),
    ],
)
def test_a_value_becomes_a_term_or_is_refused(kind: str, value: str, made: str | None) -> None:
    if made is None:
        with pytest.raises(UsageError, match=f"is no {kind}"):
            term(Param("p", kind), value)
    else:
        assert term(Param("p", kind), value) == made


@given(st.text(), st.sampled_from(sorted(TYPES)))
def test_no_value_leaves_its_place(value: str, kind: str) -> None:
    """Whatever is given, the query keeps its shape: one token is replaced by a term of at most three."""
    asked = query("SELECT ?a { ?a ?b ?_p . }", Param("p", kind))
    try:
        bound = bind(asked, {"p": value})
    except UsageError:
        return
    live = code(tokenise(bound))
    assert [t.text for t in live[:6]] == ["SELECT", "?a", "{", "?a", "?b", live[5].text]
    assert [t.text for t in live[-2:]] == [".", "}"]
    assert [t.kind for t in live[5:-2]] in (["iri"], ["string"], ["string", "punct", "iri"])


FOUR = (
    Param("a", "int"),
    Param("b", "int", "2"),
    Param("c", "string", optional=True),
    Param("d", "string", enum=("x", "y")),
)


def test_defaults_and_optional_ones() -> None:
    asked = query("SELECT ?_c { ?_a ?_b ?_c ; ?_d ?_c FILTER(BOUND(?_c)) }", *FOUR)
    assert bind(asked, {"a": "1", "d": "x"}) == (
        f'SELECT ?_c {{ "1"^^<{XSD}integer> "2"^^<{XSD}integer> ?_c ; "x" ?_c FILTER(BOUND(?_c)) }}'
    )
    assert "FILTER(true)" in bind(asked, {"a": "1", "d": "x", "c": "z"})


@pytest.mark.parametrize(
    ("given_", "message", "mend"),
    [
        ({}, "sample needs -p a=… -p d=…", "a: int, like 12; d: string, like any text"),
        ({"a": "1", "d": "z"}, "`d=z` is not allowed", "one of x, y"),
        ({"a": "1", "d": "x", "aa": "1"}, "sample has no parameter `aa`", "did you mean a?"),
        ({"a": "1", "d": "x", "zzz": "1"}, "sample has no parameter `zzz`", "it has a, b, c, d"),
        ({"a": "x", "d": "x"}, "`a=x` is no int", "write it like 12"),
    ],
)
def test_wrong_use_says_what_to_do(given_: dict[str, str], message: str, mend: str) -> None:
    asked = query("SELECT ?_c { ?_a ?_b ?_c ; ?_d ?_c }", *FOUR)
    with pytest.raises(UsageError) as caught:
        bind(asked, given_)
    assert (caught.value.message, caught.value.mend) == (message, mend)


@pytest.mark.parametrize("engine", ["memory:", "rdflib:"])
@pytest.mark.parametrize(
    ("text", "params", "rows"),
    [
        ("SELECT ?s { ?s <x:title> ?t FILTER(STR(?t) = ?_t) }", {"t": "玩具缓存"}, ["x:b"]),
        ("SELECT ?s { ?s <x:title> ?t FILTER(STR(?t) = ?_t) }", {"t": "Toy Cache"}, ["x:a"]),
        ("SELECT ?s { ?s <x:title> ?t FILTER(!BOUND(?_t) || STR(?t) = ?_t) }", {}, ["x:a", "x:b"]),
        ("SELECT ?s { ?s <x:title> ?t FILTER(!BOUND(?_t) || STR(?t) = ?_t) }", {"t": "Toy Cache"}, ["x:a"]),
        ("SELECT ?s { ?s <x:title> ?t FILTER(!BOUND(?_t) || STR(?t) = ?_t) }", {"t": '" } #'}, []),
        ("SELECT (COUNT(?s) AS ?n) { ?s <x:title> ?t FILTER(STR(?t) = ?_t) }", {"t": "Toy Cache"}, [1]),
    ],
)
def test_bound_queries_mean_the_same_in_both_engines(
    engine: str, text: str, params: dict[str, str], rows: list[str]
) -> None:
    store = open_store(engine)
    titles = ('<x:a> <x:title> "Toy Cache"', '<x:b> <x:title> "玩具缓存"@zh')
    store.load([make_facts(Term("<x:g>"), titles)])
    found = store.select(bind(query(text, Param("t", "string", optional=True)), params))
    assert sorted(row[0] for row in found.rows) == rows  # type: ignore[type-var]


def test_an_unsaved_query_takes_no_parameters() -> None:
    with pytest.raises(UsageError, match="-e has no parameter `x`"):
        bind(adhoc("SELECT ?a { ?a ?b ?c }", "-e"), {"x": "1"})
