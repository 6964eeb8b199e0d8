"""Headers of saved queries: read strictly, everything wrong told at once with line and mend."""

from __future__ import annotations

import marshal
from pathlib import Path

import pytest

from kbgraph.ask.header import adhoc, parse_query
from kbgraph.ask.names import FOLDERS
from kbgraph.ask.packed import packed, unpacked
from kbgraph.errors import HeaderError
from kbgraph.model.query import Column, Param, QueryKind
from rq import CHECK, TERMS, VIEW

QUERIES = Path(__file__).parent.parent / "queries"


def problems(text: str, kind: QueryKind = "check", name: str = "sample") -> list[str]:
    """What is said of a query that is refused, one problem each, without the file's name."""
    with pytest.raises(HeaderError) as caught:
        parse_query(text, name, kind, "queries/own.rq", TERMS)
    lines = caught.value.message.split("\n")[1:]
    assert all(line.startswith("  queries/own.rq:") for line in lines)
    return [line.removeprefix("  queries/own.rq:") for line in lines]


def test_a_right_header_becomes_a_value() -> None:
    query = parse_query(CHECK, "not-cited", "check", "shipped", TERMS)
    assert (query.name, query.kind, query.severity, query.origin) == ("not-cited", "check", "error", "shipped")
    assert query.text == CHECK
    assert [c.name for c in query.columns] == ["entry", "key", "path", "line", "n"]
    assert query.columns[1] == Column("key", "key", {"en": "Work", "zh": "文献"})
    assert query.params == (Param("file", "path", optional=True, help={"en": "One file", "zh": "一个文件"}),)
    assert query.message == {"en": "{key} is not cited", "zh": "{key} 没有引用"}
    assert (query.fingerprint, query.judged, query.order) == (("path", "key"), ("key",), ("path", "line"))
    assert query.sanity == (("materials", "kb:Material"),)
    assert (query.timeout, query.max_rows, query.limit, query.status) == (10.0, 100_000, 0, "stable")


def test_scalars_are_typed_by_the_schema_not_by_yaml() -> None:
    head = "#+ since: 0.10\n#+ limit: 020\n#+ timeout: 2\n#+ tags: [on, yes]\n"
    query = parse_query(head + VIEW, "files", "view", "shipped", TERMS)
    assert (query.since, query.limit, query.timeout, query.tags) == ("0.10", 20, 2.0, ("on", "yes"))


