"""A graph held against SHACL shapes. Nothing else knows the engine."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from kbgraph.errors import UsageError


class Violation(NamedTuple):
    """One SHACL result: IRIs without brackets; the property is "" where the node itself is wrong."""

    focus: str
    constraint: str  # MinCount
    property: str
    value: str


def violations(turtle: Iterable[str], shapes: bytes) -> tuple[Violation, ...]:
    """What the shapes say against a graph given as pieces of Turtle, sorted; UsageError without the engine."""
    try:
        import shacl  # noqa: PLC0415  (an extra)
    except ImportError:
        mend = "install it: pip install 'kbgraph[shapes]'"
        raise UsageError("the package shacl is needed to hold the graph against its shapes", mend) from None

    with tempfile.TemporaryDirectory(prefix="kbgraph-") as folder:
        file = Path(folder, "graph.ttl")
        with file.open("w", encoding="utf-8", newline="\n") as out:
            out.writelines(turtle)
        report = shacl.Shapes.from_text(shapes.decode(), "turtle").validate_file(str(file))
        found = {
            Violation(
                _bare(result.focus_node), result.component.removesuffix("ConstraintComponent"),
                _bare(result.path or ""), result.value_plain or "",
            )
            for result in report.results
        }  # fmt: skip
    return tuple(sorted(found))


def _bare(term: str) -> str:
    return term[1:-1] if term.startswith("<") and term.endswith(">") and term.count("<") == 1 else term
