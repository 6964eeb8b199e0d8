"""Case files of saved queries: small corpora and the rows expected of them. Format: tests/cases/README.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kbgraph.ask.findings import plain
from kbgraph.errors import QueryError
from kbgraph.model.finding import Finding
from kbgraph.model.prefixes import PREFIXES
from kbgraph.model.query import Cell, Table

_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*([\w-]*)\s*$")
_LOCAL = re.compile(r"[\w-]+")


class Expectation(NamedTuple):
    """`rows` or `findings`: the columns that are looked at, and their cells as texts."""

    what: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(slots=True)
class Case:
    """One scenario: files by path, parameters, checks that are run before, what is expected."""

    title: str
    line: int
    files: dict[str, bytes] = field(default_factory=dict)
    params: dict[str, str] = field(default_factory=dict)
    checks: tuple[str, ...] = ()  # run before the query is asked: it may ask what they found
    expects: list[Expectation] = field(default_factory=list)


def parse_cases(text: str, path: str) -> tuple[Case, ...]:
    """All scenarios of a case file; QueryError says where it breaks the format."""
    reader = _Reader(text.split("\n"), path)
    cases: list[Case] = []
    for line, level, title in reader.headings():
        if level == 1:
            cases.append(Case(title, line))
        elif not cases:
            raise reader.error(line, "a part before the first scenario", "begin with `# title`")
        else:
            reader.part(cases[-1], line, title)
    for case in cases:
        if not case.expects:
            raise reader.error(case.line, "a scenario that expects nothing", "add `## expect rows` and a table")
    return tuple(cases)


class _Reader:
    def __init__(self, lines: Sequence[str], path: str) -> None:
        self._lines, self._path, self._at = lines, path, 0

    def error(self, line: int, message: str, mend: str) -> QueryError:
        return QueryError(f"{self._path}:{line}: {message}", mend)

    def headings(self) -> Iterator[tuple[int, int, str]]:
        """Line, level and title of each heading; what `part` reads is passed over."""
        while self._at < len(self._lines):
            line = self._lines[self._at].rstrip("\r")
            self._at += 1
            mark = re.match(r"(##?) +(.+?)\s*$", line)
            if mark:
                yield self._at, len(mark[1]), mark[2]

    def part(self, case: Case, line: int, title: str) -> None:
        """Read what stands under a level-2 heading into the case."""
        word, _, rest = title.partition(" ")
        if word == "file" and rest:
            info, body = self._fenced()
            case.files[rest.strip("`")] = self._bytes(line, body) if info == "bytes" else body.encode("utf-8")
        elif title == "params":
            pairs = (entry.split("=", 1) for entry in self._fenced()[1].split("\n") if "=" in entry)
            case.params.update((name, value) for name, value in pairs)
        elif title == "checks":
            case.checks = tuple(self._fenced()[1].split())
        elif title in ("expect rows", "expect findings"):
            header, *rows = self._table(line)
            case.expects.append(Expectation(rest, header, tuple(rows)))
        else:
            raise self.error(line, f"`## {title}`", "parts are file PATH, params, checks, expect rows, expect findings")

    def _fenced(self) -> tuple[str, str]:
        start = self._skip_blank()
        opening = _FENCE.match(self._lines[start]) if start < len(self._lines) else None
        if opening is None:
            raise self.error(start + 1, "no fenced block", "put the file's source between ``` lines")
        for end in range(start + 1, len(self._lines)):
            if self._lines[end].rstrip() == opening[1]:
                self._at = end + 1
                return opening[2], "".join(f"{line}\n" for line in self._lines[start + 1 : end])
        raise self.error(start + 1, "a fence that is never closed", f"close it with {opening[1]}")

    def _bytes(self, line: int, body: str) -> bytes:
        try:
            made = ast.literal_eval('b"' + body.replace("\n", "").replace('"', r"\"") + '"')
        except (SyntaxError, ValueError) as error:
            raise self.error(line, "not the inside of a bytes literal", r"write bytes like \xff\r\n") from error
        return bytes(made)

    def _table(self, line: int) -> list[tuple[str, ...]]:
        self._at = self._skip_blank()
        found: list[tuple[str, ...]] = []
        while self._at < len(self._lines) and self._lines[self._at].startswith("|"):
            cells = re.split(r"(?<!\\)\|", self._lines[self._at].strip().removeprefix("|").removesuffix("|"))
            found.append(tuple(cell.strip().replace(r"\|", "|") for cell in cells))
            self._at += 1
        if len(found) < 2 or any(len(row) != len(found[0]) for row in found):
            raise self.error(line, "no table, or a row of another width", "write | column |, | --- |, then the rows")
        return [found[0], *found[2:]]

    def _skip_blank(self) -> int:
        at = self._at
        while at < len(self._lines) and not self._lines[at].strip():
            at += 1
        return at


def shown(cell: Cell, base: str) -> str:
    """A cell as a case writes it: names of the ontology as CURIEs, things of the corpus as `:path#local`."""
    text = plain(cell)
    if text.startswith(base):
        return f":{text[len(base) :]}"
    for prefix, start in PREFIXES.items():
        if text.startswith(start) and _LOCAL.fullmatch(text[len(start) :]):
            return f"{prefix}:{text[len(start) :]}"
    return text.replace("\n", r"\n")


def table_rows(found: Table, header: Sequence[str], base: str) -> tuple[tuple[str, ...], ...]:
    """The answer projected to the columns of an expectation."""
    places = [found.columns.index(name) for name in header]
    return tuple(tuple(shown(row[place], base) for place in places) for row in found.rows)


def finding_rows(found: Iterable[Finding], header: Sequence[str], base: str) -> tuple[tuple[str, ...], ...]:
    """Findings projected to the fields of an expectation, texts in English."""
    return tuple(tuple(_field(finding, name, base) for name in header) for finding in found)


def _field(finding: Finding, name: str, base: str) -> str:
    value = getattr(finding, name)
    if name in ("message", "fix"):
        return str(value.get("en", ""))
    return " ".join(value) if isinstance(value, tuple) else shown(value, base)


def unknown_columns(expectation: Expectation, columns: Iterable[str]) -> list[str]:
    """Columns of an expectation that the query, or a finding, does not have."""
    known = set(columns) if expectation.what == "rows" else set(Finding.__dataclass_fields__)
    return [name for name in expectation.header if name not in known]


def difference(wanted: Sequence[Sequence[str]], got: Sequence[Sequence[str]]) -> str:
    """The first row that differs, "" when all agree."""
    for number, (left, right) in enumerate(zip(wanted, got, strict=False), start=1):
        if tuple(left) != tuple(right):
            return f"row {number}: expected {' | '.join(left)}; found {' | '.join(right)}"
    if len(wanted) == len(got):
        return ""
    more = wanted[len(got)] if len(wanted) > len(got) else got[len(wanted)]
    return f"{len(wanted)} rows expected, {len(got)} found; the first of the others: {' | '.join(more)}"
