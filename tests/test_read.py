"""What reading promises beyond the case files: lines, sections, briefs as they were really pasted."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kbgraph.model.document import Document
from kbgraph.model.text import Block, HeadingWords, Mark
from kbgraph.read import read
from kbgraph.read.header import split
from kbgraph.read.header_lines import simple_fields
from kbgraph.read.numbering import numbered, numeral
from kbgraph.read.rebuild import cuts
from kbgraph.read.sections import slug
from words import heading_words

SHARED = Path(__file__).parent.parent.parent / "shared"
WORDS = HeadingWords(items=frozenset({"item"}), ordinals=frozenset({"chapter", "sec.", "附录"}))

needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="the handed cases are not beside the checkout")


def doc(text: str, words: HeadingWords = WORDS) -> Document:
    return read(text.encode(), "a.md", words)


def test_lines_are_right_behind_non_ascii_text() -> None:
    table = "| 甲 | 乙 |\n|---|---|\n| 丙 | 丁 |\n"
    text = f"# 标题🚀\n\n段落一\n第二行 **粗**，`码` 和 [链接](u)\n第三行\n\n{table}\n> 引\n> 文末\n"
    blocks = doc(text).blocks
    assert [(b.kind, b.line, b.end_line) for b in blocks] == [
        ("heading", 1, 1),
        ("paragraph", 3, 5),
        ("table", 7, 9),
        ("paragraph", 11, 12),
    ]
    paragraph = blocks[1]
    assert paragraph.line_at(paragraph.text.index("粗")) == 4
    assert paragraph.line_at(paragraph.text.index("第三行")) == 5


def test_lines_count_over_a_code_span_a_target_and_a_tag_that_break() -> None:
    text = "a `b\nc` d [e](\nf) g <a\nhref='h'>i</a> $$j\nk$$ ![l](\nm)\nend\n"
    (block,) = doc(text).blocks
    found = {word: block.line_at(block.text.index(word)) for word in ("b", "c", "e", "g", "i", "j", "k", "end")}
    assert found == {"b": 1, "c": 2, "e": 2, "g": 3, "i": 4, "j": 4, "k": 5, "end": 7}


def test_header_lines_count_for_the_body() -> None:
    document = doc("\n---\ntitle: x\n---\n\n# H\n\n- item\n")
    assert [(f.key, f.line) for f in document.fields] == [("title", 3)]
    assert [(b.kind, b.line) for b in document.blocks] == [("heading", 6), ("item", 8)]
    assert document.title == "x"


def test_title_is_the_first_level_one_heading() -> None:
    assert doc("## two\n\n# One [x](y)\n\n# Other\n").title == "One x"
    assert doc("plain\n").title == ""


def test_suffix_decides_in_any_case() -> None:
    assert read(b"# A", "x/A.MARKDOWN", WORDS).blocks[0].text == "A"
    assert read(b'{"a": 1}', "x/A.JSON", WORDS).fields[0].value == "1"
    assert read(b"# A", "x/a.rst", WORDS).problems[0].code == "unknown-format"


def test_sha_is_of_the_bytes_as_they_are() -> None:
    assert doc("a\r\n").sha256 != doc("a\n").sha256
    assert doc("").sha256 == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_long_table_keeps_rows_and_lines() -> None:
    rows = "".join(f"| {i} | [n{i}](http://x.y/{i}) |\n" for i in range(10_000))
    (block,) = doc(f"| n | l |\n|---|---|\n{rows}").blocks
    assert block.table is not None
    assert len(block.table.rows) == 10_000
    last = block.table.rows[-1]
    assert (last[1].text, last[1].marks[0].target, last[1].line) == ("n9999", "http://x.y/9999", 10_002)
    assert block.text.count("\n") == 10_001


@pytest.mark.parametrize(
    ("text", "number", "title"),
    [
        ("一、背景", "1", "背景"),
        ("二十一、末", "21", "末"),
        ("（三）动机", "3", "动机"),
        ("第三节 结果", "3", "结果"),
        ("第十二章总结", "12", "总结"),
        ("3．1 全角", "3.1", "全角"),
        ("3.1结果", "3.1", "结果"),
        ("§七 引用", "7", "引用"),
        ("Item 3 — foo", "3", "foo"),
        ("Chapter 2: X", "2", "X"),
        ("Sec. 3.1 X", "3.1", "X"),
        ("附录 B 表", "B", "表"),
        ("1) one", "1", "one"),
        ("② two", "2", "two"),
        ("3.1x faster", "", "3.1x faster"),
        ("2401.10001 is no number", "", "2401.10001 is no number"),
        ("12.5% faster", "", "12.5% faster"),
        ("GPT 4: x", "", "GPT 4: x"),
        ("第三方库", "", "第三方库"),
        ("", "", ""),
    ],
)
def test_number_of_a_heading(text: str, number: str, title: str) -> None:
    found = numbered(text, WORDS)
    assert (found.number, found.title) == (number, title)


def test_numeral() -> None:
    known = {"十": 10, "十二": 12, "二十": 20, "一百零三": 103, "七": 7, "二〇": 20, "42": 42}
    assert {text: numeral(text) for text in known} == known


def test_slug_is_githubs() -> None:
    assert slug("3.1 Title: a_b & c") == "31-title-a_b--c"
    assert slug("结果？") == "结果"
    assert slug("Cafe\u0301 x") == "cafe\u0301-x"


def test_cuts_clip_marks_and_lines() -> None:
    marks = (Mark("strong", 1, 9), Mark("html", 4, 4), Mark("link", 10, 12, "u"))
    block = Block("paragraph", "ab  cd\nef gh", 4, 5, marks)
    first, second = cuts(block, [(0, 3), (4, 12)])
    assert (first.text, first.line, first.end_line, first.marks) == ("ab", 4, 4, (Mark("strong", 1, 2),))
    assert (second.text, second.line, second.end_line) == ("cd\nef gh", 4, 5)
    assert second.marks == (Mark("strong", 0, 5), Mark("html", 0, 0), Mark("link", 6, 8, "u"))


@pytest.mark.parametrize(
    "source",
    [
        "title: 1917\narxiv: 2401.10010\n",
        "a: x: y\n",
        "url: https://x.y/z#k\n",
        "a: 'it'\nb: \"q\"\nc:\n",
        "a: b #c\n",
        "标签: 甲，乙\n",
        "a: b\na: c\n",
        "a: [x]\n",
        "a: -1\n",
        "a: trailing   \n",
        "a: 'unclosed\n",
        "a: b:\n",
        "a: *x\n",
        "a: yes # no\n\nb: ~\n",
    ],
)
def test_plain_headers_read_as_a_yaml_parser_reads_them(source: str) -> None:
    """The quick way for plain headers gives the parser's answer or none."""
    fields = simple_fields(source, 0)
    if fields is not None:
        assert {f.key: f.value for f in fields} == yaml.load(source, Loader=yaml.BaseLoader)  # noqa: S506  # makes text only