def test_columns_come_in_the_order_of_the_projection() -> None:
    swapped = VIEW.replace("SELECT ?path ?lines", "SELECT ?lines ?path")
    assert [c.name for c in parse_query(swapped, "files", "view", "shipped").columns] == ["lines", "path"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("#+ title:", "#+ tittle:", "1: unknown key `tittle`: is it `title`?"),
        ("#+ title:", "#+ tittle:", "1: `title` is missing: write {en: …, zh: …}"),
        ("{en: It is forgotten., zh: 它被忘了。}", "{en: It is forgotten.}", "3: `why.zh` is missing: add `zh: …`"),
        (
            "{en: It is forgotten., zh: 它被忘了。}",
            "forgotten",
            "3: `why` is no text in both languages: write {en: …, zh: …}",
        ),
        ("severity: error", "severity: eror", "5: `severity` cannot be `eror`: is it error?"),
        ("severity: error", "severity: [error]", "5: `severity` cannot be `a list`: one of error, warning, info"),
        ("role: focus", "role: focos", "7: `columns.entry.role` cannot be `focos`: is it focus?"),
        ("role: focus", "role: value", "6: no column has the role `focus`: a check needs one"),
        ("role: measure", "role: line", "11: `n` and `line` both have the role `line`: give it to one"),
        (
            "#+   n: {role: measure, ",
            "#+   m: {role: measure, ",
            "11: column `m` is not projected: there are entry, key, line, n, path",
        ),
        (
            "#+   n: {role: measure, ",
            "#+   m: {role: measure, ",
            "6: `?n` is projected and has no column: add `n: {role: …, label: {en: …, zh: …}}`",
        ),
        ("#+   key: {role", "#+   path: {role", "9: `path` stands twice, first in line 8: keep one"),
        ("{key} is not", "{kex} is not", "12: hole `{kex}` is no column: is it `key`?"),
        ("{key} is not", "{key is not", "12: a brace without its partner: write holes as {column}"),
        (
            "fingerprint: [path, key]",
            "fingerprint: [path, line]",
            "13: `line` is a line or a count: it moves: use columns that say what it is",
        ),
        (
            "fingerprint: [path, key]",
            "fingerprint: [n]",
            "13: `n` is a line or a count: it moves: use columns that say what it is",
        ),
        (
            "fingerprint: [path, key]",
            "fingerprint: [paths]",
            "13: `fingerprint` names `paths`, which is no column: is it `path`?",
        ),
        ("fingerprint: [path, key]", "fingerprint: []", "13: `fingerprint` is empty: name at least one column"),
        ("fingerprint: [path, key]", "fingerprint: path", "13: `fingerprint` is no list: write [a, b]"),
        (
            "judged: [key]",
            "judged: [work]",
            "14: `judged` names `work`, which is no column: there are entry, key, line, n, path",
        ),
        ("kb:Material}", "kb:Materiel}", "15: the ontology has no kb:Materiel: is it kb:Material?"),
        ("kb:Material}", '"?a ?b"}', "15: `?a ?b` is nothing to look for: write a class, `{ pattern }`, ASK or SELECT"),
        (
            "kb:Material}",
            '"{ SERVICE <http://x.example/> {} }"}',
            "15: SERVICE would ask another host: kbgraph asks its own graph only: take it out",
        ),
        ("type: path", "type: paht", "17: `params.file.type` cannot be `paht`: is it path?"),
        (
            "optional: true",
            "optional: maybe",
            "17: `params.file.optional` is neither true nor false: write one of both",
        ),
        (
            "optional: true",
            "optional: true, default: a.md",
            "17: `file` has a default and is optional: choose one of both",
        ),
        (
            "optional: true",
            "default: ../a.md",
            "17: `file=../a.md` is no path: write it like organized/knowledge/inference.md",
        ),
        ("#+   file:", "#+   fil:", "17: parameter `fil` is not used: write ?_fil, or take it out"),
        ("#+   file:", "#+   fil:", "16: `?_file` is not declared: add `file: {type: …}` to `params`"),
        ("order: [path, line]", "order: [-lines]", "18: `order` names `-lines`, which is no column: is it `line`?"),
        (
            "tags: [citations]",
            "tags: [Citations]",
            "19: `tags.0` has letters that do not belong: words: a-z, 0-9 and `-`; texts: one line",
        ),
        ("#+ since: 0.1.0", "#+ limit: many", "20: `limit` is no whole number: write one like 20"),
        (
            "#+ since: 0.1.0",
            "#+ since: a: b",
            "20: not YAML: mapping values are not allowed in this context: put texts that hold",
        ),
        ("#+ since: 0.1.0", "#+since: 0.1.0", "20: no space after `#+`: write `#+ key: value`"),
        ("#+ since: 0.1.0", "#+ since: &x 0.1.0\n#+ status: *x", "21: an alias: write the value out"),
        (
            "#+ since: 0.1.0",
            "#+ since: !!python/name:os.system 1",
            "20: a tag `tag:yaml.org,2002:python/name:os.system`: write plain values",
        ),
        (
            "#+ since: 0.1.0\n",
            "\n#+ since: 0.1.0\n",
            "21: a header line outside the header: move it up: the header ends at the first other line",
        ),
        ("kb:label", "kb:lable", "23: the ontology has no kb:lable: is it kb:label?"),
        ("kb:label", "<https://w3id.org/kbgraph/ns#lable>", "23: the ontology has no kb:lable: is it kb:label?"),
        (
            "kb:label",
            "skos:notation",
            "23: prefix `skos:` is not declared: add `PREFIX skos: <http://www.w3.org/2004/02/skos/core#>`",
        ),
        (
            "<https://w3id.org/kbgraph/ns#>",
            "<http://x.example/>",
            "21: prefix `kb:` stands for <https://w3id.org/kbgraph/ns#>: take another prefix for your address",
        ),
        (
            "GROUP BY ?entry",
            "GROUP BY ?_file",
            "26: `?_file` stands where only a variable may: bind it to a variable first",
        ),
        (
            "?path ?line\n",
            "?path ?line LIMIT 3\n",
            "26: LIMIT would make counts wrong: take it out; `limit:` in the header cuts",
        ),
        (
            "!BOUND(?_file)",
            "NOW() > ?x",
            "24: NOW may give another value in the next run: take the date as a parameter",
        ),
        ("!BOUND(?_file)", "rand() > 0", "24: RAND may give another value in the next run: order by a column"),
        (
            "OPTIONAL { ?x",
            "FILTER NOT EXISTS { ?x kb:path ?y . ?x",
            "23: NOT EXISTS over 2 patterns takes time that grows with the square: use OPTIONAL and !BOUND",
        ),
        (
            "SELECT ?entry ?key ?path ?line (COUNT(?x) AS ?n)",
            "SELECT *",
            "6: `SELECT *` leaves open what the columns are: name the variables",
        ),
        (
            "SELECT ?entry ?key ?path ?line (COUNT(?x) AS ?n) WHERE",
            "ASK",
            "21: a check is a SELECT query, this is ASK: write it as SELECT",
        ),
    ],
)
def test_a_wrong_header_is_told_with_line_and_mend(old: str, new: str, told: str) -> None:
    assert old in CHECK
    assert any(problem.startswith(told) for problem in problems(CHECK.replace(old, new, 1)))


