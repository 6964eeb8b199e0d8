"""Values of parameters: checked by type, made RDF terms, put in the place of their token."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from urllib.parse import unquote

from kbgraph.ask.implied import stated
from kbgraph.ask.tokens import code, replace, tokenise
from kbgraph.errors import UsageError
from kbgraph.model import facts
from kbgraph.model.facts import Term
from kbgraph.model.lexicon import fold
from kbgraph.model.query import Param, SavedQuery

_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`\ud800-\udfff]+")
_WEB = re.compile(
    r"(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html|format)/(.+?)(?:\.pdf)?/?(?:[?#].*)?", re.IGNORECASE
)
_DOI = re.compile(r"(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:\s*)?10\.48550/arxiv\.(.+)", re.IGNORECASE)
_ARXIV = re.compile(r"(?:arxiv\s*:\s*)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v(\d{1,2}))?", re.IGNORECASE)
_SECTION = re.compile(r"(?:(.+?)\s*)?§\s*(\d+(?:\.\d+)*)|(\d+(?:\.\d+)*)")
_DECIMAL = re.compile(r"([+-]?)0*(\d*)(?:\.(\d*))?")


def iri(value: str) -> Term | None:
    """An absolute IRI, in <> or not."""
    bare = value[1:-1] if value.startswith("<") and value.endswith(">") else value
    return facts.iri(bare) if _IRI.fullmatch(bare) else None


def arxiv(value: str) -> Term | None:
    """The work, or the version when one is named, from any common spelling of its identifier."""
    address = _WEB.fullmatch(value) or _DOI.fullmatch(value)
    found = _ARXIV.fullmatch(unquote(address[1]) if address else value)
    if not found:
        return None
    number, version = re.sub(r"\.[a-z]{2}/", "/", found[1].lower()), found[2]
    digits = number.rpartition("/")[2]
    if not 1 <= int(digits[2:4]) <= 12:
        return None
    return facts.iri(f"https://arxiv.org/abs/{number}{f'v{version}' if version else ''}")


def path(value: str) -> Term | None:
    """A path relative to the corpus, `/` between its parts, no way out of it."""
    parts = [part for part in value.replace("\\", "/").split("/") if part not in ("", ".")]
    outside = value.startswith(("/", "\\", "~")) or re.match(r"[A-Za-z]:", value)
    return facts.text("/".join(parts)) if parts and not outside and ".." not in parts else None


def section(value: str) -> Term | None:
    """A section's number, `3.1` or `§3.1`; with a document or topic before the sign, its key `inference§3.1`."""
    found = _SECTION.fullmatch(unicodedata.normalize("NFKC", value))
    if not found:
        return None
    where, keyed, bare = found.groups()
    return facts.text(f"{where}§{keyed}" if where else keyed or bare)


def topic(value: str) -> Term | None:
    """A topic's label, folded as the graph has it."""
    return facts.text(fold(value)) if fold(value) else None


def date(value: str) -> Term | None:
    """A day, YYYY-MM-DD."""
    try:
        return facts.date(dt.date.fromisoformat(value).isoformat())
    except ValueError:
        return None


def integer(value: str) -> Term | None:
    """A whole number."""
    return facts.integer(int(value)) if re.fullmatch(r"[+-]?[0-9]{1,18}", value) else None


def decimal(value: str) -> Term | None:
    """A decimal number in canonical spelling."""
    found = _DECIMAL.fullmatch(value) if value.isascii() else None
    if not found or not re.search(r"\d", value):
        return None
    sign, whole, part = found[1], found[2] or "0", (found[3] or "").rstrip("0")
    zero = whole == "0" and not part
    return facts.decimal(f"{'-' if sign == '-' and not zero else ''}{whole}{f'.{part}' if part else ''}")


# Type -> maker and what a value of it looks like.
TYPES: dict[str, tuple[Callable[[str], Term | None], str]] = {
    "iri": (iri, "https://example.org/thing"),
    "arxiv": (arxiv, "2401.10001 or 2401.10001v2"),
    "path": (path, "organized/knowledge/inference.md"),
    "section": (section, "3.1 or inference§3.1"),
    "topic": (topic, "inference"),
    "date": (date, "2026-03-01"),
    "int": (integer, "12"),
    "decimal": (decimal, "0.75"),
    "string": (facts.text, "any text"),
}


def term(param: Param, value: str) -> Term:
    """The RDF term of a given value; UsageError when it is of another type or not among those allowed."""
    made = TYPES[param.type][0](value)
    if made is None:
        raise UsageError(f"`{param.name}={value}` is no {param.type}", f"write it like {TYPES[param.type][1]}")
    if param.enum and value not in param.enum:
        near = get_close_matches(value, param.enum, 1)
        also = f"; nearest: {near[0]}" if near else ""
        raise UsageError(f"`{param.name}={value}` is not allowed", f"one of {', '.join(param.enum)}{also}")
    return made


def bind(query: SavedQuery, params: Mapping[str, str]) -> str:
    """The query's text with its parameters filled in; optional ones without a value stay free variables."""
    return stated(replace(query.text, terms(query, params)))


def terms(query: SavedQuery, params: Mapping[str, str]) -> dict[str, Term]:
    """Name as in the text (`_topic`) -> term, for each parameter that has a value; UsageError for wrong ones."""
    known = {param.name: param for param in query.params}
    for name in params:
        if name not in known:
            near = get_close_matches(name, known, 1)
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise UsageError(f"{query.name} has no parameter `{name}`", f"did you mean {near[0]}?" if near else has)
    given = {name: params.get(name, param.default) for name, param in known.items()}
    lacking = [p for p in query.params if given[p.name] is None and not p.optional]
    if lacking:
        wanted = " ".join(f"-p {p.name}=…" for p in lacking)
        told = "; ".join(f"{p.name}: {p.type}, like {TYPES[p.type][1]}" for p in lacking)
        raise UsageError(f"{query.name} needs {wanted}", told)
    return {f"_{name}": term(known[name], value) for name, value in given.items() if value is not None}


def used(text: str) -> tuple[str, ...]:
    """Names of the parameters that stand in a query's text, in order, without their sign."""
    names = (token.name for token in code(tokenise(text)))
    return tuple(dict.fromkeys(name[1:] for name in names if name.startswith("_") and len(name) > 1))
