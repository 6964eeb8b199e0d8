"""The header of a Markdown file: where it ends, and its fields, each spelled as in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from kbgraph.model.document import Field, Problem
from kbgraph.read.frontmatter import yaml_fields
from kbgraph.read.header_lines import KEY, recovered, simple_fields
from kbgraph.read.toml_header import toml_fields

_OPENING = re.compile(r"(?:[ \t]*\n)*+(---|\+\+\+)[ \t]*\n")
_YAML_END = re.compile(r"(?m)^(?:---|\.\.\.)[ \t]*$\n?")
_TOML_END = re.compile(r"(?m)^\+\+\+[ \t]*$\n?")
_FIRST_KEY = re.compile(r"[^\s:=#\[\]{}-][^:=#\[\]{}\n]{0,60}(?::(?=\s)|=)")
_DATE = re.compile(r"([12]\d{3})-(\d{1,2})-(\d{1,2})(?=$|[T ]\d)")
_BROKEN = "broken-front-matter"


class Header(NamedTuple):
    """Fields and problems of the header, the text after it, and how many lines stand before that text."""

    fields: tuple[Field, ...]
    problems: tuple[Problem, ...]
    body: str
    lines: int


def split(text: str) -> Header:
    """The header, if the text has one: a rule at the top is none."""
    header = _split(text)
    wrong = tuple(_wrong_dates(header.fields))
    return header._replace(problems=header.problems + wrong) if wrong else header


def _wrong_dates(fields: tuple[Field, ...]) -> Iterator[Problem]:
    """Dates that no calendar has: a loader that types its values would stop at them."""
    for field in fields:
        match = _DATE.match(field.value)
        if match:
            try:
                date(int(match[1]), int(match[2]), int(match[3]))
            except ValueError:
                yield Problem("invalid-date", field.line, f"{field.key}: {field.value}")


def _split(text: str) -> Header:
    opening = _OPENING.match(text) if text[:1] in ("-", "+", "\n", " ", "\t") else None
    if not opening:
        return Header((), (), text, 0)
    start, line = opening.end(), text.count("\n", 0, opening.end())
    closing = (_YAML_END if opening[1] == "---" else _TOML_END).search(text, start)
    if not closing:
        return _unclosed(text, start, line)
    source = text[start : closing.start()]
    lines = text.count("\n", 0, closing.end())
    body = text[closing.end() :]
    if opening[1] == "+++":
        fields, problems = toml_fields(source, line)
        return Header(fields, problems, body, lines)
    simple = simple_fields(source, line)
    if simple and (not source.startswith("\n") or len(simple) > 1 or simple[0].key.islower()):
        return Header(simple, (), body, lines)
    return _yaml(text, source, line, Header((), (), body, lines))


def _yaml(text: str, source: str, line: int, closed: Header) -> Header:
    """A header that takes a YAML parser."""
    found = yaml_fields(source, line)
    none = Header((), (), text, 0)
    blank_first = not source.split("\n", 1)[0].strip() and bool(source)
    many = len(found.fields) > 1 or not blank_first  # "Note: …" between two rules is no header
    if (found.kind == "mapping" and many) or (found.kind == "null" and not blank_first):
        return closed._replace(fields=found.fields, problems=found.problems)
    if blank_first:
        return none
    if found.kind == "list":
        return closed._replace(problems=(Problem(_BROKEN, line + 1, "a list, not fields"),))
    if found.kind == "text":
        # A note between two rules: its text is kept, and the second rule makes no heading of it.
        rest = "\n" * line + source + "\n" + closed.body
        return Header((), (Problem(_BROKEN, line + 1, "text, not fields"),), rest, 0)
    if not _is_header(source):
        return none
    fields = recovered(source, line)
    return closed._replace(fields=fields, problems=(Problem(_BROKEN, found.error_line, found.error),))


def _is_header(source: str) -> bool:
    """Whether unreadable YAML was meant as a header: most of its lines look like it."""
    lines = [line for line in source.split("\n") if line.strip()]
    alike = sum(bool(KEY.match(line)) or line[0] in " \t-#]}" for line in lines)
    return any(map(KEY.match, lines)) and alike * 3 >= len(lines) * 2


def _unclosed(text: str, start: int, line: int) -> Header:
    """No header at all; a warning when it looks as if there should be one. The opening line is no rule then."""
    if not _FIRST_KEY.match(text, start):
        return Header((), (), text, 0)
    problem = Problem(_BROKEN, line, "never closed")
    return Header((), (problem,), text[start:], line)
