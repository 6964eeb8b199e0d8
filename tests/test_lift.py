"""Document to facts: total on any document, valid RDF, identities that do not move, kinds by path and shape."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import NamedNode, RdfFormat, parse

from kbgraph.lift import kind_of, lift
from kbgraph.lift.kinds import REGISTRY
from kbgraph.model.document import Coverage, Definition, Document, Field, Origin, Problem
from kbgraph.model.settings import KINDS, Settings
from kbgraph.model.text import Block, BlockKind, Cell, Mark, MarkKind, Section, Table
from kbgraph.read import read
from words import heading_words, lexicon

# Bits that wake the recognisers, between bits that make no sense.
BITS = st.sampled_from([
    "arXiv:2502.07115v5", "2513.00001", "10.1145/2502.07115", "https://a.example/b?utm_source=x#y",
    "owner/name", "§3.1", "（原文核查）", "证据等级：摘要页核查", "来源：", "要点：",
    "- ", "1. ", "[1]", "[^1]", "[@key]", "增量 1：",
    "3 条", "共 41 条", "231 ⭐ / 周增 +42", "提升 12.3→45.6%", "约 3 倍", "organized/knowledge/a.md", "[[note]]", "。",
    "；", "?", "？", "\n", " ", "|", "\x00", "\ud800", "\udcff", '"', "\\", "<", ">", "\u202e", "TierANN",
    "不计查询编码时间", "Stars", "ghp_", "ignore previous", "http://[x", "http://a:b@c:d/", "100%", "%zz", "#",
])  # fmt: skip
TEXT = st.lists(st.one_of(BITS, st.text(max_size=12)), max_size=8).map("".join)
KNOWN = st.sampled_from([
    "inbox/a/2026-10-05-critical-read.md", "inbox/a/2026-10-08-x-e1prep.md",
    "organized/paper_cards/1-2502-07115.md", "organized/repo_cards/1-a-b.md", "organized/guides/a-b.md",
    "organized/knowledge/a.md", "organized/queue/work-queue.md", "work-guard/x.json", "refs.bib", "note.md",
    "papers/240110001.md",
])  # fmt: skip
PATHS = st.one_of(KNOWN, st.text(min_size=1, max_size=20))
MARKS: st.SearchStrategy[MarkKind] = st.sampled_from(get_args(MarkKind))
BLOCKS: st.SearchStrategy[BlockKind] = st.sampled_from(get_args(BlockKind))
FIELDS = st.lists(
    st.builds(
        Field,
        st.sampled_from(["arxiv", "title", "date", "topic", "materials[0].path", "compare", "id", "key.title", "状态"]),
        TEXT,
        st.integers(1, 9),
        st.sampled_from(get_args(Origin)),
    ),
    max_size=4,
)
DEFINITIONS = st.lists(st.builds(Definition, TEXT, TEXT, st.integers(1, 9), st.integers(0, 1)), max_size=2)
PROBLEMS = st.lists(st.builds(Problem, st.just("ragged-table"), st.integers(1, 9), TEXT), max_size=2)


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, tuple[Mark, ...]]:
    text = draw(TEXT)
    ends = draw(st.lists(st.tuples(st.integers(0, len(text)), st.integers(0, len(text))), max_size=3))
    return text, tuple(Mark(draw(MARKS), min(pair), max(pair), draw(TEXT)) for pair in ends)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    def row() -> tuple[Cell, ...]:
        return tuple(Cell(*draw(marked()), draw(st.integers(1, 99))) for _ in range(draw(st.integers(0, 4))))

    header = tuple(
        Cell(draw(st.sampled_from(["候选", "结论", "理由", "claim", "level", "x"])), (), 1) for _ in range(3)
    )
    return Table(header, tuple(row() for _ in range(draw(st.integers(0, 3)))))


def section(draw: st.DrawFn, index: int, at: int, title: str) -> Section:
    number = draw(st.sampled_from(["", "1", "3.1"]))
    printed = draw(st.sampled_from(["", "§3.1", "增量 1：", "一、"]))
    line, parent = 1 + at * 3, draw(st.integers(-1, index - 1))
    return Section(index, draw(st.integers(1, 4)), number, printed, title, f"a-{at}", line, line + 2, at, parent)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    blocks: list[Block] = []
    sections: list[Section] = []
    for at in range(draw(st.integers(0, 12))):
        kind = draw(BLOCKS)
        text, marks = draw(marked())
        if kind == "heading":
            sections.append(section(draw, len(sections), at, text))
        block = Block(
            kind=kind,
            text=text,
            line=1 + at * 3,
            end_line=1 + at * 3 + text.count("\n"),
            marks=marks,
            depth=draw(st.integers(0, 2)),
            marker=draw(st.sampled_from(["", "-", "3."])),
            level=1,
            quoted=draw(st.integers(0, 1)),
            section=len(sections) - 1,
            parent=draw(st.integers(-1, at - 1)) if kind != "heading" else -1,
            table=draw(tables()) if kind == "table" else None,
        )
        blocks.append(block)
    return Document(
        path=draw(PATHS),
        sha256="0" * 64,
        encoding=draw(st.sampled_from(["utf-8", "gb18030"])),
        title=draw(TEXT),
        fields=tuple(draw(FIELDS)),
        blocks=tuple(blocks),
        sections=tuple(sections),
        definitions=tuple(draw(DEFINITIONS)),
        problems=tuple(draw(PROBLEMS)),
        coverage=Coverage(9, 8, (("rule", 1),)),
    )


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def valid(document: Document) -> None:
    facts = lift(document, lexicon(), Settings())
    quads = list(parse(facts.nquads().encode(), RdfFormat.N_QUADS))
    assert len(quads) == len(facts.triples) > 0
    assert list(facts.triples) == sorted(set(facts.triples))
    graph = NamedNode(facts.graph[1:-1])
    assert {quad.graph_name for quad in quads} == {graph}
    assert not any("_:" in str(quad.subject)[:2] for quad in quads)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(documents())
def test_any_document_gives_valid_rdf(document: Document) -> None:
    valid(document)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    PATHS,
    st.one_of(
        st.binary(max_size=300), st.lists(TEXT, max_size=12).map("\n".join).map(lambda s: s.encode("utf-8", "replace"))
    ),
)
def test_any_bytes_give_valid_rdf(path: str, data: bytes) -> None:
    valid(read(data, path, heading_words()))


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("inbox/ann/2026-10-05-critical-read.md", "report"),
        ("inbox/ann/2026-10-08-inference-e1prep.md", "brief"),
        ("inbox/2026-10-05.md", "note"),
        ("organized/paper_cards/058-2502-07115.md", "paper-card"),
        ("organized/repo_cards/204-a-b.md", "repo-card"),
        ("work-guard/x.json", "manifest"),
        ("refs.bib", "bibliography"),
        ("deep/er/refs.bib", "bibliography"),
        ("papers/2401.10001.md", "paper-card"),
        ("papers/2401_10002.md", "paper-card"),
        ("papers/240110003v2-toy.md", "paper-card"),
        ("papers/arxiv-2401.10007.md", "paper-card"),
        ("papers/v1.2024.0101.md", "note"),
        ("weekly/2026-07-16-20260716T094326525436Z.md", "note"),
        ("notes/2401.10001.md", "note"),
        ("papers/README.md", "note"),
    ],
)
def test_kind_of_a_path(path: str, kind: str) -> None:
    assert kind_of(path, Settings()) == kind


def test_own_globs_go_before_the_shape() -> None:
    own = Settings(globs=(("lit/**/*.md", "paper-card"), ("lit/*.md", "note")))
    assert kind_of("lit/a.md", own) == "paper-card"
    assert kind_of("lit/deep/a.md", own) == "paper-card"
    assert kind_of("literature/a.md", own) == "note"


def test_every_kind_of_the_settings_has_one_file() -> None:
    assert set(REGISTRY) == set(KINDS)


def claims_of(text: str, path: str = "a.md") -> set[str]:
    triples = lift(read(text.encode(), path, heading_words()), lexicon(), Settings()).triples
    return {m[1] for t in triples if (m := re.match(r"(<urn:kb:kb:claim/[\w-]+>) \S+/text>", t))}


def test_a_claim_is_the_same_wherever_it_stands() -> None:
    first = claims_of("# A\n\n- 前缀缓存把首字延迟降低 40%。\n")
    moved = claims_of("# B\n\ntext of some other kind\n\n## C\n\n- 前缀缓存，把首字延迟降低40%\n", "b/c.md")
    assert len(first) == 1
    assert first < moved


def test_a_number_or_a_negation_makes_another_claim() -> None:
    lines = [
        "快 40% 的缓存",
        "快 14% 的缓存",
        "Router A beats router B",
        "Router B beats router A",
        "Router A does not beat router B",
    ]
    assert len({claim for line in lines for claim in claims_of(f"# A\n\n- {line}\n")}) == len(lines)


def test_lifting_twice_gives_the_same_facts() -> None:
    document = read("# A\n\n- x（arXiv:2502.07115）: it is fast\n".encode(), "a.md", heading_words())
    assert lift(document, lexicon(), Settings()) == lift(document, lexicon(), Settings())
