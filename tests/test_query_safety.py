"""A query that is not ours reaches no network, no file and no write, whatever an engine makes of its text."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

import pyoxigraph
import pytest
from rdflib import Dataset
from rdflib.plugins.sparql.parser import parseQuery

from kbgraph.ask.safety import check_safe
from kbgraph.errors import QueryError

SHARED = Path(__file__).parent.parent.parent / "shared" / "cases" / "i-service-ssrf"
HOST = "http://127.0.0.1:"


def refusal(text: str) -> str:
    """What is said of a refused query, "" when it is let through."""
    try:
        check_safe(text, {"urn:kb:t:a.md"}.__contains__)
    except QueryError as error:
        return error.message
    return ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT * { SERVICE <http://h.example/> { ?s ?p ?o } }", "SERVICE would ask another host"),
        ("SELECT * { service silent <http://h.example/> { ?s ?p ?o } }", "SERVICE would ask another host"),
        ("SELECT * { SerVice#\n?e { ?s ?p ?o } }", "SERVICE would ask another host"),
        ("SELECT * { BIND(<http://h.example/> AS ?e) SERVICE SILENT ?e { } }", "SERVICE would ask another host"),
        ("ASK { { SELECT ?s { SERVICE <http://h.example/> { ?s ?p ?o } } } }", "SERVICE would ask another host"),
        ("ASK { FILTER EXISTS { SERVICE <http://h.example/> { ?s ?p ?o } } }", "SERVICE would ask another host"),
        ("SELECT*WHERE{SERVICESILENT<http://h.example/>{}}", "SERVICE would ask another host"),
        ("SELECT * FROM <http://h.example/d.ttl> { ?s ?p ?o }", "FROM <http://h.example/d.ttl> is no graph"),
        ("SELECT * FROM <file:///etc/hostname> { ?s ?p ?o }", "FROM <file:///etc/hostname> is no graph"),
        ("SELECT * from#\nnamed <file:///x> { ?s ?p ?o }", "FROM <file:///x> is no graph"),
        ("PREFIX f: <file:///etc/> SELECT * FROM f:passwd { }", "FROM f:passwd is no graph"),
        ("BASE <file:///etc/> SELECT * FROM <passwd> { }", "FROM <passwd> is no graph"),
        ("SELECT * FROM <urn:kb:t:a.md> FROM <urn:kb:t:b.md> { ?s ?p ?o }", "FROM <urn:kb:t:b.md> is no graph"),
        ("LOAD <file:///etc/hostname>", "LOAD changes or loads data"),
        ("load silent <http://h.example/> into graph <urn:g>", "LOAD changes or loads data"),
        ("INSERT DATA { <a:a> <a:b> <a:c> }", "INSERT changes or loads data"),
        ("DELETE WHERE { ?s ?p ?o }", "DELETE changes or loads data"),
        ("WITH <urn:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", "WITH changes or loads data"),
        ("DROP ALL", "DROP changes or loads data"),
        ("CLEAR GRAPH <urn:g>", "CLEAR changes or loads data"),
        ("SELECT * { ?s ?p ?o } ; DROP ALL", "DROP changes or loads data"),
        ("COPY <urn:a> TO <urn:b>", "COPY changes or loads data"),
        ("PREFIX ex: <http://h.example/> SELECT * { SERVICEex:a { } }", "can be read as two words"),
        ("PREFIX ex: <http://h.example/> SELECT * { ?s ?p ex:a.b.SERVICE<http://h.example/>{} }", "two words"),
        ("SELECT * { ?s ?p _:a.service<http://h.example/>{} }", "two words"),
        ("SELECT*{FILTER((1<2)#>)\nSERVICE<http://h.example/>{}#\n)}", "can also be read as less-than"),
        ("SELECT*{FILTER(?a<?b&&?c>?d)}", "can also be read as less-than"),
        ("SELECT * { #\rSERVICE <http://h.example/> {} }", "a carriage return alone"),
        ('SELECT * { # \r """ \n ?s ?p ?o } # """', "a carriage return alone"),
        ("SELECT * { SERV\\u0049CE <http://h.example/> {} }", "belongs to no token"),
        ('SELECT * { ?s ?p "\\u0022 . SERVICE <http://h.example/> {} #" }', "an escape that stands for"),
        ('SELECT * { ?s ?p "\\\\u0022 . SERVICE <http://h.example/> {} #" }', "an escape that stands for"),
        ("SELECT * { ?s ?p ?o # \\u000A SERVICE <http://h.example/> {}\n }", "an escape that stands for"),
        ("SELECT * { ?s <http://x.example/\\u003E> ?o }", "an escape that stands for"),
        ("SELECT * { \u017fERVICE <http://h.example/> {} }", "SERVICE would ask another host"),
        ("SELECT * { serv\u0131ce <http://h.example/> {} }", "SERVICE would ask another host"),
        ("SELECT * { LATERAL { ?s ?p ?o } }", "`LATERAL` is no word of SPARQL"),
        ("SELECT * { FLITER(?a) }", "`FLITER` is no word of SPARQL: is it FILTER?"),
        ("SELECT * { << ?s ?p ?o >> ?q ?r }", "`<<` is not SPARQL 1.1"),
        ("SELECT * { ?s ?p \"open }", "belongs to no token: close the string"),
        ("SELECT * { ?s ?p ?o", "`{` has no partner"),
        ("SELECT * { ?s ?p '\udce4' }", "bytes that are no text"),
        ("", "no query"),
        ("# only a comment", "no query"),
        ("PREFIX ex: <http://x.example/>", "no query"),
        ("SELECT * { FILTER(" + "(" * 60 + "1" + ")" * 60 + ") }", "brackets nest deeper than 48"),
        ("SELECT * { FILTER(" + "!" * 40 + "true) }", "more than 16 signs in a row"),
        ("SELECT * { FILTER(1 < " + "1+" * 3000 + "1) }", "more than 4000 tokens"),
        ("SELECT * { ?s " + "/".join(["<a:a>"] * 200) + " ?o }", "more than 120 patterns"),
        ("SELECT * { " + "?s ?p ?o . " * 200 + "}", "more than 120 patterns"),
        ("SELECT * { ?s ?p '" + "x" * 300_000 + "' }", "longer than 262144 characters"),
    ],
)  # fmt: skip
def test_refused(text: str, reason: str) -> None:
    assert reason in refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * WHERE { ?s ?p ?o }",
        "SELECT ?service WHERE { ?service a ?load . # SERVICE <http://h.example/>\n }",
        "SELECT * { ?s ?p 'SERVICE <http://h.example/> { }', \"LOAD <file:///x>\", '''FROM <x>''' }",
        "PREFIX ex: <http://x.example/> SELECT * { ?s ex:service ex:load ; ex:from ex:insert }",
        "SELECT * { ?s <http://x.example/SERVICE> <http://x.example/?a=(b)#c> }",
        "SELECT * FROM <urn:kb:t:a.md> { ?s ?p ?o }",
        "PREFIX g: <urn:kb:t:> SELECT * FROM NAMED g:a.md { GRAPH ?g { ?s ?p ?o } }",
        "SELECT * { FILTER(?a < ?b && ?c > ?d) }",
        "SELECT * { FILTER(?a <= 3 || ?a IN (<http://x.example/>, <http://y.example/>)) }",
        "SELECT * { VALUES (?a ?b) { (<http://x.example/> <http://y.example/>) (1 <http://y.example/>) } }",
        "SELECT * { ?s (<a:a>/<a:b>)*|^<a:c> ?o }",
        "SELECT * { ?s ?p '\\u4e2d', \"\\u001f\", '\\t' }",
        "SELECT (GROUP_CONCAT(?a; separator=', ') AS ?b) { ?a ?p ?o } GROUP BY ?p HAVING(1 > 0) ORDER BY DESC(?b)",
        "SELECT * { VALUES ?x { " + "1 " * 20_000 + "} }",
        "ask { ?s ?p ?o FILTER(lang(?o) = 'zh' && strlen(str(?o)) > 3) }",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "DESCRIBE <urn:kb:t:a.md>",
        "SELECT\t*\r\nWHERE { ?s ?p ?o }\r\n",
    ],
)
def test_let_through(text: str) -> None:
    assert refusal(text) == ""


