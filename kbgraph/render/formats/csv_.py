"""Comma-separated values with a header line of names; nothing in a field is computed by a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable

from kbgraph.model.finding import Finding, Report
from kbgraph.model.query import Cell, Table
from kbgraph.render.escape import csv
from kbgraph.render.words import said, shown

_COLUMNS = ("severity", "state", "check", "path", "line", "end_line", "key", "message", "fix", "fingerprint")


def table(product: Table, lang: str) -> str:  # noqa: ARG001  (every format's functions take product and language)
    """One record a row, columns by name."""
    return _records([product.columns, *product.rows])


def report(product: Report, lang: str) -> str:
    """One record a finding."""
    return _records([_COLUMNS, *(_record(finding, lang) for finding in product.findings)])


def _record(finding: Finding, lang: str) -> tuple[Cell, ...]:
    key = finding.key if isinstance(finding.key, str) else " ".join(finding.key)
    message, fix = said(finding.message, lang), said(finding.fix, lang)
    place = (finding.path, finding.line, finding.end_line)
    return (finding.severity, finding.state, finding.check, *place, key, message, fix, finding.fingerprint)


def _field(cell: Cell) -> str:
    return csv(cell) if isinstance(cell, str) else shown(cell)


def _records(rows: Iterable[Iterable[Cell]]) -> str:
    return "".join(",".join(map(_field, row)) + "\n" for row in rows)
