"""Citations by number and by key, and brackets that cite nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbgraph.lift.scan.citations import find_pointers
from kbgraph.model.text import Mark

KEYS = frozenset({"test", "ABC+:TOY:07", "when_????", "cost--share_2020", "doe2024", "doe2024a"})


def labels(text: str, *marks: Mark, keys: frozenset[str] = frozenset()) -> list[str]:
    return [p.label for p in find_pointers(text, marks, keys)]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("works [1], [2,3] and [5–7]", ["1", "2", "3", "5", "6", "7"]),
        ("as well as [9]-[12]", ["9", "10", "11", "12"]),
        ("方法[3][4]", ["3", "4"]),
        ("earlier work[12].", ["12"]),
        ("[2; 5]", ["2", "5"]),
    ],
)
def test_numeric_pointers(text: str, numbers: list[str]) -> None:
    assert labels(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "a[4]",
        "x2[8]",
        "In [2024] we",
        "λ∈[0,10]",
        "[0,1]",
        "U(0,1)",
        "f(x)[1]",
        "[1](#refs)",
        "[1]: https://a.org",
        "[ ]",
        "[x]",
    ],
)
def test_brackets_that_cite_nothing(text: str) -> None:
    assert labels(text) == []


def test_code_and_links_hold_no_pointers() -> None:
    assert labels("see [8] and [9]", Mark("code", 4, 7)) == ["9"]
    assert labels("[8]", Mark("link", 0, 3, "#x")) == []


@pytest.mark.parametrize(
    ("text", "key", "locator"),
    [
        ("[@test: page 3]", "test", "page 3"),
        ("[@ABC+:TOY:07]", "ABC+:TOY:07", ""),
        ("[@when_????]", "when_????", ""),
        ("[@cost--share_2020]", "cost--share_2020", ""),
        ("@doe2024: says", "doe2024", ""),
        ("@doe2024’s", "doe2024", ""),
        ("[see @doe2024, p. 3]", "doe2024", "p. 3"),
        ("[@{key with = sign}]", "key with = sign", ""),
        ("[@unknown+key]", "unknown+key", ""),
        ("[-@doe2024]", "doe2024", ""),
    ],
)
def test_keys(text: str, key: str, locator: str) -> None:
    (found,) = find_pointers(text, (), KEYS)
    assert (found.label, found.locator, found.kind) == (key, locator, "key")


def test_several_keys_in_one_bracket() -> None:
    found = find_pointers("[@doe2024; @doe2024a, p. 3]", (), KEYS)
    assert [(p.label, p.locator) for p in found] == [("doe2024", ""), ("doe2024a", "p. 3")]


def test_handles_and_addresses_are_no_keys() -> None:
    assert labels("by @Lab and a@b.org") == []
    assert labels("by @Lab", keys=frozenset({"Lab"})) == ["Lab"]


@settings(deadline=None)  # the machine may be busy
@given(st.text(alphabet="[]@-–,;:0123456789ab {}().", max_size=60))
def test_any_text_gives_spans_inside_it(text: str) -> None:
    for pointer in find_pointers(text, (), KEYS):
        assert 0 <= pointer.start < pointer.end <= len(text)
        assert text[pointer.start : pointer.end] == pointer.printed
