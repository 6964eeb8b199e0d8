"""The store proper: pyoxigraph, in memory or on one folder. Nothing beside this package knows pyoxigraph."""

from __future__ import annotations

import os
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

import pyoxigraph as ox

from kbgraph.errors import StoreError
from kbgraph.model.facts import Facts, Term
from kbgraph.model.ntriples import parts
from kbgraph.model.query import Cell
from kbgraph.store import Quad
from kbgraph.store.answers import Answer, cell, names_graphs
from kbgraph.store.asking import Asking
from kbgraph.store.child import CAN_FORK, Child, answering, forked, inline, own_process, send, spawned
from kbgraph.store.feed import Feed, portions
from kbgraph.store.runs import sorted_lines
from kbgraph.store.worker import Workers

SHA = ox.NamedNode("https://w3id.org/kbgraph/ns#sha256")
MOST = 4  # queries at once
BULK, MANY = 20, 10_000  # from so many graphs or quads on, ingesting sorted files beats a transaction


class Oxigraph(Asking):
    """Named graphs in memory, or in one folder that nobody else writes."""

    name = ""  # nobody comes back to it
    _worker: Workers

    def __init__(self, folder: Path | None = None, writable: bool = True) -> None:
        self._folder = folder
        self._writable = writable
        self._worker = Workers(self._start, min(os.cpu_count() or 1, MOST))
        self.mark = ""

    @cached_property
    def engine(self) -> ox.Store:
        """Opened when first needed: a reader that only asks queries leaves it to the worker."""
        return _open(self._folder, self._writable)

    def _start(self) -> Child:
        if self._folder is not None:
            return spawned("store.oxigraph", str(self._folder))
        return forked(self.evaluate) if CAN_FORK else inline(self.evaluate)

    def load(self, facts: Iterable[Facts]) -> None:
        """Make the store hold just these graphs, in bulk; `facts` is drawn on while loading."""
        with self._changing():
            self._clear()
            for portion in portions(iter(facts)):
                self._load(Feed(portion))

    def _clear(self) -> None:
        # Not where nothing is to clear: the engine would note even that, and one such note among tables that were
        # loaded in bulk makes it write all of them anew, without compression, when it is opened next.
        if next(iter(self.engine), None) is not None:
            self.engine.clear()

    def _load(self, feed: Feed) -> None:
        try:
            self.engine.bulk_load(cast("BinaryIO", feed), ox.RdfFormat.N_QUADS, lenient=True)
        except BaseException:
            if feed.error is not None:
                raise feed.error from None
            raise

    def replace(self, changed: Iterable[Facts], gone: Iterable[Term] = ()) -> None:
        """Replace and drop whole graphs. One reader sees the store, so the steps between are never seen."""
        new = list(changed)
        with self._changing():
            quads = _quads(*new)  # all of it, before anything is dropped
            graphs = (ox.NamedNode(parts(graph).value) for graph in {*gone, *(fact.graph for fact in new)})
            held = [graph for graph in graphs if self.engine.contains_named_graph(graph)]
            for graph in held:
                self.engine.remove_graph(graph)
            (self.engine.bulk_extend if len(new) >= BULK or not held else self.engine.extend)(quads)

    def revise(self, graph: Term, gone: Iterable[str], new: Iterable[str]) -> None:
        """Take triples out of a graph and put others in."""
        with self._changing():
            out, add = (_quads(Facts(graph, tuple(triples))) for triples in (gone, new))
            deque(map(self.engine.remove, out), 0)
            (self.engine.bulk_extend if len(add) >= MANY or not out else self.engine.extend)(add)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """A change is under way: the worker's view ends, and what goes wrong is told in this project's words."""
        try:
            yield
        except SyntaxError as error:
            raise StoreError(f"a fact is no N-Quads: {error}", "report this: kbgraph itself makes facts") from error
        except (OSError, RuntimeError) as error:
            raise StoreError(f"the graph cannot be written: {error}", "make room on the disk, then sync") from error
        finally:
            self._worker.close()

    @contextmanager
    def draft(self, fresh: bool = False, mark: str = "") -> Iterator[Oxigraph]:
        """The store itself: nobody else sees it. A block that fails leaves it without a mark."""
        self.mark = ""
        if fresh:
            with self._changing():
                self._clear()
        yield self
        self.mark = mark

    def graphs(self) -> dict[Term, str]:
        """Every named graph with its kb:sha256."""
        found = {Term(str(g)): "" for g in self.engine.named_graphs()}
        for quad in self.engine.quads_for_pattern(None, SHA, None):
            if quad.subject == quad.graph_name and isinstance(quad.object, ox.Literal):
                found[Term(str(quad.graph_name))] = quad.object.value
        return found

    def ready(self) -> None:
        """Start every worker: what is in memory is handed on by fork, which several threads would not stand."""
        self._worker.start()

    def match(
        self, s: Term | None = None, p: Term | None = None, o: Term | None = None, g: Term | None = None
    ) -> Iterator[Quad]:
        """Quads that agree with the terms given."""
        subject, predicate, graph = (None if t is None else ox.NamedNode(parts(t).value) for t in (s, p, g))
        for quad in self.engine.quads_for_pattern(subject, predicate, None if o is None else _term(o), graph):
            yield tuple(Term(str(t)) for t in quad)  # type: ignore[misc]  # (a quad has four terms)

    def dump(self) -> Iterator[str]:
        """All quads as sorted N-Quads lines; sorted in runs on disk, so memory stays bounded."""
        with tempfile.TemporaryDirectory(prefix="kbgraph-") as folder:
            whole = Path(folder, "all.nq")
            self.engine.dump(str(whole), ox.RdfFormat.N_QUADS)
            for line in sorted_lines(whole):
                yield line[:-1].decode()

    def count(self) -> int:
        """Number of quads; counts them."""
        return len(self.engine)

    def evaluate(self, query: str, max_rows: int) -> Answer:
        """Answer a query in this process, without a time limit."""
        try:
            return _answer(self.engine.query(query, use_default_graph_as_union=not names_graphs(query)), max_rows)
        except SyntaxError as error:
            return ("refused", str(error))
        except (OSError, ValueError, RuntimeError, MemoryError) as error:
            return ("failed", f"{type(error).__name__}: {error}")

    def backup(self, folder: Path) -> None:
        """Copy the store to a new folder by hard links: milliseconds, and hardly any space."""
        with self._changing():
            self.engine.backup(str(folder))

    def close(self) -> None:
        """Write everything to disk and let go of the folder."""
        self._worker.close()
        engine = self.__dict__.pop("engine", None)
        if engine is not None and self._folder is not None and self._writable:
            with self._changing():
                engine.flush()


