"""Tables and findings in every format: the right bytes, and nothing of a material's text that acts."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace

import pyromark
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbgraph.errors import UsageError
from kbgraph.model.finding import CheckResult, Finding, Place, Report
from kbgraph.model.query import Cell, Column, SavedQuery, Table
from kbgraph.render import available, render
from kbgraph.render.escape import visible, web_link, width

QUERY = SavedQuery(
    "files", "view", "", "shipped", {"en": "Files", "zh": "文件"}, {"en": "All files.", "zh": "所有文件。"},
    (Column("path", "path", {"en": "File", "zh": "文件"}), Column("n", "measure", {"en": "Lines", "zh": "行数"})),
)  # fmt: skip
TABLE = Table(("path", "n"), (("知识/推理.md", 12), ("a.md", None), ("b.md", 0.5)), 3, QUERY)
FINDING = Finding(
    "orphan-citation", "error", "k/推理.md", 541, 541, "urn:kb:t:k#b-1", "arXiv:2610.02076",
    {"en": "arXiv:2610.02076 is not cited", "zh": "arXiv:2610.02076 没有引用"}, {"en": "Cite it.", "zh": "引用它。"},
    "0123456789abcdef", "new", (Place("k/b.md", 3, "said there"),), (("n", 2), ("x", None)),
)  # fmt: skip
WAIVED = replace(FINDING, state="waived", severity="info", line=0, related=(), fingerprint="f" * 16)
REPORT = Report(
    (CheckResult("orphan-citation", "findings", 2), CheckResult("slow", "broken", 0, "stopped: 10 s")),
    (FINDING, WAIVED),
    ("a" * 16,),
)


def test_a_table_is_aligned_by_the_width_of_chinese() -> None:
    assert render(TABLE, "text", "zh").split("\n") == [
        "文件          行数",
        "------------  ----",
        "知识/推理.md  12",
        "a.md",
        "b.md          0.5",
        "",
    ]


def test_a_long_cell_does_not_push_the_others_away() -> None:
    text = render(Table(("a", "b"), (("x" * 100, "1"), ("y", "2"))), "text", "en").split("\n")
    assert [len(text[0]), len(text[1]), text[3].index("2")] == [63, 63, 62]


def test_what_a_limit_left_out_is_said() -> None:
    cut = replace(TABLE, total=153)
    assert render(cut, "text", "en").endswith("\n… 3 of 153 rows\n")
    assert render(cut, "md", "zh").endswith("\n3 / 153 行\n")
    assert "3 of 153 rows" in render(cut, "html", "en")
    assert json.loads(render(cut, "json", "en"))["total"] == 153


def test_no_rows_are_said_to_be_none() -> None:
    assert render(Table(("a",), (), 0), "text", "en") == "no rows\n"
    assert render(Table(("a",), (), 0), "text", "zh") == "没有行\n"
    assert render(Table(("a",), (), 0), "csv", "en") == "a\n"


def test_findings_as_text_have_one_line_each_and_clean_is_silent() -> None:
    assert render(REPORT, "text", "en") == (
        "k/推理.md:541: error orphan-citation arXiv:2610.02076 is not cited (also k/b.md:3)\n"
    )
    assert render(REPORT, "text", "zh") == (
        "k/推理.md:541: error orphan-citation arXiv:2610.02076 没有引用 (另见 k/b.md:3)\n"
    )
    many = replace(FINDING, related=tuple(Place("k/b.md", n) for n in range(1, 6)))
    assert "(also k/b.md:1, k/b.md:2, k/b.md:3, +2)" in render(Report((), (many,)), "text", "en")
    assert render(Report((CheckResult("a", "clean"),), ()), "text", "en") == ""


def test_one_finding_is_told_whole() -> None:
    told = replace(FINDING, suggest="- arXiv:2610.02076 [read]")
    assert render(told, "text", "en") == (
        "k/推理.md:541: error orphan-citation arXiv:2610.02076 is not cited\n  Mend: Cite it.\n"
        "  new · 0123456789abcdef\n  n: 2\n  Related: k/b.md:3 said there\n  Edit: - arXiv:2610.02076 [read]\n"
    )
    with pytest.raises(UsageError, match="a Finding cannot be written as csv"):
        render(told, "csv", "en")


def test_a_limit_cuts_the_lines_of_a_check_and_says_so() -> None:
    many = tuple(replace(FINDING, line=n, related=()) for n in range(1, 6))
    report = Report((CheckResult("orphan-citation", "findings", 5, limit=2),), (*many, WAIVED))
    lines = render(report, "text", "en").splitlines()
    assert [line.split(":")[1] for line in lines] == ["1", "2", " 2 of 5"]
    assert lines[2] == "… orphan-citation: 2 of 5"
    assert len(json.loads(render(report, "json", "en"))["findings"]) == 6


def test_a_table_shows_itself_in_notebooks_and_converts() -> None:
    table = Table(("a", "<b>"), (("<script>", None), ("x", 1)), 5)
    assert table._repr_html_() == (
        "<table><thead><tr><th>a</th><th>&lt;b&gt;</th></tr></thead><tbody>"
        "<tr><td>&lt;script&gt;</td><td></td></tr><tr><td>x</td><td>1</td></tr></tbody></table><p>2 / 5</p>"
    )
    assert table.dicts() == [{"a": "<script>", "<b>": None}, {"a": "x", "<b>": 1}]


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_frames_where_their_library_is_there(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[list[tuple[Cell, ...]], list[str]]] = []

    def frame(rows: list[tuple[Cell, ...]], columns: list[str] | None = None, **more: object) -> str:
        made.append((rows, columns or list(more["schema"])))  # type: ignore[call-overload]
        return "frame"

    table = Table(("a", "b"), (("x", 1),))
    monkeypatch.setitem(sys.modules, name, SimpleNamespace(DataFrame=frame))
    assert getattr(table, f"to_{name}")() == "frame"
    assert made == [([("x", 1)], ["a", "b"])]
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError, match=f"{name} is not installed"):
        getattr(table, f"to_{name}")()


def test_findings_as_json_are_the_object_that_is_promised() -> None:
    first = {
        "check": "orphan-citation", "severity": "error", "state": "new", "path": "k/推理.md", "line": 541,
        "end_line": 541, "focus": "urn:kb:t:k#b-1", "key": "arXiv:2610.02076",
        "message": "arXiv:2610.02076 is not cited", "fix": "Cite it.",
        "related": [{"path": "k/b.md", "line": 3, "text": "said there"}], "values": {"n": 2, "x": None},
        "suggest": None, "fingerprint": "0123456789abcdef",
    }  # fmt: skip
    found = json.loads(render(REPORT, "json", "en"))
    assert list(found) == ["version", "summary", "checks", "findings", "fixed"]
    assert list(found["findings"][0]) == list(first)
    assert found == {
        "version": 1,
        "summary": {"error": 1, "warning": 0, "info": 0, "waived": 1, "broken": 1},
        "checks": [
            {"check": "orphan-citation", "outcome": "findings", "count": 2},
            {"check": "slow", "outcome": "broken", "count": 0, "reason": "stopped: 10 s"},
        ],
        "findings": [
            first,
            {**first, "severity": "info", "state": "waived", "line": 0, "related": [], "fingerprint": "f" * 16},
        ],
        "fixed": ["a" * 16],
    }


def test_tables_as_json() -> None:
    odd = Table(("a", "b"), ((float("inf"), True), (1, "x")))
    assert json.loads(render(odd, "json", "zh")) == {
        "version": 1, "columns": ["a", "b"], "rows": [{"a": "inf", "b": True}, {"a": 1, "b": "x"}], "total": 2,
    }  # fmt: skip


def test_findings_as_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(render(REPORT, "csv", "zh"))))
    assert [row["state"] for row in rows] == ["new", "waived"]
    assert rows[0]["message"] == "arXiv:2610.02076 没有引用"
    assert (rows[0]["line"], rows[0]["fingerprint"]) == ("541", "0123456789abcdef")


def test_findings_as_markdown() -> None:
    assert render(REPORT, "md", "en") == (
        "# Checks\n\nerror 1 · warning 0 · info 0 · waived 1 · broken 1\n\n- broken: `slow`: stopped: 10 s\n\n"
        "## orphan-citation (2)\n\nMend: Cite it.\n\n"
        "- `k/推理.md:541` error: arXiv:2610.02076 is not cited\n  - `k/b.md:3` said there\n"
        "- `k/推理.md:1` waived: arXiv:2610.02076 is not cited\n"
    )


def test_pages_stand_alone() -> None:
    for page in (render(TABLE, "html", "zh"), render(REPORT, "html", "en")):
        assert page.startswith("<!doctype html>\n")
        assert 'charset="utf-8"' in page
        assert not re.search(r"<script|<link|<img|src=|@import|url\(", page)
    assert "<title>文件</title>" in render(TABLE, "html", "zh")
    place = "<td>k/推理.md<span class=at>:541</span></td>"
    assert f'<tr class="error">{place}<td><b>new</b> arXiv:2610.02076 is not cited' in render(REPORT, "html", "en")
    assert "Nothing found by 1: a" in render(Report((CheckResult("a", "clean"),), ()), "html", "en")


def test_formats_are_the_files_of_the_folder() -> None:
    assert list(available()) == ["csv", "diff", "github", "html", "json", "junit", "md", "sarif", "text", "ttl"]
    with pytest.raises(UsageError, match="there is no format `jsn`") as caught:
        render(TABLE, "jsn", "en")
    assert caught.value.mend == "did you mean json?"


# -- hostile text

EVIL = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)> & \"quotes\" 'single' `tick` \\ back",
    "[click](javascript:alert(1)) ![x](http://evil.example/x.png) <http://evil.example>",
    '=HYPERLINK("http://evil.example")',
    "+1+cmd|' /C calc'!A0",
    "@SUM(1)",
    "-2+3",
    "\t=1+1",
    "＝1+1",
    "a | b \\| c",
    "# heading\n- item\n> quote\n```\ncode",
    "{{ 7*7 }} ${7*7} %s %n",
    "\x1b[31mred\x1b[0m \x07 \u202egnp.exe \ufffe \x9b1m \ud800",
    "&lt;b&gt; &amp;",
    "<!-- comment --> **bold** _it_ ~~gone~~ $x$",
]
TEXTS = st.sampled_from(EVIL) | st.text() | st.lists(st.sampled_from(EVIL), min_size=2, max_size=3).map("\n".join)


def both(text: str) -> tuple[Table, Report]:
    """The text in every place that a product has for it."""
    finding = replace(
        FINDING, path=text, key=text, focus=text, message={"en": text}, fix={"en": text}, suggest=text,
        related=(Place(text, 1, text),), values=((text, text),),
    )  # fmt: skip
    query = replace(QUERY, title={"en": text}, summary={"en": text}, columns=(Column("a", "", {"en": text}),))
    return Table(("a",), ((text,),), 1, query), Report((CheckResult("c", "broken", 0, text),), (finding,))


@given(TEXTS, st.sampled_from(["csv", "html", "json", "md", "text"]))
def test_nothing_hidden_and_all_of_it_encodes(text: str, fmt: str) -> None:
    for product in both(text):
        shown = render(product, fmt, "en")
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe]", shown)
        assert shown.encode("utf-8").decode("utf-8") == shown


@given(TEXTS)
def test_text_keeps_one_line_per_finding(text: str) -> None:
    _, report = both(text)
    assert render(report, "text", "en").count("\n") == 1


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=2), max_size=4))
def test_csv_reads_back_and_computes_nothing(rows: list[list[str]]) -> None:
    text = render(Table(("a", "b"), tuple(map(tuple, rows))), "csv", "en")
    back = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert back[0] == ["a", "b"]
    assert len(back) == len(rows) + 1
    for row, told in zip(rows, back[1:], strict=True):
        for cell, field in zip(row, told, strict=True):
            assert field.removeprefix("'") == visible(cell) or field == visible(cell)
            assert not field.startswith(("=", "+", "-", "@", "\t", "＝", "＋", "－", "＠"))


def test_numbers_in_csv_are_numbers() -> None:
    assert (
        render(Table(("a",), ((-5,), (-0.5,), (True,), (None,), ("-5",))), "csv", "en") == "a\n-5\n-0.5\ntrue\n\n'-5\n"
    )


@given(TEXTS)
def test_json_reads_back(text: str) -> None:
    table, report = both(text)
    assert json.loads(render(table, "json", "en"))["rows"] == [{"a": visible(text)}]
    (finding,) = json.loads(render(report, "json", "en"))["findings"]
    assert finding["message"] == finding["path"] == finding["suggest"] == visible(text)


class Page(HTMLParser):
    """Elements, attributes and text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the tag and what it carries."""
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag == "td":
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        """Keep the text of the cell."""
        if self.cells:
            self.cells[-1] += data


OURS = set("html head meta title style body h1 p div table thead tbody tr th td small span code a h2 section b".split())  # noqa: SIM905


@given(TEXTS)
def test_html_shows_text_as_text(text: str) -> None:
    for product in both(text):
        page = Page()
        page.feed(render(product, "html", "en"))
        assert page.tags <= OURS
        assert page.attributes <= {"lang", "charset", "http-equiv", "content", "name", "class", "href", "rel", "id"}
        assert all(link.startswith(("http://", "https://", "#orphan-citation")) for link in page.links)
    table, _ = both(text)
    assert f">{html.escape(visible(text))}</" in render(table, "html", "en")


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("https://x.example/a?b=1&c=2#d", True),
        ("HTTP://x.example/", True),
        ("javascript:alert(1)", False),
        ("data:text/html,hi", False),
        (" https://x.example/", False),
        ("https://x.example/ b", False),
        ("https://x.example/\u202e", False),
        ('https://x.example/"onclick="', False),
        ("httpsx://x.example/", False),
        ("http", False),
        ("", False),
    ],
)
def test_only_web_addresses_are_links(text: str, link: bool) -> None:
    assert bool(web_link(text)) is link


def parsed(markdown: str) -> Page:
    """The page that a Markdown reader makes of a text."""
    page = Page()
    options = (pyromark.Options.ENABLE_TABLES, pyromark.Options.ENABLE_STRIKETHROUGH, pyromark.Options.ENABLE_TASKLISTS)
    page.feed(pyromark.html(markdown, options=options[0] | options[1] | options[2]))
    return page


@given(TEXTS)
def test_markdown_holds_plain_words(text: str) -> None:
    """Parsed again, the text is words and nothing else, and the table has the one row it was given."""
    table, report = both(text)
    page = parsed(render(table, "md", "en"))
    assert page.tags <= {"table", "thead", "tbody", "tr", "th", "td"}
    assert len(page.cells) == 1
    assert "".join(page.cells[0].split()) == "".join(visible(text).split())
    assert parsed(render(report, "md", "en")).tags <= {"h1", "h2", "p", "ul", "li", "code"}


@pytest.mark.parametrize(
    ("text", "columns"), [("ab", 2), ("中文", 4), ("é", 1), ("e\u0301", 1), ("🚀", 2), ("ｆ", 2), ("", 0)]
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns


CELLS: list[tuple[Cell, str]] = [(None, ""), (True, "true"), (3.0, "3"), (0.25, "0.25"), (7, "7"), ("x", "x")]


@pytest.mark.parametrize(("cell", "text"), CELLS)
def test_cells_as_text(cell: Cell, text: str) -> None:
    assert render(Table(("a",), ((cell,),)), "csv", "en") == f"a\n{text}\n"