@pytest.mark.skipif(not SHARED.exists(), reason="the handed cases are not beside the checkout")
def test_the_four_of_the_case_are_refused() -> None:
    texts = [path.read_text("utf-8") for path in sorted(SHARED.glob("*.r[qu]"))]
    assert len(texts) == 4
    assert all(refusal(text) for text in texts)


def test_every_reason_is_told_with_line_and_mend() -> None:
    said = refusal("SELECT *\nFROM <x:x>\n{ SERVICE ?e { } }")
    assert said.split("\n")[1:] == [
        "  line 3: SERVICE would ask another host: kbgraph asks its own graph only: take it out",
        "  line 2: FROM <x:x> is no graph of this corpus: leave FROM out: the graph is asked whole",
    ]


@pytest.fixture
def listener() -> Iterator[tuple[int, list[int]]]:
    """A port of this machine and the connections made to it."""
    made: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    server.accept()[0].close()
                    made.append(1)

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1], made
        server.shutdown(socket.SHUT_RDWR)


BEFORE = [
    "",
    " ",
    "1",
    "1.",
    "'x'",
    "'x'@en",
    "ex:a",
    "ex:a.",
    "ex:a.b.",
    "_:a.b.",
    "?x",
    "#\r",
    "# >\n",
    "\\u0020",
    "FILTER(1<2)",
]
BEFORE += ["FILTER((1<2)#>)\n", "#\r'''\n", "OPTIONAL{}", "BIND(1 AS ?y)", "'''", '"\\\\u0022 ', "VALUES ?z{1}", "a"]
MIDDLE = ["", " ", "#\n", "#>\n", "\r", "SILENT", " SILENT ", "silent#\n", "ex:", "\\u0020", "\u00a0"]


