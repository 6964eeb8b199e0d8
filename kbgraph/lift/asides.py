"""Bracketed remarks of a sentence: levels, ids and links in them are read, not said."""

from __future__ import annotations

import re

from kbgraph.lift.scan.found import Id, Word

_ASIDE = re.compile(r"\s*[（(\[【]([^（）()\[\]【】]*)[)）\]】]")
_FILE = re.compile(r"[\w-]+/[\w./-]*\.(?:md|json|markdown)\b")
_POINTER = re.compile(r"\s*\[(?:\^[^\]\s]+|-?@[^\]]+)\]|\s+\[\d{1,3}\]")  # a citation is no part of what is said
_EDGES = " \t\n，,；;、+·：:。."
_EMPTY = re.compile(r"[（(\[【][\s，,；;、·：:.。]*[)）\]】]")
_CLAUSE = re.compile(r"[^，,；;、+·|]+")
_ROUNDING = 2  # characters that may stand beside a level and add nothing to it
_PREFIX = re.compile(r"(?:arxiv|doi|isbn)\s*[:：]?\s*$", re.IGNORECASE)
_GAPS = re.compile(r"([，,；;、])(?:\s*[，,；;、])+|(?<=[（(\[【])[\s，,；;、]+|[\s，,；;、]+(?=[)）\]】])")


def clean(text: str, start: int, end: int, found: tuple[Id, ...], levels: tuple[Word, ...]) -> tuple[str, list[str]]:
    """A sentence without what its brackets say of levels and ids, and what else stands in those brackets."""
    if not found and not levels:
        said = text[start:end].strip()
        return (_POINTER.sub("", said) if "[" in said else said), []
    kept, rests, at = [], [], start
    for aside in _ASIDE.finditer(text, start, end):
        spans = [(w.start, w.end) for w in levels if aside.start() < w.start and w.end < aside.end()]
        spans += [(i.start, i.end) for i in found if aside.start() < i.start and i.end < aside.end() and not i.target]
        if not spans:
            continue
        # A bracket that names a file says where the statement comes from, and no condition of it.
        rest = "" if _FILE.search(aside[1]) else _without(text, aside.start(1), aside.end(1), spans)
        kept.append(text[at : aside.start()])
        if rest:
            rests.append(rest)
            kept.append(f"{aside.group()[: aside.start(1) - aside.start()]}{rest}{aside.group()[-1]}")
        at = aside.end()
    kept.append(text[at:end])
    said = "".join(kept).strip()
    return _POINTER.sub("", said) if "[" in said else said, rests


def _without(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> str:
    """The clauses of a bracket but those that only state a level or an id: no word is cut out of a clause."""
    kept, at = [], start
    for clause in _CLAUSE.finditer(text, start, end):
        inside = [(a, b) for a, b in spans if a < clause.end() and clause.start() < b]
        kept.append(text[at : clause.start()])
        if not inside or _says_more(text, *clause.span(), inside):
            kept.append(clause.group())
        at = clause.end()
    rest = "".join([*kept, text[at:end]])
    return _GAPS.sub(lambda m: m[1] or "", rest).strip(_EDGES)


def _says_more(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    """Whether a clause says more than its levels and ids; a character or two (`核查`, `级`) only round them off."""
    pieces, at = [], start
    for first, last in sorted(spans):
        pieces.append(_PREFIX.sub("", text[at : max(first, at)]))
        at = max(at, last)
    rest = "".join([*pieces, text[min(at, end) : end]]).strip(_EDGES)
    return len(rest) > _ROUNDING or any(c.isascii() and c.isalnum() for c in rest)
