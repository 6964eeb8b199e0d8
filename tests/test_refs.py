"""References to sections and files: numbers, titles, documents, paths, links, wikilinks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbgraph.lift.scan.found import FileRef, SectionRef
from kbgraph.lift.scan.refs import find_file_refs, find_section_refs, tops_of
from kbgraph.model.text import Mark
from words import lexicon

HERE = "organized/knowledge/cache.md"


def sections(text: str, *marks: Mark) -> tuple[SectionRef, ...]:
    return find_section_refs(text, lexicon(), marks)


def files(text: str, *marks: Mark, path: str = HERE) -> tuple[FileRef, ...]:
    return find_file_refs(text, marks, path)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("归入 §3.1", ["3.1"]),
        ("§ 2", ["2"]),
        ("见 §七 列表", ["7"]),
        ("§十二", ["12"]),
        ("§1.1/§5.6", ["1.1", "5.6"]),
        ("§6.1–§6.3", ["6.1", "6.3"]),  # the ends, and nothing between them
        ("§6.1–6.3", ["6.1", "6.3"]),
        ("§3.1/3.2", ["3.1", "3.2"]),
        ("§6.1 和 6.2", ["6.1", "6.2"]),
        ("§2.4、§2.5", ["2.4", "2.5"]),
        ("§1.2.3", ["1.2.3"]),
        ("3.1 节", ["3.1"]),
        ("见4.2节", ["4.2"]),
        ("第三节", ["3"]),
        ("第 3.2 节", ["3.2"]),
        ("第 3、4 节", ["3", "4"]),
        ("第二章", ["2"]),
        ("Section 3.1", ["3.1"]),
        ("see sec. 2.2 and Chapter 5", ["2.2", "5"]),
        ("Sections 3 and 4", ["3", "4"]),
    ],
)
def test_numbers_of_sections(text: str, numbers: list[str]) -> None:
    assert [s.number for s in sections(text)] == numbers


@pytest.mark.parametrize(
    "text",
    [
        "第三方",
        "第 31 期",
        "第一个",
        "v3.1 节点",
        "共 5 节课",
        "图 3.1",
        "Table 3",
        "intersection 3",
        "3.1 倍",
        "节 约",
    ],
)
def test_other_numbers_are_no_sections(text: str) -> None:
    assert sections(text) == ()


def test_the_title_after_a_number_is_kept() -> None:
    first, second = sections("归入 §4.2「引用与归因」，§2.3 “过滤检索”")
    assert (first.described_as, second.described_as) == ("引用与归因", "过滤检索")
    assert first.printed == "§4.2"


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        ("organized/knowledge/x.md §2.3、§2.4", ["organized/knowledge/x.md"] * 2),
        ("x.md 的 §3 与 §4", ["x.md", "x.md"]),
        ("《检索》§4.1", ["检索"]),
        ("§2.3 of notes.md", ["notes.md"]),
        ("§2.3（a.md）", ["a.md"]),
        ("§2.4，x.md 的 §3", ["", "x.md"]),
        ("活文档 §5.3", [""]),
    ],
)
def test_the_document_named_beside_a_section(text: str, documents: list[str]) -> None:
    assert [s.document for s in sections(text)] == documents


def test_a_wikilink_before_a_section_names_its_document() -> None:
    (found,) = sections("cache §2.3", Mark("wikilink", 0, 5, "cache"))
    assert found.document == "cache"


@pytest.mark.parametrize(
    ("text", "of_work"),
    [
        ("原文 §7.3 的消融", [True]),
        ("论文第 3 节", [True]),
        ("论文的第 3.2 节与 §4", [True, True]),
        ("Section 4 of the paper", [True]),
        ("the paper's Section 4.2", [True]),
        ("结论来自2503.10001的第三节", [True]),
        ("arXiv:2503.10001 §3", [True]),
        ("arXiv:2503.10001 在 §七 列表里", [False]),
        ("原文核查 §3.1", [False]),  # an evidence level, not the original's section
        ("论文写得不清，见 §3.1", [False]),
        ("活文档 §5.3", [False]),
    ],
)
def test_sections_of_the_cited_work(text: str, of_work: list[bool]) -> None:
    assert [s.of_work for s in sections(text)] == of_work


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("inbox/jay/2026-10-27-x.md、后文", "inbox/jay/2026-10-27-x.md"),
        ("见organized/a.md和别处", "organized/a.md"),
        ("organized/笔记/缓存.md。", "organized/笔记/缓存.md"),
        ("work-guard/3f0c-6a1e.json（7 项）", "work-guard/3f0c-6a1e.json"),
        ("/srv/kb/inbox/tom/x.md", "inbox/tom/x.md"),
        ("./inbox/tom/x.md", "inbox/tom/x.md"),
        ("inbox/tom/x.md:12", "inbox/tom/x.md"),
        ("(organized/v1.2.md)", "organized/v1.2.md"),
    ],
)
def test_paths_below_known_folders(text: str, path: str) -> None:
    (found,) = files(text)
    assert (found.path, found.syntax, found.template, found.outside) == (path, "path", False, False)
    assert text[found.start : found.end] == found.printed


def test_the_printed_path_keeps_its_lead() -> None:
    assert files("写入 /srv/kb/inbox/tom/x.md。")[0].printed == "/srv/kb/inbox/tom/x.md"


@pytest.mark.parametrize(
    "text",
    [
        "src/cache/evict.rs",
        "myinbox/a.md",
        "organized/guides/",
        "https://example.org/inbox/a.md",
        "knowledge/x.md",
        "README.md",
        "A/B",
    ],
)
def test_paths_of_elsewhere_are_no_references(text: str) -> None:
    assert files(text) == ()


@pytest.mark.parametrize("text", ["inbox/<agent>/<date>-x.md", "organized/*.md", "organized/{a,b}.md", "inbox/…/x.md"])
def test_templates_name_no_single_file(text: str) -> None:
    assert [f.template for f in files(text)] in ([True], [])
    assert not [f for f in files(text) if not f.template]


def test_the_folder_of_a_file_is_a_known_one() -> None:
    assert [f.path for f in files("vault/b.md", path="vault/a.md")] == ["vault/b.md"]
    assert tops_of((("notes/*.md", "note"), ("*.bib", "bibliography"), ("*/x.md", "note"))) == {"notes"}


@pytest.mark.parametrize(
    ("target", "path", "anchor", "outside"),
    [
        ("my%20note.md", "a/my note.md", "", False),
        ("../b/c.md#top", "b/c.md", "top", False),
        ("./C%23.md#x", "a/C#.md", "x", False),
        ("/b/c.md", "b/c.md", "", False),
        ("../../out.md", "../out.md", "", True),
        ("pic.png", "a/pic.png", "", False),
        ("c.md?plain=1", "a/c.md", "", False),
        ("%E7%BC%93%E5%AD%98.md", "a/缓存.md", "", False),
    ],
)
def test_targets_of_links_are_taken_from_the_folder(target: str, path: str, anchor: str, outside: bool) -> None:
    (found,) = files("x", Mark("link", 0, 1, target), path="a/index.md")
    assert (found.path, found.anchor, found.outside, found.syntax) == (path, anchor, outside, "link")


@pytest.mark.parametrize("target", ["https://a.org/x.md", "mailto:a@b.org", "#here", "javascript:x", "//a.org/x", "b/"])
def test_targets_that_are_no_files(target: str) -> None:
    assert files("x", Mark("link", 0, 1, target)) == ()


def test_a_link_that_shows_its_path_is_one_reference() -> None:
    found = files("organized/a.md", Mark("link", 0, 14, "../a.md"))
    assert [(f.path, f.syntax) for f in found] == [("organized/a.md", "link")]


def test_a_link_with_a_space_is_broken_and_says_what_it_means() -> None:
    (found,) = files("看 [c](my note.md) 处", path="index.md")
    assert (found.path, found.broken, found.printed) == ("my note.md", True, "[c](my note.md)")


@pytest.mark.parametrize(
    ("target", "name", "anchor"),
    [
        ("b", "b", ""),
        ("B.md", "b", ""),
        ("b|shown", "b", ""),
        ("b#Second|x", "b", "Second"),
        ("b#^blk", "b", "^blk"),
        ("sub/c.md", "sub/c", ""),
        ("/y/README", "y/readme", ""),
        ("../y/README", "y/readme", ""),
        ("memo.v2", "memo.v2", ""),
    ],
)
def test_wikilinks_by_folded_name(target: str, name: str, anchor: str) -> None:
    (found,) = files("b", Mark("wikilink", 0, 1, target), path="x/a.md")
    assert (found.name, found.anchor, found.path, found.syntax) == (name, anchor, "", "wikilink")


def test_empty_wikilinks_are_none_and_embeds_are_told() -> None:
    assert files(" ", Mark("wikilink", 0, 1, " ")) == ()
    assert [(f.name, f.syntax) for f in files("p", Mark("embed", 0, 1, "pic.png|300"))] == [("pic.png", "embed")]


def test_paths_in_code_say_so() -> None:
    assert [(f.path, f.mark) for f in files("写 organized/a.md 里", Mark("code", 2, 16))] == [
        ("organized/a.md", "code")
    ]


PIECES = st.sampled_from(
    ["§", "3.1", "七", "第", "节", "/", "organized/", "inbox/", "a", ".md", "#x", "](", "[", ")", " ", "「", "」", "..",
     "论文", "原文", "Section ", "的", "、", "–", "%20", "<", ">", "https://", "2503.10001"]
)  # fmt: skip


@settings(deadline=None)  # the machine may be busy
@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=10).map("".join)))
def test_any_text_gives_spans_inside_it(text: str) -> None:
    marks = (Mark("link", 0, len(text), text), Mark("wikilink", 0, len(text), text))
    spans = [(s.start, s.end) for s in sections(text)] + [(f.start, f.end) for f in files(text, *marks)]
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert all(s.number.replace(".", "").isdigit() for s in sections(text))
    assert all(f.path or f.name for f in files(text, *marks))


@pytest.mark.parametrize("piece", ["§", "第", "organized/", "](", "的", "3.1", "论文"])
def test_long_runs_take_linear_time(piece: str) -> None:
    text = piece * 20_000
    assert sections(text + " §3.1")[-1].number == "3.1"
    assert files(text) == ()
