"""What the lift room says satisfies the ontology's SHACL shapes, and the shapes see what does not."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pyshacl
import pytest
from rdflib import RDF, RDFS, SH, Graph, URIRef

import kbgraph
from conftest import ROOT
from kbgraph.errors import UsageError
from kbgraph.lift import lift
from kbgraph.model.facts import Term, integer, make_facts
from kbgraph.model.finding import CheckResult, Report
from kbgraph.model.settings import Settings
from kbgraph.read import read
from kbgraph.store.shapes import violations as violations_of
from kbgraph.vocab import KB_FILE_REFERENCE, KB_LINE, RDF_TYPE
from vocabulary import KB, ONTOLOGY, graph, named
from words import heading_words, lexicon

READ = (".md", ".json", ".bib")
PREFIXES = "\n".join(f"@prefix {name}: <{space}> ." for name, space in graph().namespaces())


@cache
def shapes() -> Graph:
    return Graph().parse(ONTOLOGY / "shapes.ttl", format="turtle")


def violations(data: Graph) -> set[tuple[str, str]]:
    """Last part of the path and of the constraint of each violation."""
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes(), inference="none", advanced=False)
    assert isinstance(report, Graph)
    found = set()
    for result in report.subjects(RDF.type, SH.ValidationResult):
        path, constraint = report.value(result, SH.resultPath), report.value(result, SH.sourceConstraintComponent)
        found.add((_short(path), _short(constraint).removesuffix("ConstraintComponent")))
    return found


def _short(term: object) -> str:
    # A path that is an expression has no name.
    return str(term).replace("#", "/").rpartition("/")[2] if isinstance(term, URIRef) else ""


def lifted(root: Path) -> Graph:
    files = sorted(p for p in root.rglob("*") if p.suffix in READ and p.is_file())
    documents = (read(p.read_bytes(), p.relative_to(root).as_posix(), heading_words()) for p in files)
    facts = [lift(document, lexicon(), Settings()) for document in documents]
    lines = "".join(f"{triple} .\n" for f in facts for triple in f.triples)
    return Graph().parse(data=lines, format="nt")


@pytest.mark.parametrize("corpus", ["research-kb", "vault"])
def test_what_is_lifted_satisfies_the_shapes(corpus: str) -> None:
    data = lifted(ROOT / "examples" / corpus)
    assert len(data) > 300
    assert violations(data) == set()


@pytest.mark.parametrize("corpus", ["research-kb", "vault"])
def test_every_class_and_property_that_is_lifted_is_in_the_ontology(corpus: str) -> None:
    data = lifted(ROOT / "examples" / corpus)
    known = {*named(RDFS.Class), *named(RDF.Property)}
    assert {p for p in data.predicates() if isinstance(p, URIRef)} - known == set()
    assert {c for c in data.objects(None, RDF.type) if isinstance(c, URIRef)} - known == set()


@pytest.mark.parametrize(
    ("turtle", "expected"),
    [
        ('<urn:a> a kb:Material , kb:Note ; kb:path "/etc/passwd" .', ("path", "Pattern")),
        ('<urn:a> a kb:Material ; kb:path "a.md" .', ("", "Xone")),
        ("<urn:a> a kb:Material , kb:Note , kb:Guide .", ("", "Xone")),
        ("<urn:a> a kb:Material , kb:Note .", ("sha256", "MinCount")),
        ("<urn:a> kb:sha256 \"00\" .", ("sha256", "Pattern")),
        ('<urn:a> a kb:Secret ; kb:line 3 ; kb:masked "gh…" ; kb:asPrinted "ghsomething" .', ("asPrinted", "MaxCount")),
        ('<urn:a> a kb:Secret ; kb:line 3 ; kb:masked "plain" .', ("masked", "Pattern")),
        ("<urn:a> a doco:Section ; kb:line 0 .", ("line", "MinInclusive")),
        ('<urn:a> a c4o:InTextReferencePointer ; kb:line 1 ; kb:place "margin" .', ("place", "In")),
        ("<urn:a> kb:asserts <urn:b> ; kb:line 1 ; kb:hops 0 .", ("hops", "MinInclusive")),
        ("<urn:a> kb:asserts <urn:nothing> .", ("text", "MinCount")),
        ("<urn:a> kb:quantityOf <urn:b> ; schema:minValue 3.0 ; schema:maxValue 2.0 .", ("minValue", "LessThanOrEquals")),  # noqa: E501
        ("<urn:a> a kb:FileReference ; kb:line 1 .", ("", "MinCount")),
        ('<urn:a> a kb:DeclaredCount ; schema:value "six" .', ("value", "Datatype")),
        ("<urn:a> a kb:Round .", ("manifest", "MinCount")),
    ],
)  # fmt: skip
def test_a_shape_sees_what_is_wrong(turtle: str, expected: tuple[str, str]) -> None:
    assert expected in violations(Graph().parse(data=f"{PREFIXES}\n{turtle}", format="turtle"))


@pytest.mark.parametrize(
    "turtle",
    [
        '<urn:a> a kb:Material , kb:Note ; kb:path "/etc/passwd" .',
        "<urn:a> a doco:Section ; kb:line 0 .",
        "<urn:a> kb:asserts <urn:nothing> ; kb:line 1 ; kb:hops 0 .",
        "<urn:a> kb:quantityOf <urn:b> ; schema:minValue 3.0 ; schema:maxValue 2.0 .",
        '<urn:a> a kb:DeclaredCount ; schema:value "six" .',
        "<urn:a> a kb:FileReference ; kb:line 1 .",
        "<urn:a> a kb:Unknown .",
    ],
)
def test_both_engines_find_the_same(turtle: str) -> None:
    text = f"{PREFIXES}\n{turtle}"
    ours = violations_of([text], (ONTOLOGY / "shapes.ttl").read_bytes())
    named = {(_short(URIRef(one.property) if "(" not in one.property else ""), one.constraint) for one in ours}
    assert named == violations(Graph().parse(data=text, format="turtle"))


def test_a_graph_that_breaks_a_shape_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "kbgraph.toml").write_text('name = "t"', "utf-8")
    (tmp_path / "a.md").write_text("# A\n\n- 前缀缓存把首字延迟降低 40%。\n", "utf-8")
    with kbgraph.open(tmp_path, store="memory:") as kb:
        kb.sync()
        assert kb.held(Report()).checks == (
            CheckResult("shape-violation", "clean", title={"en": "Graph against its shapes", "zh": "图不合形状约束"}),
        )
        graph = Term("<urn:kb:t:a.md>")
        told = [f"{s} {p} {o}" for s, p, o, _ in kb.store.match(g=graph)]
        told += [f"{graph[:-1]}#x-9> {RDF_TYPE} {KB_FILE_REFERENCE}", f"{graph[:-1]}#x-9> {KB_LINE} {integer(3)}"]
        kb.store.replace([make_facts(graph, told)])
        report = kb.held(Report())
    assert report.checks[0].outcome == "findings"
    assert [(f.path, f.line, f.key, f.focus) for f in report.findings] == [
        ("a.md", 3, "MinCount", "urn:kb:t:a.md#x-9"), ("a.md", 3, "MinCount", "urn:kb:t:a.md#x-9"),
    ]  # fmt: skip


def test_without_the_engine_the_mend_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shacl", None)
    with pytest.raises(UsageError) as told:
        violations_of([], b"")
    assert told.value.mend == "install it: pip install 'kbgraph[shapes]'"


def test_shapes_speak_of_terms_that_exist() -> None:
    known = {*named(RDFS.Class), *named(RDF.Property)}
    used = {o for p in (SH.targetClass, SH["class"], SH.path) for o in shapes().objects(None, p)}
    assert {term for term in used if isinstance(term, URIRef) and term.startswith(KB)} - known == set()
