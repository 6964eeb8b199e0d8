"""What the columns of a table hold, by the words of its header."""

from __future__ import annotations

from typing import NamedTuple

from kbgraph.lift.frame import Frame
from kbgraph.model.lexicon import fold
from kbgraph.model.text import Cell, Table

# Column -> role of its cells; what is missing here has none.
_ROLES = {
    "field-verdict": "role-verdict", "field-reason": "role-reason", "field-url": "role-link",
    "field-title": "role-title", "field-source": "role-source", "field-level": "role-evidence",
    "field-target": "role-advice", "field-claim": "role-key-points", "field-task": "role-title",
    "role-candidate": "role-title", "role-conclusion": "role-verdict",
}  # fmt: skip


class Columns(NamedTuple):
    """Concepts of the columns, "" for those that the lexicon does not know."""

    names: tuple[str, ...]

    def role(self, column: int) -> str:
        """The role of a column's cells."""
        name = self.names[column] if column < len(self.names) else ""
        return _ROLES.get(name, name if name.startswith("role-") else "")

    def at(self, *wanted: str) -> int:
        """Index of the first column that has one of these concepts or roles, -1 when none has."""
        named = (i for i, name in enumerate(self.names) if name in wanted or self.role(i) in wanted)
        return next(named, -1)


def columns_of(frame: Frame, table: Table) -> Columns:
    """The columns of a table."""
    return Columns(tuple(_concept(frame, cell) for cell in table.header))


def _concept(frame: Frame, cell: Cell) -> str:
    label = fold(cell.text).strip(" :*_")
    known = frame.lookups.columns
    return known.get(label) or known.get(label.partition("(")[0].strip(), "")


def cell_at(row: tuple[Cell, ...], column: int) -> Cell:
    """A cell of a row, an empty one where the row is too short or the column is missing."""
    return row[column] if 0 <= column < len(row) else Cell("", (), row[0].line if row else 0)
