"""The catalogue of saved queries is generated, whole and current; case files are its examples."""

from __future__ import annotations

import re

import pytest

from conftest import ROOT, Golden
from kbgraph.ask.cases import difference, finding_rows, parse_cases, shown, table_rows, unknown_columns
from kbgraph.ask.catalogue import catalogue, first_case, page
from kbgraph.ask.explain import term_page, terms
from kbgraph.ask.faults import parse_fault
from kbgraph.ask.findings import findings
from kbgraph.ask.header import parse_query
from kbgraph.ask.names import FOLDERS
from kbgraph.errors import QueryError
from kbgraph.model.fault import Fault
from kbgraph.model.prefixes import NS, PREFIXES
from kbgraph.model.query import Cell, SavedQuery, Table
from kbgraph.store.oxigraph import parse_turtle
from rq import CHECK

RDFS, SKOS = PREFIXES["rdfs"], PREFIXES["skos"]

CASE = """\
# One that fires (fires)

## file k/a.md

````md
# A heading that is none

```sh
## neither
```
````

## params

```
file=k/a.md
```

## expect findings

| path | line | key | message |
| --- | --- | --- | --- |
| k/a.md | 5 | arXiv:2401.00001 | a \\| b |

# Another (quiet)

## file k/b.md

```bytes
caf\\xe9\\r\\n
```

## expect rows

| path | entry |
| --- | --- |
"""


def shipped() -> list[SavedQuery]:
    """All shipped queries."""
    return [
        parse_query(path.read_text("utf-8"), path.stem, kind, "shipped")
        for kind, folder in FOLDERS.items()
        for path in sorted((ROOT / "queries" / folder).glob("*.rq"))
    ]


def faults() -> list[Fault]:
    """All shipped kinds of faults."""
    folder = ROOT / "queries" / "faults"
    return [parse_fault(path.read_text("utf-8"), path.stem, "shipped") for path in sorted(folder.glob("*.rq"))]


def examples() -> dict[str, str]:
    """Text of each query's case file by name."""
    cases = (path for folder in FOLDERS.values() for path in (ROOT / "tests" / "cases" / folder).glob("*.md"))
    return {path.stem: path.read_text("utf-8") for path in cases}


def test_the_catalogue_is_current(golden: Golden) -> None:
    golden(ROOT / "queries" / "README.md", catalogue(shipped(), examples(), faults()))


def test_the_catalogue_names_every_query_once() -> None:
    text = catalogue(shipped(), {})
    heads = re.findall(r"^### (\S+)$", text, re.MULTILINE)
    assert sorted(heads) == sorted([*(query.name for query in shipped()), "expired-waiver", "unused-waiver"])
    assert all(f"](#{name})" in text for name in heads)


def test_a_page_says_all_that_the_header_says() -> None:
    query = parse_query(CHECK, "not-cited", "check", "shipped")
    assert page(query, CASE) == (
        "# not-cited\n\n"
        "**Listed and not cited**. Entries without a pointer.\n\nWhy: It is forgotten.\n\nMend: Cite it.\n\n"
        "**列了没有引用**。没有指针的条目。\n\n缘由: 它被忘了。\n\n处理: 引用它。\n\n"
        "<sub>severity: error · tags: citations · since: 0.1.0 · "
        "columns: `entry`, `key`, `path`, `line`, `n`</sub>\n\n"
        "- `-p file=…` path, optional, like `organized/knowledge/inference.md`: One file · 一个文件\n\n"
        "## Example: One that fires (fires)\n\n" + first_case(CASE)[1]
    )


def test_the_first_case_is_shown_and_fenced_text_left_alone() -> None:
    title, body = first_case(CASE)
    assert title == "One that fires (fires)"
    assert "**file k/a.md**\n" in body
    assert "# A heading that is none\n" in body
    assert "## neither\n" in body
    assert "Another" not in body
    assert first_case("no case at all") == ("", "")


