"""A knowledge base held open for many askers: what they may ask of it, and within which limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kbgraph.ask.grammar import form
from kbgraph.ask.implied import stated
from kbgraph.ask.names import unknown, with_prefixes
from kbgraph.ask.safety import check_safe
from kbgraph.ask.tokens import code, tokenise
from kbgraph.errors import BusyError, QueryError, StoreError, UnknownError, UsageError
from kbgraph.model.facts import Term, iri
from kbgraph.model.query import SavedQuery, Table
from kbgraph.model.settings import Skipped
from kbgraph.store.oxigraph.wire import Question, Wired, cells
from kbgraph.vocab import IMPLIED, RDF_TYPE
from kbgraph.workspace import pages
from kbgraph.workspace.manifests import within
from kbgraph.workspace.rounds import resolve
from kbgraph.workspace.saved import nearest
from kbgraph.workspace.serving import Limits, Standing

__all__ = ["Limits", "Site", "Wired", "constructs", "formats"]

ASKED = ("check", "view", "map")  # kinds of saved queries whose answers are tables
TRIES = 5  # states that are tried for one answer
CONSTRUCTS = ("CONSTRUCT", "DESCRIBE")
DESCRIBED = ("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV", "Turtle",
             "N-Triples", "RDF_XML", "JSON-LD")  # fmt: skip
GRAPH_BYTES, GRAPH_TRIPLES = 64 << 20, 1_000_000  # of a whole graph, which is never cut


class Site(Standing):
    """What the servers ask: anybody's queries, the saved ones, and pages, each of one whole state."""

    def ask(self, text: str, wanted: str = "", default: tuple[str, ...] = (), named: tuple[str, ...] = ()) -> Wired:
        """The answer of a query that anybody may have written, in a format of `formats`; default: the first."""
        is_graph = self.writer.is_graph
        check_safe(text, is_graph)
        for graph in (*default, *named):
            if not is_graph(graph):
                raise QueryError(f"<{graph}> is no graph of this corpus", "leave it out: the graph is asked whole")
        whole = with_prefixes(text)
        for danger in unknown(code(tokenise(whole)), ()):
            raise QueryError(f"line {danger.line}: {danger.message}", danger.mend)
        said = wanted or formats(text)[0]
        question = Question(stated(whole), said, self.limits.bytes, default, named)
        return self._wired(question, self.limits.seconds, self.limits.rows)

    def table(self, text: str, default: tuple[str, ...] = (), named: tuple[str, ...] = ()) -> tuple[Table, str]:
        """The answer of a SELECT or ASK as a table, with what cut it short."""
        if constructs(text):
            raise UsageError("this query gives a graph, no table", "ask with SELECT or ASK")
        found = self.ask(text, "json", default, named)
        columns, rows = cells(found.data)
        return Table(columns, rows, len(rows)), found.cut

    def saved(self, name: str, given: Mapping[str, str], offset: int = 0, most: int = 0) -> tuple[Table, str]:
        """Rows of a saved query from `offset` on, with what cut them short; `total` counts all."""
        with self.looking() as state:
            self.query(name)
            found = state.workspace.query(name, **given)
        last = offset + min(most or self.limits.rows, self.limits.rows)
        return replace(found, rows=found.rows[offset:last]), "rows" if len(found.rows) > last else ""

    def query(self, name: str) -> SavedQuery:
        """A saved query that can be asked by its name; UnknownError for every other name."""
        with self.looking() as state:
            queries = state.workspace.queries
            source = queries.sources.get(name)
            if source is None or source.kind not in ASKED:
                raise UnknownError(f"there is no query `{name}`", nearest(name, queries.sources))
            return queries.get(name)

    def queries(self) -> tuple[SavedQuery, ...]:
        """All of them, by name."""
        with self.looking() as state:
            names = [name for name, source in state.workspace.queries.sources.items() if source.kind in ASKED]
            return tuple(map(state.workspace.queries.get, names))

    def written(self, table: Table, form: str, lang: str) -> Wired:
        """A table as text in a format, cut where it would be longer than the most bytes."""
        cut, held = "", self.writer
        while True:
            data = held.render(table, form, lang).encode("utf-8", "backslashreplace")
            if len(data) <= self.limits.bytes or not table.rows:
                return Wired(data, len(table.rows), cut)
            keep = int(len(table.rows) * self.limits.bytes / len(data) * 0.9)
            table, cut = replace(table, rows=table.rows[:keep]), "bytes"

    def page(self, name: str, lang: str, path: str, /, **given: Any) -> str:  # noqa: ANN401  (whatever the page shows)
        """A page of the server, all of it from one state: begun again where that was swept away meanwhile."""
        for _ in range(TRIES):
            with self.looking() as state:
                before = state.folder
                made = pages.page(state, name, (lang, path, self.trouble), given)
                if state.folder == before:
                    return made
        raise BusyError("the graph changes faster than it can be read", "ask again")

    def section(self, document: str, number: str, lang: str) -> dict[str, object]:
        """A section by its document (path, file's name or topic) and number: statements, evidence, findings."""
        with self.looking() as state:
            return pages.section(state.workspace, document, number, lang)

    def fates(self, start: str) -> tuple[list[list[str]], str]:
        """The files that a round (its id, or how it begins) was given and that are not as then, and its whole id."""
        with self.looking() as state:
            told = state.workspace.tables.round(start)
            one = resolve(state.workspace.rounds(), start)
        return [[str(row["path"]), str(row["state"])] for row in told if row["state"] != "as then"], one.id

    def brief(self, topic: str, manifest: str, lang: str = "") -> str:
        """A brief in Markdown."""
        with self.looking() as state:
            made = state.workspace.brief(topic, manifest)
            return state.workspace.render(made, "md", lang or state.workspace.settings.lang or made.lang)

    def verified(self, path: str, lang: str) -> str:
        """The findings in a written brief of the folder, a line each, and what was held; no other file is opened."""
        root = self.writer.root
        inner = within(root, path)
        if isinstance(inner, Skipped):
            raise UsageError(f"`{path}` is no file of the folder", "give a path within it")
        with self.looking() as state:
            return state.workspace.render(state.workspace.verify(root / inner), "text", lang)

    @staticmethod
    def style() -> str:
        """The style sheet of the pages."""
        return pages.style()

    def drawn(self, lang: str, given: Mapping[str, str]) -> str:
        """A drawing as a page of its own."""
        with self.looking() as state:
            return pages.drawn(state.workspace, lang, given)

    def described(self, endpoint: str, wanted: str) -> Wired:
        """What the endpoint at an address is and can do, in the words of SPARQL 1.1 Service Description."""
        return self._wired(Question(description(endpoint), wanted, GRAPH_BYTES), self.limits.seconds, GRAPH_TRIPLES)

    def graph(self, name: str, wanted: str) -> Wired:
        """All triples of one named graph, none when there is no such graph; of the union of all for ""."""
        where = _whole(iri(name) if name else None)
        question = Question(f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ {where} }}", wanted, GRAPH_BYTES)
        found = self._wired(question, self.limits.seconds * 6, GRAPH_TRIPLES)
        if found.cut:
            raise StoreError("the graph is too large to be sent", "`kbgraph export` writes it to a file")
        return found

    def _wired(self, question: Question, seconds: float, rows: int) -> Wired:
        """An answer from the newest state; where that is swept away before it is opened, from the one after it."""
        for _ in range(TRIES):
            with self.looking() as state:
                try:
                    return state.wire.ask(question, seconds, rows)
                except StoreError:
                    if not self.turn() and self.shown(state):
                        raise
        raise BusyError("the graph changes faster than it can be read", "ask again")