def test_all_problems_are_told_together() -> None:
    text = CHECK.replace("severity: error", "severity: eror").replace("role: focus", "role: focos")
    found = problems(text.replace("kb:label", "kb:lable").replace("[path, key]", "[path, line]"))
    assert [problem.split(":")[0] for problem in found] == ["5", "6", "7", "13", "23"]


def test_no_header_is_refused_not_ignored() -> None:
    assert problems("SELECT ?a WHERE { ?a ?b ?c }")[0] == "1: no header: begin the file with `#+ title: {en: …, zh: …}`"


def test_a_deeply_nested_header_is_told() -> None:
    nested = f"#+ title: {'[' * 3000}{']' * 3000}\n{VIEW[VIEW.index('PREFIX') :]}"
    assert any(problem.startswith("1: ") for problem in problems(nested, "view"))


def test_a_byte_order_mark_and_windows_lines_do_not_matter() -> None:
    query = parse_query("\ufeff" + CHECK.replace("\n", "\r\n"), "x", "check", "shipped", TERMS)
    assert query.title == {"en": "Listed and not cited", "zh": "列了没有引用"}
    assert not query.text.startswith("\ufeff")


def test_a_name_is_lower_case_words() -> None:
    assert "1: `Not_Cited` is no name for a query: lower-case words joined by `-`" in problems(CHECK, name="Not_Cited")


def test_kinds_have_their_own_keys_and_forms() -> None:
    assert "1: unknown key `severity`: a view has no such key: take it out" in problems(
        "#+ severity: error\n" + VIEW, "view"
    )
    assert "3: no column has the role `source`: a map needs one" in problems(VIEW, "map")
    derived = "#+ title: {en: A, zh: 甲}\n#+ summary: {en: B, zh: 乙}\nCONSTRUCT { ?a ?b ?c } WHERE { ?a ?b ?c }"
    assert parse_query(derived, "copy", "derive", "shipped").columns == ()
    selecting = derived.replace("CONSTRUCT { ?a ?b ?c }", "SELECT ?a")
    assert problems(selecting, "derive") == ["3: a derive is a CONSTRUCT query, this is SELECT: write it as CONSTRUCT"]


