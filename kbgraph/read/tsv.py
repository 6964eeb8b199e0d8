"""Rows of a table whose cells tabs part, as fields: `rows[0].column`."""

from __future__ import annotations

from kbgraph.model.document import Field, Problem

BEYOND = "+"  # the column of a cell that no column is named for


def tsv_fields(text: str) -> tuple[tuple[Field, ...], tuple[Problem, ...]]:
    """A field for each cell that is not empty; the first line that is no `#` comment names the columns."""
    fields: list[Field] = []
    columns: list[str] | None = None
    row = 0
    for line, source in enumerate(text.split("\n"), 1):
        if not source.strip() or source.startswith("#"):
            continue
        cells = [cell.strip() for cell in source.split("\t")]
        if columns is None:
            columns = [cell.lower() for cell in cells]
            fields += (Field("columns", name, line, "tsv") for name in columns if name)
            continue
        for at, cell in enumerate(cells):
            name = columns[at] if at < len(columns) else BEYOND
            fields += [Field(f"rows[{row}].{name}", cell, line, "tsv")] if cell and name else []
        row += 1
    return tuple(fields), ()