def test_cases_are_read() -> None:
    one, two = parse_cases(CASE, "c.md")
    assert (one.title, one.line, two.title) == ("One that fires (fires)", 1, "Another (quiet)")
    assert one.files == {"k/a.md": b"# A heading that is none\n\n```sh\n## neither\n```\n"}
    assert one.params == {"file": "k/a.md"}
    assert one.expects == [
        ("findings", ("path", "line", "key", "message"), (("k/a.md", "5", "arXiv:2401.00001", "a | b"),))
    ]
    assert two.files == {"k/b.md": b"caf\xe9\r\n"}
    assert two.expects == [("rows", ("path", "entry"), ())]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("# One", "One", "c.md:3: a part before the first scenario"),
        ("## params", "## parameters", "c.md:13: `## parameters`"),
        ("````\n", "", "c.md:5: a fence that is never closed"),
        ("caf\\xe9", "caf\\xe", "c.md:27: not the inside of a bytes literal"),
        ("| --- | --- | --- | --- |", "| --- |", "c.md:19: no table, or a row of another width"),
        ("## expect rows\n\n| path | entry |\n| --- | --- |\n", "", "c.md:25: a scenario that expects nothing"),
        ("````md", "text", "c.md:5: no fenced block"),
    ],
)
def test_broken_cases_are_told_with_line_and_mend(old: str, new: str, told: str) -> None:
    assert old in CASE
    with pytest.raises(QueryError) as caught:
        parse_cases(CASE.replace(old, new, 1), "c.md")
    assert caught.value.message == told
    assert caught.value.mend


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("https://w3id.org/kbgraph/ns#level-none", "kb:level-none"),
        ("http://purl.org/dc/terms/title", "dcterms:title"),
        ("urn:kb:t:k/a.md#b-1", ":k/a.md#b-1"),
        ("https://arxiv.org/abs/2401.00001", "https://arxiv.org/abs/2401.00001"),
        ("https://w3id.org/kbgraph/ns#a/b", "https://w3id.org/kbgraph/ns#a/b"),
        ("two\nlines", "two\\nlines"),
        (None, ""),
        (True, "true"),
        (0.5, "0.5"),
    ],
)
def test_cells_in_cases(cell: Cell, text: str) -> None:
    assert shown(cell, "urn:kb:t:") == text


def test_answers_are_projected_and_compared() -> None:
    query = parse_query(CHECK, "not-cited", "check", "shipped")
    table = Table(("entry", "key", "path", "line", "n"), (("urn:kb:t:k/a.md#b-1", "x", "k/a.md", 5, 0),), 1, query)
    assert table_rows(table, ("line", "entry"), "urn:kb:t:") == (("5", ":k/a.md#b-1"),)
    found = findings(query, table)
    assert finding_rows(found, ("path", "key", "message"), "urn:kb:t:") == (("k/a.md", "x", "x is not cited"),)
    one, _ = parse_cases(CASE, "c.md")
    assert unknown_columns(one.expects[0], ()) == []
    assert unknown_columns(one.expects[0]._replace(what="rows"), ("path", "line")) == ["key", "message"]


@pytest.mark.parametrize(
    ("wanted", "got", "told"),
    [
        ([("a",)], [("a",)], ""),
        ([("a", "b")], [("a", "c")], "row 1: expected a | b; found a | c"),
        ([("a",), ("b",)], [("a",)], "2 rows expected, 1 found; the first of the others: b"),
        ([], [("a",)], "0 rows expected, 1 found; the first of the others: a"),
    ],
)
def test_differences(wanted: list[tuple[str, ...]], got: list[tuple[str, ...]], told: str) -> None:
    assert difference(wanted, got) == told


def test_every_shipped_query_has_unique_name_over_all_folders() -> None:
    names = [query.name for query in shipped()]
    assert sorted(set(names)) == sorted(names)


ONTOLOGY = [
    f'<{NS}level-second-hand> <{RDFS}label> "other"@de',
    f'<{NS}level-second-hand> <{SKOS}prefLabel> "二手转述"@zh',
    f'<{NS}level-second-hand> <{SKOS}prefLabel> "second-hand"@en',
    f"<{NS}level-second-hand> <{SKOS}inScheme> <{NS}scheme-level>",
    f'<{NS}level-second-hand> <{NS}rank> "20"^^<http://www.w3.org/2001/XMLSchema#integer>',
    f'<{NS}level-second-hand> <{SKOS}definition> "别人转述。"@zh',
    f'<{NS}level-second-hand> <{SKOS}definition> "Told by someone else."@en',
    f'<{NS}level-second-hand> <{SKOS}altLabel> "转引"@zh',
    f'<{NS}level-second-hand> <{SKOS}altLabel> "hearsay"@en',
    f"<{NS}bare> <{SKOS}inScheme> <{NS}scheme-level>",
    "<http://x.example/a> <http://x.example/b> <http://x.example/c>",
]


def test_a_term_is_told_in_both_languages() -> None:
    found = terms(ONTOLOGY)
    assert list(found) == ["level-second-hand"]
    assert term_page("level-second-hand", found["level-second-hand"]) == (
        "# kb:level-second-hand\n\nsecond-hand · other · 二手转述\n\nTold by someone else.\n\n别人转述。\n\n"
        "- scheme: kb:scheme-level\n- rank: 20\n- words: hearsay, 转引\n"
    )


def test_every_term_of_the_ontology_has_a_page_in_both_languages() -> None:
    files = [(ROOT / "ontology" / name).read_text("utf-8") for name in ("kbgraph.ttl", "lexicon.ttl")]
    found = terms(triple for text in files for triple in parse_turtle(text))
    assert len(found) > 300
    for name, said in found.items():
        labels = [lang for key in (f"{RDFS}label", f"{SKOS}prefLabel") for _, lang in said.get(key, ())]
        assert {"zh", "en"} <= set(labels), name
        assert term_page(name, said).startswith(f"# kb:{name}\n\n")
