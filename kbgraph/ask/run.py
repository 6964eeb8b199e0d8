"""Saved query + store -> Table, in a total order, or BrokenError when what it counts on is not there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace as changed

from kbgraph.ask import params as values
from kbgraph.ask.grammar import has_order, projection
from kbgraph.ask.implied import stated
from kbgraph.ask.tokens import Token, code, prefixes, replace, tokenise
from kbgraph.errors import BrokenError, QueryError
from kbgraph.model.query import Cell, SavedQuery, Table

# Text, seconds, rows -> the answer of a SELECT; BrokenError when a limit stops it, QueryError when it cannot be parsed.
Select = Callable[[str, float, int], Table]


def run(
    query: SavedQuery,
    select: Select,
    params: Mapping[str, str] | None = None,
    whole: bool = False,
    look: Select | None = None,
) -> Table:
    """Rows in total order; `total` counts all, the query's `limit` and `sample` cut what is shown unless `whole`."""
    terms = values.terms(query, params or {})
    try:
        _look(query, look or select, terms)
        found = select(stated(replace(query.text, terms)), query.timeout, query.max_rows)
    except (QueryError, BrokenError) as error:
        raise type(error)(f"{query.name}: {error.message}", error.mend) from error
    # Who asks without a header and says ORDER BY wants that order; a header tells its own, and it is total.
    live = [] if query.columns else code(tokenise(query.text))
    found = found if query.columns else _as_written(found, live)
    asked = not query.columns and has_order(live)
    rows = found.rows if asked else ordered(found.rows, found.columns, query.order)
    return changed(found, rows=rows if whole else _shown(query, rows), total=len(rows), query=query)


def _as_written(found: Table, live: list[Token]) -> Table:
    """Columns of `SELECT *` in the order in which the query first names them: engines give them by the alphabet."""
    if not projection(live).star:
        return found
    places = [found.columns.index(n) for n in dict.fromkeys(t.name for t in live) if n in found.columns]
    rows = tuple(tuple(row[at] for at in places) for row in found.rows)
    return changed(found, columns=tuple(found.columns[at] for at in places), rows=rows)


def _shown(query: SavedQuery, rows: tuple[tuple[Cell, ...], ...]) -> tuple[tuple[Cell, ...], ...]:
    """As many rows as `limit` lets through, from the top; with `sample` as many, spread evenly over all."""
    if query.sample and len(rows) > query.sample:
        rows = tuple(rows[at * len(rows) // query.sample] for at in range(query.sample))
    return rows[: query.limit] if query.limit else rows


def _look(query: SavedQuery, select: Select, terms: Mapping[str, str]) -> None:
    """Raise BrokenError when one of the things that must be in the graph is not."""
    for name, what in query.sanity:
        seen = select(stated(replace(sanity_text(query.text, what), terms)), query.timeout, query.max_rows)
        if not seen.rows or not seen.rows[0][0]:
            mend = f"it looks for {name} ({what}): is the corpus the right one, and are its files recognised?"
            raise BrokenError(f"saw nothing to judge: no {name} in the graph", mend)


def sanity_text(text: str, what: str) -> str:
    """The SELECT that tells whether something is there: a class, a `{ pattern }`, an ASK or a SELECT of a count."""
    live = code(tokenise(what))
    head = "".join(f"PREFIX {name}: <{target}>\n" for name, target in prefixes(code(tokenise(text))).items())
    first = live[0].key if live else ""
    if first == "SELECT":
        return head + what
    if first == "ASK":
        return f"{head}SELECT (1 AS ?seen) {what.strip()[3:]} LIMIT 1"
    return f"{head}SELECT (1 AS ?seen) WHERE {what if first == '{' else f'{{ ?one a {what} }}'} LIMIT 1"


def _key(cell: Cell) -> tuple[int, float, str]:
    """Unbound first, then numbers by value, then texts by codepoint."""
    if cell is None:
        return (0, 0.0, "")
    return (2, 0.0, cell) if isinstance(cell, str) else (1, float(cell), "")


def ordered(
    rows: Sequence[tuple[Cell, ...]], columns: Sequence[str], order: Sequence[str]
) -> tuple[tuple[Cell, ...], ...]:
    """Rows by the named columns (`-name`: falling), then by all columns: no two engines give another order."""
    out = sorted(rows, key=lambda row: [_key(cell) for cell in row])
    for name in reversed(order):
        at = columns.index(name.removeprefix("-"))
        out.sort(key=lambda row, at=at: _key(row[at]), reverse=name.startswith("-"))  # type: ignore[misc]
    return tuple(out)
