"""A saved query and its answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from typing import Any, Literal

from kbgraph.errors import UsageError

QueryKind = Literal["check", "view", "map", "derive", "fault"]
Severity = Literal["error", "warning", "info"]
Both = Mapping[str, str]  # language ("zh", "en") -> text

# A cell of a table: None when unbound; IRIs and strings as str, numbers as int or float, truth as bool.
Cell = str | int | float | bool | None


NOTEBOOK_ROWS = 100


@dataclass(frozen=True, slots=True)
class Column:
    """One projected variable: its role (`focus path line value …`, "" when none) and its label."""

    name: str
    role: str
    label: Both


@dataclass(frozen=True, slots=True)
class Param:
    """A typed parameter, written `?_name` in the text of the query."""

    name: str
    type: str  # iri arxiv path section topic date int decimal string
    default: str | None = None
    enum: tuple[str, ...] = ()
    optional: bool = False
    help: Both = field(default_factory=dict)

    @property
    def needed(self) -> bool:
        """Whether a value has to be given."""
        return not self.optional and self.default is None


@dataclass(frozen=True, slots=True)
class SavedQuery:
    """One `.rq` file: header and text. `origin` is `shipped` or the corpus's own path."""

    name: str
    kind: QueryKind
    text: str  # whole file, header included: pastes into any endpoint
    origin: str
    title: Both
    summary: Both
    columns: tuple[Column, ...] = ()
    params: tuple[Param, ...] = ()
    severity: Severity = "warning"
    why: Both = field(default_factory=dict)
    fix: Both = field(default_factory=dict)
    message: Both = field(default_factory=dict)
    fingerprint: tuple[str, ...] = ()
    judged: tuple[str, ...] = ()
    sanity: tuple[tuple[str, str], ...] = ()  # (what is counted, ASK/SELECT text or class CURIE)
    suggest: str = ""
    order: tuple[str, ...] = ()
    limit: int = 0
    sample: int = 0
    tags: tuple[str, ...] = ()
    since: str = ""
    status: str = "stable"
    brief: str = ""
    timeout: float = 10.0
    max_rows: int = 100_000
    note: str = ""  # e.g. that it replaces a shipped query of the same name
    _roles: dict[str, str] = field(init=False, repr=False, compare=False)  # asked for a dozen times a finding

    def __post_init__(self) -> None:
        """Note the first column of each role."""
        object.__setattr__(self, "_roles", {c.role: c.name for c in reversed(self.columns)})

    def role(self, role: str) -> str:
        """Name of the first column with this role, "" when none has it."""
        return self._roles.get(role, "")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one answer, in a total order. `cut` is set when a limit left rows out; `total` is exact."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: int = -1
    query: SavedQuery | None = None

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        """Each row as a dict."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> tuple[Cell, ...]:
        """All cells of one column."""
        at = self.columns.index(name)
        return tuple(row[at] for row in self.rows)

    def dicts(self) -> list[dict[str, Cell]]:
        """The rows as a list of dicts: what pandas.DataFrame and polars.DataFrame take."""
        return list(self)

    def to_pandas(self) -> Any:  # noqa: ANN401  (pandas.DataFrame, where pandas is installed)
        """The rows as a pandas DataFrame; UsageError when pandas is not installed."""
        return _library("pandas").DataFrame(list(self.rows), columns=list(self.columns))

    def to_polars(self) -> Any:  # noqa: ANN401  (polars.DataFrame, where polars is installed)
        """The rows as a polars DataFrame; UsageError when polars is not installed."""
        return _library("polars").DataFrame(list(self.rows), schema=list(self.columns), orient="row", strict=False)

    def _repr_html_(self) -> str:
        """A table for notebooks: its first rows, every cell as text."""
        shown = [["" if cell is None else str(cell) for cell in row] for row in self.rows[:NOTEBOOK_ROWS]]
        head, *body = ("".join(f"<{tag}>{escape(c)}</{tag}>" for c in r) for tag, r in _tagged(self.columns, shown))
        rows = "".join(f"<tr>{row}</tr>" for row in body)
        told = f"<p>{len(shown)} / {max(self.total, len(self))}</p>"
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{told}"


def _tagged(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[tuple[str, Sequence[str]]]:
    yield "th", head
    yield from (("td", row) for row in rows)


def _library(name: str) -> Any:  # noqa: ANN401  (a module)
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(f"{name} is not installed", f"pip install {name}, or take `dicts()`") from error
