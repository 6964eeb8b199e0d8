"""A knowledge base as one object: the only place that knows all rooms, and where every effect happens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbgraph.model import graphs
from kbgraph.model.query import Table
from kbgraph.model.sync import Round, Status
from kbgraph.workspace.keeping import Keeper

if TYPE_CHECKING:
    from networkx import MultiDiGraph
    from rdflib import Dataset

    from kbgraph.model.brief import Brief
    from kbgraph.model.drawing import Drawing
    from kbgraph.model.fault import SelfTest
    from kbgraph.model.finding import Report
    from kbgraph.model.patch import Patch
    from kbgraph.model.query import Both
    from kbgraph.model.trace import Trace
    from kbgraph.model.verification import Verification
    from kbgraph.render import Product
    from kbgraph.workspace.rounds import Tables

__all__ = ["Workspace"]


class Workspace(Keeper):
    """One corpus and its graph. `sync()` brings the graph up to date; all else answers from the graph as it is."""

    def select(self, query: str, timeout: float = 10.0, max_rows: int = 100_000) -> Table:
        """Rows of a SPARQL text as it stands, under limits; `query` is safer, and gives them in a total order."""
        from kbgraph.ask.implied import stated  # noqa: PLC0415

        return self.store.select(stated(query), timeout, max_rows)

    def query(self, what: str, /, **params: object) -> Table:
        """Answer of a saved query by name, of an `.rq` file, or of SPARQL itself (read-only, refused when unsafe)."""
        from kbgraph.workspace.answering import answer  # noqa: PLC0415  (a sync needs none)

        given = {name: str(value) for name, value in params.items() if value is not None}
        return answer(self.store, self.queries.named(what), given)

    def check(
        self, names: Iterable[str] = (), tags: Iterable[str] = (), profile: Mapping[str, object] | None = None
    ) -> Report:
        """Run the checks, all when none is named; a profile says of them what [checks] in kbgraph.toml may say."""
        from kbgraph.config.checks import told  # noqa: PLC0415  (a sync needs none)
        from kbgraph.workspace.checking import check  # noqa: PLC0415

        names, tags = ((one,) if isinstance(one, str) else tuple(one) for one in (names, tags))
        return check(
            self._asked, self.queries, self.lexicon, names=names, tags=tags, profile=told(profile or {}, "the profile")
        )

    def selftest(
        self, names: Iterable[str] = (), seed: int = 0, progress: Callable[[int, int], None] | None = None
    ) -> SelfTest:
        """Plant a fault of each kind, of the checks named or of all, each alone, and tell which checks notice."""
        from kbgraph.workspace.selftest import on_corpus  # noqa: PLC0415  (rarely asked for)

        names = (names,) if isinstance(names, str) else tuple(names)
        return on_corpus(self._held, self.queries, self._derive, names=names, seed=seed, progress=progress)

    def held(self, report: Report) -> Report:
        """The report with what the ontology's SHACL shapes say against the graph."""
        from kbgraph.workspace.shapes import with_shapes  # noqa: PLC0415  (rarely asked for)

        return with_shapes(report, self.store)

    def brief(self, topic: str = "", manifest: str | Path = "") -> Brief:
        """Tonight's brief of a manifest, else of the topic's newest one; only what the manifest names is opened."""
        from kbgraph.workspace.briefing import brief  # noqa: PLC0415  (a sync needs none)

        return brief(self._held, self.queries, self._derive, self.labels, topic=topic, manifest=str(manifest))

    def patch(self, topic: str = "", manifest: str | Path = "") -> Patch:
        """What the merge actions of a brief come to in its documents, as lines to put in; nothing is written."""
        from kbgraph.workspace.briefing import patch  # noqa: PLC0415  (a sync needs none)

        return patch(self._held, self.queries, self._derive, self.labels, topic=topic, manifest=str(manifest))

    def verify(self, file: str | Path) -> Verification:
        """What is wrong in a written brief, of this corpus or from elsewhere, by its graph; nothing is changed."""
        from kbgraph.workspace.verifying import verify  # noqa: PLC0415  (a sync needs none)

        return verify(self._held, self.queries, self._derive, file)

    def drawing(self, query: str = "citations", focus: str = "", **options: Any) -> Drawing:  # noqa: ANN401
        """What a map query shows, or what is around one thing; options: hops, cap, lang, params."""
        from kbgraph.workspace.drawings import draw  # noqa: PLC0415  (a sync needs none)

        return draw(self.queries, self.query, self.labels, name=query, focus=focus, **options)

    @cached_property
    def labels(self) -> Mapping[str, Both]:
        """What concepts of the lexicon and classes are called, by local name."""
        from kbgraph.workspace.explaining import labels  # noqa: PLC0415  (a sync needs none)

        return {**{name: concept.pref for name, concept in self.lexicon.by_name.items()}, **labels()}

    def graph(self) -> MultiDiGraph[str]:
        """The graph as a networkx MultiDiGraph: things are nodes, properties edge keys, literals node attributes."""
        from kbgraph.workspace.exports import Without  # noqa: PLC0415
        from kbgraph.workspace.networks import network  # noqa: PLC0415  (networkx takes long to load)

        return network(Without(self.store, *graphs.found(self.base)))

    def explain(self, what: str, lang: str = "en") -> str:
        """The page of a check or other query, of a finding by its fingerprint, or of a term of the ontology."""
        from kbgraph.workspace.explaining import explain  # noqa: PLC0415  (rarely asked for)

        return explain(self.queries, what, lang, self)

    def trace(self, what: str) -> Trace:
        """A claim, number, id or `path:line` back to its primary source, hop by hop, with what each hop lost."""
        from kbgraph.workspace.tracing import trace  # noqa: PLC0415  (rarely asked for)

        return trace(self._asked, self.queries, self.query, self.labels, what)

    def rdflib(self) -> Dataset:
        """The graph as an rdflib Dataset that reads from the store as it goes; its default graph is the union."""
        from kbgraph.store.view import dataset  # noqa: PLC0415  (rdflib takes long to load)

        return dataset(lambda: self.store)

    def export(self, fmt: str = "nq", findings: bool = False) -> str:
        """What the files say, as text: csv, graphml, jsonld, nq (sorted: canonical), trig, ttl; or with findings."""
        return "".join(self.pieces(fmt, findings))

    def pieces(self, fmt: str, findings: bool = False) -> Iterator[str]:
        """As `export`, piece by piece, for graphs that should not stand in memory."""
        from kbgraph.workspace.exports import Without, export  # noqa: PLC0415  (rarely asked for)

        return export(self.store if findings else Without(self.store, *graphs.found(self.base)), fmt)

    def status(self) -> Status:
        """What the graph holds, counted."""
        from kbgraph.workspace.status import status  # noqa: PLC0415  (rarely asked for)

        return status(self._held, self.query, self.select, self.rounds())

    def render(self, product: Product, fmt: str, lang: str = "") -> str:
        """A product (table, report, …) as text in a format, in a language; default the corpus's."""
        from kbgraph.workspace.writing import written  # noqa: PLC0415  (Python callers seldom want text)

        return written(product, fmt, lang or self.settings.lang or "en", self._held.compact("templates"))

    # -- rounds

    def rounds(self) -> tuple[Round, ...]:
        """The rounds whose manifests are in the graph, oldest first."""
        from kbgraph.workspace.status import rounds  # noqa: PLC0415  (rarely asked for)

        return rounds(self._held, self.query)

    @property
    def tables(self) -> Tables:
        """Rounds and manifests as tables, and the manifest of the next round."""
        from kbgraph.workspace.rounds import Tables  # noqa: PLC0415  (rarely asked for)

        return Tables(self._held, self.query, self.rounds)
