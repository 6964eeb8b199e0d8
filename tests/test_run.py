"""Running a saved query: total order, sanity, limits that only cut the display."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

import pytest

from kbgraph.ask.header import adhoc, parse_query
from kbgraph.ask.run import ordered, run, sanity_text
from kbgraph.errors import BrokenError, QueryError, UsageError
from kbgraph.model.facts import Term, make_facts
from kbgraph.model.query import Cell, SavedQuery, Table
from kbgraph.store import open_store
from rq import CHECK, VIEW

ROWS: tuple[tuple[Cell, ...], ...] = (("b.md", 9), ("a.md", 10), ("c.md", None), ("a.md", 9), ("a.md", "x"))


class Engine:
    """Answers by the first words that stand in a query's text; keeps what it was asked."""

    def __init__(self, answers: Mapping[str, Table]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, float, int]] = []

    def __call__(self, text: str, timeout: float, max_rows: int) -> Table:
        """The first answer whose words stand in the text."""
        self.asked.append((text, timeout, max_rows))
        return next(table for words, table in self.answers.items() if words in text)


def view(extra: str = "") -> SavedQuery:
    return parse_query(extra + VIEW, "files", "view", "shipped")


def test_rows_come_by_the_named_columns_then_by_all() -> None:
    for mixed in permutations(ROWS):
        assert ordered(mixed, ("path", "n"), ()) == (
            ("a.md", 9), ("a.md", 10), ("a.md", "x"), ("b.md", 9), ("c.md", None),
        )  # fmt: skip
        assert ordered(mixed, ("path", "n"), ("-n",)) == (
            ("a.md", "x"), ("a.md", 10), ("a.md", 9), ("b.md", 9), ("c.md", None),
        )  # fmt: skip
        assert ordered(mixed, ("path", "n"), ("n", "-path")) == (
            ("c.md", None), ("b.md", 9), ("a.md", 9), ("a.md", 10), ("a.md", "x"),
        )  # fmt: skip


def test_numbers_sort_by_value_whatever_their_type() -> None:
    rows: list[tuple[Cell, ...]] = [(10,), (9.5,), (True,), ("2",), (-3,)]
    assert ordered(rows, ("n",), ()) == ((-3,), (True,), (9.5,), (10,), ("2",))


def test_a_limit_cuts_the_display_and_keeps_the_count() -> None:
    engine = Engine({"SELECT": Table(("path", "lines"), ROWS, len(ROWS))})
    found = run(view("#+ limit: 2\n#+ order: [-lines]\n"), engine)
    assert (found.rows, found.total) == ((("a.md", "x"), ("a.md", 10)), 5)
    assert len(run(view("#+ limit: 2\n"), engine, whole=True)) == 5
    assert found.query is not None
    assert found.query.name == "files"


def test_a_sample_is_spread_over_all_rows() -> None:
    rows: tuple[tuple[Cell, ...], ...] = tuple((f"{n:02}.md", n) for n in range(10))
    engine = Engine({"SELECT": Table(("path", "lines"), rows, 10)})
    found = run(view("#+ sample: 3\n"), engine)
    assert (found.column("lines"), found.total) == ((0, 3, 6), 10)
    assert len(run(view("#+ sample: 20\n"), engine)) == 10
    assert run(view("#+ sample: 5\n#+ limit: 2\n"), engine).column("lines") == (0, 2)
    assert len(run(view("#+ sample: 3\n"), engine, whole=True)) == 10


def test_time_and_rows_are_handed_to_the_engine() -> None:
    engine = Engine({"SELECT": Table(("path", "lines"), (), 0)})
    run(view("#+ timeout: 2.5\n#+ max_rows: 7\n"), engine)
    assert engine.asked[0][1:] == (2.5, 7)


