"""Test cases as Markdown: scenarios of source files and what is expected of them (format: cases/README.md)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

CASES = Path(__file__).parent / "cases"
_FENCE = re.compile(r"(`{3,}|~{3,})\s*([\w-]*)\s*$")
_HEADING = re.compile(r"(#{1,2}) +(.+?)\s*$")


class CaseError(Exception):
    """A case file that cannot be read: file, line and the mend."""


@dataclass(frozen=True, slots=True)
class Expect:
    """One `## expect` part: lines `[start, end)` of the case file, counted from 0, hold its body."""

    what: str
    about: str  # the file it speaks of, "" for the only one
    body: str
    start: int
    end: int

    @property
    def rows(self) -> list[list[str]]:
        """The body as a pipe table: header first, rows after it."""
        lines = [line for line in self.body.splitlines() if line.strip()]
        return [_cells(line) for i, line in enumerate(lines) if i != 1]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One situation: files by path, parameters, expectations."""

    case: Path
    title: str
    line: int
    files: dict[str, bytes] = field(default_factory=dict)
    params: dict[str, str] = field(default_factory=dict)
    checks: list[str] = field(default_factory=list)
    expects: list[Expect] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Name of the test: the case file's stem and the title."""
        return f"{self.case.stem}: {self.title}"

    @property
    def name(self) -> str:
        """What the case file is about: a saved query's name."""
        return self.case.stem

    def one(self, about: str) -> tuple[str, bytes]:
        """Path and bytes of the file that an expectation speaks of."""
        path = about or next(iter(self.files))
        if path not in self.files or (not about and len(self.files) > 1):
            raise CaseError(f"{self.case}:{self.line}: say which file is meant: `## expect WHAT PATH`")
        return path, self.files[path]

    def write(self, root: Path) -> Path:
        """All files laid down under `root`."""
        for path, data in self.files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        return root


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]


def table(header: list[str], rows: list[list[str]]) -> str:
    """A pipe table, the reverse of `Expect.rows`."""
    escaped = [[cell.replace("|", r"\|") for cell in row] for row in [header, ["---"] * len(header), *rows]]
    return "".join(f"| {' | '.join(row)} |\n".replace("|  |", "| |") for row in escaped)


def _fenced(case: Path, lines: list[str], at: int) -> tuple[str, str, int, int]:
    """Info word and text of the fenced block that starts at or after `at`, and its lines without the fences."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    opening = _FENCE.match(lines[at]) if at < len(lines) else None
    if not opening:
        raise CaseError(f"{case}:{at + 1}: a fenced block belongs here")
    fence, info = opening.groups()
    for end in range(at + 1, len(lines)):
        if lines[end].rstrip() == fence:
            return info, "".join(f"{line}\n" for line in lines[at + 1 : end]), at + 1, end
    raise CaseError(f"{case}:{at + 1}: this fence is never closed: close it with {fence}")


def _body(case: Path, lines: list[str], at: int) -> tuple[str, int, int]:
    """The pipe table or fenced block after an `## expect` heading."""
    start = at
    while start < len(lines) and not lines[start].strip():
        start += 1
    if start < len(lines) and lines[start].startswith("|"):
        end = start
        while end < len(lines) and lines[end].startswith("|"):
            end += 1
        return "".join(f"{line}\n" for line in lines[start:end]), start, end
    _, text, first, last = _fenced(case, lines, at)
    return text, first, last


def _source(case: Path, lines: list[str], at: int) -> tuple[bytes, int]:
    info, text, _, end = _fenced(case, lines, at)
    if info != "bytes":
        return text.encode("utf-8", "surrogateescape"), end
    # Spelled as a Python bytes literal's inside, for what no UTF-8 file can hold; line breaks in it do not count.
    literal = "".join(text.splitlines()).replace('"', r"\"")
    data = ast.literal_eval(f'b"{literal}"')
    if not isinstance(data, bytes):
        raise CaseError(f"{case}:{at + 1}: not the inside of a bytes literal")
    return data, end


def _params(case: Path, lines: list[str], at: int) -> tuple[dict[str, str], int]:
    _, text, _, end = _fenced(case, lines, at)
    return dict(line.split("=", 1) for line in text.splitlines() if line.strip()), end


def parse(case: Path) -> list[Scenario]:
    """All scenarios of a case file; CaseError says where it breaks the format."""
    lines = case.read_text(encoding="utf-8").split("\n")
    scenarios: list[Scenario] = []
    at = 0
    while at < len(lines):
        heading = _HEADING.match(lines[at])
        if not heading:
            at += 1
        elif heading[1] == "#":
            scenarios.append(Scenario(case, heading[2], at + 1))
            at += 1
        elif not scenarios:
            raise CaseError(f"{case}:{at + 1}: a scenario starts with `# title`")
        else:
            at = _part(scenarios[-1], heading[2], lines, at + 1)
    if not scenarios:
        raise CaseError(f"{case}:1: no scenario: start one with `# title`")
    return scenarios


def _part(scenario: Scenario, heading: str, lines: list[str], at: int) -> int:
    """Read one `## …` part into the scenario; the line to go on from."""
    word, _, rest = heading.partition(" ")
    if word == "file" and rest:
        scenario.files[rest.strip("`")], end = _source(scenario.case, lines, at)
    elif heading == "params":
        found, end = _params(scenario.case, lines, at)
        scenario.params.update(found)
    elif heading == "checks":
        _, text, _, end = _fenced(scenario.case, lines, at)
        scenario.checks.extend(text.split())
    elif word == "expect" and rest:
        what, _, about = rest.partition(" ")
        if what in {"no", "exact"}:
            second, _, about = about.partition(" ")
            what = f"{what} {second}"
        text, start, end = _body(scenario.case, lines, at)
        scenario.expects.append(Expect(what, about.strip("` "), text, start, end))
    else:
        raise CaseError(f"{scenario.case}:{at}: `## {heading}` is none of file PATH, params, expect WHAT")
    return end


def scenarios(room: str) -> list[Scenario]:
    """All scenarios under cases/<room>/, by file."""
    return [scenario for case in sorted((CASES / room).glob("**/*.md")) for scenario in parse(case)]


def rewrite(scenario: Scenario, expect: Expect, body: str) -> None:
    """Put another body in an expectation's place; the file is read anew, since earlier rewrites move lines."""
    now = next(s for s in parse(scenario.case) if s.title == scenario.title)
    place = next(e for e in now.expects if (e.what, e.about) == (expect.what, expect.about))
    lines = scenario.case.read_text(encoding="utf-8").split("\n")
    lines[place.start : place.end] = body.removesuffix("\n").split("\n") if body else []
    scenario.case.write_text("\n".join(lines), encoding="utf-8")


def expectations(room: str) -> Iterator[tuple[Scenario, Expect]]:
    """Each expectation of a room with its scenario: one test each."""
    for scenario in scenarios(room):
        if not scenario.expects:
            raise CaseError(f"{scenario.case}:{scenario.line}: a scenario without `## expect`")
        for expect in scenario.expects:
            yield scenario, expect
