"""Quotations and numbers of briefs looked up in the texts of their sources: done when a check needs it, and kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cached_property
from hashlib import blake2b

from kbgraph import resources
from kbgraph import vocab as v
from kbgraph.ask.run import run
from kbgraph.errors import BusyError, StoreError
from kbgraph.model import graphs
from kbgraph.model.facts import integer, iri, text
from kbgraph.model.query import Cell, Table
from kbgraph.model.settings import Skipped
from kbgraph.read.decode import decode
from kbgraph.relate import Near, Source, measured, nearest, numbered, quoted
from kbgraph.workspace.files import read_file
from kbgraph.workspace.holdings import Holdings, writable
from kbgraph.workspace.manifests import within
from kbgraph.workspace.saved import Saved

_VIEWS = ("brief-quotations", "brief-numbers", "brief-permitted")
_KNOWN = f"""SELECT DISTINCT ?path ?value WHERE {{
  VALUES ?path {{ %s }}
  ?file {v.KB_PATH} ?path .
  GRAPH ?file {{ ?quantity {v.SCHEMA_VALUE}|{v.SCHEMA_MIN_VALUE}|{v.SCHEMA_MAX_VALUE} ?value }}
}}"""

Row = Mapping[str, Cell]


def held(holdings: Holdings, saved: Saved) -> str:
    """Bring up to date what the texts of sources lack; gives the reason where that cannot be done."""
    tables = {name: run(saved.get(name), holdings.store.select, whole=True) for name in _VIEWS}
    graph = graphs.texts(holdings.settings.base)
    old = [f"{s} {p} {o}" for s, p, o, _ in holdings.store.match(g=graph)]
    if not tables["brief-quotations"].rows and not tables["brief-numbers"].rows and not old:
        return ""
    edition = f"{graph} {v.KB_FINGERPRINT} {text(_stamp(holdings, tables.values()))}"
    if edition in old:
        return ""
    if not writable(holdings):
        return "what sources say cannot be looked up: nothing can be written here"
    told = {edition, *Lookup(holdings, tables).told()}
    try:
        with holdings.store.writing():
            holdings.store.revise(graph, old, sorted(told))
            if not holdings.passing:
                holdings.cache.published(holdings.store.name)
    except (BusyError, StoreError) as error:
        return f"what sources say was not looked up: {error.message}"
    return ""


def _stamp(holdings: Holdings, tables: Iterable[Table]) -> str:
    """A hash of all that the answers depend on: what is looked up, and every file that it may be looked up in."""
    files = sorted((path, seen.sha) for path, seen in holdings.cache.files().items())
    told = repr((resources.code_digest("relate"), files, [table.rows for table in tables]))
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


class Lookup:
    """The texts of one corpus, each read when it is first asked for."""

    def __init__(self, holdings: Holdings, tables: Mapping[str, Table]) -> None:
        self._holdings = holdings
        self._tables = tables
        self._texts: dict[str, Source | None] = {}

    def told(self) -> Iterator[str]:
        """What was looked up, and what is missing, as facts."""
        for row in self._tables["brief-quotations"]:
            yield from self._quotation(row)
        for rows in _grouped(self._tables["brief-numbers"]).values():
            yield from self._number(rows)

    def _quotation(self, row: Row) -> Iterator[str]:
        words, path, named = str(row["text"]), str(row["path"]), str(row["source"] or "")
        sources = self._sources([named] if named else self._permitted.get(path, ()))
        if not named and not self._permitted.get(path):
            sources = self._sources(p for p in self._holdings.cache.files() if p != path)
        if not sources:
            return
        yield f"{iri(str(row['quotation']))} {v.KB_HELD_AGAINST} {integer(len(sources))}"
        if not any(quoted(words, source) for source in sources):
            yield from self._missing(str(row["quotation"]), sources, nearest(words, sources))

    def _number(self, rows: list[Row]) -> Iterator[str]:
        first = rows[0]
        printed = str(first["printed"])
        sources = self._sources(dict.fromkeys(str(row["source"]) for row in rows))
        if not sources or not any(char.isdigit() for char in printed):
            return
        yield f"{iri(str(first['quantity']))} {v.KB_HELD_AGAINST} {integer(len(sources))}"
        values = [Decimal(str(first[name])) for name in ("value", "low", "high") if first[name] is not None]
        if not any(numbered(printed, values, source, self._values[source.path]) for source in sources):
            near = nearest(str(first["text"]), sources) or measured(printed, sources)
            yield from self._missing(str(first["quantity"]), sources, near)

    def _missing(self, node: str, sources: Collection[Source], near: Near | None) -> Iterator[str]:
        name = blake2b(node.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        me = iri(f"{self._holdings.settings.base}missing/{name}")
        yield f"{me} {v.RDF_TYPE} {v.KB_MISSING}"
        yield f"{me} {v.KB_MISSING_OF} {iri(node)}"
        yield f"{me} {v.KB_MISSING_FROM} {text(', '.join(sorted(source.path for source in sources)))}"
        if near:
            yield f"{me} {v.SCHEMA_TEXT} {text(near.text)}"
            yield f"{me} {v.KB_TARGET_PATH} {text(near.path)}"
            yield f"{me} {v.KB_TARGET_LINE} {integer(near.line)}"

    @cached_property
    def _permitted(self) -> dict[str, list[str]]:
        """Path of a brief -> the files that it may use."""
        found: dict[str, list[str]] = defaultdict(list)
        for row in self._tables["brief-permitted"]:
            found[str(row["brief"])].append(str(row["path"]))
        return found

    @cached_property
    def _values(self) -> dict[str, set[Decimal]]:
        """Path of a source -> the values of the numbers that were read in it, whatever their spelling."""
        found: dict[str, set[Decimal]] = defaultdict(set)
        paths = sorted({str(row["source"]) for row in self._tables["brief-numbers"]})
        if paths:
            rows = self._holdings.store.select(_KNOWN % " ".join(map(text, paths)), 60, 1_000_000)
            for path, value in rows.rows:
                found[str(path)].add(Decimal(str(value)))
        return found

    def _sources(self, paths: Iterable[str]) -> list[Source]:
        return [found for path in paths if (found := self._read(path))]

    def _read(self, path: str) -> Source | None:
        """The text of a file of the corpus; None where there is none."""
        if path not in self._texts:
            inner = within(self._holdings.root, path)
            found = inner if isinstance(inner, Skipped) else read_file(self._holdings.root, inner)
            lines = () if isinstance(found, Skipped) else tuple(decode(found[0]).text.split("\n"))
            self._texts[path] = Source(path, lines) if lines else None
        return self._texts[path]


def _grouped(table: Table) -> dict[str, list[Row]]:
    """The rows of each number: one for each of its sources."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in table:
        found[str(row["quantity"])].append(row)
    return found
