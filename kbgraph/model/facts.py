"""RDF as text: a term is its N-Triples spelling, a fact a line. Engine-neutral, sorts canonically."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from kbgraph.vocab import Term as Term  # noqa: PLC0414  re-exported: the ontology's constants are terms

XSD = "http://www.w3.org/2001/XMLSchema#"
# What RFC 3987 lets stand in an IRI and N-Triples does not refuse; all else is percent-encoded as UTF-8.
_UNSAFE = re.compile(r"[\x00-\x20<>\"{}|\\^`\x7f-\xa0\ud800-\udfff\ufdd0-\ufdef\ufff9-\uffff\u200b-\u200f\u2028-\u202f\u2060-\u206f]")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_MUST_ESCAPE = re.compile(r'[\\"\n\r\ud800-\udfff\x00]')
_LANG = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    return _ESCAPES.get(char, "\ufffd")


def _percent(match: re.Match[str]) -> str:
    return quote(match.group().encode("utf-8", "surrogateescape"), safe="")


def iri(text: str) -> Term:
    """An IRI; characters that may not stand in one are percent-encoded. `%` is kept: encode names with `segment`."""
    return Term(f"<{_UNSAFE.sub(_percent, text)}>")


def segment(name: str) -> str:
    """A path made safe inside an IRI, reversibly: `%`, `#`, `?` encoded as well, `/` and CJK kept."""
    return _UNSAFE.sub(_percent, re.sub(r"[%#?\[\]]", _percent, name))


def text(value: str) -> Term:
    """A plain string literal; NUL and lone surrogates become U+FFFD."""
    return Term(f'"{_MUST_ESCAPE.sub(_escape, value)}"' if _MUST_ESCAPE.search(value) else f'"{value}"')


def tagged(value: str, lang: str) -> Term:
    """A language-tagged literal; an unusable tag gives a plain one."""
    return Term(f"{text(value)}@{lang.lower()}") if _LANG.fullmatch(lang) else text(value)


def integer(value: int) -> Term:
    """An xsd:integer."""
    return Term(f'"{value}"^^<{XSD}integer>')


def decimal(value: str) -> Term:
    """An xsd:decimal from its canonical spelling."""
    return Term(f'"{value}"^^<{XSD}decimal>')


def boolean(value: bool) -> Term:
    """An xsd:boolean."""
    return Term(f'"{"true" if value else "false"}"^^<{XSD}boolean>')


def date(value: str) -> Term:
    """An xsd:date from `YYYY-MM-DD`."""
    return Term(f'"{value}"^^<{XSD}date>')


@dataclass(frozen=True, slots=True)
class Facts:
    """What one file says: its graph's name and its triples, each `s p o`, sorted and without repeats."""

    graph: Term
    triples: tuple[str, ...]

    def nquads(self) -> str:
        """The same as N-Quads lines, ending in a line break; empty when there are none."""
        tail = f" {self.graph} .\n"
        return tail.join(self.triples) + tail if self.triples else ""


def make_facts(graph: Term, triples: Iterable[str]) -> Facts:
    """Facts with the triples sorted and made unique."""
    return Facts(graph, tuple(sorted(set(triples))))
