"""Bytes to Document, total: whatever the bytes, no input raises."""

from __future__ import annotations

import hashlib

from kbgraph.model.document import Coverage, Document, Field, Problem
from kbgraph.model.text import Block, HeadingWords, Section
from kbgraph.read.bib import bib_fields
from kbgraph.read.coverage import cover
from kbgraph.read.decode import Decoded, decode
from kbgraph.read.flatten import restore
from kbgraph.read.header import Header, split
from kbgraph.read.headings import promote
from kbgraph.read.json_fields import json_fields
from kbgraph.read.markdown import read_markdown
from kbgraph.read.notes import definitions, note_problems
from kbgraph.read.runs import BULLETS
from kbgraph.read.sections import make_sections
from kbgraph.read.tsv import tsv_fields

__all__ = ["read"]

_TEXTS = (".md", ".markdown", ".txt")
_FIELDS = {".json": json_fields, ".bib": bib_fields, ".tsv": tsv_fields}  # files that hold nothing else


def read(data: bytes, path: str, words: HeadingWords) -> Document:
    """The document that a file's bytes make; its kind is told by the path's suffix."""
    sha256 = hashlib.sha256(data).hexdigest()
    name = path.lower()
    known = name.endswith((*_TEXTS, *_FIELDS))
    decoded = decode(data) if known else Decoded("", "binary")
    if not known or decoded.binary:
        count = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
        reason, code = ("binary", "binary-file") if known else ("unknown format", "unknown-format")
        coverage = Coverage(count, 0, ((reason, count),))
        return Document(
            path, sha256, "binary", problems=(Problem(code, 1, path.rsplit("/", 1)[-1]),), coverage=coverage
        )
    if name.endswith(_TEXTS):
        return _markdown(decoded, path, sha256, words)
    fields, problems = _FIELDS[name[name.rindex(".") :]](decoded.text)
    return _of_fields(decoded, path, sha256, fields, problems)


def _of_fields(
    decoded: Decoded, path: str, sha256: str, fields: tuple[Field, ...], problems: tuple[Problem, ...]
) -> Document:
    """A file that holds nothing but fields: its lines count as read unless it broke off."""
    lines = decoded.text.split("\n")
    broken = min((p.line for p in problems if p.code == "broken-manifest"), default=len(lines) + 1)
    filled = [number for number, line in enumerate(lines, 1) if line.strip()]
    read_lines = sum(number < broken or number <= (fields[-1].line if fields else 0) for number in filled)
    rest = len(filled) - read_lines
    coverage = Coverage(len(lines) - (not lines[-1]), read_lines, (("not understood", rest),) if rest else ())
    title = next((field.value for field in fields if field.key == "title"), "")
    ordered = _ordered((*decoded.problems, *problems))
    return Document(path, sha256, decoded.encoding, title, fields, problems=ordered, coverage=coverage)


def _markdown(decoded: Decoded, path: str, sha256: str, words: HeadingWords) -> Document:
    header = split(decoded.text)
    page, found = read_markdown(header.body, header.lines)
    blocks, flattened = restore(page.blocks, words, bulleted=any(bullet in header.body for bullet in BULLETS))
    ids, bare = page.ids, frozenset[int]()
    promoted = promote(blocks, words, flat=flattened)
    if promoted:
        blocks, bare = promoted
    lines = decoded.text.split("\n")
    last = len(lines) - (not lines[-1])
    sections, odd = make_sections(blocks, ids, words, last, bare)
    defined, unused = definitions(found, page, blocks)
    coverage, uncovered = cover(
        lines,
        blocks=page.blocks,
        defined=[(definition.line, definition.end_line) for definition in found],
        passed=page.passed,
        damaged=decoded.damaged,
        header=header.lines,
    )
    problems = _ordered(
        (*decoded.problems, *header.problems, *page.problems, *odd, *unused, *uncovered,
         *note_problems(page, blocks, header.body))
    )  # fmt: skip
    title = _title(header, blocks, sections)
    return Document(
        path,
        sha256,
        decoded.encoding,
        title,
        header.fields,
        tuple(blocks),
        sections,
        defined,
        problems,
        coverage,
        flattened,
    )


def _ordered(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    return tuple(sorted(set(problems), key=lambda p: (p.line, p.code, p.detail))) if problems else ()


def _title(header: Header, blocks: list[Block], sections: tuple[Section, ...]) -> str:
    for field in header.fields:
        if field.key.lower() == "title" and field.value:
            return field.value
    top = next((section for section in sections if blocks[section.block].level == 1), None)
    return blocks[top.block].text.replace("\n", " ") if top else ""
