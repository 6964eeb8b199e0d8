"""What may stand in the header of a saved query, per kind, and what is said of what may not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from kbgraph.model.query import Both, Column, Param, QueryKind, SavedQuery, Severity

Role = Literal[
    "", "focus", "path", "line", "value", "measure", "group", "time", "source", "target", "edge", "weight",
    "end_line", "key", "severity", "related_path", "related_line", "related_text",
]  # fmt: skip
ParamType = Literal["iri", "arxiv", "path", "section", "topic", "date", "int", "decimal", "string"]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Line = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True, pattern=r"^[^\n]*$")]
Word = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
Steps = tuple[str | int, ...]


class Problem(NamedTuple):
    """What is wrong at one place of a header: keys and indices that lead there, message, mend."""

    steps: Steps
    message: str
    mend: str


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Texts(_Part):
    """A text in both languages."""

    en: Text
    zh: Text


class Lines(_Part):
    """A line in both languages."""

    en: Line
    zh: Line


class ColumnPart(_Part):
    """One projected variable."""

    role: Role = ""
    label: Lines


class ParamPart(_Part):
    """One parameter."""

    type: ParamType
    default: str | None = None
    enum: tuple[str, ...] = ()
    optional: bool = False
    help: Texts | None = None


class Header(_Part):
    """Keys of every kind; derived graphs have these alone."""

    title: Lines
    summary: Texts
    params: dict[str, ParamPart] = {}
    tags: tuple[Word, ...] = ()
    since: Line = ""
    status: Literal["stable", "experimental", "deprecated"] = "stable"
    timeout: Annotated[float, Field(gt=0, le=600)] = 10.0
    max_rows: Annotated[int, Field(ge=1, le=10_000_000)] = 100_000


class MapHeader(Header):
    """Keys of a drawable query."""

    columns: dict[str, ColumnPart]
    order: tuple[str, ...] = ()
    limit: Annotated[int, Field(ge=0)] = 0
    sample: Annotated[int, Field(ge=0)] = 0


class ViewHeader(MapHeader):
    """Keys of a table."""

    brief: Word | Literal[""] = ""


class CheckHeader(ViewHeader):
    """Keys of a check."""

    severity: Literal["error", "warning", "info"]
    why: Texts
    fix: Texts
    message: Lines
    fingerprint: Annotated[tuple[str, ...], Field(min_length=1)]
    judged: tuple[str, ...] = ()
    sanity: dict[str, Text] = {}
    suggest: str = ""


class EditPart(_Part):
    """One change of one file; kbgraph.model.fault tells what each key means."""

    file: Text
    put: str = ""
    line: str = ""
    find: str = ""
    match: str = ""
    after: str = ""
    like: str = ""
    drop: str = ""
    same: str = ""
    move: str = ""
    raw: str = ""


class FaultHeader(Header):
    """Keys of a fault that can be planted."""

    check: Word
    edits: Annotated[tuple[EditPart, ...], Field(min_length=1)]
    allows: tuple[Word, ...] = ()
    needs: Lines


KINDS: Mapping[QueryKind, type[Header]] = {
    "check": CheckHeader, "view": ViewHeader, "map": MapHeader, "derive": Header, "fault": FaultHeader,
}  # fmt: skip
_BOTH = "write {en: …, zh: …}"
# Kind of error -> what is said of it, and the mend.
_SAID = {
    "model_type": ("is no text in both languages", _BOTH),
    "tuple_type": ("is no list", "write [a, b]"),
    "dict_type": ("is no set of keys", "write {name: …}"),
    "string_type": ("is no text", "write one, in quotes when it holds `: ` or `{`"),
    "string_too_short": ("is empty", "write at least one word"),
    "too_short": ("is empty", "name at least one column"),
    "int_parsing": ("is no whole number", "write one like 20"),
    "float_parsing": ("is no number", "write one like 10"),
    "bool_parsing": ("is neither true nor false", "write one of both"),
    "string_pattern_mismatch": ("has letters that do not belong", "words: a-z, 0-9 and `-`; texts: one line"),
}


def validate(kind: QueryKind, plain: Mapping[str, Any]) -> tuple[Header | None, list[Problem]]:
    """The header as values, None when something is wrong, and everything that is."""
    try:
        return KINDS[kind].model_validate(dict(plain)), []
    except ValidationError as error:
        return None, [_problem(kind, detail) for detail in error.errors(include_url=False, include_context=True)]


def _problem(kind: QueryKind, detail: ErrorDetails) -> Problem:
    steps = tuple(step for step in detail["loc"] if not str(step).startswith(("constrained-", "literal[")))
    what = ".".join(str(step) for step in steps)
    if detail["type"] == "extra_forbidden":
        return _unknown(kind, steps)
    if detail["type"] == "missing":
        mend = _BOTH if steps[-1] in ("title", "summary", "why", "fix", "message", "label") else f"add `{steps[-1]}: …`"
        return Problem(steps[:-1], f"`{what}` is missing", mend)
    if detail["type"] == "literal_error":
        allowed = [w for w in re.findall(r"'([^']*)'", str(detail["ctx"]["expected"])) if w]
        given = detail["input"][:40] if isinstance(detail["input"], str) else "a list"
        near = get_close_matches(given, allowed, 1)
        mend = f"is it {near[0]}?" if near else f"one of {', '.join(allowed)}"
        return Problem(steps, f"`{what}` cannot be `{given}`", mend)
    said, mend = _SAID.get(detail["type"], ("cannot stand", str(detail["msg"]).removeprefix("Input ")))
    return Problem(steps, f"`{what}` {said}", mend)


def _unknown(kind: QueryKind, steps: Steps) -> Problem:
    inner: Mapping[str, type[BaseModel]] = {"columns": ColumnPart, "params": ParamPart, "edits": EditPart}
    part: type[BaseModel] = KINDS[kind] if len(steps) == 1 else Texts
    if len(steps) == 3:
        part = inner.get(str(steps[0]), part)
    near = get_close_matches(str(steps[-1]), part.model_fields, 1)
    elsewhere = any(steps[-1] in other.model_fields for other in KINDS.values()) and len(steps) == 1
    mend = f"is it `{near[0]}`?" if near else f"allowed here: {', '.join(part.model_fields)}"
    return Problem(steps, f"unknown key `{steps[-1]}`", f"a {kind} has no such key: take it out" if elsewhere else mend)


def both(texts: Lines | Texts | None) -> Both:
    """A text of a header by language."""
    return {} if texts is None else {"en": texts.en, "zh": texts.zh}


def saved(
    header: Header, name: str, kind: QueryKind, *, text: str, origin: str, projected: tuple[str, ...]
) -> SavedQuery:
    """The query as a value; columns come in the order of the projection."""
    given: dict[str, Any] = {}
    if isinstance(header, MapHeader):
        parts = {c: header.columns[c] for c in projected}
        given["columns"] = tuple(Column(c, part.role, both(part.label)) for c, part in parts.items())
        given |= {key: getattr(header, key) for key in ("order", "limit", "sample")}
    if isinstance(header, ViewHeader):
        given["brief"] = header.brief
    if isinstance(header, CheckHeader):
        given |= {key: both(getattr(header, key)) for key in ("why", "fix", "message")}
        given |= {key: getattr(header, key) for key in ("fingerprint", "judged", "suggest")}
        severity: Severity = header.severity
        given |= {"severity": severity, "sanity": tuple(header.sanity.items())}
    params = tuple(Param(n, p.type, p.default, p.enum, p.optional, both(p.help)) for n, p in header.params.items())
    return SavedQuery(
        name, kind, text, origin, both(header.title), both(header.summary), params=params, tags=header.tags,
        since=header.since, status=header.status, timeout=header.timeout, max_rows=header.max_rows, **given,
    )  # fmt: skip
