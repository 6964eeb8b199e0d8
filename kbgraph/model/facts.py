"""RDF as text: a term is its N-Triples spelling, a fact a line. Engine-neutral, sorts canonically."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from kbgraph.vocab import Term as Term  # noqa: PLC0414  re-exported: the ontology's constants are terms

XSD = "http://www.w3.org/2001/XMLSchema#"
# What RFC 3987 lets stand in an IRI and N-Triples does not refuse; all else is percent-encoded as UTF-8.
_CHARS = (
    r"\x00-\x20<>\"{}|\\^`\x7f-\xa0\u200b-\u200f\u2028-\u202f\u2060-\u206f\ud800-\uf8ff\ufdd0-\ufdef\ufff0-\uffff"
    r"\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
    + "".join(f"{chr(0x10000 * p - 2)}{chr(0x10000 * p - 1)}" for p in range(2, 16))
)
_UNSAFE = re.compile(f"[{_CHARS}]")
# In a whole IRI also brackets and a `%` that encodes nothing.
_UNSAFE_WHOLE = re.compile(rf"[{_CHARS}\[\]]|%(?![0-9A-Fa-f]{{2}})")
# What needs no second look: a plain host, or none, and plain letters after it.
_PLAIN = re.compile(
    r"(?:https?://[A-Za-z0-9.-]+(?:[/?][A-Za-z0-9:/._~?&=+,;@!$'()*-]*)?|urn:[A-Za-z0-9:/._~&=+,;@!$'()*-]*)"
)
_AUTHORITY = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)([^/?#]*)")
_HOST = re.compile(r"(?:[^@\[\]:]*(?::[^@\[\]]*)?@)?(?:\[([0-9A-Fa-f:.]+)\]|[^@\[\]:]*)(?::\d*)?")
_RESERVED = re.compile(r"[%#?\[\]]")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_MUST_ESCAPE = re.compile(r'[\\"\n\r\ud800-\udfff\x00]')
_LANG = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    return _ESCAPES.get(char, "\ufffd")


def _percent(match: re.Match[str]) -> str:
    char = match.group()
    # Half a surrogate pair is a byte of a file name, or came out of JSON as it is.
    errors = "surrogateescape" if "\udc80" <= char <= "\udcff" else "surrogatepass"
    return quote(char.encode("utf-8", errors), safe="")


def iri(text: str) -> Term:
    """An IRI; what may not stand in one is percent-encoded. `%41` is kept: encode names with `segment`."""
    if _PLAIN.fullmatch(text):
        return Term(f"<{text}>")
    found = _AUTHORITY.match(text)
    head = f"{found[1]}{_authority(found[2])}" if found else ""
    before, hash_, fragment = text[found.end() if found else 0 :].partition("#")
    rest = hash_ + _UNSAFE_WHOLE.sub(_percent, fragment.replace("#", "%23"))
    return Term(f"<{head}{_UNSAFE_WHOLE.sub(_percent, before)}{rest}>")


def _authority(printed: str) -> str:
    """Host, port and user of an IRI; what is none of them becomes a name with all its signs encoded."""
    found = _HOST.fullmatch(printed)
    if found and found[1] is None:
        return _UNSAFE_WHOLE.sub(_percent, printed)
    try:
        ipaddress.IPv6Address(found[1] if found else "")
    except ValueError:
        return quote(_UNSAFE_WHOLE.sub(_percent, printed), safe="%")
    return printed


def segment(name: str) -> str:
    """A path made safe inside an IRI, reversibly: `%`, `#`, `?` encoded as well, `/` and CJK kept."""
    return _UNSAFE.sub(_percent, _RESERVED.sub(_percent, name))


def text(value: str) -> Term:
    """A plain string literal; NUL and lone surrogates become U+FFFD."""
    return Term(f'"{_MUST_ESCAPE.sub(_escape, value)}"' if _MUST_ESCAPE.search(value) else f'"{value}"')


def tagged(value: str, lang: str) -> Term:
    """A language-tagged literal; an unusable tag gives a plain one."""
    return Term(f"{text(value)}@{lang.lower()}") if _LANG.fullmatch(lang) else text(value)


@lru_cache(maxsize=1024)
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


def moment(value: str) -> Term:
    """An xsd:dateTime from `YYYY-MM-DDThh:mm:ss` with its zone."""
    return Term(f'"{value}"^^<{XSD}dateTime>')


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
