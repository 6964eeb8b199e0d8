"""Decisions of people about pairs of claims, in the columns of SSSOM: `subject_id`, `predicate_id` and so on.

A claim is named by the hash of its text, so that a decision speaks of that text and no other: it lapses by itself when
the sentence on one side changes. Whatever cannot be used is told as a problem with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kbgraph import vocab as v
from kbgraph.lift.frame import Frame, concept
from kbgraph.lift.scan.dates import day_in
from kbgraph.model.document import Field
from kbgraph.model.facts import Term, date, integer, iri, segment, text
from kbgraph.model.lexicon import Lexicon, fold

_NEEDED = ("subject_id", "predicate_id", "object_id")
_AUTHOR = ("author_label", "author", "author_id")
_DATE = ("mapping_date", "date")
_ROW = re.compile(r"rows\[(\d+)\]\.(.*)")
_CLAIM = re.compile(r"claim/([0-9a-f]{16})(?:-[0-9a-f]{8})?")
_NOT = "not"  # SSSOM's modifier of a predicate
_ARROW = " ↔ "

Row = Mapping[str, str]


class Said(NamedTuple):
    """What a row decides; `wrong` is the concept of what is wrong with it."""

    first: str = ""
    second: str = ""
    verdict: str = ""
    day: str = ""
    wrong: Term | None = None


def tell_decisions(frame: Frame) -> None:
    """Tell the decisions of a file, and the rows that are none."""
    fields = frame.document.fields
    columns = {found.value for found in fields if found.key == "columns"}
    if fields and not columns.issuperset(_NEEDED):
        _tell_problem(frame, fields[0].line, v.KB_ODDITY_DECISION_HEADER, ", ".join(sorted({*_NEEDED} - columns)))
        return
    decided: dict[frozenset[str], str] = {}
    for line, row in _rows(fields):
        said = _said(row, frame.lexicon, frame.settings.base)
        earlier = decided.setdefault(frozenset((said.first, said.second)), said.verdict) if not said.wrong else ""
        if said.wrong or earlier != said.verdict:
            _tell_problem(frame, line, said.wrong or v.KB_ODDITY_DECISION_TWICE, " ".join(row.values()))
        else:
            _tell(frame, line, row, said)


def _rows(fields: tuple[Field, ...]) -> Iterator[tuple[int, Row]]:
    """Line and cells by column of each row."""
    found: dict[str, tuple[int, dict[str, str]]] = {}
    for one in fields:
        if part := _ROW.fullmatch(one.key):
            found.setdefault(part[1], (one.line, {}))[1][part[2]] = one.value
    yield from found.values()


def _said(row: Row, lexicon: Lexicon, base: str) -> Said:
    first, second = (_claim(row.get(f"{side}_id", ""), base) for side in ("subject", "object"))
    if not first or not second:
        return Said(wrong=v.KB_ODDITY_DECISION_CLAIM)
    for side, claim in (("subject", first), ("object", second)):
        named, told = _CLAIM.search(claim), row.get(f"{side}_hash", "")
        if named and told and told != named[1]:
            return Said(wrong=v.KB_ODDITY_DECISION_HASH)
    verdict = _verdict(row, lexicon)
    if not verdict:
        return Said(wrong=v.KB_ODDITY_DECISION_PREDICATE)
    printed = _first(row, _DATE)
    day = day_in(printed)
    if printed and not day:
        return Said(wrong=v.KB_ODDITY_DECISION_DAY)
    return Said(first, second, verdict, day)


def _claim(printed: str, base: str) -> str:
    """The IRI of a claim of this corpus; "" for anything else."""
    name = printed.strip("<>").removeprefix(base)
    return base + name if _CLAIM.fullmatch(name) else ""


def _verdict(row: Row, lexicon: Lexicon) -> str:
    """The concept that a predicate stands for, with SSSOM's `Not` before it; "" for a predicate that is not known."""
    known = lexicon.labels("decision").get(fold(row.get("predicate_id", "")))
    modifier = fold(row.get("predicate_modifier", ""))
    if known is None or modifier not in ("", _NOT):
        return ""
    if not modifier:
        return known.name
    return "decision-different" if known.name == "decision-same" else ""


def _first(row: Row, names: tuple[str, ...]) -> str:
    return next((row[name] for name in names if row.get(name)), "")


def _tell(frame: Frame, line: int, row: Row, said: Said) -> None:
    node = frame.node("d")
    frame.tell(node, v.RDF_TYPE, v.KB_DECISION)
    frame.tell(node, v.KB_LINE, integer(line))
    frame.tell(node, v.KB_FIRST, iri(said.first))
    frame.tell(node, v.KB_SECOND, iri(said.second))
    frame.tell(node, v.KB_RELATION_KIND, concept(said.verdict))
    frame.tell(node, v.KB_AS_PRINTED, text(_ARROW.join(row.get(f"{s}_label", "…") for s in ("subject", "object"))))
    if row.get("comment"):
        frame.tell(node, v.KB_REASON, text(row["comment"]))
    if said.day:
        frame.tell(node, v.DCTERMS_DATE, date(said.day))
    if author := _first(row, _AUTHOR):
        agent = iri(f"{frame.settings.base}agent/{segment(author)}")
        frame.tell(node, v.PROV_WAS_ATTRIBUTED_TO, agent)
        frame.tell(agent, v.RDF_TYPE, v.PROV_AGENT)
        frame.tell(agent, v.RDFS_LABEL, text(author))


def _tell_problem(frame: Frame, line: int, wrong: Term, printed: str) -> None:
    node = frame.node("p")
    frame.tell(node, v.RDF_TYPE, v.KB_READING_PROBLEM)
    frame.tell(node, v.KB_CODE, text("malformed-decision"))
    frame.tell(node, v.KB_LINE, integer(line))
    frame.tell(node, v.KB_REASON, wrong)
    frame.tell(node, v.KB_DETAIL, text(printed))
