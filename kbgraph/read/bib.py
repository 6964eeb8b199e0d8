"""Entries of a BibTeX file as fields."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kbgraph.model.document import Field, Problem

_ENTRY = re.compile(r"@\s*([A-Za-z]++)\s*[{(]\s*([^\s,{}()]*+(?: [^\s,{}()=]++)*+)\s*(?=[,})])")
_NAME = re.compile(r"[\s,]*+([A-Za-z][\w:.+/-]*+)\s*+=\s*+")
_WORD = re.compile(r"[^\s,{}\"#()]++")
_BRACE = re.compile(r"[{}]|\n[ \t]*(?=@[A-Za-z]+[ \t]*\{)")  # an entry that begins a line ends what was left open
_QUOTE = re.compile(r'["{}]|\n[ \t]*(?=@[A-Za-z]+[ \t]*\{)')
_JOIN = re.compile(r"\s*+#\s*+")
_NO_ENTRY = frozenset(("comment", "preamble", "string"))


def bib_fields(text: str) -> tuple[tuple[Field, ...], tuple[Problem, ...]]:
    """Per entry a field `key` with its type, and `key.title`, `key.doi` … with their values."""
    fields: list[Field] = []
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    line, at, resume = 1, 0, 0
    while entry := _ENTRY.search(text, resume):
        kind, key, resume = entry[1].lower(), entry[2], entry.end()
        if kind in _NO_ENTRY or not key:
            continue
        line += text.count("\n", at, entry.start())
        at = entry.start()
        if key in seen:
            problems.append(Problem("duplicate-key", line, f"{key}: also line {seen[key]}"))
        seen.setdefault(key, line)
        fields.append(Field(key, kind, line, "bib"))
        for name, value, place, end in _values(text, entry.end()):
            resume = end
            line += text.count("\n", at, place)
            at = place
            fields.append(Field(f"{key}.{name.lower()}", value, line, "bib"))
    return tuple(fields), tuple(problems)


def _values(text: str, at: int) -> Iterator[tuple[str, str, int, int]]:
    """Name, value, place and end of each `name = value` of the entry whose key ends at an offset."""
    while match := _NAME.match(text, at):
        value, at = _value(text, match.end())
        yield match[1], value, match.start(1), at


def _value(text: str, at: int) -> tuple[str, int]:
    """A value in braces, quotes or bare, its parts joined over `#`; the offset after it."""
    pieces: list[str] = []
    while True:
        char = text[at : at + 1]
        if char == "{":
            end = _closing(text, at)
            pieces.append(text[at + 1 : end])
            at = end + 1
        elif char == '"':
            end = _quote(text, at + 1)
            pieces.append(text[at + 1 : end])
            at = end + 1
        else:
            word = _WORD.match(text, at)
            pieces.append(word[0] if word else "")
            at = word.end() if word else at
        rest = _JOIN.match(text, at)
        if not rest:
            return " ".join("".join(pieces).split()), at
        at = rest.end()


def _closing(text: str, at: int) -> int:
    """Offset of the brace that closes the one at an offset, else the text's end."""
    depth = 0
    for match in _BRACE.finditer(text, at):
        depth += 1 if match[0] == "{" else -1
        if not depth or match[0][0] == "\n":
            return match.start()
    return len(text)


def _quote(text: str, at: int) -> int:
    """Offset of the quote that ends a value: one inside braces does not."""
    depth = 0
    for match in _QUOTE.finditer(text, at):
        if (match[0] == '"' and depth <= 0) or match[0][0] == "\n":
            return match.start()
        depth += (match[0] == "{") - (match[0] == "}")
    return len(text)
