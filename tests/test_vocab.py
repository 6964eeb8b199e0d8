"""The ontology and the names used in code and queries hold one another, both ways."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from rdflib import RDF, RDFS, SKOS, XSD, Literal, URIRef

from conftest import Golden
from kbgraph import vocab
from kbgraph.model.lexicon import fold
from vocabulary import (
    KB,
    LANGUAGES,
    ONTOLOGY,
    ROOT,
    STORED,
    concepts,
    curie,
    graph,
    named,
    readme,
    terms,
    texts,
    vocab_py,
)  # fmt: skip

CODE = sorted(p for p in (ROOT / "kbgraph").rglob("*.py") if p.name != "vocab.py")
QUERIES = sorted((ROOT / "queries").rglob("*.rq"))
# `kb:name` and the namespace spelled out; `kb:section-…` and other names cut short in prose are left alone.
_USED = re.compile(r"(?:(?<![:\w])kb:|w3id\.org/kbgraph/ns#)([A-Za-z][\w-]*)(?![\w…-])")
_CONSTANT = re.compile(r"\b(?:vocab\.)?(KB_[A-Z0-9_]+)\b")
KINDS = {RDFS.Class: "class", RDF.Property: "property", SKOS.ConceptScheme: "scheme"}


def defined() -> set[str]:
    """Local names of all kb: terms of the ontology."""
    return {str(s).removeprefix(KB) for s in graph().subjects(RDF.type) if str(s).startswith(KB)}


def used(path: Path) -> Iterator[str]:
    """Local names of kb: terms in a file. A Python file may also build a name of a stored concept."""
    return (m[1] for m in _USED.finditer(path.read_text(encoding="utf-8")) if m[1] not in {"name", "ns"})


def test_vocab_is_written_from_the_ontology(golden: Golden) -> None:
    golden(ROOT / "kbgraph" / "vocab.py", vocab_py())


def test_readme_is_written_from_the_ontology(golden: Golden) -> None:
    golden(ONTOLOGY / "README.md", readme())


def test_constants_are_unique_and_n_triples() -> None:
    names = Counter(name for name, _ in terms())
    assert [name for name, times in names.items() if times > 1] == []
    assert vocab.KB_CLAIM == "<https://w3id.org/kbgraph/ns#Claim>"
    assert vocab.KB_MANIFEST == "<https://w3id.org/kbgraph/ns#Manifest>"
    assert vocab.KB_MANIFEST_P == "<https://w3id.org/kbgraph/ns#manifest>"
    assert vocab.KB_LEVEL_SECOND_HAND == "<https://w3id.org/kbgraph/ns#level-second-hand>"
    assert vocab.RDF_TYPE == "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


@pytest.mark.parametrize("path", CODE + QUERIES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_name_in_code_and_queries_is_in_the_ontology(path: Path) -> None:
    assert sorted(set(used(path)) - defined()) == []


def test_every_constant_used_exists() -> None:
    words = {m[1] for path in CODE for m in _CONSTANT.finditer(path.read_text(encoding="utf-8"))}
    assert sorted(name for name in words if not hasattr(vocab, name)) == []


@pytest.mark.parametrize("kind", KINDS, ids=KINDS.values())
def test_every_term_has_label_and_comment_in_both_languages(kind: URIRef) -> None:
    bad = [
        curie(t)
        for t in named(kind)
        if any(set(texts(t, about)) != set(LANGUAGES) for about in (RDFS.label, RDFS.comment))
    ]
    assert bad == []


def test_every_concept_has_one_preferred_label_in_each_language() -> None:
    all_concepts = named(SKOS.Concept)
    assert [curie(c) for c in all_concepts if len(list(graph().objects(c, SKOS.prefLabel))) != 2] == []
    assert [curie(c) for c in all_concepts if set(texts(c, SKOS.prefLabel)) != set(LANGUAGES)] == []


@pytest.mark.parametrize("scheme", STORED)
def test_concepts_that_are_stored_say_what_they_mean(scheme: str) -> None:
    assert [curie(c) for c in concepts(scheme) if set(texts(c, SKOS.definition)) != set(LANGUAGES)] == []


def test_every_own_property_has_domain_and_range_that_exist() -> None:
    known = {*named(RDFS.Class), RDFS.Resource, XSD.string, XSD.integer, XSD.decimal, XSD.boolean, XSD.date}
    for term in (t for t in named(RDF.Property) if t.startswith(KB)):
        ends = [list(graph().objects(term, p)) for p in (RDFS.domain, RDFS.range)]
        assert [len(end) for end in ends] == [1, 1], curie(term)
        assert [e for end in ends for e in end if e not in known] == [], curie(term)


def test_a_concept_is_named_after_its_scheme() -> None:
    for concept in named(SKOS.Concept):
        schemes = [str(s) for s in graph().objects(concept, SKOS.inScheme)]
        assert len(schemes) == 1, curie(concept)
        scheme = schemes[0].rpartition("#scheme-")[2]
        assert curie(concept).startswith(f"kb:{scheme}-")
        assert (KB[f"scheme-{scheme}"], RDF.type, SKOS.ConceptScheme) in graph()


def labels_of(concept: URIRef) -> set[str]:
    both = (*graph().objects(concept, SKOS.prefLabel), *graph().objects(concept, SKOS.altLabel))
    return {fold(str(label)) for label in both}


@pytest.mark.parametrize("scheme", named(SKOS.ConceptScheme), ids=lambda s: str(s).rpartition("#scheme-")[2])
def test_a_label_names_one_concept_of_its_scheme(scheme: URIRef) -> None:
    name = str(scheme).rpartition("#scheme-")[2]
    if name == "contrast":  # one word may stand in several sets; within one set it may not
        sets = {graph().value(c, SKOS.broader) for c in concepts(name)} - {None}
        groups = [[c for c in concepts(name) if graph().value(c, SKOS.broader) == one] for one in sets]
    else:
        groups = [concepts(name)]
    for group in groups:
        times = Counter(label for concept in group for label in labels_of(concept))
        assert [label for label, n in times.items() if n > 1] == []


def test_contrast_sets_have_at_least_two_members() -> None:
    members = Counter(graph().value(c, SKOS.broader) for c in concepts("contrast"))
    assert [str(one) for one, n in members.items() if one and n < 2] == []


def test_levels_have_ranks_from_original_to_none() -> None:
    ranks = {str(c).rpartition("#level-")[2]: graph().value(c, KB.rank) for c in concepts("level")}
    ordered = sorted(ranks, key=lambda name: -int(str(ranks[name])))
    assert ordered == [
        "original-checked", "rerun-here", "abstract-page", "card-abstract", "excerpt", "self-reported", "simulated",
        "second-hand", "conjecture", "none",
    ]  # fmt: skip
    assert len(set(ranks.values())) == len(ranks)


@pytest.mark.parametrize("scheme", ["magnitude", "numeral"])
def test_values_of_numbers_are_numbers(scheme: str) -> None:
    values = {str(c).rpartition("#")[2]: graph().value(c, KB.value) for c in concepts(scheme)}
    assert [name for name, value in values.items() if value is None or float(str(value)) < 0] == []


@pytest.mark.parametrize("scheme", ["unit", "approx", "quantifier", "modality", "condition", "direction", "priority"])
def test_words_with_a_class_have_a_value(scheme: str) -> None:
    assert [curie(c) for c in concepts(scheme) if not isinstance(graph().value(c, KB.value), Literal)] == []
