"""Classes that no rdf:type states are asked for by the property that tells them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rdflib import Dataset, URIRef
from rdflib.query import ResultRow

import kbgraph
from kbgraph.ask.implied import stated, unseen

KB = "PREFIX kb: <https://w3id.org/kbgraph/ns#> "
ASSERTS = "<https://w3id.org/kbgraph/ns#asserts>"
TEXT = "<https://schema.org/text>"
SHA = "<https://w3id.org/kbgraph/ns#sha256>"
RDF = "PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> "


@pytest.mark.parametrize(
    ("asked", "stands"),
    [
        ("SELECT ?c { ?c a kb:Claim }", f"SELECT ?c {{ ?c {TEXT} ?_impliedN }}"),
        ("SELECT ?c { ?c a kb:Claim ; kb:x ?y . }", f"SELECT ?c {{ ?c {TEXT} ?_impliedN ; kb:x ?y . }}"),
        ("ASK { [] a kb:EvidenceLine }", f"ASK {{ [] {ASSERTS} ?_impliedN }}"),
        ("ASK { ?x a kb:Note }", "ASK { ?x a kb:Note }"),
        ("ASK { ?x a kb:Material, kb:Note }", f"ASK {{ ?x {SHA} ?_impliedN; a kb:Note }}"),
        ("ASK { ?x a kb:Note, kb:Material }", f"ASK {{ ?x a kb:Note; {SHA} ?_impliedN }}"),
        ("ASK { ?x a kb:Note, kb:Material, kb:Guide }", f"ASK {{ ?x a kb:Note; {SHA} ?_impliedN; a kb:Guide }}"),
        ("ASK { ?x kb:scope kb:Material }", "ASK { ?x kb:scope kb:Material }"),
        ("ASK { ?x a kb:Note ; kb:scope kb:Material }", "ASK { ?x a kb:Note ; kb:scope kb:Material }"),
        ('ASK { ?x kb:text "a kb:Claim" }', 'ASK { ?x kb:text "a kb:Claim" }'),
        ("ASK { VALUES ?c { kb:Claim } ?x a ?c }", "ASK { VALUES ?c { kb:Claim } ?x a ?c }"),
        (
            "CONSTRUCT { ?x a kb:Claim } WHERE { ?x a kb:Claim }",
            f"CONSTRUCT {{ ?x a kb:Claim }} WHERE {{ ?x {TEXT} ?_impliedN }}",
        ),
        ("CONSTRUCT WHERE { ?x a kb:Claim }", "CONSTRUCT WHERE { ?x a kb:Claim }"),
        ("ASK { ?x kb:path|a kb:Claim }", "ASK { ?x kb:path|a kb:Claim }"),
    ],
)
def test_what_stands_for_a_class(asked: str, stands: str) -> None:
    made = stated(KB + asked).removeprefix(KB)
    made = re.sub(r"_implied\d+", "_impliedN", made)
    assert " ".join(made.replace("; ", ";").split()) == " ".join(stands.replace("; ", ";").split())


def test_rdf_type_may_be_written_in_any_way() -> None:
    for verb in ("rdf:type", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"):
        assert TEXT in stated(f"{KB}{RDF}ASK {{ ?x {verb} <https://w3id.org/kbgraph/ns#Claim> }}")


def test_the_rewritten_query_finds_what_the_ontology_implies() -> None:
    data = Dataset(default_union=True)
    graph = data.graph(URIRef("urn:g"))
    facts = '<urn:e> kb:asserts <urn:c> . <urn:c> schema:text "x" . <urn:n> a kb:Note .'
    prefixes = "@prefix kb: <https://w3id.org/kbgraph/ns#> . @prefix schema: <https://schema.org/> ."
    graph.parse(data=f"{prefixes} {facts}")
    found = data.query(stated(f"{KB}SELECT ?c ?e {{ ?c a kb:Claim . ?e a kb:EvidenceLine ; kb:asserts ?c }}"))
    assert [(str(row["c"]), str(row["e"])) for row in found if isinstance(row, ResultRow)] == [("urn:c", "urn:e")]


def test_exports_and_rdflib_see_every_class(tmp_path: Path) -> None:
    (tmp_path / "kbgraph.toml").touch()
    (tmp_path / "a.md").write_text("# A\n\n- 前缀缓存把首字延迟降低 40%。\n", "utf-8")
    kb = kbgraph.open(tmp_path, store="memory:")
    kb.sync()
    lines = kb.export("nq").splitlines()
    classes = [line.split(" ")[2].rpartition("/")[2].strip(">") for line in lines if "#type>" in line]
    assert sorted(classes) == sorted(
        ["ns#Claim", "ns#EvidenceLine", "ns#Material", "ns#Note", "QuantitativeValue", "Section"]
    )
    assert lines == sorted(set(lines))
    stated = kb.select("SELECT (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } }").rows[0][0]
    assert len(lines) == len(kb.rdflib()) == int(str(stated)) + 4
    asked = kb.rdflib().query(f"{KB}SELECT ?c {{ ?c a kb:Claim }}")
    assert len(list(asked)) == 1
    assert sum(text.count("Claim") for text in (kb.export("ttl"), kb.export("trig"))) >= 2


def test_a_claim_is_counted_once_however_often_a_file_says_it(tmp_path: Path) -> None:
    (tmp_path / "kbgraph.toml").touch()
    (tmp_path / "a.md").write_text(
        "# A\n\n- 前缀缓存把首字延迟降低 40%。\n\n## B\n\n- 前缀缓存把首字延迟降低 40%。\n", "utf-8"
    )
    kb = kbgraph.open(tmp_path, store="memory:")
    kb.sync()
    asked = [f"{KB}SELECT (COUNT(?x) AS ?n) {{ ?x a {name} }}" for name in ("kb:Claim", "kb:EvidenceLine")]
    counted = [kb.query(one).rows[0][0] for one in asked]
    assert counted == [1, 2]
    assert len(list(kb.rdflib().query(f"{KB}SELECT ?c {{ ?c a kb:Claim }}"))) == 1
    # A literal is no subject: rdflib may ask for one, and gets nothing.
    assert list(kb.rdflib().query(f"{KB}SELECT ?x {{ ?x kb:path/kb:line ?z }}")) == []


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("SELECT ?x { VALUES ?t { kb:Claim } ?x a ?t }", ["kb:Claim"]),
        ("CONSTRUCT WHERE { ?x a kb:Claim }", ["kb:Claim"]),
        ("SELECT ?x { ?x a kb:Claim, kb:EvidenceLine }", []),
        ("SELECT ?x { ?x a kb:Note }", []),
    ],
)
def test_a_class_that_cannot_be_seen_is_told(asked: str, names: list[str]) -> None:
    assert unseen(KB + asked) == names
