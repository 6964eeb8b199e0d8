"""Reading is total: whatever the bytes, a Document comes back, and it holds together."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kbgraph.model.document import Document
from kbgraph.model.text import Block, HeadingWords, Mark
from kbgraph.read import read

WORDS = HeadingWords(
    sections=frozenset({"低相关", "references"}),
    items=frozenset({"增量", "item"}),
    parts=frozenset({"来源", "要点", "source"}),
    ordinals=frozenset({"chapter"}),
)
# Pieces that mean something to one reader or another: joined at random they make every kind of half-finished structure.
PIECES = (
    "# ", "## ", "\n", "\n\n", "\r\n", "\r", "- ", "  - ", "1. ", "2) ", "> ", "---\n", "+++\n", "...\n", "===\n",
    "```\n", "~~~", "`", "**", "*", "_", "~~", "$", "$$", "[", "]", "](", "(", ")", "[[", "]]", "![[", "|", "\\",
    "|-|-|\n", "| a | b |\n", "<!--", "-->", "<a href='x'>", "</a>", "<b>", "<T>", "<script>", "<br>",
    "<img src=y alt=z>", "[^1]", "[^1]: ", "[a]: /b\n", "[a]", "{#id}", "&amp;", "&#10;", "&#x202e;",
    "key: value\n", "key: [a, b]\n", "- item\n", "a: b: c\n", "k = 1\n", "\t", "    ", "\x00", "\x0c", "\u202e",
    "\ufeff", "�", "\u2028", "\x85", "增量 1：题", "来源 - 甲 - 乙", "要点 一 1. 甲 2. 乙", "• 甲", "一、题",
    "（二）题", "第三节 题", "§3.1 题", "3.1 题", "材料 判断 理由\n", "低相关", "。", "；", "arXiv:2401.10001",
    "text", "文字", "🚀", "2401.10001", "- [x] ", "a b c.md", "http://x.y/z", " ", "  \n",
)  # fmt: skip
markdown = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
paths = st.sampled_from(("a.md", "a.MARKDOWN", "a.txt", "a.json", "a.bib", "a.png", "a"))


def texts(document: Document) -> list[tuple[str, tuple[Mark, ...]]]:
    cells = [row for b in document.blocks if b.table for row in (b.table.header, *b.table.rows)]
    return [(b.text, b.marks) for b in document.blocks] + [(c.text, c.marks) for row in cells for c in row]


def check_blocks(blocks: tuple[Block, ...]) -> None:
    for index, block in enumerate(blocks):
        assert 1 <= block.line <= block.end_line
        assert block.line_at(len(block.text)) <= block.end_line
        assert -1 <= block.parent < index
        assert block.parent < 0 or blocks[block.parent].kind == "item"
        assert (block.kind == "table") == (block.table is not None)
        assert (block.kind == "heading") == (1 <= block.level <= 6)


def check_sections(document: Document) -> None:
    heads = [i for i, b in enumerate(document.blocks) if b.kind == "heading" and not b.depth and not b.quoted]
    assert [s.block for s in document.sections] == heads
    assert len({s.anchor for s in document.sections}) == len(heads)
    for number, section in enumerate(document.sections):
        assert section.index == number
        assert section.parent < number
        assert section.level == (document.sections[section.parent].level + 1 if section.parent >= 0 else 1)
        assert section.line <= section.end_line
    current = -1
    for index, block in enumerate(document.blocks):
        current = heads.index(index) if index in heads else current
        assert block.section == current


def check(document: Document) -> None:
    check_blocks(document.blocks)
    check_sections(document)
    for text, marks in texts(document):
        assert all(0 <= mark.start <= mark.end <= len(text) for mark in marks)
        assert "\0" not in text
        assert "\r" not in text
    assert list(document.problems) == sorted(document.problems, key=lambda p: (p.line, p.code, p.detail))
    assert all(1 <= problem.line <= document.coverage.lines + 1 for problem in document.problems)
    assert all(1 <= field.line <= document.coverage.lines for field in document.fields)


@given(st.binary(max_size=300), paths)
@example(b"\xef\xbb\xbf---\na: b\n---\n", "a.md")
@example(b"\xff\xfe\x00", "a.md")
def test_any_bytes_make_a_document(data: bytes, path: str) -> None:
    check(read(data, path, WORDS))


@settings(max_examples=400)
@given(markdown)
@example("- \n  ![](x)\n\n  t")
@example("| a |\n|---|\n| `x | y` |")
@example("<!-- a\n\n<!-- b -->\n\nc")
@example("- a\n  - b\n  c\n")
@example("`a\nb` [x](\n/u) ![](\n/v)")
def test_any_markdown_makes_a_document_that_holds_together(text: str) -> None:
    document = read(text.encode("utf-8", "surrogatepass"), "a.md", WORDS)
    check(document)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "").split("\n")
    filled = sum(bool(line) and not line.isspace() for line in lines)
    assert document.coverage.understood + sum(count for _, count in document.coverage.ignored) == filled


@given(markdown, paths)
def test_same_input_same_document(text: str, path: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    assert read(data, path, WORDS) == read(bytes(data), path, WORDS)


@given(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
)
def test_one_file_says_nothing_about_another(one: str, other: str) -> None:
    first = read(one.encode("utf-8", "surrogatepass"), "a.md", WORDS)
    read(other.encode("utf-8", "surrogatepass"), "b.md", WORDS)
    assert read(one.encode("utf-8", "surrogatepass"), "a.md", WORDS) == first


@given(markdown)
def test_line_ends_do_not_matter(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    one = read(plain.encode("utf-8", "surrogatepass"), "a.md", WORDS)
    other = read(plain.replace("\n", "\r\n").encode("utf-8", "surrogatepass"), "a.md", WORDS)
    assert (one.blocks, one.sections, one.fields, one.problems) == (
        other.blocks,
        other.sections,
        other.fields,
        other.problems,
    )


words = st.text(st.characters(categories=("Ll", "Lo")), min_size=1, max_size=8)


@given(st.lists(words, min_size=1, max_size=20), st.integers(0, 3))
def test_each_word_is_found_on_its_own_line(lines: list[str], blank: int) -> None:
    """One word a line, in paragraphs, items and quotes: `line_at` leads back to where each stands."""
    shapes = ("{}", "- {}", "> {}", "1. {}", "  {}")
    source = [shapes[(number + blank) % len(shapes)].format(word) for number, word in enumerate(lines)]
    document = read("\n".join(source).encode(), "a.md", WORDS)
    for block in document.blocks:
        for offset, word in enumerate(block.text.split("\n")):
            assert word.strip() in source[block.line + offset - 1]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        ">" * 5_000 + " x",
        "` " * 20_000,
        "*_" * 20_000,
        "[[a]](" * 10_000,
        "[^" * 20_000,
        "<!--" * 10_000,
        "<a b='" * 10_000,
        "- " * 10_000 + "\n\n" + "1. " * 10_000,
        "---\na: " + "[" * 20_000 + "\n---\n",
        "---\n" + "- " * 20_000 + "\n---\n",
        "来源" + " - x" * 20_000 + "\n\n增量 1：x\n\n要点 a - b\n",
        "[a](b c.md) " * 5_000,
        "# a\n" * 10_000,
        "| a |\n|---|\n" + "| b | c |\n" * 5_000,
    ],
    ids=lambda text: text[:12].strip(),
)  # fmt: skip
def test_hostile_text_takes_no_more_than_its_length(text: str) -> None:
    """A quadratic step would take minutes here; the runner's limit is the bound."""
    check(read(text.encode(), "a.md", WORDS))


@pytest.mark.parametrize("data", [b"[" * 50_000, b'{"a":' * 20_000, b'"\\' * 20_000, b"9" * 50_000])
def test_hostile_json_is_a_problem(data: bytes) -> None:
    document = read(data, "a.json", WORDS)
    check(document)
    assert [p.code for p in document.problems if p.code == "broken-manifest"] == ["broken-manifest"]