def constructs(text: str) -> bool:
    """Whether a query's answer is a graph, not a table."""
    return form(code(tokenise(text))) in CONSTRUCTS


def formats(text: str) -> tuple[str, ...]:
    """The formats that a query's answer can be had in, the usual first."""
    return ("ttl", "nt", "rdf", "jsonld") if constructs(text) else ("json", "xml", "csv", "tsv")


def _whole(graph: Term | None) -> str:
    """A pattern of everything in a graph, with the types that its properties tell."""
    told = [
        f"{{ {_in(graph, f'?s {verb} ?any')} BIND({RDF_TYPE} AS ?p) BIND(<{name}> AS ?o) }}"
        for name, verb in IMPLIED.items()
    ]
    return " UNION ".join((f"{{ {_in(graph, '?s ?p ?o')} }}", *told))


def _in(graph: Term | None, pattern: str) -> str:
    return f"GRAPH {graph} {{ {pattern} }}" if graph else pattern


def description(endpoint: str) -> str:
    """The query that makes up a service's description, the names of its graphs included."""
    forms = " , ".join(f"<http://www.w3.org/ns/formats/{name}>" for name in DESCRIBED)
    own = iri(endpoint)
    return f"""PREFIX sd: <http://www.w3.org/ns/sparql-service-description#>
CONSTRUCT {{
  {own} a sd:Service ; sd:endpoint {own} ; sd:supportedLanguage sd:SPARQL11Query ; sd:resultFormat {forms} ;
    sd:feature sd:UnionDefaultGraph ; sd:defaultDataset ?all .
  ?all a sd:Dataset ; sd:defaultGraph ?union ; sd:namedGraph ?part .
  ?union a sd:Graph .
  ?part a sd:NamedGraph ; sd:name ?name .
}} WHERE {{
  {{ SELECT DISTINCT ?name WHERE {{ GRAPH ?name {{ ?s ?p ?o }} }} }}
  BIND(IRI("{own[1:-1]}#dataset") AS ?all) BIND(IRI("{own[1:-1]}#union") AS ?union)
  BIND(IRI(CONCAT("{own[1:-1]}#graph-", ENCODE_FOR_URI(STR(?name)))) AS ?part)
}}"""