def _open(folder: Path | None, writable: bool) -> ox.Store:
    try:
        if folder is None:
            return ox.Store()
        return ox.Store(str(folder)) if writable else ox.Store.read_only(str(folder))
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: damaged files
        raise StoreError(f"the graph in {folder} cannot be opened: {error}", "run `kbgraph sync --full`") from error


def _quads(*facts: Facts) -> list[ox.Quad]:
    return cast("list[ox.Quad]", [*ox.parse("".join(f.nquads() for f in facts), ox.RdfFormat.N_QUADS, lenient=True)])


def _answer(result: object, max_rows: int) -> Answer:
    if isinstance(result, ox.QueryBoolean):
        return ("truth", bool(result))
    if isinstance(result, ox.QueryTriples):
        triples = [f"{t.subject} {t.predicate} {t.object}" for t in islice(result, max_rows + 1)]
        return ("full", max_rows) if len(triples) > max_rows else ("triples", triples)
    assert isinstance(result, ox.QuerySolutions)
    columns = tuple(variable.value for variable in result.variables)
    rows = [tuple(_cell(value) for value in row) for row in islice(result, max_rows + 1)]
    return ("full", max_rows) if len(rows) > max_rows else ("table", columns, rows)


def _cell(value: object) -> Cell:
    if isinstance(value, ox.NamedNode):
        return value.value
    if isinstance(value, ox.Literal):
        return cell(value.value, value.datatype.value)
    return None if value is None else str(value)


def _term(term: Term) -> ox.NamedNode | ox.Literal:
    kind, value, lang, datatype = parts(term)
    if kind == "iri":
        return ox.NamedNode(value)
    return ox.Literal(value, language=lang) if lang else ox.Literal(value, datatype=ox.NamedNode(datatype))


def serve(folder: str) -> None:
    """Answer queries over a folder, read-only, on standard input and output."""
    store = Oxigraph(Path(folder), writable=False)
    try:
        store.engine  # noqa: B018  (opens it, or fails, before the first query comes)
    except StoreError as error:
        send(sys.stdout.buffer, ("failed", error.message, error.mend))
        return
    answering(store.evaluate, sys.stdin.buffer, sys.stdout.buffer, own_process())


def parse_turtle(text: str) -> tuple[str, ...]:
    """Triples `s p o` of a Turtle text, in its order; ValueError with the place when it is broken."""
    try:
        return tuple(f"{q.subject} {q.predicate} {q.object}" for q in ox.parse(text, ox.RdfFormat.TURTLE))
    except SyntaxError as error:
        raise ValueError(str(error)) from error


def parse_quads(data: bytes, suffix: str) -> Iterator[Quad]:
    """Quads of a TriG, N-Quads or JSON-LD text (`suffix` without dot); a default graph's name is ""."""
    wanted = ox.RdfFormat.from_extension(suffix)
    if wanted is None:
        raise ValueError(suffix)
    try:
        for q in ox.parse(data, wanted):
            graph = "" if isinstance(q.graph_name, ox.DefaultGraph) else str(q.graph_name)
            yield Term(str(q.subject)), Term(str(q.predicate)), Term(str(q.object)), Term(graph)
    except SyntaxError as error:
        raise ValueError(str(error)) from error
