"""The format of case files: what is read, what is refused, what `--update` writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from casefile import CaseError, parse, rewrite, table

CASE = """\
# orphan (fires)
Words about it.

## file notes/a.md
````md
# A
```sh
ls
```
````

## file raw.md
```bytes
\\xff\\xfe"A"\\n
next
```

## params
```
topic=inference
```

## expect rows
| path | text |
|---|---|
| notes/a.md | one \\| two |

# orphan (quiet)

## file a.md
~~~
# B
~~~

## expect exact triples a.md
```
<> a kb:Note .
```
"""


def written(tmp_path: Path, text: str) -> Path:
    case = tmp_path / "orphan.md"
    case.write_text(text, encoding="utf-8")
    return case


def test_reads_files_params_and_expectations(tmp_path: Path) -> None:
    fires, quiet = parse(written(tmp_path, CASE))
    assert fires.id == "orphan: orphan (fires)"
    assert fires.files == {"notes/a.md": b"# A\n```sh\nls\n```\n", "raw.md": b'\xff\xfe"A"\nnext'}
    assert fires.params == {"topic": "inference"}
    assert fires.expects[0].rows == [["path", "text"], ["notes/a.md", "one | two"]]
    assert (quiet.expects[0].what, quiet.expects[0].about, quiet.expects[0].body) == (
        "exact triples",
        "a.md",
        "<> a kb:Note .\n",
    )


def test_rewrites_one_expectation_and_nothing_else(tmp_path: Path) -> None:
    case = written(tmp_path, CASE)
    fires, quiet = parse(case)
    rewrite(fires, fires.expects[0], table(["path"], [["a|b"], ["c"], ["d"]]))
    rewrite(quiet, quiet.expects[0], "<> a kb:Guide .\n")
    again = parse(case)
    assert again[0].expects[0].rows == [["path"], ["a|b"], ["c"], ["d"]]
    assert again[1].expects[0].body == "<> a kb:Guide .\n"
    assert [s.files for s in again] == [fires.files, quiet.files]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("no heading\n", ":1: no scenario"),
        ("## file a.md\n", ":1: a scenario starts"),
        ("# t\n## file a.md\ntext\n", ":3: a fenced block"),
        ("# t\n## file a.md\n```\ntext\n", ":3: this fence is never closed"),
        ("# t\n## fil a.md\n```\n```\n", ":2: `## fil a.md` is none of"),
    ],
)
def test_refuses_what_breaks_the_format(tmp_path: Path, text: str, where: str) -> None:
    with pytest.raises(CaseError, match=r"orphan\.md") as refused:
        parse(written(tmp_path, text))
    assert where in str(refused.value)
