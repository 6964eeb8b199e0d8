"""A query of any form answered as a Table."""

from __future__ import annotations

from collections.abc import Mapping

from kbgraph.ask.grammar import form
from kbgraph.ask.params import bind
from kbgraph.ask.run import run
from kbgraph.ask.tokens import code, tokenise
from kbgraph.model.ntriples import parts, split
from kbgraph.model.query import SavedQuery, Table
from kbgraph.store import Store


def answer(store: Store, query: SavedQuery, params: Mapping[str, str]) -> Table:
    """Rows of a SELECT; for ASK one cell `answer`; for CONSTRUCT and DESCRIBE a row per triple."""
    kind = form(code(tokenise(query.text)))
    if kind == "ASK":
        return Table(("answer",), ((store.ask(bind(query, params), query.timeout),),), 1, query)
    if kind in ("CONSTRUCT", "DESCRIBE"):
        triples = store.construct(bind(query, params), query.timeout, query.max_rows)
        rows = tuple(tuple(parts(term).value for term in split(triple)) for triple in triples)
        return Table(("subject", "predicate", "object"), rows, len(rows), query)
    return run(query, store.select, params)
