"""The graph held against the ontology's shapes, told like any other check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

from kbgraph import resources
from kbgraph.ask.findings import findings
from kbgraph.ask.report import order
from kbgraph.model.finding import CheckResult, Report
from kbgraph.model.query import Cell, Column, SavedQuery, Table
from kbgraph.store import Store
from kbgraph.store.shapes import Violation, violations
from kbgraph.workspace.exports import export

BATCH = 200  # nodes whose places are asked for at once

SHAPES = SavedQuery(
    "shape-violation", "check", "", "shipped",
    {"en": "Graph against its shapes", "zh": "图不合形状约束"},
    {"en": "A node of the graph that the ontology's SHACL shapes forbid.", "zh": "图里有节点不合本体的 SHACL 形状。"},
    severity="error",
    columns=(
        Column("focus", "focus", {"en": "Node", "zh": "节点"}),
        Column("constraint", "key", {"en": "Constraint", "zh": "约束"}),
        Column("path", "path", {"en": "File", "zh": "文件"}),
        Column("line", "line", {"en": "Line", "zh": "行"}),
        Column("property", "value", {"en": "Property", "zh": "属性"}),
        Column("value", "value", {"en": "Value", "zh": "值"}),
    ),
    message={"en": "{constraint} of {property}: {value}", "zh": "{constraint}，属性 {property}：{value}"},
    fingerprint=("focus", "constraint", "property", "value"),
    why={"en": "Queries count on the shapes.", "zh": "查询以形状为准。"},
    fix={"en": "Report it: every graph that sync writes satisfies them.", "zh": "请报告：sync 写出的图都应满足形状。"},
    tags=("shapes",),
)  # fmt: skip


def with_shapes(report: Report, store: Store) -> Report:
    """The report with the outcome of the shapes in it."""
    found = violations(export(store, "ttl"), resources.ontology("shapes.ttl"))
    places = dict(_places(store, sorted({one.focus for one in found})))
    rows = tuple(_row(one, places) for one in found)
    told = findings(SHAPES, Table(tuple(column.name for column in SHAPES.columns), rows, len(rows)))
    result = CheckResult(SHAPES.name, "findings" if told else "clean", len(told), title=SHAPES.title)
    checks = tuple(sorted((*report.checks, result), key=lambda one: one.check))
    return replace(report, checks=checks, findings=tuple(sorted((*report.findings, *told), key=order)))


def _row(one: Violation, places: Mapping[str, tuple[str, int]]) -> tuple[Cell, ...]:
    path, line = places.get(one.focus, ("", 0))
    return one.focus, one.constraint, path, line, one.property, one.value


def _places(store: Store, nodes: Iterable[str]) -> Iterator[tuple[str, tuple[str, int]]]:
    """Node -> file and line, for nodes that a file's graph speaks of; its own line, else the first."""
    left = iter(node for node in nodes if not node.startswith("_:"))
    while batch := list(islice(left, BATCH)):
        listed = " ".join(f"<{node}>" for node in batch)
        asked = (
            "PREFIX kb: <https://w3id.org/kbgraph/ns#> SELECT ?node (MIN(?at) AS ?path) (MIN(?from) AS ?line) WHERE {"
            f" VALUES ?node {{ {listed} }} GRAPH ?graph {{ ?node ?any ?thing }} ?graph kb:path ?at ."
            " OPTIONAL { ?node kb:line ?from } } GROUP BY ?node"
        )
        for node, path, line in store.select(asked).rows:
            yield str(node), (str(path), line if isinstance(line, int) else 1)
