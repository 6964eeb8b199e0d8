"""N-Triples spellings taken apart again: the inverse of the constructors in `facts`."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from kbgraph.model.facts import XSD, Term

STRING = XSD + "string"
LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"

_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"(?:@([A-Za-z0-9-]+)|\^\^<([^>]*)>)?', re.DOTALL)
_ESCAPED = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_CHARS = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
# Canonical N-Triples (RDF 1.2): these are escaped, by a letter where there is one; all else stands as it is.
_CONTROL = re.compile(r'[\x00-\x1f"\\\x7f\ufffe\uffff]')
_LETTERS = {"\t": "\\t", "\b": "\\b", "\n": "\\n", "\r": "\\r", "\f": "\\f", '"': '\\"', "\\": "\\\\"}


class Parts(NamedTuple):
    """A term taken apart: `value` is the bare IRI or the text; `datatype` is "" for an IRI."""

    kind: Literal["iri", "literal"]
    value: str
    lang: str = ""
    datatype: str = ""


def _unescape(match: re.Match[str]) -> str:
    short, long, char = match.groups()
    return chr(int(short or long, 16)) if short or long else _CHARS.get(char, char)


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    return _LETTERS.get(char) or f"\\u{ord(char):04X}"


def parts(term: str) -> Parts:
    """An N-Triples term taken apart; ValueError for a blank node or what is no term."""
    if term.startswith("<") and term.endswith(">"):
        return Parts("iri", _ESCAPED.sub(_unescape, term[1:-1]) if "\\" in term else term[1:-1])
    if term.count('"') == 2 and term[0] == term[-1] == '"' and "\\" not in term:  # most: a text as it stands
        return Parts("literal", term[1:-1], "", STRING)
    match = _LITERAL.fullmatch(term)
    if match is None:
        raise ValueError(term)
    raw, lang, datatype = match.groups()
    text = _ESCAPED.sub(_unescape, raw) if "\\" in raw else raw
    return Parts("literal", text, lang or "", datatype or (LANG_STRING if lang else STRING))


def spelled(value: str, lang: str = "", datatype: str = "") -> Term:
    """A literal in canonical N-Triples spelling, as a store gives it back."""
    text = f'"{_CONTROL.sub(_escape, value)}"'
    if lang:
        return Term(f"{text}@{lang}")
    return Term(text if datatype in {"", STRING} else f"{text}^^<{datatype}>")


def split(triple: str) -> tuple[Term, Term, Term]:
    """Subject, predicate and object of a triple `s p o`."""
    s, p, o = triple.split(" ", 2)
    return Term(s), Term(p), Term(o)


def split_quad(line: str) -> tuple[Term, Term, Term, Term]:
    """Subject, predicate, object and graph of an N-Quads line that names its graph."""
    rest, graph, _ = line.rsplit(" ", 2)
    return *split(rest), Term(graph)
