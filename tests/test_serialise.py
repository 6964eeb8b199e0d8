"""Every text form of the graph reads back equal, in rdflib and in Oxigraph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

import pytest
from rdflib import Dataset, Graph

from kbgraph.model import facts as make
from kbgraph.model.facts import Term
from kbgraph.model.ntriples import parts, split_quad
from kbgraph.store import open_store
from kbgraph.store.oxigraph import parse_quads, parse_turtle
from kbgraph.store.rdf import spell
from kbgraph.store.serialise import Triple, jsonld, short, trig, turtle

KB = "https://w3id.org/kbgraph/ns#"
NAMES = (
    "v1.0..md", "-dash.md", "a(b)&c.md", "001.md", "papers/2401.10001.md", "a b.md", "a%20b.md", "C#.md", "what?.md",
    "中文 笔记.md", "🚀.md", "apos'.md", "a,b;c=d.md", "@x.md", "$x!*+.md", "_x", ".x", "x-", "x:y",
    "quote\".md", "new\nline.md",
)  # fmt: skip
TEXTS = (
    "bell\x07 eof\x1a feed\x0c del\x7f next\x85 line\u2028 zero\u200b odd\ufffe tab\t end\r\n",
    "quote\"''' back\\ \\u0022", "🎉 中文", "", '"^^<urn:x>', '"@zh', "ends in \\",
)  # fmt: skip


def quads() -> list[tuple[Term, Term, Term, Term]]:
    """One graph a hostile name and hostile texts of every kind of literal."""
    found = []
    for name in NAMES:
        iri = make.iri("urn:kb:t:" + make.segment(name))
        found.append((iri, Term(f"<{KB}sha256>"), make.text("0"), iri))
        found.append((iri, Term("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"), Term(f"<{KB}Note>"), iri))
        found.append((iri, Term("<urn:p>"), make.iri("https://schema.org/foo/bar.baz"), iri))
    one = make.iri("urn:kb:t:one")
    for text in TEXTS:
        found += [(one, Term(f"<{KB}a.b>"), term, one) for term in (make.text(text), make.tagged(text, "zh-Hans"))]
    found += [
        (one, Term(f"<{KB}n>"), term, one) for term in (make.integer(-3), make.decimal("1.5"), make.boolean(True))
    ]
    store = open_store("memory:")
    store.load([make.make_facts(g, [f"{s} {p} {o}" for s, p, o, _ in of]) for g, of in groupby(found, lambda q: q[3])])
    return sorted(map(split_quad, store.dump()), key=lambda q: (q[3], *q[:3]))


def graphs() -> Iterator[tuple[Term, Iterable[Triple]]]:
    """The quads by graph."""
    for name, of in groupby(quads(), lambda q: q[3]):
        yield name, [q[:3] for q in of]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # rdflib's parser uses what rdflib deprecates
@pytest.mark.parametrize(("write", "form"), [(trig, "trig"), (jsonld, "json-ld")])
def test_quads_read_back_equal(write: Callable[[object], Iterator[str]], form: str) -> None:
    text = "".join(write(graphs()))
    data = Dataset(default_union=False)
    data.parse(data=text, format=form)
    assert {tuple(map(spell, quad)) for quad in data.quads()} == set(quads())
    suffix = {"trig": "trig", "json-ld": "jsonld"}[form]
    assert set(parse_quads(text.encode(), suffix)) == set(quads())


def test_turtle_reads_back_equal() -> None:
    triples = sorted({q[:3] for q in quads()})
    text = "".join(turtle(triples))
    graph = Graph()
    graph.parse(data=text, format="turtle")
    assert sorted(tuple(map(spell, triple)) for triple in graph) == triples
    assert sorted(parse_turtle(text)) == sorted(" ".join(triple) for triple in triples)


def test_turtle_is_readable() -> None:
    name = Term("<urn:kb:t:a.md>")
    triples = [
        (name, Term("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"), Term(f"<{KB}Note>")),
        (name, Term(f"<{KB}line>"), make.integer(3)),
        (name, Term(f"<{KB}line>"), make.integer(4)),
    ]
    expected = '<urn:kb:t:a.md> a kb:Note ;\n    kb:line "3"^^xsd:integer , "4"^^xsd:integer .\n'
    assert "".join(turtle(triples)).split("\n\n", 1)[1] == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (f"<{KB}a.b>", f"<{KB}a.b>"), (f"<{KB}a-b>", "kb:a-b"), (f"<{KB}>", f"<{KB}>"), (f"<{KB}-a>", f"<{KB}-a>"),
        ("<https://schema.org/foo/bar>", "<https://schema.org/foo/bar>"), ("<https://schema.org/text>", "schema:text"),
        ("<urn:kb:t:a.md>", "<urn:kb:t:a.md>"), ('"x"@zh', '"x"@zh'), ('"<a>"', '"<a>"'),
        ('"a\\"^^<urn:x>"', '"a\\"^^<urn:x>"'),
        ('"3"^^<http://www.w3.org/2001/XMLSchema#date>', '"3"^^xsd:date'),
    ],
)  # fmt: skip
def test_only_safe_names_are_shortened(term: str, expected: str) -> None:
    assert short(term) == expected


def test_nothing_to_write_is_still_a_document() -> None:
    assert list(parse_quads("".join(trig([])).encode(), "trig")) == []
    assert list(parse_quads("".join(jsonld([])).encode(), "jsonld")) == []
    assert parse_turtle("".join(turtle([]))) == ()


def test_a_broken_text_says_where() -> None:
    with pytest.raises(ValueError, match="line 2"):
        parse_turtle("<urn:a> <urn:b> <urn:c> .\n<urn:a> broken")
    with pytest.raises(ValueError, match="docx"):
        list(parse_quads(b"", "docx"))


def test_default_graph_has_no_name() -> None:
    assert list(parse_quads(b"<urn:a> <urn:b> 1 .", "trig")) == [
        (Term("<urn:a>"), Term("<urn:b>"), make.integer(1), Term(""))
    ]
    assert parts(make.integer(1)).value == "1"
