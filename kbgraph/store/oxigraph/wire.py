"""Answers as they go over the wire, in the format that the asker reads, cut at a number of rows and bytes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pyoxigraph as ox

from kbgraph.errors import StoreError
from kbgraph.model.prefixes import PREFIXES
from kbgraph.model.query import Cell
from kbgraph.store import Store, answers
from kbgraph.store.answers import Answer
from kbgraph.store.child import CAN_FORK, Child, answering, forked, inline, own_process, send, spawned
from kbgraph.store.disk import Disk
from kbgraph.store.oxigraph import Oxigraph
from kbgraph.store.worker import Workers

ROWS = {"json": ox.QueryResultsFormat.JSON, "xml": ox.QueryResultsFormat.XML,
        "csv": ox.QueryResultsFormat.CSV, "tsv": ox.QueryResultsFormat.TSV}  # fmt: skip
TRIPLES = {"ttl": ox.RdfFormat.TURTLE, "nt": ox.RdfFormat.N_TRIPLES, "rdf": ox.RdfFormat.RDF_XML,
           "jsonld": ox.RdfFormat.JSON_LD}  # fmt: skip
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_AROUND = 40  # bytes that a format puts around a value, roughly


One = TypeVar("One")


class Question(NamedTuple):
    """A query, the format of its answer, its most bytes, and the graphs that it is put to where it is not the union."""

    text: str
    form: str  # of ROWS for SELECT and ASK, of TRIPLES for the others
    most: int
    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


class Wired(NamedTuple):
    """What is sent, how many rows or triples that are, and what cut them short: "rows", "bytes" or ""."""

    data: bytes
    rows: int
    cut: str


class Wire:
    """One state of a graph, asked by processes of its own, as many as `most` at once."""

    def __init__(self, store: Store, most: int) -> None:
        folder = store.folder if isinstance(store, Disk) else None  # of now: a later state has a wire of its own
        self._workers = Workers(partial(_start, store, folder), most)

    def ask(self, question: Question, timeout: float, max_rows: int) -> Wired:
        """The answer, whole or cut; LateError when it takes too long, QueryError when it is no query."""
        answer = self._workers.answer(tuple(question), timeout, max_rows)
        if answer[0] != "wire":
            answers.trouble(answer, "table")
        return Wired(*answer[1:])

    def close(self) -> None:
        """End the processes, each when it has answered."""
        self._workers.close()


def _start(store: Store, folder: Path | None) -> Child:
    if folder is not None:
        return spawned("store.oxigraph.wire", str(folder))
    held = store if isinstance(store, Oxigraph) else Oxigraph()
    evaluate = partial(_evaluate, held.engine)
    return forked(evaluate) if CAN_FORK else inline(evaluate)


def serve(folder: str) -> None:
    """Answer questions over a folder, read-only, on standard input and output."""
    store = Oxigraph(Path(folder), writable=False)
    try:
        engine = store.engine
    except StoreError as error:
        send(sys.stdout.buffer, ("failed", error.message, error.mend))
        return
    answering(partial(_evaluate, engine), sys.stdin.buffer, sys.stdout.buffer, own_process())


def _evaluate(engine: ox.Store, asked: tuple[Any, ...], max_rows: int) -> Answer:
    question = Question(*asked)
    graphs: dict[str, Any] = {"use_default_graph_as_union": not answers.names_graphs(question.text)}
    if question.default or question.named:
        graphs = {"default_graph": _nodes(question.default), "named_graphs": _nodes(question.named)}
    try:
        return ("wire", *_written(engine.query(question.text, **graphs), question, max_rows))
    except SyntaxError as error:
        return ("refused", str(error))
    except (OSError, ValueError, RuntimeError, MemoryError) as error:
        return ("failed", f"{type(error).__name__}: {error}")


def _nodes(names: Iterable[str]) -> list[ox.NamedNode]:
    return [ox.NamedNode(name) for name in names]


def _written(result: object, question: Question, max_rows: int) -> Wired:
    if isinstance(result, ox.QueryBoolean):
        return Wired(result.serialize(format=ROWS[question.form]) or b"", 1, "")
    if isinstance(result, ox.QueryTriples):
        triples, cut = _cut(result, lambda t: len(str(t.subject)) + len(str(t.object)), question.most, max_rows)
        form = TRIPLES[question.form]
        named = form in (ox.RdfFormat.TURTLE, ox.RdfFormat.RDF_XML)
        prefixes = {"prefixes": PREFIXES} if named else {}
        data = ox.serialize(triples, format=form, **prefixes) or b""  # type: ignore[arg-type]
        return Wired(data, len(triples), cut)
    assert isinstance(result, ox.QuerySolutions)
    names = [variable.value for variable in result.variables]
    cells = (dict(_bound(names, row)) for row in result)
    rows, cut = _cut(cells, lambda row: sum(len(c["value"].encode()) + _AROUND for c in row.values()),
                     question.most, max_rows)  # fmt: skip
    data = json.dumps({"head": {"vars": names}, "results": {"bindings": rows}}, ensure_ascii=False).encode()
    if question.form != "json":  # the engine writes the others, out of this one
        data = ox.parse_query_results(data, format=ROWS["json"]).serialize(format=ROWS[question.form]) or b""
    return Wired(data, len(rows), cut)


def _cut(found: Iterable[One], size: Callable[[One], int], most: int, max_rows: int) -> tuple[list[One], str]:
    kept: list[One] = []
    held = 0
    for one in islice(found, max_rows + 1):
        held += size(one)
        if len(kept) == max_rows or held > most:
            return kept, "rows" if len(kept) == max_rows else "bytes"
        kept.append(one)
    return kept, ""


def _bound(names: list[str], row: ox.QuerySolution) -> Iterator[tuple[str, dict[str, str]]]:
    for name, term in zip(names, row, strict=True):
        if isinstance(term, ox.NamedNode):
            yield name, {"type": "uri", "value": term.value}
        elif isinstance(term, ox.BlankNode):
            yield name, {"type": "bnode", "value": term.value}
        elif isinstance(term, ox.Literal):
            yield name, {"type": "literal", "value": term.value, **_kind(term)}


def _kind(term: ox.Literal) -> dict[str, str]:
    if term.language:
        return {"xml:lang": term.language}
    return {} if term.datatype.value == _STRING else {"datatype": term.datatype.value}


def cells(data: bytes) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]]:
    """Columns and rows of an answer in JSON, as a person reads them."""
    told = json.loads(data)
    if "boolean" in told:
        return ("answer",), ((told["boolean"],),)
    names = tuple(told["head"]["vars"])
    rows = (tuple(_cell(row.get(name)) for name in names) for row in told["results"]["bindings"])
    return names, tuple(rows)


def _cell(term: dict[str, str] | None) -> Cell:
    if term is None:
        return None
    return answers.cell(term["value"], term.get("datatype", "")) if term["type"] == "literal" else term["value"]
