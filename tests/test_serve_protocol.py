"""SPARQL 1.1 Protocol, Graph Store Protocol and saved queries over HTTP: answers, forms, refusals, limits."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from rdflib import Dataset, Graph, Literal, Namespace, URIRef
from rdflib.namespace import RDF

import kbgraph
from kbgraph.workspace.site import Limits, Site
from served import DOCUMENT, REPORT, corpus

pytest.importorskip("starlette", reason="starlette is not installed: it comes with the extra serve")
pytest.importorskip("httpx", reason="httpx is not installed: it comes with the group dev")
from starlette.testclient import TestClient

from kbgraph.serve.accept import best, named
from kbgraph.serve.app import application

LIMITS = Limits(seconds=4.0, rows=5, bytes=40_000, at_once=2)
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
ONE = "SELECT ?path { ?x a kb:KnowledgeDoc ; kb:path ?path }"
SD = Namespace("http://www.w3.org/ns/sparql-service-description#")
KB = Namespace("https://w3id.org/kbgraph/ns#")
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    kb = corpus(tmp_path_factory.mktemp("kb"))
    made = Site(kbgraph.open(kb), LIMITS)
    made.sync()
    yield made
    made.close()


@pytest.fixture(scope="module")
def client(site: Site) -> TestClient:
    return TestClient(application(site), base_url="http://localhost", raise_server_exceptions=False)


def graph_of(site: Site, path: str) -> str:
    return f"{site.writer.base}{path}"


def ask(client: TestClient, query: str, accept: str = "*/*", **params: Any) -> Any:  # noqa: ANN401  (httpx's response)
    return client.get("/sparql", params={"query": query, **params}, headers={"accept": accept})


# -- answers


def test_a_select_in_all_its_forms_tells_the_same(client: TestClient) -> None:
    query = 'SELECT ?a ?b ?c ?d { VALUES (?a ?b ?c) { (<urn:x:y> "p,\\"q\\"\\n"@en 7) } OPTIONAL { ?d <urn:no> ?a } }'
    told = ask(client, query).json()
    assert told["head"]["vars"] == ["a", "b", "c", "d"]
    assert told["results"]["bindings"] == [
        {
            "a": {"type": "uri", "value": "urn:x:y"},
            "b": {"type": "literal", "value": 'p,"q"\n', "xml:lang": "en"},
            "c": {"type": "literal", "value": "7", "datatype": "http://www.w3.org/2001/XMLSchema#integer"},
        }
    ]
    rows = list(csv.reader(io.StringIO(ask(client, query, "text/csv").text, newline="")))
    assert rows == [["a", "b", "c", "d"], ["urn:x:y", 'p,"q"\n', "7", ""]]
    assert ask(client, query, "text/tab-separated-values").text == '?a\t?b\t?c\t?d\n<urn:x:y>\t"p,\\"q\\"\\n"@en\t7\t\n'
    xml = ET.fromstring(ask(client, query, "application/sparql-results+xml").text)  # noqa: S314  (our own)
    found = [binding.attrib["name"] for binding in xml.iter("{http://www.w3.org/2005/sparql-results#}binding")]
    assert found == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("accept", "sent"),
    [
        ("*/*", "application/sparql-results+json"),
        ("application/json", "application/sparql-results+json"),
        ("text/csv;q=0.5, application/sparql-results+xml;q=0.8", "application/sparql-results+xml"),
        ("text/turtle, */*;q=0.1", "application/sparql-results+json"),
        ("text/*, text/xml;q=0, text/csv;q=0.1, text/html;q=0", "text/tab-separated-values; charset=utf-8"),
    ],
)
def test_the_header_chooses_the_form(client: TestClient, accept: str, sent: str) -> None:
    assert ask(client, ONE, accept).headers["content-type"] == sent


def test_the_choice_of_a_form_follows_weights_and_the_narrowest_range() -> None:
    assert best("", ("json", "xml")) == "json"
    assert best("text/csv;q=x, text/tab-separated-values;q=0.2", ("csv", "tsv")) == "tsv"
    assert best("application/*;q=0.9, application/rdf+xml;q=0.3, text/turtle;q=0.5", ("ttl", "rdf", "nt")) == "nt"
    assert best("image/png", ("json", "html")) == ""


def test_a_form_may_be_named_as_clients_name_it() -> None:
    rows, graph = ("json", "xml", "csv"), ("ttl", "rdf", "jsonld")
    assert [named(said, rows) for said in ("xml", "text/csv", "turtle", "")] == ["xml", "csv", "", ""]
    assert [named(said, graph) for said in ("xml", "turtle", "json", "text/turtle")] == ["rdf", "ttl", "jsonld", "ttl"]


@pytest.mark.parametrize("accept", ["application/sparql-results+json", "text/csv"])
def test_ask_is_true_or_false(client: TestClient, accept: str) -> None:
    assert "true" in ask(client, "ASK { ?c a kb:Claim }", accept).text
    assert "false" in ask(client, "ASK { ?c a kb:Brief }", accept).text


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning:rdflib")  # its own reader of JSON-LD
@pytest.mark.parametrize(
    ("accept", "parser"),
    [("text/turtle", "turtle"), ("application/n-triples", "nt"), ("application/rdf+xml", "xml"),
     ("application/ld+json", "json-ld")],
)  # fmt: skip
def test_a_construct_in_all_its_forms_tells_the_same(client: TestClient, accept: str, parser: str) -> None:
    query = "CONSTRUCT { ?x a kb:Work ; kb:says '§ <&'@en } WHERE { ?x a kb:KnowledgeDoc }"
    found = Dataset(default_union=True)
    found.parse(data=ask(client, query, accept).text, format=parser)
    assert {(p, o) for _, p, o, _ in found.quads()} == {(RDF.type, KB.Work), (KB.says, Literal("§ <&", lang="en"))}


def test_a_query_is_posted_as_a_form_or_as_it_stands(client: TestClient) -> None:
    by_form = client.post("/sparql", data={"query": ONE})
    as_is = client.post("/sparql", content=ONE, headers={"content-type": "application/sparql-query"})
    assert by_form.json() == as_is.json() == ask(client, ONE).json()
    assert [b["path"]["value"] for b in by_form.json()["results"]["bindings"]] == [DOCUMENT]


def test_graphs_are_chosen_by_the_protocol_or_by_the_query(client: TestClient, site: Site) -> None:
    count = "SELECT (COUNT(DISTINCT ?m) AS ?n) { ?m kb:path ?p }"
    report = graph_of(site, REPORT)

    def number(query: str, **params: Any) -> str:  # noqa: ANN401  (parameters of the protocol)
        return str(ask(client, query, **params).json()["results"]["bindings"][0]["n"]["value"])

    assert number(count) == "2"
    assert number(count, **{"default-graph-uri": report}) == "1"
    assert number(count.replace("{", f"FROM <{report}> {{", 1)) == "1"
    inside = "SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH ?g { ?m kb:path ?p } }"
    assert number(inside, **{"named-graph-uri": report}) == "1"


def test_the_service_describes_itself_and_names_its_graphs(client: TestClient, site: Site) -> None:
    answer = client.get("/sparql", headers={"accept": "text/turtle"})
    found = Graph().parse(data=answer.text, format="turtle")
    (service,) = found.subjects(RDF.type, SD.Service)
    assert str(service) == "http://localhost/sparql"
    assert found.value(service, SD.supportedLanguage) == SD.SPARQL11Query
    named = {str(name) for name in found.objects(None, SD.name)}
    assert {graph_of(site, DOCUMENT), graph_of(site, REPORT)} <= named


# -- refusals


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("SELECT", "cannot be parsed"),
        ("SELECT * { SERVICE <http://localhost:1/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }", "is no graph of this corpus"),
        ("LOAD <file:///etc/passwd>", "LOAD"),
        ("DELETE WHERE { ?s ?p ?o }", "DELETE"),
        ("SELECT * { ?s no:thing ?o }", "no:"),
        ("", "no query"),
        ("SELECT * {" + "{" * 5000 + "}" * 5001, "brackets nest deeper"),
    ],
)
def test_what_is_no_reading_query_is_refused_with_the_reason(client: TestClient, query: str, word: str) -> None:
    answer = client.post("/sparql", data={"query": query})
    assert answer.status_code == 400
    assert word in answer.text


def test_updates_are_forbidden(client: TestClient) -> None:
    update = "DELETE WHERE { ?s ?p ?o }"
    assert client.post("/sparql", data={"update": update}).status_code == 403
    sent = client.post("/sparql", content=update, headers={"content-type": "application/sparql-update"})
    assert sent.status_code == 403


def test_a_foreign_graph_of_the_protocol_is_refused(client: TestClient) -> None:
    assert ask(client, ONE, **{"default-graph-uri": "file:///etc/passwd"}).status_code == 400


@pytest.mark.parametrize(
    ("method", "path", "sent", "status"),
    [
        ("GET", "/sparql?query=a&query=b", {}, 400),
        ("GET", "/sparql?query=%ff", {}, 400),
        ("GET", "/sparql?" + "&".join(f"x{n}=1" for n in range(200)), {}, 400),
        ("GET", f"/sparql?query={ONE}", {"headers": {"accept": "image/png"}}, 406),
        ("GET", f"/sparql?query={ONE}&format=ttl", {}, 406),
        ("POST", "/sparql", {"content": b"{}", "headers": {"content-type": "application/json"}}, 415),
        ("POST", "/sparql", {"content": b"", "headers": FORM}, 400),
        ("POST", "/sparql", {"content": b"x" * 600_000, "headers": FORM}, 413),
        ("POST", "/sparql", {"content": b"\xff", "headers": {"content-type": "application/sparql-query"}}, 400),
        ("PUT", "/sparql", {}, 405),
        ("DELETE", "/data?default", {}, 405),
        ("POST", "/data?default", {}, 405),
        ("GET", "/data", {}, 400),
        ("GET", "/data?graph=urn:x&default", {}, 400),
        ("GET", "/data?graph=file:///etc/passwd", {}, 404),
        ("GET", "/nothing", {}, 404),
        ("GET", "/q/%2e%2e%2f%2e%2e%2fetc%2fpasswd", {}, 404),
        ("GET", "/q/..%5c..%5cx.rq", {}, 404),
        ("GET", "/q/orphan-citation.rq", {}, 404),
        ("GET", "/q/SELECT%20*%20%7B%7D", {}, 404),
        ("GET", "/finding/..%2f..", {}, 404),
        ("GET", "/q/claims-about-work", {}, 400),
        ("GET", "/q/claims-about-work?work=no", {}, 400),
        ("GET", "/q/works?none=1", {}, 400),
        ("GET", "/q/works?_limit=-1", {}, 400),
        ("GET", "/q/works?_what=1", {}, 400),
        ("GET", "/findings?offset=x", {}, 400),
    ],
)
def test_broken_requests_get_a_status(
    client: TestClient, method: str, path: str, sent: dict[str, Any], status: int
) -> None:
    answer = client.request(method, path, **sent)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    if status == 405:
        assert "GET" in answer.headers["allow"]


def test_what_is_sent_in_pieces_is_bounded_too(client: TestClient) -> None:
    pieces = (b"x" * 100_000 for _ in range(10))
    assert client.post("/sparql", content=pieces, headers=FORM).status_code == 413


# -- limits


def test_more_rows_than_are_sent_are_told_of(client: TestClient) -> None:
    answer = ask(client, "SELECT ?s { ?s ?p ?o }")
    assert len(answer.json()["results"]["bindings"]) == 5
    assert answer.headers["x-kbgraph-cut"].startswith("cut after 5 rows, the most that is sent")
    whole = ask(client, "SELECT ?s { ?s ?p ?o } LIMIT 5")
    assert len(whole.json()["results"]["bindings"]) == 5
    assert "x-kbgraph-cut" not in whole.headers


def test_more_bytes_than_are_sent_are_told_of(client: TestClient) -> None:
    long = "字" * 5_000  # 15,000 bytes: two of them fit into 40,000
    query = f'SELECT ?n ?t {{ VALUES ?n {{ 1 2 3 }} BIND("{long}" AS ?t) }}'
    answer = client.post("/sparql", data={"query": query})
    assert len(answer.json()["results"]["bindings"]) == 2
    assert "as many as fit" in answer.headers["x-kbgraph-cut"]
    made = query.replace("SELECT ?n ?t", "CONSTRUCT { <urn:x:s> <urn:x:p> ?t , ?n } WHERE")
    assert "x-kbgraph-cut" not in client.post("/sparql", data={"query": made}).headers  # one text, stated once


def test_a_slow_query_is_stopped_while_others_go_on(client: TestClient) -> None:
    with ThreadPoolExecutor(2) as pool:
        begun = time.monotonic()
        slow = pool.submit(ask, client, SLOW)
        time.sleep(0.5)
        quick = [ask(client, ONE).status_code for _ in range(5)]
        between = time.monotonic() - begun
        assert slow.result().status_code == 504
    assert quick == [200] * 5
    assert between < LIMITS.seconds
    assert "stopped after 4 s" in slow.result().text
    assert ask(client, ONE).status_code == 200


# -- whole graphs


def test_a_named_graph_is_read_whole(client: TestClient, site: Site) -> None:
    name = graph_of(site, DOCUMENT)
    answer = client.get("/data", params={"graph": name}, headers={"accept": "application/n-triples"})
    lines = [line for line in answer.text.splitlines() if line]
    exported = Dataset().parse(data=site.writer.export("nq"), format="nquads")
    assert len(lines) == len(exported.graph(URIRef(name))) > 50
    assert f"<{name}> <{RDF.type}> <{KB.Material}> ." in lines, "implied types are told"


def test_the_union_is_read_whole(client: TestClient, site: Site) -> None:
    found = Graph().parse(data=client.get("/data?default").text, format="turtle")
    for path in (DOCUMENT, REPORT):
        assert (URIRef(graph_of(site, path)), KB.path, Literal(path)) in found


def test_a_graph_that_is_not_there_is_not_found(client: TestClient, site: Site) -> None:
    assert client.get("/data", params={"graph": graph_of(site, "no.md")}).status_code == 404


# -- saved queries


def test_a_saved_query_is_an_address(client: TestClient) -> None:
    answer = client.get("/q/works", params={"_limit": 2, "_offset": 1})
    assert [row["work"] for row in answer.json()["rows"]] == [
        "https://arxiv.org/abs/2402.10002", "https://arxiv.org/abs/2403.10003",
    ]  # fmt: skip
    assert answer.headers["x-kbgraph-total"] == "3"
    assert "x-kbgraph-cut" not in answer.headers
    first = client.get("/q/works", params={"_limit": 1, "_format": "csv"})
    assert first.text.splitlines()[1].startswith("https://arxiv.org/abs/2401.10001,")
    assert "use _limit and _offset" in first.headers["x-kbgraph-cut"]


def test_parameters_are_checked_by_type(client: TestClient) -> None:
    answer = client.get("/q/claims-about-work", params={"work": "https://arxiv.org/abs/2402.10002"})
    assert [(row["path"], row["text"]) for row in answer.json()["rows"]] == [(DOCUMENT, "it takes no second drawing.")]
    assert "is no iri" in client.get("/q/claims-about-work", params={"work": "no iri"}).text
    assert "did you mean `works`" in client.get("/q/wroks").text


def test_every_saved_query_is_described_for_machines(client: TestClient, site: Site) -> None:
    told = client.get("/openapi.json").json()
    names = [q["name"] for q in client.get("/q", headers={"accept": "application/json"}).json()["queries"]]
    assert sorted(told["paths"]) == sorted(f"/q/{name}" for name in names)
    assert {"orphan-citation", "works", "citations"} <= set(names)
    (work, *own) = told["paths"]["/q/claims-about-work"]["get"]["parameters"]
    assert (work["name"], work["required"], work["schema"]["format"]) == ("work", True, "iri")
    assert [one["name"] for one in own] == ["_limit", "_offset", "_format"]
    lang = next(p for p in told["paths"]["/q/findings"]["get"]["parameters"] if p["name"] == "lang")
    assert lang["schema"] == {"type": "string", "enum": ["en", "zh"], "default": "en"}
    assert json.dumps(told["paths"]["/q/works"]["get"]["responses"]["200"]).count("description") >= 6
    assert site.query("works").name == "works"
