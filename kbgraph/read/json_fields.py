"""Fields of a JSON file with their lines, also of one that breaks off or holds a key twice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from kbgraph.model.document import Field, Problem

_TOKEN = re.compile(r'"(?:[^"\\\n]++|\\.)*+"?|[{}\[\]:,]|[^\s{}\[\]:,"]++')
_DEEPEST = 100  # levels whose values are read; a path names every level


class _Frame:
    """An object or list that is open."""

    __slots__ = ("closer", "count", "key", "path", "seen")

    def __init__(self, path: str, closer: str) -> None:
        self.path = path
        self.closer = closer
        self.seen: set[str] | None = set() if closer == "}" else None
        self.key: str | None = None
        self.count = -1

    def next_path(self, *, nested: bool) -> str:
        """Path of the value that comes now; an object in a list keeps its index."""
        if self.seen is None:
            self.count += 1
            return f"{self.path}[{self.count}]" if nested else self.path
        key, self.key = self.key or "", None
        return f"{self.path}.{key}" if self.path else key


class _Reader:
    def __init__(self) -> None:
        self.fields: list[Field] = []
        self.problems: list[Problem] = []
        self.frames: list[_Frame] = []

    def take(self, word: str, line: int) -> None:
        """One token. What does not fit is passed over: the JSON parser reports it."""
        frame = self.frames[-1] if self.frames else None
        if word in "{[":
            deep = len(self.frames) >= _DEEPEST
            path = frame.next_path(nested=word == "{") if frame and not deep else ""
            self.frames.append(_Frame(path, "}" if word == "{" else "]"))
        elif word in "}]":
            if frame and frame.closer == word:
                self.frames.pop()
        elif word in ":," or frame is None or len(self.frames) > _DEEPEST:
            return
        elif frame.seen is not None and frame.key is None:
            frame.key = _text(word)
            if frame.key in frame.seen:
                self.problems.append(Problem("duplicate-key", line, frame.key))
            frame.seen.add(frame.key)
        else:
            self.fields.append(Field(frame.next_path(nested=False), _text(word), line, "json"))


def _text(word: str) -> str:
    """A string's text; numbers and words as spelled."""
    if not word.startswith('"'):
        return word
    try:
        return str(json.loads(word, strict=False)).encode("utf-8", "replace").decode("utf-8")
    except ValueError:
        return word.strip('"')


def json_fields(text: str) -> tuple[tuple[Field, ...], tuple[Problem, ...]]:
    """Every value with its path, `materials[0].path`, and its line."""
    reader = _Reader()
    for word, line in _tokens(text):
        reader.take(word, line)
    return tuple(reader.fields), (*reader.problems, *_broken(text))


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    line, at = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        yield match[0], line


def _broken(text: str) -> Iterator[Problem]:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        yield Problem("broken-manifest", error.lineno, error.msg)
    except RecursionError:
        yield Problem("broken-manifest", 1, "nested too deeply")
    except ValueError as error:  # a number with thousands of digits
        yield Problem("broken-manifest", 1, str(error).split(";", 1)[0])
