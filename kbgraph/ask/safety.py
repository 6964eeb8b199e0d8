"""What a query may not do, decided on its tokens before anything is opened.

Engines disagree about where a token ends (`ex:a.b.SERVICE`, `SERVICEex:g`, `1<2)SERVICE#>`, a lone carriage return,
codepoint escapes, words without a space between). What could be read in two ways is refused, so that no reading
reaches the network.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import NamedTuple

from kbgraph.ask.grammar import Brackets, absences, brackets, form, patterns
from kbgraph.ask.tokens import Token, code, expand, prefixes, tokenise
from kbgraph.errors import QueryError

UPDATES = frozenset(("LOAD", "INSERT", "DELETE", "DROP", "CLEAR", "CREATE", "COPY", "MOVE", "ADD", "WITH", "USING"))
_STRUCTURE = (
    "BASE PREFIX SELECT DISTINCT REDUCED AS CONSTRUCT WHERE DESCRIBE ASK FROM NAMED GROUP BY HAVING ORDER ASC DESC "
    "LIMIT OFFSET VALUES UNDEF GRAPH OPTIONAL UNION MINUS FILTER BIND EXISTS NOT IN A TRUE FALSE SEPARATOR"
)
_FUNCTIONS = (
    "COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT STR LANG LANGMATCHES DATATYPE BOUND IRI URI BNODE RAND ABS CEIL FLOOR "
    "ROUND CONCAT STRLEN UCASE LCASE ENCODE_FOR_URI CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER YEAR MONTH DAY HOURS "
    "MINUTES SECONDS TIMEZONE TZ NOW UUID STRUUID MD5 SHA1 SHA256 SHA384 SHA512 COALESCE IF STRLANG STRDT SAMETERM "
    "ISIRI ISURI ISBLANK ISLITERAL ISNUMERIC REGEX SUBSTR REPLACE"
)
WORDS = frozenset(f"{_STRUCTURE} {_FUNCTIONS}".split())
# What Oxigraph may read at the head of a name, or behind a dot in it, as a word of its own.
_GLUED = ("SERVICE", "SILENT", "FROM", "NAMED")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_CHANCE = {
    "NOW": "take the date as a parameter",
    "RAND": "order by a column",
    "UUID": "use an IRI of the graph",
    "STRUUID": "use an IRI of the graph",
    "BNODE": "use an IRI of the graph",
    "SAMPLE": "write MIN or MAX",
}

# Measured on Oxigraph: nesting and chains of some thousand links overflow its stack and end the process; a group of
# some hundred patterns keeps its planner busy for minutes, and that cannot be stopped.
MAX_LENGTH, MAX_TOKENS, MAX_DEPTH, MAX_SIGNS, MAX_PATTERNS = 262_144, 4_000, 48, 16, 120


class Danger(NamedTuple):
    """A line of a query that may not stand, why, and what to do instead."""

    line: int
    message: str
    mend: str


def check_safe(text: str, is_graph: Callable[[str], bool] = lambda _: False) -> None:
    """Raise QueryError, naming every reason, unless this is a reading query over this graph alone."""
    found = list(dict.fromkeys(dangers(tokenise(text), is_graph)))
    if found:
        told = "".join(f"\n  line {d.line}: {d.message}: {d.mend}" for d in found[:10])
        raise QueryError(f"this query is refused{told}", "kbgraph only reads, and only its own graph")


def dangers(tokens: Sequence[Token], is_graph: Callable[[str], bool] = lambda _: False) -> Iterator[Danger]:
    """All reasons to refuse a query; `is_graph` tells which IRIs may stand after FROM."""
    if sum(len(token.text) for token in tokens) > MAX_LENGTH:
        yield Danger(1, f"longer than {MAX_LENGTH} characters", "split it, or put the values into the corpus")
        return
    yield from _lexical(tokens)
    live = code(tokens)
    shape = brackets(live)
    yield from _words(live)
    yield from _sources(live, is_graph)
    if shape.odd >= 0:
        yield Danger(live[shape.odd].line, f"`{live[shape.odd].text}` has no partner", "close every bracket")
        return
    yield from _two_readings(live, shape)
    yield from _size(live, shape)
    if not form(live):
        yield Danger(live[0].line if live else 1, "no query", "start with SELECT, ASK, CONSTRUCT or DESCRIBE")


def _lexical(tokens: Sequence[Token]) -> Iterator[Danger]:
    for token in tokens:
        if token.kind == "error":
            mend = "close the string" if token.text in "\"'" else "write SPARQL 1.1"
            yield Danger(token.line, f"`{token.text!a}` belongs to no token", mend)
        if token.text in ("<<", ">>"):
            yield Danger(token.line, f"`{token.text}` is not SPARQL 1.1", "put a space between the two signs")
        if "\r" in token.text.replace("\r\n", ""):
            yield Danger(token.line, "a carriage return alone", "end lines with a line feed")
        if _SURROGATE.search(token.text):
            yield Danger(token.line, "bytes that are no text", "write the query in UTF-8")
        if any(_moves(match, token.kind) for match in _ESCAPE.finditer(token.text)):
            yield Danger(token.line, "an escape that stands for a mark of the language", "write the character itself")


def _moves(match: re.Match[str], kind: str) -> bool:
    """Whether expanding this escape before parsing, as some engines do, could move the end of a token."""
    point = int(match[1] or match[2], 16)
    if point > 0x10FFFF or 0xD800 <= point < 0xE000:
        return True
    char = chr(point)
    if kind in ("string", "comment"):
        return char in "\"'\\\n\r"
    return kind != "iri" or not (char.isalnum() or char in "-._~" or point > 0xA0)


def _words(live: list[Token]) -> Iterator[Danger]:
    for token in live:
        if token.kind in ("pname", "bnode"):
            prefix, _, local = token.text.upper().partition(":")
            if prefix.startswith(_GLUED) or any(part.startswith(_GLUED) for part in local.split(".")[1:]):
                yield Danger(token.line, f"`{token.text}` can be read as two words", "write the whole IRI in <>")
        elif token.kind == "word" and "SERVICE" in token.key:
            yield Danger(token.line, "SERVICE would ask another host", "kbgraph asks its own graph only: take it out")
        elif token.kind == "word" and token.key in UPDATES:
            yield Danger(token.line, f"{token.key} changes or loads data", "change the Markdown, then `kbgraph sync`")
        elif token.kind == "word" and token.key not in WORDS:
            near = get_close_matches(token.key, sorted(WORDS), 1)
            mend = f"is it {near[0]}?" if near else "names need a prefix, variables a `?`"
            yield Danger(token.line, f"`{token.text}` is no word of SPARQL", mend)


def _sources(live: list[Token], is_graph: Callable[[str], bool]) -> Iterator[Danger]:
    declared = prefixes(live)
    for at, token in enumerate(live):
        if token.key == "FROM":
            rest = live[at + 1 : at + 3]
            target = rest[1] if len(rest) > 1 and rest[0].key == "NAMED" else next(iter(rest), token)
            known = target.kind in ("iri", "pname") and is_graph(expand(target, declared))
            if not known:
                mend = "leave FROM out: the graph is asked whole"
                yield Danger(token.line, f"FROM {target.text} is no graph of this corpus", mend)


def _two_readings(live: list[Token], shape: Brackets) -> Iterator[Danger]:
    """`<…>` after a value inside an expression: an address for one engine, less-than and more for another."""
    for at, token in enumerate(live):
        around = shape.inside[at]
        if token.kind != "iri" or around < 0 or live[around].text != "(":
            continue
        outer = shape.inside[around]
        if outer in shape.data:
            continue
        before = live[at - 1]
        if before.kind in ("var", "iri", "pname", "string", "lang", "number", "bnode") or before.key in (
            ")", "}", "]", "TRUE", "FALSE",
        ):  # fmt: skip
            mend = "put a space after `<`, or a comma before it"
            yield Danger(token.line, f"`{token.text}` can also be read as less-than", mend)


def _size(live: list[Token], shape: Brackets) -> Iterator[Danger]:
    if shape.depth > MAX_DEPTH:
        yield Danger(1, f"brackets nest deeper than {MAX_DEPTH}", "flatten the query")
    signs = 0
    for token in live:
        signs = signs + 1 if token.text in ("!", "-", "+", "^", "*", "?") else 0
        if signs > MAX_SIGNS:
            yield Danger(token.line, f"more than {MAX_SIGNS} signs in a row", "leave out what cancels itself")
            break
    listed = sum(shape.pairs[at] - at for at in shape.data) + sum(token.text == "," for token in live) * 2
    if len(live) - listed > MAX_TOKENS:
        yield Danger(1, f"more than {MAX_TOKENS} tokens", "list values in one VALUES block, or split the query")
    groups = (at for at in shape.pairs if live[at].text == "{" and shape.inside[at] == -1 and at not in shape.data)
    if sum(patterns(live, shape, at) for at in groups) > MAX_PATTERNS:
        yield Danger(1, f"more than {MAX_PATTERNS} patterns", "split the query")


def slow(live: list[Token], shape: Brackets) -> Iterator[Danger]:
    """Absence of more than one pattern: quadratic in Oxigraph (NOT EXISTS) or rdflib (MINUS)."""
    for token, count in absences(live, shape):
        if count > 1:
            name = "NOT EXISTS" if token.key == "EXISTS" else "MINUS"
            mend = "use OPTIONAL and !BOUND, a grouped count, or a marker derived at sync"
            yield Danger(token.line, f"{name} over {count} patterns takes time that grows with the square", mend)


def chance(live: list[Token]) -> Iterator[Danger]:
    """Functions whose value differs from run to run: equal input must give equal output."""
    for token, after in pairwise(live):
        if token.key in _CHANCE and after.text == "(":
            yield Danger(token.line, f"{token.key} may give another value in the next run", _CHANCE[token.key])
