"""A research knowledge base in Markdown as an RDF graph: gap checks, briefs and drawings from saved SPARQL queries."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kbgraph.errors import (
        BrokenError,
        BusyError,
        ConfigError,
        HeaderError,
        KbgraphError,
        QueryError,
        StoreError,
        UsageError,
    )
    from kbgraph.model.finding import Finding, Report
    from kbgraph.model.query import SavedQuery, Table
    from kbgraph.model.sync import SyncReport
    from kbgraph.workspace import Workspace

    open = Workspace.open  # noqa: A001  (`kbgraph.open` reads best)
    __version__: str

# Where each public name lives; `import kbgraph` itself loads nothing.
_HOMES = {
    "BrokenError": "errors",
    "BusyError": "errors",
    "ConfigError": "errors",
    "Finding": "model.finding",
    "HeaderError": "errors",
    "KbgraphError": "errors",
    "QueryError": "errors",
    "Report": "model.finding",
    "SavedQuery": "model.query",
    "StoreError": "errors",
    "SyncReport": "model.sync",
    "Table": "model.query",
    "UsageError": "errors",
    "Workspace": "workspace",
}

__all__ = [
    "BrokenError",
    "BusyError",
    "ConfigError",
    "Finding",
    "HeaderError",
    "KbgraphError",
    "QueryError",
    "Report",
    "SavedQuery",
    "StoreError",
    "SyncReport",
    "Table",
    "UsageError",
    "Workspace",
    "__version__",
    "open",
]


def __getattr__(name: str) -> object:
    if name == "open":
        return import_module("kbgraph.workspace").Workspace.open
    if name == "__version__":
        return import_module("importlib.metadata").version("kbgraph")
    if name in _HOMES:
        return getattr(import_module(f"kbgraph.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'kbgraph' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
