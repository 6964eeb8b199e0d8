"""SPARQL as tokens: nothing lost, and a parameter is replaced only where the language sees a variable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbgraph.ask.grammar import absences, brackets, form, projection
from kbgraph.ask.tokens import code, expand, prefixes, replace, tokenise

PIECES = [
    "SELECT", "WHERE", "FILTER", " ", "\n", "\r\n", "{", "}", "(", ")", "<http://x.example/?_p>", "<", ">", "<=",
    "?_p", "$_p", "?_pq", "?q", '"?_p"', "'?_p'", '"""a " ?_p"""', "'''?_p\n'''", '"\\""', "# ?_p\n", "#", "ex:a.b",
    "ex:_p", ":", "_:b", "1.5e3", "@en", "^^", "||", "\\", '"', "'", "é", "中文", "\x00", "&&", ".", ";", ",", "!", "a",
    "BOUND", "bound",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=30).map("".join)


@given(TEXTS)
def test_tokens_joined_give_the_text_back(text: str) -> None:
    assert "".join(token.text for token in tokenise(text)) == text


@given(TEXTS)
def test_a_token_knows_its_line(text: str) -> None:
    at = 0
    for token in tokenise(text):
        assert token.line == text.count("\n", 0, at) + 1
        at += len(token.text)


@given(TEXTS)
def test_replacing_touches_nothing_but_the_parameter(text: str) -> None:
    before = tokenise(text)
    after = tokenise(replace(text, {"_p": "?replaced"}))
    kept = ("iri", "string", "comment", "pname", "bnode")
    plain = [t.text for t in before if t.kind in kept]
    if not any(t.key == "BOUND" for t in before):  # BOUND(# comment\n ?_p) is replaced whole
        assert [t.text for t in after if t.kind in kept] == plain
    assert [t for t in code(after) if t.name == "_p"] == []
    if not any(t.name == "_p" for t in before):
        assert replace(text, {"_p": "?replaced"}) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("?_p", '"x"'),
        ("$_p", '"x"'),
        ("?_px ?_p_ ?p", "?_px ?_p_ ?p"),
        ("\"?_p\" '?_p' \"\"\"?_p\"\"\" '''?_p'''", "\"?_p\" '?_p' \"\"\"?_p\"\"\" '''?_p'''"),
        ('"a\\"?_p" ?_p', '"a\\"?_p" "x"'),
        ("<http://x.example/?_p> # ?_p\n?_p", '<http://x.example/?_p> # ?_p\n"x"'),
        ("ex:?_p", 'ex:"x"'),
        ("FILTER(!BOUND(?_p) || ?a = ?_p)", 'FILTER(!true || ?a = "x")'),
        ("bound ( # why\n ?_p )", "true"),
        ("BOUND(?_q)", "BOUND(?_q)"),
        ("?a<?_p", '?a< "x"'),
        ("?a<?_p&&?b>?c", "?a<?_p&&?b>?c"),
    ],
)
def test_replacing(text: str, told: str) -> None:
    assert replace(text, {"_p": '"x"'}) == told


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("'''a'b''c'''", ["string"]),
        ('""""a"""', ["string"]),
        ('"""open " and "', ["error", "string", "word", "string"]),
        ('"a\nb"', ["error", "word", "word", "error"]),
        ('"\\x"', ["error", "error", "word", "error"]),
        ("1.", ["number", "punct"]),
        ("1.5e-3", ["number"]),
        ("ex:a.b. ex:%41 ex:\\-", ["pname", "punct", "pname", "pname"]),
        ("_:a.b.", ["bnode", "punct"]),
        ('"x"@en-US^^<a>', ["string", "lang", "punct", "iri"]),
        ("?a<?b", ["var", "punct", "var"]),
        ("a*/b+", ["word", "punct", "punct", "word", "punct"]),
        ("?x ?y$z", ["var", "var", "var"]),
        ("中文:题名 ?题", ["pname", "var"]),
    ],
)
def test_kinds_of_tokens(text: str, kinds: list[str]) -> None:
    assert [token.kind for token in code(tokenise(text))] == kinds


