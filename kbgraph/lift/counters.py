"""Counters as dated observations: fields of cards, and `231 ⭐ / 周增 +42` in running text."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from kbgraph import vocab as v
from kbgraph.lift import nodes
from kbgraph.lift.frame import Frame, Passage, concept
from kbgraph.lift.scan import ids
from kbgraph.lift.scan.dates import day_in
from kbgraph.lift.scan.found import Id, Word
from kbgraph.lift.scan.quantities import find_quantities
from kbgraph.model.facts import Term, date, decimal, integer, text

_NUMBER = r"[+＋]?\s?(\d[\d,]*(?:\.\d+)?\s?[kKmM]?)(?![\d.%％A-Za-z-])"
_AFTER = re.compile(rf"\s*[)）]?\s*[:：=（(]?\s*{_NUMBER}(?:\s*(?:→|->|➜|⟶)\s*{_NUMBER})?")
_BEFORE = re.compile(rf"(?<![\d.\-/]){_NUMBER}\s*$")
_DIGIT = re.compile(r"\d")
_FACTORS = {"k": Decimal(1000), "m": Decimal(1_000_000)}
_OF_WORKS = ("counter-citations", "counter-influential", "counter-citations-openalex")


def number(printed: str) -> str:
    """`8.4k`, `1,130`, `+66` as a canonical decimal."""
    digits = printed.replace(",", "").strip(" +＋")
    factor = _FACTORS.get(digits[-1:].lower(), Decimal(1))
    value = (Decimal(digits.rstrip("kKmM ")) * factor).normalize()
    return f"{value:f}"


def tell_fields(frame: Frame) -> None:
    """Tell the counters of a card's fields, as of the day it was collected."""
    collected = next((day for said in frame.values("field-collected") if (day := day_in(said.value))), frame.day)
    known = frame.lexicon.by_name
    for said in frame.said:
        name = frame.words.named("counter", said.label) or said.concept.replace("field-", "counter-", 1)
        value = _stated(frame, said.value) if name in known and frame.about else ""
        if value:
            _tell(frame, Seen(name, value, said.value, said.line, frame.about[0], collected))


def _stated(frame: Frame, value: str) -> str:
    """The number that a field's value opens with, in any spelling that quantities have; "" for none."""
    plain = _AFTER.match(value)
    if plain and not value[plain.end() :].strip():
        return number(plain[2] or plain[1])
    first = next(iter(find_quantities(value, frame.lexicon)), None)
    if first and first.value and not value[: first.start].strip(" :：="):
        return first.value
    return number(plain[2] or plain[1]) if plain else ""


def tell_running(frame: Frame) -> None:
    """Tell the counters that running text names beside a work or repository."""
    for passage in frame.passages:
        if passage.place not in ("body", "table", "quote") or not _DIGIT.search(passage.text):
            continue
        hits = frame.words.concepts("counter", passage.text)
        if hits:
            found = ids.find_ids(passage.text, passage.marks, frame.lexicon, bare_repos=True)
            for hit in hits:
                _tell_word(frame, passage, hit, found)


def _tell_word(frame: Frame, passage: Passage, hit: Word, found: tuple[Id, ...]) -> None:
    after = _AFTER.match(passage.text, hit.end)
    before = None if after else _BEFORE.search(passage.text, max(0, hit.start - 16), hit.start)
    about = _about(frame, passage, hit, found)
    value = (after[2] or after[1]) if after else before[1] if before else ""
    if not value or about is None:
        return
    start, end = (hit.start, after.end()) if after else (before.start() if before else hit.start, hit.end)
    printed, line = passage.text[start:end].strip(), passage.line_at(start)
    node = _tell(frame, Seen(hit.concept, number(value), printed, line, about, _day(frame, passage)))
    within = frame.within(passage)
    if within:
        frame.out.append(f"{node} {within}")


def _about(frame: Frame, passage: Passage, hit: Word, found: tuple[Id, ...]) -> Term | None:
    """The last work (citations) or repository (all else) named before the counter, else the item's or card's."""
    of_work = hit.concept in _OF_WORKS
    named = [i for i in found if i.iri and i.start < hit.start and (i.work if of_work else i.kind == "repo")]
    if named:
        return nodes.named(frame, named[-1])
    about = frame.items[passage.item].about if passage.item >= 0 else frame.about
    fits = (node for node in about if _is_repository(node) is not of_work)
    return next(fits, None)


def _is_repository(node: Term) -> bool:
    return node.startswith(("<https://github.com/", "<https://gitlab.com/"))


def _day(frame: Frame, passage: Passage) -> str:
    """The day of collection that the passage states, else the file's."""
    for hit in frame.words.matcher("field").find(passage.text):
        if any(c.name == "field-collected" for c in hit.concepts):
            day = day_in(passage.text[hit.end : hit.end + 16])
            if day:
                return day
    return frame.day


class Seen(NamedTuple):
    """One counter as printed."""

    name: str  # counter-stars
    value: str
    printed: str
    line: int
    about: Term
    day: str


def _tell(frame: Frame, seen: Seen) -> Term:
    name, value, printed, line, about, day = seen
    short = name.removeprefix("counter-")
    count = frame.counts[f"o-{short}"] = frame.counts.get(f"o-{short}", 0) + 1
    node = Term(f"{frame.local}o-{short}{'' if count == 1 else f'-{count}'}>")
    frame.out += (
        f"{node} {v.SCHEMA_OBSERVATION_ABOUT} {about}",
        f"{node} {v.SCHEMA_MEASURED_PROPERTY} {concept(name)}",
        f"{node} {v.SCHEMA_VALUE} {decimal(value)}",
        f"{node} {v.KB_LINE} {integer(line)}",
    )
    if printed != value:
        frame.tell(node, v.KB_AS_PRINTED, text(printed))
    if day:
        frame.tell(node, v.SCHEMA_OBSERVATION_DATE, date(day))
    return node
