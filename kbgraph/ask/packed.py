"""Saved queries as plain values and back, so that what is parsed once need not be parsed at every start."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from kbgraph.model.query import Column, Param, SavedQuery

_NAMES = tuple(field.name for field in fields(SavedQuery) if field.init)
_PARTS: dict[str, type[Column | Param]] = {"columns": Column, "params": Param}


def packed(query: SavedQuery) -> tuple[Any, ...]:
    """All fields in order, columns and parameters as tuples, texts as dicts."""
    return tuple(_packed(name, getattr(query, name)) for name in _NAMES)


def _packed(name: str, value: Any) -> Any:  # noqa: ANN401  (any field of a query)
    if name in _PARTS:
        return tuple(tuple(_packed("", getattr(part, f.name)) for f in fields(part)) for part in value)
    return dict(value) if isinstance(value, dict) else value


def unpacked(values: tuple[Any, ...]) -> SavedQuery:
    """The query that `packed` was given; ValueError when the values are of another form."""
    given = dict(zip(_NAMES, values, strict=True))
    for name, part in _PARTS.items():
        given[name] = tuple(part(*one) for one in given[name])
    return SavedQuery(**given)
