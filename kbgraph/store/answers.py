"""What an engine answers, as plain values that cross a process's border, and what the caller gets from them."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from kbgraph.errors import BrokenError, QueryError
from kbgraph.model.facts import XSD
from kbgraph.model.query import Cell, Table

# ("table", columns, rows) | ("truth", bool) | ("triples", list of "s p o") | ("full", limit)
# | ("refused", message) for a query that cannot be parsed | ("failed", message) for any other trouble
# | ("wire", bytes, rows, what cut them short or "") for a question that names the format of its answer
Answer = tuple[Any, ...]
Asked = str | tuple[Any, ...]  # the text of a query, or plain values with more about it

_WHOLE = frozenset(
    XSD + name
    for name in (
        "integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger",
        "negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte",
    )
)  # fmt: skip
_REAL = frozenset(XSD + name for name in ("decimal", "double", "float"))
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_NUMERIC = _WHOLE | _REAL | {XSD + "boolean"}
_ASKED = {"table": "SELECT", "truth": "ASK", "triples": "CONSTRUCT"}


# What stands around a word without being one: strings, addresses, comments, variables, prefixed names.
_WORDS = re.compile(
    r"\"{3}(?:\\.|(?!\"{3})[^\\])*+\"{3}|'{3}(?:\\.|(?!'{3})[^\\])*+'{3}"
    r"|\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|<[^<>\s]*+>|\#[^\n]*+"
    r"|[?$@:][\w.:-]*+|([\w.-]++)(:[\w.:%-]*+)?",
    re.DOTALL,
)


def names_graphs(query: str) -> bool:
    """Whether a query says itself, with FROM, which graphs it is put to: then it is not put to the union of all."""
    return "from" in query.lower() and any(not m[2] and (m[1] or "").upper() == "FROM" for m in _WORDS.finditer(query))


def cell(value: str, datatype: str) -> Cell:
    """The Python value of a literal; text when the spelling does not fit its datatype. Whole decimals are ints."""
    if datatype not in _NUMERIC:
        return value
    try:
        if datatype in _REAL and ("." in value or not value.lstrip("+-").isdigit()):
            return float(value)
        return _TRUTH[value] if datatype == XSD + "boolean" else int(value)
    except (ValueError, KeyError):
        return value


def trouble(answer: Answer, wanted: str) -> NoReturn:
    """Raise what an answer tells that is not of the kind that was wanted."""
    kind = answer[0]
    if kind == "full":
        raise BrokenError(
            f"the query was stopped: it gives more than {answer[1]} rows", "narrow it, or raise its `max_rows`"
        )
    if kind == "refused":
        raise QueryError(f"the query cannot be parsed: {answer[1]}", "mend the query at the place that is named")
    if kind in _ASKED:
        raise QueryError(f"this is a {_ASKED[kind]} query, and {_ASKED[wanted]} was wanted", "use the other form")
    raise BrokenError(f"the query failed: {answer[1]}", "simplify the query; if it is a shipped one, report it")


def table(answer: Answer) -> Table:
    """The Table of a SELECT's answer; raises for every other."""
    if answer[0] != "table":
        trouble(answer, "table")
    rows = tuple(answer[2])
    return Table(tuple(answer[1]), rows, len(rows))


def truth(answer: Answer) -> bool:
    """The truth of an ASK's answer; raises for every other."""
    if answer[0] != "truth":
        trouble(answer, "truth")
    return bool(answer[1])


def triples(answer: Answer) -> tuple[str, ...]:
    """The triples of a CONSTRUCT's answer, sorted, without repeats; raises for every other."""
    if answer[0] != "triples":
        trouble(answer, "triples")
    return tuple(sorted(set(answer[1])))
