"""Labels of the lexicon as tables: what a heading, a field's name or a column says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kbgraph.lift.scan.matching import Matcher, matcher_of, per_lexicon
from kbgraph.model.lexicon import Lexicon, fold


@dataclass(frozen=True, slots=True)
class Lookups:
    """Folded labels by scheme, each with the concept that it names."""

    fields: Mapping[str, str]
    columns: Mapping[str, str]  # fields first, then roles
    roles: Mapping[str, str]
    sections: Mapping[str, str]
    heads: Mapping[str, str]
    empty: frozenset[str]  # cells that say nothing
    open_ends: tuple[str, ...]  # words that end a list that goes on
    section_words: Matcher
    lengths: tuple[int, ...]  # lengths of field labels, longest first


def _names(lexicon: Lexicon, scheme: str) -> dict[str, str]:
    return {label: c.name for c in lexicon.schemes.get(scheme, ()) for label in c.labels}


def _labels(lexicon: Lexicon, scheme: str, name: str) -> tuple[str, ...]:
    return tuple(label for c in lexicon.schemes.get(scheme, ()) if c.name == name for label in c.labels)


@per_lexicon
def lookups(lexicon: Lexicon) -> Lookups:
    """The tables of a lexicon, made once."""
    fields, roles = _names(lexicon, "field"), _names(lexicon, "role")
    empty, more = (_labels(lexicon, "placeholder", name) for name in ("placeholder-empty", "placeholder-more"))
    return Lookups(
        fields=fields,
        columns=roles | fields,
        roles=roles,
        sections=_names(lexicon, "section"),
        heads=_names(lexicon, "item-head"),
        empty=frozenset({"", *empty}),
        open_ends=more,
        section_words=matcher_of(lexicon, "section"),
        lengths=tuple(sorted({len(label) for label in fields}, reverse=True)),
    )


def said_nothing(tables: Lookups, value: str) -> bool:
    """Whether a cell or value is empty, a dash, or a word for nothing."""
    return fold(value) in tables.empty