def test_no_reading_of_any_engine_reaches_the_network(listener: tuple[int, list[int]]) -> None:
    """Every way to hide SERVICE between two tokens: what Oxigraph would call out for is refused, and more besides."""
    port, made = listener
    store = pyoxigraph.Store()
    thing = pyoxigraph.NamedNode("http://x.example/")
    store.add(pyoxigraph.Quad(thing, thing, thing))
    reached = 0
    for before, word, middle in product(BEFORE, ("SERVICE", "sErViCe", "\u017fervice"), MIDDLE):
        for target in (f"<{HOST}{port}/>", f"{'' if middle.endswith(':') else 'ex:'}x", "?e"):
            for joint in ("", " ", "."):
                group = f"?s ?p ?o{joint}{before}{word}{middle}{target}{{?a ?b ?c}}"
                text = f"PREFIX ex:<{HOST}{port}/> SELECT*{{{group}}}"
                calls = _calls(store, text, made)
                reached += calls
                assert not calls or refusal(text), text
    assert reached > 100, "the test has no teeth: the engine itself calls nobody"


def _calls(store: pyoxigraph.Store, text: str, made: list[int]) -> bool:
    """Whether the engine, left alone, takes this text as a call to a service."""
    before = len(made)
    try:
        list(store.query(text, use_default_graph_as_union=True))  # type: ignore[arg-type]
    except (OSError, RuntimeError):
        return True  # it tried: nothing else in these texts can fail while running
    except SyntaxError:
        return False
    return len(made) > before


def test_rdflib_agrees_on_what_is_a_service() -> None:
    """One engine reads a long s and a dotless i as letters of SERVICE."""
    for word in ("SERVICE", "\u017fervice", "serv\u0131ce"):
        text = f"SELECT * {{ {word} <http://h.example/> {{ ?s ?p ?o }} }}"
        assert "ServiceGraphPattern" in str(parseQuery(text)) or word == "serv\u0131ce"
        assert "SERVICE" in refusal(text)


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
def test_rdflib_would_have_read_the_file(tmp_path: Path) -> None:
    """Why FROM is refused: the engine opens what it names."""
    secret = tmp_path / "secret.ttl"
    secret.write_text("<a:a> <a:b> 'open'.", encoding="utf-8")
    text = "SELECT ?o FROM <SECRET> { ?s ?p ?o }".replace("SECRET", secret.as_uri())
    assert [str(row[0]) for row in Dataset().query(text)] == ["open"]  # type: ignore[index]
    assert "is no graph of this corpus" in refusal(text)


@pytest.mark.parametrize(
    "deep", ["SELECT*{FILTER(" + "(" * 40 + "1" + ")" * 40 + ")}", "ASK{FILTER(" + "!" * 16 + "true)}"]
)
def test_what_is_let_through_does_not_overflow_the_engine(deep: str) -> None:
    assert refusal(deep) == ""
    assert pyoxigraph.Store().query(deep)


def test_the_longest_chain_that_is_let_through_runs() -> None:
    chain = "ASK { FILTER(0 < " + "1+" * 1980 + "1) }"
    assert refusal(chain) == ""
    assert bool(pyoxigraph.Store().query(chain)) is True