def test_a_sanity_condition_that_finds_nothing_breaks_the_check() -> None:
    query = parse_query(CHECK, "not-cited", "check", "shipped")
    none, one = Table(("seen",), ()), Table(("seen",), ((1,),))
    empty = Table(("entry", "key", "path", "line", "n"), ())
    with pytest.raises(BrokenError) as caught:
        run(query, Engine({"?seen": none, "COUNT": empty}))
    assert caught.value.message == "not-cited: saw nothing to judge: no materials in the graph"
    assert run(query, Engine({"?seen": one, "COUNT": empty})).total == 0


@pytest.mark.parametrize(
    ("what", "seen"),
    [
        ("kb:Material", True),
        ("kb:Note", False),
        ("<https://w3id.org/kbgraph/ns#Material>", True),
        ("{ ?m kb:path ?p FILTER(STRENDS(?p, '.md')) }", True),
        ("{ ?m kb:path ?p FILTER(STRENDS(?p, '.bib')) }", False),
        ("ASK { ?m kb:path 'a.md' }", True),
        ("ask where { ?m kb:path 'b.md' }", False),
        ("SELECT (COUNT(?m) AS ?n) { ?m a kb:Material }", True),
        ("SELECT (COUNT(?m) AS ?n) { ?m a kb:Note }", False),
    ],
)
def test_forms_of_sanity_conditions(what: str, seen: bool) -> None:
    store = open_store("memory:")
    kb = "https://w3id.org/kbgraph/ns#"
    a = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    store.load([make_facts(Term("<x:a>"), (f"<x:a> {a} <{kb}Material>", f'<x:a> <{kb}path> "a.md"'))])
    found = store.select(sanity_text(CHECK, what))
    assert (bool(found.rows) and bool(found.rows[0][0])) is seen


def test_parameters_reach_text_and_sanity() -> None:
    text = CHECK.replace("kb:Material}", '"{ ?m kb:path ?_file }"}')
    engine = Engine({"?seen": Table(("seen",), ((1,),)), "COUNT": Table(("entry", "key", "path", "line", "n"), ())})
    run(parse_query(text, "x", "check", "shipped"), engine, {"file": "a.md"})
    assert [asked[0].count('"a.md"') for asked in engine.asked] == [1, 1]
    with pytest.raises(UsageError, match="has no parameter `fil`"):
        run(parse_query(text, "x", "check", "shipped"), engine, {"fil": "a.md"})


@pytest.mark.parametrize("error", [BrokenError, QueryError])
def test_trouble_names_the_query(error: type[BrokenError | QueryError]) -> None:
    def fail(text: str, timeout: float, max_rows: int) -> Table:
        raise error(f"stopped after {timeout} s at {max_rows} rows, {len(text) > 0}", "mend")

    with pytest.raises(error) as caught:
        run(view(), fail)
    assert (caught.value.message, caught.value.mend) == ("files: stopped after 10.0 s at 100000 rows, True", "mend")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("SELECT ?n { VALUES ?n { 2 3 1 } }", [1, 2, 3]),
        ("SELECT ?n { VALUES ?n { 2 3 1 } } ORDER BY DESC(?n)", [3, 2, 1]),
        ("SELECT ?n { { SELECT ?n { VALUES ?n { 2 3 1 } } ORDER BY DESC(?n) } }", [1, 2, 3]),
        ("SELECT ?n { VALUES ?n { 2 3 1 } } # ORDER BY DESC(?n)", [1, 2, 3]),
    ],
)
def test_an_unsaved_query_keeps_the_order_that_it_asks_for(text: str, rows: list[int]) -> None:
    assert list(run(adhoc(text, "-e"), open_store("memory:").select).column("n")) == rows


def test_columns_of_a_star_come_as_the_query_names_them() -> None:
    store = open_store("memory:")
    store.load([make_facts(Term("<x:g>"), ("<x:s> <x:p> <x:o>",))])
    found = run(adhoc("SELECT * { ?s ?p ?o OPTIONAL { ?o ?a ?b } }", "-e"), store.select)
    assert found.columns == ("s", "p", "o", "a", "b")
    assert found.rows == (("x:s", "x:p", "x:o", None, None),)
