"""Front matter in YAML, from the parser's events: no value is typed, nothing is built, nothing nests the stack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import yaml

from kbgraph.model.document import Field, Problem

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_RAW = re.compile(r"\[\[[^\[\]\n]++\]\]|\{\{[^{}\n]*+\}\}")
_CUT = re.compile(r"[^\s#].*? (#[^\s#].*)")
_MOST = 20_000  # fields of one header


class YamlFields(NamedTuple):
    """What the header is, its fields, and where and why it is unreadable."""

    kind: Literal["mapping", "list", "text", "null", "broken"]
    fields: tuple[Field, ...] = ()
    problems: tuple[Problem, ...] = ()
    error: str = ""
    error_line: int = 0


class _Frame:
    """A mapping or list that is open: the path of its values."""

    __slots__ = ("count", "key", "path", "seen")

    def __init__(self, path: str, *, mapping: bool) -> None:
        self.path = path
        self.seen: set[str] | None = set() if mapping else None
        self.key: str | None = None
        self.count = -1

    def next_path(self, *, nested: bool) -> str:
        """Path of the value that comes now: a mapping in a list keeps its index."""
        if self.seen is None:
            self.count += 1
            return f"{self.path}[{self.count}]" if nested else self.path
        key, self.key = self.key or "", None
        return f"{self.path}.{key}" if self.path else key


class _Reader:
    def __init__(self, source: str, base: int) -> None:
        self.lines = source.split("\n")
        self.base = base + 1
        self.fields: list[Field] = []
        self.problems: list[Problem] = []
        self.frames: list[_Frame] = []
        self.anchors: dict[str, str] = {}
        self.skip = 0  # open collections inside a value that is kept as it is written

    def take(self, event: yaml.Event) -> None:
        """One event."""
        if isinstance(event, yaml.CollectionStartEvent):
            self.start(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            if self.skip:
                self.skip -= 1
            else:
                self.frames.pop()
        elif not self.skip and isinstance(event, yaml.ScalarEvent):
            if event.anchor:
                self.anchors[event.anchor] = event.value
            self.scalar(event.value, _place(event)[0])
        elif not self.skip and isinstance(event, yaml.AliasEvent):
            self.scalar(self.anchors.get(event.anchor or "", f"*{event.anchor}"), _place(event)[0])

    def start(self, event: yaml.CollectionStartEvent) -> None:
        """A list or mapping; `[[a]]` and `{{a}}` are values."""
        if self.skip:
            self.skip += 1
            return
        line, column = _place(event)
        written = self.lines[line] if line < len(self.lines) else ""
        raw = _RAW.match(written, column) if event.flow_style else None
        frame = self.frames[-1] if self.frames else None
        is_key = frame is not None and frame.seen is not None and frame.key is None
        if raw or is_key:
            self.skip = 1
            value = raw[0] if raw else written[column:].strip()
            if value.startswith("{{"):
                self.problems.append(Problem("broken-front-matter", self.base + line, f"a template's {value}"))
            self.scalar(value, line)
            return
        mapping = isinstance(event, yaml.MappingStartEvent)
        self.frames.append(_Frame(frame.next_path(nested=mapping) if frame else "", mapping=mapping))

    def scalar(self, value: str, line: int) -> None:
        """A key, or a value at its path."""
        frame = self.frames[-1] if self.frames else None
        if frame is None:
            return
        if frame.seen is not None and frame.key is None:
            frame.key = value
            if value in frame.seen:
                self.problems.append(Problem("duplicate-key", self.base + line, value))
            frame.seen.add(value)
            return
        if len(self.fields) < _MOST:
            self.fields.append(Field(frame.next_path(nested=False), value, self.base + line, "yaml"))


def _place(event: yaml.Event) -> tuple[int, int]:
    """Line and column of an event, from 0."""
    mark = event.start_mark
    return (mark.line, mark.column) if mark else (0, 0)


def yaml_fields(source: str, base: int) -> YamlFields:
    """Fields of YAML between fences; `base` lines stand before it."""
    reader = _Reader(source, base)
    kind: Literal["mapping", "list", "text", "null"] = "null"
    try:
        for event in yaml.parse(source, Loader=_LOADER):
            if kind == "null" and not reader.frames:
                kind = _kind(event) or kind
            reader.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = base + 1 + (mark.line if mark else 0)
        return YamlFields("broken", error=error.problem or "unreadable", error_line=line)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return YamlFields("broken", error=str(error).split("\n", 1)[0], error_line=base + 1)
    problems = [*reader.problems, *_cut_off(source, base)] if " #" in source else reader.problems
    return YamlFields(kind, tuple(reader.fields), tuple(problems))


def _kind(event: yaml.Event) -> Literal["mapping", "list", "text"] | None:
    if isinstance(event, yaml.MappingStartEvent):
        return "mapping"
    if isinstance(event, yaml.SequenceStartEvent):
        return "list"
    return "text" if isinstance(event, yaml.ScalarEvent) and event.value else None


def _cut_off(source: str, base: int) -> Iterator[Problem]:
    """Values that YAML cuts at " #": "see #3 for more" was hardly meant as a comment."""
    for number, line in enumerate(source.split("\n"), base + 1):
        match = _CUT.match(line.strip())
        if match and "'" not in line and '"' not in line:
            yield Problem("cut-by-comment", number, match[1])
