"""What a graph holds, counted, and its rounds."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

from kbgraph.model import graphs
from kbgraph.model.query import Cell, Table
from kbgraph.model.sync import Round, Status
from kbgraph.workspace.holdings import Holdings

Query = Callable[[str], Table]
Select = Callable[[str], Table]


def status(holdings: Holdings, query: Query, select: Select, found: tuple[Round, ...]) -> Status:
    """Kinds, counts, coverage and rounds of a graph."""
    kinds = tuple((str(row["kind"]).rpartition("#")[2], number(row["files"])) for row in query("graph-kinds"))
    counts = tuple((str(row["thing"]), number(row["number"])) for row in query("graph-counts"))
    read, *passed = query("graph-coverage")
    ignored = tuple((str(row["why"]), number(row["lines"])) for row in passed)
    whole, *found_out = (
        number(select(f"SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH {graph} {{ ?s ?p ?o }} }}").rows[0][0])
        for graph in ("?g", *graphs.found(holdings.settings.base))
    )
    quads = whole - sum(found_out)  # what was found on the files is not said by them
    return Status(
        str(holdings.root), kinds, counts, sum(n for _, n in kinds), quads, number(read["lines"]),
        number(read["understood"]), ignored, found,
    )  # fmt: skip


def rounds(holdings: Holdings, query: Query) -> tuple[Round, ...]:
    """The rounds whose manifests are in the graph, oldest first."""
    recorded = holdings.cache.rounds()
    found: dict[tuple[str, str], Round] = {}  # a round may have several briefs
    for row in query("rounds"):
        name, path = str(row["id"]), str(row["path"])
        said = (str(row["topic"] or ""), str(row["created"] or ""))
        found.setdefault((name, path), Round(name, *said, path, number(row["materials"]), name in recorded))
    return tuple(found.values())


def called(holdings: Holdings, node: Cell) -> str:
    """The id of a round by its name in the graph."""
    return unquote(str(node).removeprefix(f"{holdings.settings.base}round/"), errors="surrogateescape")


def number(cell: object) -> int:
    """A count, 0 for nothing."""
    return int(cell) if isinstance(cell, int | float) else 0
