"""Front matter in TOML."""

from __future__ import annotations

import re
import tomllib
from collections import deque
from collections.abc import Iterator
from typing import Any

from kbgraph.model.document import Field, Problem

_KEY = re.compile(r"\s*(\"[^\"]*\"|'[^']*'|[\w-]+(?:\s*\.\s*[\w-]+)*)\s*=\s*(.*)")
_TABLE = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")


def toml_fields(source: str, base: int) -> tuple[tuple[Field, ...], tuple[Problem, ...]]:
    """Fields of TOML between fences, numbers and dates spelled as written; what is broken is read line by line."""
    rows = list(_rows(source, base))
    try:
        data = tomllib.loads(source, parse_float=str)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        found = re.search(r"line (\d+)", str(error))
        line = base + (int(found[1]) if found else 1)
        fields = tuple(Field(key, _bare(raw), number, "recovered") for key, raw, number in rows)
        codes = "duplicate-key" if "overwrite" in str(error) else "broken-front-matter"
        return fields, (Problem(codes, line, str(error)),)
    written: dict[str, deque[tuple[str, int]]] = {}
    for key, raw, number in rows:
        written.setdefault(key, deque()).append((raw, number))
    return tuple(_flat(data, written, source.split("\n"), base)), ()


def _rows(source: str, base: int) -> Iterator[tuple[str, str, int]]:
    """Each `key = value` line: dotted key, value as written, line."""
    table = ""
    for number, line in enumerate(source.split("\n"), base + 1):
        if match := _TABLE.match(line):
            table = match[1].replace('"', "") + "."
        elif match := _KEY.match(line):
            yield table + re.sub(r"\s*\.\s*", ".", match[1].strip("\"'")), match[2].strip(), number


def _bare(raw: str) -> str:
    """A value without quotes or comment."""
    if raw[:1] in ('"', "'") and raw.find(raw[0], 1) > 0:
        return raw[1 : raw.find(raw[0], 1)]
    return raw.split(" #", 1)[0].strip()


def _flat(
    data: dict[str, Any], written: dict[str, deque[tuple[str, int]]], lines: list[str], base: int
) -> Iterator[Field]:
    """Values of nested tables, without recursion."""
    stack: list[tuple[str, Any, int]] = [(key, data[key], base + 1) for key in reversed(data)]
    while stack:
        key, value, line = stack.pop()
        places = written.get(re.sub(r"\[\d+\]", "", key))
        raw, line = places.popleft() if places else ("", line)
        if isinstance(value, dict):
            stack += [(f"{key}.{name}", value[name], line) for name in reversed(value)]
        elif isinstance(value, list):
            tables = any(isinstance(element, dict) for element in value)
            named = [(f"{key}[{i}]" if tables else key, element, line) for i, element in enumerate(value)]
            yield from _elements(named, lines, base) if not tables else ()
            stack += reversed(named) if tables else ()
        else:
            text = isinstance(value, str) and not _is_number(raw)
            yield Field(key, value if text else _bare(raw) or str(value), line, "toml")


def _is_number(raw: str) -> bool:
    return raw[:1].isdigit() or raw[:1] in "+-"


def _elements(named: list[tuple[str, Any, int]], lines: list[str], base: int) -> Iterator[Field]:
    """Elements of a list, each on the line where it is written."""
    for key, value, start in named:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        near = range(start, min(start + 1000, base + len(lines) + 1))
        yield Field(key, text, next((n for n in near if text in lines[n - base - 1]), start), "toml")