def test_a_count_in_a_subquery_is_no_fingerprint() -> None:
    text = CHECK.replace("(COUNT(?x) AS ?n)", "?n").replace(
        "OPTIONAL { ?x kb:label ?entry }",
        "{ SELECT ?entry (COUNT(?x) AS ?n) WHERE { ?x kb:label ?entry } GROUP BY ?entry }",
    )
    assert parse_query(text, "x", "check", "shipped", TERMS).columns[-1].name == "n"
    text = text.replace("role: measure", "role: value").replace("[path, key]", "[path, n]")
    assert problems(text) == ["13: `n` is a line or a count: it moves: use columns that say what it is"]


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ('dcterms:title "题目"', '`dcterms:title ?text FILTER(STR(?text) = "题目")`'),
        ("schema:text ?_said", "`schema:text ?text FILTER(STR(?text) = ?_said)`"),
        ('<http://purl.org/dc/terms/title> "a"', "FILTER(STR"),
        ('dcterms:title "题目"@zh', ""),
        ("dcterms:title ?_what", ""),
        ("dcterms:title ?said", ""),
        ('kb:label "a"', ""),
    ],
)
def test_texts_that_could_never_match_are_told(pattern: str, told: str) -> None:
    head = "#+ params: {said: {type: string}, what: {type: iri}}\n"
    prefixes = "PREFIX dcterms: <http://purl.org/dc/terms/>\nPREFIX schema: <https://schema.org/>\n"
    text = head + VIEW.replace("PREFIX", f"{prefixes}PREFIX")
    text = text.replace("?m kb:path ?path ;", f"?m {pattern} ; kb:path ?path ; kb:key ?_said , ?_what ;")
    if told:
        assert any("carry a language, which this lacks" in p and told in p for p in problems(text, "view"))
    else:
        assert parse_query(text, "x", "view", "shipped").name == "x"


def test_one_pattern_may_be_absent() -> None:
    text = CHECK.replace(
        "OPTIONAL { ?x", "FILTER NOT EXISTS { GRAPH ?g { ?x kb:path ?y FILTER(?y > 3) } } OPTIONAL { ?x"
    )
    assert parse_query(text, "x", "check", "shipped", TERMS).name == "x"


def test_an_unsaved_query_gets_known_prefixes_and_no_columns() -> None:
    query = adhoc("SELECT ?a WHERE { ?a a kb:Claim ; dcterms:title ?t }", "-e")
    assert query.text.startswith(
        "PREFIX dcterms: <http://purl.org/dc/terms/> PREFIX kb: <https://w3id.org/kbgraph/ns#> SELECT ?a WHERE"
    )
    assert (query.columns, query.kind, query.origin) == ((), "view", "-e")


def test_an_unsaved_query_with_a_header_is_read_strictly() -> None:
    assert adhoc(CHECK, "my/Own Check.rq").kind == "check"
    assert adhoc(VIEW, "my/own.rq").name == "own"
    with pytest.raises(HeaderError, match="unknown key `tittle`"):
        adhoc(VIEW.replace("title", "tittle"), "own.rq")


SHIPPED = [
    pytest.param(path, kind, id=path.stem)
    for kind, folder in FOLDERS.items()
    for path in sorted((QUERIES / folder).glob("*.rq"))
]


@pytest.mark.parametrize(("path", "kind"), SHIPPED)
def test_shipped_headers_are_right(path: Path, kind: QueryKind) -> None:
    import kbgraph.vocab

    names = {str(v)[1:-1] for k, v in vars(kbgraph.vocab).items() if k.startswith("KB_")}
    terms = {name.removeprefix("https://w3id.org/kbgraph/ns#") for name in names}
    query = parse_query(path.read_text("utf-8"), path.stem, kind, "shipped", terms)
    assert set(query.title) == set(query.summary) == {"en", "zh"}


def test_a_query_survives_being_packed() -> None:
    query = parse_query(CHECK, "not-cited", "check", "shipped", TERMS)
    plain = marshal.loads(marshal.dumps(packed(query)))  # noqa: S302  (its own dump)
    assert unpacked(plain) == query
    with pytest.raises(ValueError, match="zip"):
        unpacked(plain[1:])