def test_quick_headers_are_quick() -> None:
    assert simple_fields("title: 1917\narxiv: 2401.10010\n标签: 甲，乙\nurl: https://x.y/z#k\n", 1) is not None
    assert simple_fields("a: b #c\n", 1) is None
    assert simple_fields("a: b\na: c\n", 1) is None


def test_header_error_names_the_line() -> None:
    header = split("---\ntitle: fine\nother: a: b\n---\nbody\n")
    assert [(p.code, p.line) for p in header.problems] == [("broken-front-matter", 3)]
    assert (header.body, header.lines) == ("body\n", 4)


def test_a_fault_of_the_parser_costs_the_markup_only(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):  # named as the parser's binding names it
        pass

    def panic(*_: object) -> None:
        raise PanicException("index out of bounds")

    monkeypatch.setattr("kbgraph.read.markdown._feed", panic)
    document = doc("---\na: b\n---\n# A\n\ntwo\nlines\n\n- x\n")
    assert [(b.kind, b.text, b.line, b.end_line) for b in document.blocks] == [
        ("paragraph", "# A", 4, 4),
        ("paragraph", "two\nlines", 6, 7),
        ("paragraph", "- x", 9, 9),
    ]
    assert codes(document) == [("parser-failed", "index out of bounds")]


def test_low_coverage_is_said() -> None:
    html = "".join(f"<div>\n<span class='c{i}'>\n</span>\n</div>\n\n" for i in range(5))
    document = doc(f"# A\n\n{html}")
    assert document.coverage.understood == 1
    assert dict(document.coverage.ignored) == {"html": 20}
    assert [p.code for p in document.problems] == ["low-coverage"]


def test_every_filled_line_is_counted_once() -> None:
    text = "---\na: b\n---\n# A\n\n```\ncode\n```\n\n> q\n>\n> r\n\n<!-- c -->\n\n[x]: /y\n[x]\n\n- \n"
    coverage = doc(text).coverage
    assert coverage.lines == 19
    assert dict(coverage.ignored) == {"code": 3, "comment": 1}
    assert coverage.understood == 10


def parts(document: Document, title: str) -> list[Block]:
    """Blocks of the section with a title, its subsections included."""
    at = next(s.index for s in document.sections if title in s.title)
    inside = {at} | {s.index for s in document.sections if s.parent == at}
    return [b for b in document.blocks if b.section in inside and b.kind != "heading"]


def entries(document: Document, word: str) -> list[str]:
    return [s.number for s in document.sections if s.printed.startswith(word)]


