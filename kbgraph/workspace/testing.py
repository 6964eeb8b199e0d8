"""The case files of saved queries, run: small corpora in, rows compared."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from kbgraph import resources
from kbgraph.ask.cases import (
    Case,
    Expectation,
    difference,
    finding_rows,
    parse_cases,
    table_rows,
    unknown_columns,
)
from kbgraph.ask.names import FOLDERS
from kbgraph.errors import KbgraphError, UsageError
from kbgraph.model.finding import Report
from kbgraph.model.query import Table
from kbgraph.workspace.saved import Saved, Source, nearest


class Corpus(Protocol):
    """As much of a workspace as a case needs."""

    @property
    def base(self) -> str:
        """Base IRI of the corpus."""

    def query(self, what: str, /, **params: object) -> Table:
        """A saved query's rows."""

    def check(self, names: Iterable[str] = ()) -> Report:
        """The named checks' findings."""


class Result(NamedTuple):
    """One scenario of one query; `trouble` is empty when all is as expected."""

    query: str
    title: str
    trouble: str


def case_file(root: Path, source: Source) -> Path | None:
    """Where a query's cases stand: in the source tree's tests; as `.case`, no material, beside the corpus's own."""
    folder = FOLDERS[source.kind]
    own = root / "queries" / folder / f"{source.name}.case"
    path = resources.cases(folder, source.name) if source.origin == "shipped" else own
    return path if path is not None and path.is_file() else None


def run_cases(root: Path, saved: Saved, names: Iterable[str], opened: Callable[[Path], Corpus]) -> Iterator[Result]:
    """Run the cases of these queries, of all that have any when none is named."""
    wanted = list(names) or list(saved.sources)
    for name in wanted:
        source = saved.sources.get(name)
        if source is None:
            raise UsageError(f"there is no query `{name}`", nearest(name, saved.sources))
        path = case_file(root, source)
        if path is None:
            if names:
                yield Result(name, "", f"no case file: write queries/{FOLDERS[source.kind]}/{name}.case")
            continue
        for case in parse_cases(path.read_text("utf-8"), path.name):
            yield Result(name, case.title, _trouble(source, case, opened))


def _trouble(source: Source, case: Case, opened: Callable[[Path], Corpus]) -> str:
    with tempfile.TemporaryDirectory(prefix="kbgraph-case-") as folder:
        root = Path(folder) / "kb"
        for path, data in _files(source, case).items():
            target = root / path
            if not target.resolve().is_relative_to(root.resolve()):
                return f"{path} leads out of the case's corpus"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        try:
            corpus = opened(root)
            if case.checks:
                corpus.check(case.checks)
            return next((t for expect in case.expects if (t := _compare(corpus, source, case, expect))), "")
        except KbgraphError as error:
            return str(error)


def _files(source: Source, case: Case) -> dict[str, bytes]:
    """The case's files, and the query itself when it is not a shipped one."""
    own = {f"queries/{FOLDERS[source.kind]}/{source.name}.rq": source.text.encode("utf-8")}
    return {**case.files, **({} if source.origin == "shipped" else own)}


def _compare(corpus: Corpus, source: Source, case: Case, expect: Expectation) -> str:
    if expect.what == "findings":
        report = corpus.check([source.name])
        broken = next((f"broken: {c.reason}" for c in report.checks if c.outcome == "broken"), "")
        missing = unknown_columns(expect, ())
        rows = finding_rows(report.findings, expect.header, corpus.base) if not missing else ()
    else:
        broken, found = "", corpus.query(source.name, **case.params)
        missing = unknown_columns(expect, found.columns)
        rows = table_rows(found, expect.header, corpus.base) if not missing else ()
    return broken or (f"no such column: {', '.join(missing)}" if missing else difference(expect.rows, rows))
