"""Typed access to the answers of the `brief-*` views."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from kbgraph.model.query import Cell, Table

SEPARATOR = "\x1f"  # between values that a view puts into one cell
CITABLE = ("arXiv:", "doi:", "ISBN ", "PMID ")

Row = Mapping[str, Cell]
Groups = Mapping[tuple[str, ...], list[Row]]

VIEWS = (
    "brief-advice", "brief-cited", "brief-counters", "brief-items", "brief-judged", "brief-known", "brief-lines",
    "brief-listed", "brief-materials", "brief-mentions", "brief-problems", "brief-refs", "brief-round",
    "brief-sections", "brief-subjects", "brief-tasks", "brief-titles",
)  # fmt: skip

_NS = "https://w3id.org/kbgraph/ns#"


def word(cell: Cell) -> str:
    """A cell as text, "" when unbound; a kb: concept as its local name."""
    return "" if cell is None else str(cell).removeprefix(_NS)


def number(cell: Cell) -> int:
    """A cell as a whole number, 0 when unbound."""
    return int(cell) if isinstance(cell, int | float) else 0


def by(rows: Iterable[Row], *names: str) -> dict[tuple[str, ...], list[Row]]:
    """Rows grouped by some of their columns, in order."""
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(word(row[name]) for name in names)].append(row)
    return groups


def rows(answers: Mapping[str, Table], name: str) -> list[dict[str, Cell]]:
    """The rows of one view as dicts."""
    return list(answers[name])