@needs_shared
def test_first_real_brief_has_its_items_back() -> None:
    (path,) = SHARED.glob("seeds/000_*.txt")
    document = read(path.read_bytes(), path.name, heading_words())
    assert document.flattened
    assert document.title.startswith("inference · E1")
    assert entries(document, "增量") == ["1", "2", "3", "4", "5", "6"]
    for section in document.sections:
        if section.printed.startswith("增量"):
            labels = [s.title for s in document.sections if s.parent == section.index]
            assert labels == ["来源", "要点", "与 knowledge/inference.md 现有脉络的关系", "值得警惕之处"]
    (table,) = [b.table for b in parts(document, "低相关") if b.table]
    assert [cell.text for cell in table.header] == ["材料", "判断", "理由"]
    assert [row[1].text for row in table.rows] == [
        "非新观点，仅计数更新",
        "主题归类偏差，不建议纳入",
        "归类噪声",
        "低相关，仅可作 agent 工具栈背景",
        "低相关",
        "不入正文，留档备查",
        "弱相关，仅方法轮廓",
    ]
    assert [row[0].line for row in table.rows] == list(range(70, 77))
    assert [b.marker for b in parts(document, "矛盾")] == [f"{n}." for n in range(1, 9)]
    assert sum(b.text.startswith("arXiv:") for b in parts(document, "可引用") if b.kind == "item") == 8
    assert [b.marker for b in parts(document, "归并动作")] == [f"{n}." for n in range(1, 7)]
    assert document.coverage.ignored == ()


@needs_shared
def test_second_real_brief_has_its_items_back() -> None:
    (path,) = SHARED.glob("seeds/002_*.txt")
    document = read(path.read_bytes(), path.name, heading_words())
    assert document.flattened
    assert entries(document, "条目") == ["1", "2", "3", "4", "5", "6"]
    assert [s.number for s in document.sections if s.level == 2] == ["1", "2", "3", "4"]
    assert all(s.level == 3 for s in document.sections if s.printed.startswith("条目"))
    assert [b.marker for b in parts(document, "矛盾")] == [f"{n}." for n in range(1, 8)]
    assert sum(b.kind == "item" for b in parts(document, "可引用")) == 2
    head = [b.text.split("：")[0] for b in document.blocks[:5] if b.kind == "item"]
    assert head == ["批次", "处理范围", "已读旧文件（仅供脉络对照，未修改）", "诚实度声明"]


def shared(case: str) -> dict[str, Document]:
    root = SHARED / "cases" / case / "kb"
    files = sorted(p for p in root.rglob("*") if p.is_file())
    return {p.relative_to(root).as_posix(): read(p.read_bytes(), p.name, heading_words()) for p in files}


def codes(document: Document) -> list[tuple[str, str]]:
    return [(p.code, p.detail) for p in document.problems]


@needs_shared
def test_handed_cases_about_headers() -> None:
    fences = shared("fm-fences")
    arxiv = {path: f.value for path, d in fences.items() for f in d.fields if f.key == "arxiv"}
    assert arxiv == {
        "blank-first.md": "2401.10003",
        "crlf.md": "2401.10007",
        "dots.md": "2401.10002",
        "later-rule.md": "2401.10006",
        "toml.md": "2401.10001",
    }
    assert codes(fences["unclosed.md"]) == [("broken-front-matter", "never closed")]
    headings = [b.text for d in fences.values() for b in d.blocks if b.kind == "heading"]
    assert "Starts with a rule, no header" in headings
    assert not any(":" in heading for heading in headings)
    types = shared("fm-types")
    assert [f.value for f in types["a.md"].fields if f.key == "aliases"] == ["Toy", "no", "on", "1.10", "null"]
    assert ("duplicate-key", "evidence") in codes(types["b.md"])
    assert [code for code, _ in codes(types["c.md"])] == ["broken-front-matter"]


@needs_shared
def test_handed_cases_about_links() -> None:
    notes = shared("l-footnotes")["note.md"]
    assert [detail for code, detail in codes(notes) if code == "undefined-footnote"] == ["missing"]
    assert [detail for code, detail in codes(notes) if code == "unused-footnote"] == ["unused", "code"]
    assert codes(shared("i-unused-false")["note.md"]) == [("unused-definition", "eight")]
    targets = codes(shared("l-relative-targets")["index.md"])
    assert targets == [("broken-link", "my note.md"), ("broken-link", "笔记/缓存 (1).md")]
    wiki = shared("l-wikilinks")["a.md"]
    marks = [m for b in wiki.blocks for m in b.marks]
    marks += [m for b in wiki.blocks if b.table for row in b.table.rows for c in row for m in c.marks]
    found = sorted(m.target for m in marks if m.kind in ("wikilink", "embed"))
    assert found == ["b", "b", "b", "b", "b#", "b#Second", "b#^blk", "pic.png", "sub/c.md", "不存在"]
    layout = shared("t-layout-table")["list.md"]
    assert [code for code, _ in codes(layout)] == ["ragged-table", "ragged-table"]
