"""One JSON object, keys in a fixed order, `version` first."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

from kbgraph.model.brief import Brief
from kbgraph.model.drawing import Drawing
from kbgraph.model.fault import VERDICTS, SelfTest
from kbgraph.model.finding import CheckResult, Finding, Report
from kbgraph.model.query import Cell, Table
from kbgraph.model.trace import Trace
from kbgraph.model.verification import Verification
from kbgraph.render.escape import visible
from kbgraph.render.words import said, summary

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

VERSION = 1
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def table(product: Table, lang: str) -> str:  # noqa: ARG001  (every format's functions take product and language)
    """`columns` by name, `rows` as objects, `total` counts rows that a limit left out as well."""
    rows = [{name: _cell(cell) for name, cell in row.items()} for row in product]
    total = max(product.total, len(rows))
    return lines({"version": VERSION, "columns": list(product.columns), "rows": rows, "total": total})


def report(product: Report, lang: str) -> str:
    """The object that the checks' documentation promises."""
    return lines({"version": VERSION, **_report(product, lang)})


def verification(product: Verification, lang: str) -> str:
    """The object of a report, with the brief, what was held of it by kind, and how much of it was understood."""
    told = {"path": visible(product.path), "manifest": visible(product.manifest)}
    told_lines = {"lines": product.lines, "understood": product.understood}
    held = [one._asdict() for one in product.held]
    return lines({"version": VERSION, **told, **told_lines, "held": held, **_report(product.report, lang)})


def _report(product: Report, lang: str) -> dict[str, object]:
    return {
        "summary": summary(product),
        "checks": [_check(result) for result in product.checks],
        "findings": [_finding(finding, lang) for finding in product.findings],
        "fixed": list(product.fixed),
    }


def brief(product: Brief, lang: str) -> str:  # noqa: ARG001  (labels stand in both languages)
    """Every part of the brief by the names of its values."""
    return _dump({"version": VERSION, **_named(product)})


def trace(product: Trace, lang: str) -> str:  # noqa: ARG001  (labels stand in both languages)
    """Every chain with its hops, losses and sources; `independent` counts the sources that count."""
    chains = [{**_named(chain), "independent": chain.independent} for chain in product.chains]
    return _dump(
        {"version": VERSION, "what": visible(product.what), "chains": chains, "labels": _plain(product.labels)}
    )


def drawing(product: Drawing, lang: str) -> str:  # noqa: ARG001  (labels stand in both languages)
    """Nodes with their places, edges, and the counts before the cap."""
    return lines({"version": VERSION, **_named(product)})


def selftest(product: SelfTest, lang: str) -> str:
    """The trials by name of their fault, counts by verdict, and the checks that nothing tries."""
    verdicts = [trial.verdict for trial in product.trials]
    counts = {name: verdicts.count(name) for name in VERDICTS}
    trials = [
        {**_named(trial), "title": visible(said(trial.title, lang)), "reason": visible(said(trial.reason, lang))}
        for trial in product.trials
    ]
    told = {"seed": product.seed, "summary": counts, "trials": trials, "uncovered": list(product.uncovered)}
    return _dump({"version": VERSION, **told})


def _named(value: DataclassInstance) -> dict[str, object]:
    return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}


def _plain(value: object) -> object:
    """Values by the names of their fields, tuples as lists, text with nothing hidden."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(part) for name, part in value._asdict().items()}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Mapping):
        return {visible(str(name)): _plain(part) for name, part in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return _named(value)
    return visible(value) if isinstance(value, str) else value


def _check(result: CheckResult) -> dict[str, object]:
    out: dict[str, object] = {"check": result.check, "outcome": result.outcome, "count": result.count}
    return {**out, "reason": visible(result.reason)} if result.reason else out


def _finding(finding: Finding, lang: str) -> dict[str, object]:
    key = finding.key
    return {
        "check": finding.check,
        "severity": finding.severity,
        "state": finding.state,
        "path": visible(finding.path),
        "line": finding.line,
        "end_line": finding.end_line,
        "focus": visible(finding.focus),
        "key": visible(key) if isinstance(key, str) else [visible(part) for part in key],
        "message": visible(said(finding.message, lang)),
        "fix": visible(said(finding.fix, lang)),
        "related": [{"path": visible(p.path), "line": p.line, "text": visible(p.text)} for p in finding.related],
        "values": {visible(name): _cell(cell) for name, cell in finding.values},
        "suggest": None if finding.suggest is None else visible(finding.suggest),
        "fingerprint": finding.fingerprint,
    }


def _cell(cell: Cell) -> Cell:
    """The cell as JSON can hold it: no infinity, nothing hidden."""
    if isinstance(cell, float) and not math.isfinite(cell):
        return str(cell)
    return visible(cell) if isinstance(cell, str) else cell


def lines(value: Mapping[str, object]) -> str:
    """JSON with a line for each key, and for each element of a list: many are written at the speed of C."""
    return "{\n" + ",\n".join(f"{_flat(key)}: {_listed(part)}" for key, part in value.items()) + "\n}\n"


def _listed(value: object) -> str:
    if isinstance(value, list) and any(isinstance(part, dict) for part in value):
        return "[\n" + ",\n".join(map(_flat, value)) + "\n]"
    return _flat(value)


def _flat(value: object) -> str:
    return _ENCODER.encode(value)


def _dump(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
