"""A corpus brought up to date in memory, with short questions to its graph: what the shared cases are held against."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

import yaml
from pyoxigraph import Literal, NamedNode, QuerySolutions, RdfFormat, Store

import kbgraph
from conftest import ROOT
from kbgraph.model.finding import Finding, Report
from kbgraph.workspace import Workspace
from terms import BASE, PREFIXES

SHARED = ROOT.parent / "shared" / "cases"
ARXIV = "https://arxiv.org/abs/"
_PROLOGUE = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())


def case_names() -> list[str]:
    """Names of the shared cases, none when they are not there."""
    return sorted(path.parent.name for path in SHARED.glob("*/expect.md"))


def said(name: str) -> dict[str, object]:
    """The yaml block of a case's expect.md, empty when it has none."""
    text = (SHARED / name / "expect.md").read_text(encoding="utf-8")
    _, fence, rest = text.partition("```yaml\n")
    return dict(yaml.safe_load(rest.partition("```")[0]) or {}) if fence else {}


class Kb:
    """One corpus, synced in memory, and its graph in a second store that only these tests read."""

    def __init__(self, corpus: Path, store: str = "memory:") -> None:
        self.corpus = corpus
        self.workspace: Workspace = kbgraph.open(corpus, store=store)
        self.synced = self.workspace.sync()

    @classmethod
    def of_case(cls, name: str, folder: Path, kb: str = "kb") -> Kb:
        """A shared case's corpus, copied so that nothing can be written beside it."""
        return cls(
            Path(shutil.copytree(SHARED / name / kb, folder / "kb", dirs_exist_ok=True, copy_function=shutil.copy))
        )

    @cached_property
    def nquads(self) -> str:
        """The whole graph as N-Quads."""
        return self.workspace.export("nq")

    @cached_property
    def graph(self) -> Store:
        """The graph, strictly parsed anew."""
        store = Store()
        store.bulk_load(self.nquads.encode(), RdfFormat.N_QUADS)
        return store

    @cached_property
    def report(self) -> Report:
        """All checks."""
        return self.workspace.check()

    def select(self, where: str) -> list[tuple[str, ...]]:
        """Distinct rows of `?a ?b ?c …` in a group pattern, as text, sorted."""
        names = [name for name in "abcdef" if re.search(rf"\?{name}\b", where)]
        query = f"{_PROLOGUE}SELECT DISTINCT {' '.join(f'?{n}' for n in names)} WHERE {{ {where} }}"
        found = self.graph.query(query, use_default_graph_as_union=True)
        assert isinstance(found, QuerySolutions)
        rows = [tuple(_plain(row[name]) for name in names) for row in found]
        return sorted(rows)

    def pairs(self, where: str) -> dict[str, str]:
        """`?a` to `?b`, the last one of each."""
        return {row[0]: row[1] for row in self.select(where)}

    def one(self, where: str) -> list[str]:
        """The first column of `select`."""
        return [row[0] for row in self.select(where)]

    def works(self, extra: str = "") -> set[str]:
        """ArXiv ids that the corpus cites, lists or holds a card of; what stands in a comment cites nothing."""
        patterns = (
            '?p kb:mentions ?a . FILTER NOT EXISTS { ?p kb:place "comment" }',
            "?p biro:references ?a .",
            "?p schema:about ?a .",
        )
        return {iri[len(ARXIV) :] for p in patterns for iri in self.one(f"{p} {extra}") if iri.startswith(ARXIV)}

    def paths(self) -> list[str]:
        """Paths of all materials."""
        return self.one("?m kb:path ?a")

    def findings(self, *checks: str) -> list[Finding]:
        """Findings of these checks, of all when none is named."""
        return [f for f in self.report.findings if not checks or f.check in checks]

    def problems(self, *codes: str) -> list[tuple[str, int, str]]:
        """Reading problems with one of these codes: path, line, detail."""
        rows = self.select(
            "GRAPH ?m { ?p kb:code ?a ; kb:line ?c . OPTIONAL { ?p kb:detail ?d } ?m kb:path ?b }",
        )
        return [(path, int(line), detail) for code, path, line, detail in rows if code in codes]

    def entries(self, path: str) -> list[tuple[str, str]]:
        """Label and work of the entries of a file's closing list."""
        return [
            (a, b)
            for a, b in self.select(f"{self.at(path)} ?entry biro:references ?b OPTIONAL {{ ?entry kb:label ?a }} }}")
        ]

    @staticmethod
    def at(path: str) -> str:
        """The start of a pattern inside one file's graph: `GRAPH <…> {`."""
        from kbgraph.model.facts import segment

        return f"GRAPH <{BASE}{segment(path)}> {{"

    def links(self, path: str) -> list[tuple[str, str]]:
        """Syntax and target (path or name) of the file references of a file."""
        return [
            (syntax, target or name)
            for syntax, target, name in self.select(
                f"{self.at(path)} ?r kb:syntax ?a OPTIONAL {{ ?r kb:targetPath ?b }}"
                " OPTIONAL { ?r kb:targetName ?c } }"
            )
        ]

    def quantities(self, path: str) -> list[tuple[str, str, str]]:
        """As printed, unit and value (`low..high` for a range) of each number of a file."""
        rows = self.select(
            f"{self.at(path)} ?q a schema:QuantitativeValue ; kb:asPrinted ?a . OPTIONAL {{ ?q schema:unitText ?b }}"
            " OPTIONAL { ?q schema:value ?c } OPTIONAL { ?q schema:minValue ?d } OPTIONAL { ?q schema:maxValue ?e } }"
        )
        return [(a, b, c or f"{d}..{e}") for a, b, c, d, e in rows]

    def claims(self, path: str) -> dict[int, tuple[str, str]]:
        """Text key and text of the claim at each line of a file (the last one of the line)."""
        rows = self.select(
            f"{self.at(path)} ?line kb:asserts ?x ; kb:line ?a . ?x schema:text ?c"
            " BIND(SUBSTR(STRAFTER(STR(?x), 'claim/'), 1, 16) AS ?b) }"
        )
        return {int(line): (key, text) for line, key, text in rows}


def _plain(term: object) -> str:
    if isinstance(term, NamedNode):
        return unquote(term.value) if term.value.startswith(BASE) else term.value
    return term.value if isinstance(term, Literal) else ""


def keys(findings: Iterable[Finding]) -> set[str]:
    """Keys of findings without the `arXiv:` before ids."""
    spread = (k for f in findings for k in (f.key if isinstance(f.key, tuple) else (f.key,)))
    return {key.removeprefix("arXiv:") for key in spread}