@pytest.mark.parametrize("unit", ["a.", '"""\\"', "'", "<a", "a:", ".", "#\n", "?", "_:", "((", "1.e", "\\u00"])
def test_long_texts_take_time_in_proportion(unit: str) -> None:
    """No text makes the scan back up again and again."""
    text = unit * 20_000
    assert "".join(token.text for token in tokenise(text)) == text


def test_names_are_expanded_by_their_prefix() -> None:
    live = code(
        tokenise(
            "PREFIX ex: <http://x.example/> BASE <http://b.example/> PREFIX : <#> SELECT ?a { ex:a\\-b :c no:d <e> }"
        )
    )
    declared = prefixes(live)
    assert declared == {"ex": "http://x.example/", "": "#"}
    assert [expand(t, declared) for t in live[-5:-1]] == ["http://x.example/a-b", "#c", "", "e"]


@pytest.mark.parametrize(
    ("text", "names", "counts", "star"),
    [
        ("SELECT ?a (COUNT(*) AS ?n) (STR(?b) AS ?c) WHERE {}", ("a", "n", "c"), {"n"}, False),
        ("select distinct * where { select ?x where {} }", (), set(), True),
        ("SELECT ?a { { SELECT ?a (SUM(?v) AS ?s) { } GROUP BY ?a } }", ("a",), {"s"}, False),
        ("PREFIX select: <x> SELECT (1*2 AS ?b) FROM <g> {}", ("b",), set(), False),
        ("ASK { ?a ?b ?c }", (), set(), False),
        ("CONSTRUCT { ?a ?b ?c } WHERE { SELECT ?a WHERE {} }", (), set(), False),
    ],
)
def test_projection(text: str, names: tuple[str, ...], counts: set[str], star: bool) -> None:
    found = projection(code(tokenise(text)))
    assert (found.names, set(found.counts), found.star) == (names, counts, star)


@pytest.mark.parametrize(
    ("group", "count"),
    [
        ("?a ?b ?c", 1),
        ("?a ?b ?c .", 1),
        ("?a ?b ?c ; ?d ?e", 2),
        ("?a ?b ?c ; .", 1),
        ("?a ?b ?c , ?d", 2),
        ("?a ?b/?c ?d", 2),
        ("?a ?b* ?d", 1),
        ("?a ?b ?c . ?d ?e ?f", 2),
        ("GRAPH ?g { ?a ?b ?c }", 1),
        ("GRAPH ?g { ?a ?b ?c } ?d ?e ?f", 2),
        ("?a ?b ?c FILTER(?c > 3 && ?c/2 < 4 || STR(?c) IN ('a', 'b'))", 1),
        ("?a a ?c BIND(?c / 2 AS ?d)", 1),
        ("VALUES ?x { 1 2 } ?a ?b ?x", 1),
        ("VALUES (?x ?y) { (1 2) (3 4) } ?a ?b ?x", 1),
        ("?a ?b [ ?c ?d ]", 2),
        ("{ ?a ?b ?c } UNION { ?d ?e ?f }", 2),
        ("SELECT ?a ?b WHERE { ?a ?b ?c } GROUP BY ?a ?b", 1),
        ("", 0),
    ],
)
def test_patterns_of_an_absence_are_counted(group: str, count: int) -> None:
    for word in ("FILTER NOT EXISTS", "MINUS"):
        live = code(tokenise(f"SELECT ?s WHERE {{ ?s ?p ?o {word} {{ {group} }} }}"))
        assert [n for _, n in absences(live, brackets(live))] == [count]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("PREFIX ask: <x> BASE <y> select ?a {}", "SELECT"),
        ("# SELECT\nASK {}", "ASK"),
        ("describe <x>", "DESCRIBE"),
        ("CONSTRUCT WHERE {}", "CONSTRUCT"),
        ("INSERT DATA {}", ""),
        ("", ""),
    ],
)
def test_form(text: str, word: str) -> None:
    assert form(code(tokenise(text))) == word


@pytest.mark.parametrize(
    ("text", "odd"), [("{ ( ) [ ] }", -1), ("{ ( }", 2), ("}", 0), ("{ {", 1), ("'(' { # )\n }", -1)]
)
def test_brackets_without_a_partner(text: str, odd: int) -> None:
    assert brackets(code(tokenise(text))).odd == odd
