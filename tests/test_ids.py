"""Identifiers in text and link targets: what is one, its normal form, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbgraph.lift.scan.found import Id
from kbgraph.lift.scan.ids import find_ids, is_future, name_id
from kbgraph.lift.scan.urls import canonical
from kbgraph.model.text import Mark
from words import lexicon


def ids(text: str, *marks: Mark, bare_repos: bool = False) -> tuple[Id, ...]:
    return find_ids(text, marks, lexicon(), bare_repos)


def keys(text: str, *marks: Mark) -> list[str]:
    return [i.key for i in ids(text, *marks)]


@pytest.mark.parametrize(
    ("text", "key", "version"),
    [
        ("arXiv:2503.10001", "arXiv:2503.10001", ""),
        ("arXiv: 2503.10001v4", "arXiv:2503.10001", "4"),
        ("ArXiv abs/2503.10001", "arXiv:2503.10001", ""),
        ("CoRR, abs/2503.10001, 2025", "arXiv:2503.10001", ""),
        ("arXiv preprint arXiv:2503.10001, 2025", "arXiv:2503.10001", ""),
        ("arXiv 编号：2503.10001", "arXiv:2503.10001", ""),
        ("ARXIV#2503.10001V12", "arXiv:2503.10001", "12"),
        ("（arXiv 2503.10001，v3）", "arXiv:2503.10001", "3"),
        ("(arXiv:2503.10001, v3)", "arXiv:2503.10001", "3"),
        ("arXiv:2503.10001 v5 为当前版本", "arXiv:2503.10001", "5"),
        ("arXiv:2503.10001（v5）", "arXiv:2503.10001", "5"),
        ("arXiv：２５０３．１０００１", "arXiv:2503.10001", ""),
        ("arXiv.org:2503.10001", "arXiv:2503.10001", ""),
        ("arXiv:2503.10001_v2", "arXiv:2503.10001", "2"),
        ("arXiv:2503.10001 V4.1-Flash 一文", "arXiv:2503.10001", ""),
        ("arXiv:2503.10001 v0.17", "arXiv:2503.10001", ""),
        ("eprint = {2503.10001}", "arXiv:2503.10001", ""),
        ("doi:10.48550/arXiv.2503.10001", "arXiv:2503.10001", ""),
        ("https://doi.org/10.48550/ARXIV.2503.10001v2", "arXiv:2503.10001", "2"),
        ("http://arxiv.org/pdf/2503.10001v2.pdf", "arXiv:2503.10001", "2"),
        ("https://export.arxiv.org/abs/2503.10001#page=3", "arXiv:2503.10001", ""),
        ("https://arxiv.org/html/2503.10001v1/x1.png", "arXiv:2503.10001", "1"),
        ("https://www.alphaxiv.org/overview/2503.10001", "arXiv:2503.10001", ""),
        ("https://papers.cool/arxiv/2503.10001", "arXiv:2503.10001", ""),
        ("https://huggingface.co/papers/2503.10001", "arXiv:2503.10001", ""),
        ("见arxiv.org/abs/2503.10001，", "arXiv:2503.10001", ""),
        ("arXiv:0704.0001", "arXiv:0704.0001", ""),
        ("arXiv:1412.6980v9", "arXiv:1412.6980", "9"),
        ("hep-th/9901001v2", "arXiv:hep-th/9901001", "2"),
        ("arXiv:math.GT/0309136", "arXiv:math/0309136", ""),
        ("https://arxiv.org/abs/cs.CL/0301001", "arXiv:cs/0301001", ""),
    ],
)
def test_spellings_of_arxiv_ids(text: str, key: str, version: str) -> None:
    found = ids(text)
    assert [(i.key, i.version, i.confidence, i.malformed) for i in found] == [(key, version, "high", "")]
    assert found[0].iri == "https://arxiv.org/abs/" + key.removeprefix("arXiv:")


@pytest.mark.parametrize(
    "text",
    [
        "结论来自2503.10001的第三节",
        "参考2503.10001v2中的消融",
        "《某文》2503.10001。",
        "【2503.10001】",
        "“2503.10001”",
        "(2503.10001 [cs.LG])",
        "2503.10001 — Some Title",
    ],
)
def test_bare_ids_are_found_with_low_confidence(text: str) -> None:
    assert [(i.key, i.confidence) for i in ids(text)] == [("arXiv:2503.10001", "low")]


def test_a_code_span_that_is_an_id_as_a_whole_is_one() -> None:
    assert [(i.key, i.confidence, i.mark) for i in ids("1312.6114v10", Mark("code", 0, 12))] == [
        ("arXiv:1312.6114", "low", "code")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "10.1145/2503.10001x 之外",  # a DOI
        "镜像（标签 2509.10123）",
        "image:2509.10123",
        "version 2503.10001",
        "loss 2503.10001",
        "价格 2503.10001 元",
        "$2503.10001",
        "¥ 2503.10001",
        "约 2503.10001",
        "2503.10001 ms",
        "2503.10001%",
        "v2503.10001",
        "v1.2024.0515",
        "2024.0515",
        "2012.0515",
        "2024.01",
        "score=2503.10001",
        "1203.4567",  # four digits after the dot: a plain number unless boxed
        "papers/2503.10001.md",
        "2503.10001-cuda",
        "arXiv 2024.05 月报",
        "arXiv：2024-05-01 发布",
        "arXiv:xxxx.xxxxx",
        "3.1415.92653",
    ],
)
def test_lookalikes_are_no_arxiv_ids(text: str) -> None:
    assert [i for i in ids(text) if i.kind == "arxiv"] == []


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        ("编号 arXiv:2513.30118 不成立", "arXiv:2513.30118", "month-13"),
        ("arXiv:2500.30118", "arXiv:2500.30118", "month-13"),
        ("arXiv:2605.344", "arXiv:2605.344", "short-serial"),
        ("arXiv 2605.3441", "arXiv:2605.3441", "short-serial"),
        ("arXiv:1312.61145", "arXiv:1312.61145", "long-serial"),
        ("arXiv:2605.344123", "arXiv:2605.344123", "long-serial"),
        ("arXiv:260534412", "arXiv:260534412", "odd-number"),
        ("arXiv:2605-34412", "arXiv:2605-34412", "odd-number"),
        ("arXiv:0703.1234", "arXiv:0703.1234", "odd-number"),
        ("arXiv:hep-th/9913001", "arXiv:hep-th/9913001", "month-13"),
        ("arXiv:hep-th/990100", "arXiv:hep-th/990100", "short-serial"),
        ("https://arxiv.org/abs/2513.30118", "arXiv:2513.30118", "month-13"),
    ],
)
def test_malformed_ids_name_nothing_and_say_why(text: str, key: str, reason: str) -> None:
    assert [(i.key, i.malformed, i.iri) for i in ids(text)] == [(key, reason, "")]


def test_an_odd_suffix_is_reported_and_the_id_kept() -> None:
    assert [(i.key, i.version, i.malformed) for i in ids("arXiv:2503.10001v1v2")] == [
        ("arXiv:2503.10001", "1", "odd-suffix")
    ]


def test_a_range_names_its_ends_only() -> None:
    both = ["arXiv:2503.10007", "arXiv:2503.10009"]
    assert keys("arXiv:2503.10007-2503.10009") == both
    assert keys("arXiv:2503.10007–10009") == both
    assert keys("arXiv:2503.10007/2503.10009") == both
    assert keys("参考2503.10007-2503.10009") == both


def test_ids_of_different_archives_stay_apart() -> None:
    assert keys("arXiv:quant-ph/0203011, astro-ph/0203011 and https://arxiv.org/abs/math/0203011v1") == [
        "arXiv:quant-ph/0203011",
        "arXiv:astro-ph/0203011",
        "arXiv:math/0203011",
    ]


@pytest.mark.parametrize(
    ("text", "kind", "key", "iri"),
    [
        ("doi:10.1145/2502.07115", "doi", "doi:10.1145/2502.07115", "https://doi.org/10.1145/2502.07115"),
        (
            "(https://doi.org/10.1016/S0140-6736(20)30183-5)",
            "doi",
            "doi:10.1016/s0140-6736(20)30183-5",
            "https://doi.org/10.1016/s0140-6736(20)30183-5",
        ),
        (
            "见https://dl.acm.org/doi/pdf/10.1145/3600006.3613165。",
            "doi",
            "doi:10.1145/3600006.3613165",
            "https://doi.org/10.1145/3600006.3613165",
        ),
        ("ISBN 978-7-302-71946-5", "isbn", "ISBN 9787302719465", "urn:isbn:9787302719465"),
        ("ISBN-10: 0-306-40615-2", "isbn", "ISBN 9780306406157", "urn:isbn:9780306406157"),
        ("OpenAlex：W4419930127", "openalex", "openalex:W4419930127", "https://openalex.org/W4419930127"),
        ("PMID: 12345678", "pmid", "PMID 12345678", "https://pubmed.ncbi.nlm.nih.gov/12345678/"),
        (
            "CorpusID:2590001",
            "s2",
            "https://api.semanticscholar.org/CorpusID:2590001",
            "https://api.semanticscholar.org/CorpusID:2590001",
        ),
        ("https://github.com/Lab/Toy-Serve.git", "repo", "lab/toy-serve", "https://github.com/lab/toy-serve"),
        ("https://github.com/lab/toy/tree/main/src", "repo", "lab/toy", "https://github.com/lab/toy"),
        ("github.com/lab/toy/blob/main/README.md#L3", "repo", "lab/toy", "https://github.com/lab/toy"),
        ("git@github.com:lab/toy.git", "repo", "lab/toy", "https://github.com/lab/toy"),
        ("https://api.github.com/repos/lab/toy", "repo", "lab/toy", "https://github.com/lab/toy"),
        ("https://gitlab.com/g/sub/toy/-/tree/main", "repo", "g/sub/toy", "https://gitlab.com/g/sub/toy"),
        (
            "https://github.com/lab/toy/issues/12",
            "url",
            "https://github.com/lab/toy/issues/12",
            "https://github.com/lab/toy/issues/12",
        ),
        (
            "https://arxiv.org/list/cs.CL/recent",
            "url",
            "https://arxiv.org/list/cs.CL/recent",
            "https://arxiv.org/list/cs.CL/recent",
        ),
    ],
)
def test_other_kinds(text: str, kind: str, key: str, iri: str) -> None:
    assert [(i.kind, i.key, i.iri) for i in ids(text)] == [(kind, key, iri)]


def test_a_wrong_check_digit_names_nothing() -> None:
    assert [(i.iri, i.malformed) for i in ids("ISBN 978-7-302-71946-6")] == [("", "isbn-checksum")]


@pytest.mark.parametrize(
    ("printed", "page"),
    [
        ("https://www.Example.org/a/?utm_source=x&utm_medium=y", "https://example.org/a"),
        ("http://example.org:80/a#part", "https://example.org/a"),
        ("https://example.org/?b=2&a=1&fbclid=z", "https://example.org?a=1&b=2"),
        ("https://example.org/%E7%BC%93%e5%ad%98", "https://example.org/缓存"),
        ("https://example.org/a%20b%2fc", "https://example.org/a%20b%2Fc"),
        ("https://example.org/app#/route", "https://example.org/app#/route"),
        ("www.example.org/a", "https://example.org/a"),
    ],
)
def test_one_canonical_url_per_page(printed: str, page: str) -> None:
    assert canonical(printed) == page
    assert canonical(page) == page


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("另见https://example.org/a，以及", "https://example.org/a"),
        ("https://example.org/a的说明", "https://example.org/a"),
        ("（https://example.org/a）", "https://example.org/a"),
        ("(see https://en.example.org/wiki/A_(b))", "https://en.example.org/wiki/A_(b)"),
        ("https://zh.example.org/wiki/缓存，条目", "https://zh.example.org/wiki/缓存"),
        ("**https://example.org/a**.", "https://example.org/a"),
        ("<https://example.org/a>", "https://example.org/a"),
        ("https://example.org/t?id=181 ：讨论", "https://example.org/t?id=181"),
    ],
)
def test_urls_end_before_what_is_not_theirs(text: str, printed: str) -> None:
    assert [i.printed for i in ids(text)] == [printed]


@pytest.mark.parametrize(
    "text", ["https://img.shields.io/github/stars/lab/toy.svg", "javascript:alert(1)", "data:text/html,hi", "a@b.org"]
)
def test_badges_and_other_schemes_name_nothing(text: str) -> None:
    assert ids(text) == ()
    assert ids("x", Mark("link", 0, 1, text)) == ()


def test_bare_repositories_only_where_the_caller_allows_them() -> None:
    text = "driftcache（mossgate/driftcache）、TCP/IP、1/3 与 notes/readme.md"
    assert ids(text) == ()
    assert [(i.key, i.confidence, i.printed) for i in ids(text, bare_repos=True)] == [
        ("mossgate/driftcache", "low", "mossgate/driftcache")
    ]


def test_a_link_that_shows_what_it_leads_to_names_it_once() -> None:
    (found,) = ids("见 2503.10003 一文", Mark("link", 2, 12, "https://arxiv.org/abs/2503.10003v2"))
    assert (found.key, found.version, found.confidence, found.mark, found.target) == (
        "arXiv:2503.10003",
        "2",
        "high",
        "link",
        False,
    )


def test_a_link_that_leads_elsewhere_keeps_both_and_says_so() -> None:
    shown, led = ids("arXiv:2503.10001", Mark("link", 0, 16, "https://arxiv.org/abs/2503.10002"))
    assert (shown.key, shown.malformed, shown.target) == ("arXiv:2503.10001", "", False)
    assert (led.key, led.malformed, led.target) == ("arXiv:2503.10002", "label-target-mismatch", True)


def test_a_url_cut_short_in_its_link_is_no_mismatch() -> None:
    found = ids("https://example.org/lo…", Mark("link", 0, 23, "https://example.org/long/path"))
    assert [i.malformed for i in found] == ["", ""]


def test_the_target_of_an_image_counts_when_it_is_a_work() -> None:
    assert [(i.key, i.mark) for i in ids("fig", Mark("image", 0, 3, "https://arxiv.org/html/2503.10004/x1.png"))] == [
        ("arXiv:2503.10004", "image")
    ]
    assert ids("fig", Mark("image", 0, 3, "https://example.org/fig.png")) == ()


def test_a_future_month_needs_a_date() -> None:
    (found,) = ids("arXiv:2703.30552")
    assert found.month == "2027-03"
    assert is_future(found, "2026-11-06")
    assert not is_future(found, "2027-03-01")
    assert not is_future(found, "")


@pytest.mark.parametrize(
    ("stem", "key"),
    [
        ("2503.10001", "arXiv:2503.10001"),
        ("2503_10001", "arXiv:2503.10001"),
        ("250310001v2-slug", "arXiv:2503.10001"),
        ("058-2503-10001", "arXiv:2503.10001"),
        ("1802-1605-08803", "arXiv:1605.08803"),
        ("arxiv-2503.10001", "arXiv:2503.10001"),
        ("quant-ph_0203011", "arXiv:quant-ph/0203011"),
        ("v1.2024.0101", ""),
        ("2026-07-16-20260716T094326525436Z", ""),
        ("2026-10-27-1050-engineering-screen", ""),
        ("20241015-notes", ""),
        ("README", ""),
    ],
)
def test_ids_in_file_names(stem: str, key: str) -> None:
    found = name_id(stem)
    assert (found.key if found else "") == key


PIECES = st.sampled_from(
    ["arXiv:", "2503.10001", "v2", "10.1145/", "https://", "arxiv.org/abs/", "github.com/a/b", "(", ")", "。", " ",
     "，", "W4419930127", "ISBN 978", "-", "/", "[", "]", "%", "缓存", "@", "www.", ".", "2513.1", "hep-th/9901001"]
)  # fmt: skip


@settings(deadline=None)  # the machine may be busy
@given(st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=12).map("".join)))
def test_any_text_gives_spans_inside_it(text: str) -> None:
    for found in ids(text, Mark("link", 0, len(text), text), bare_repos=True):
        assert 0 <= found.start <= found.end <= len(text)
        assert found.key
        assert found.target or text[found.start : found.end] == found.printed


NAMED = st.one_of(
    st.from_regex(r"arXiv:(1[5-9]|2[0-9])(0[1-9]|1[0-2])\.[0-9]{5}(v[1-9])?", fullmatch=True),
    st.from_regex(r"(hep-th|math|q-bio)/(9[1-9]|0[0-7])(0[1-9]|1[0-2])[0-9]{3}", fullmatch=True),
    st.from_regex(r"10\.[0-9]{4,6}/[a-zA-Z0-9][a-zA-Z0-9._-]{2,20}[a-zA-Z0-9]", fullmatch=True),
    st.from_regex(r"W[1-9][0-9]{8}|PMID: [1-9][0-9]{6}", fullmatch=True),
    st.from_regex(
        r"https?://(www\.)?[a-z]{3,8}\.(org|dev)/[a-z0-9/_-]{0,20}(\?[a-z]=[0-9](&utm_source=x)?)?", fullmatch=True
    ),
    st.from_regex(
        r"https://github\.com/[a-z]{4,8}/[A-Za-z][a-z-]{2,8}(\.git|/tree/main|/blob/x/y\.md)?", fullmatch=True
    ),
)


@settings(deadline=None)  # the machine may be busy
@given(NAMED)
def test_a_key_is_found_again_in_itself(text: str) -> None:
    (found,) = ids(text)
    assert [i.iri for i in ids(found.key, bare_repos=True)] == [found.iri]
    assert found.iri
