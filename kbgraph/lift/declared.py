"""Counts that a file declares of its own items, materials and entries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kbgraph import vocab as v
from kbgraph.lift.enumerated import enumerated
from kbgraph.lift.frame import Frame, Passage, concept
from kbgraph.lift.outline import ITEMISED
from kbgraph.lift.scan.matching import Hit, flat, per_lexicon
from kbgraph.lift.scan.sentences import sentences
from kbgraph.model.facts import decimal, integer, text
from kbgraph.model.lexicon import Lexicon

# A heading's own count, `（共 41 条）`: what is counted follows from the section's role.
_OF_ROLE = {
    "section-citation-list": "counted-entries", "section-citable-ids": "counted-ids",
    "section-new-items": "counted-items", "section-low-relevance": "counted-low-relevance",
    "section-contradictions": "counted-contradictions", "section-follow-ups": "counted-follow-ups",
    "section-merge-actions": "counted-actions", "section-kept": "counted-kept", "section-dropped": "counted-dropped",
    "section-candidates": "counted-rows",
}  # fmt: skip
_IN_BRACKETS = re.compile(r"[(（][^()（）\d]{0,6}(\d{1,4})\s?[^\s\d()（）]{0,8}[)）]\s*$")
_TOLD = ("body", "list", "field")
_GAP = re.compile(r"[\s:：共为有计]{0,4}")
_MEASURE = re.compile(r"\s*[\u4e00-\u9fff]?\s*")
_SUM = re.compile(r"[-–—~～到至.%％:：/\d]")


class Count(NamedTuple):
    """A number beside a word for what is counted."""

    start: int
    end: int
    value: int
    concept: str
    listed: int = 0  # how many the brackets behind it list


@per_lexicon
def _numerals(lexicon: Lexicon) -> re.Pattern[str]:
    """Figures, and number words up to ten; the words are in the lexicon, their values as well."""
    words = _values(lexicon)
    spelled = "|".join(map(re.escape, sorted(words))) or "(?!)"
    return re.compile(rf"(?<![\d./年月第§-])(?<!\d:)\d{{1,4}}(?![\d年月日%％]|\.\d)|(?<![第§])(?:{spelled})")


@per_lexicon
def _values(lexicon: Lexicon) -> dict[str, int]:
    return {
        label: int(c.value)
        for c in lexicon.schemes.get("numeral", ())
        for label in c.labels
        if c.value.isdigit() and 1 <= int(c.value) <= 10 and not label.isdigit()
    }


def tell_declared(frame: Frame) -> None:
    """Tell the counts of the file's head, of headings, and of the first words of a section or item."""
    opened: set[int] = set()
    for passage in frame.passages:
        if passage.place == "heading":
            _tell_heading(frame, passage)
        elif frame.kind in ITEMISED and _may_declare(frame, passage, opened):
            opened.add(passage.section)
            for count in _counts(frame, passage):
                _tell(frame, passage, count)
        if frame.kind in ITEMISED and passage.place in _TOLD and "(" in flat(passage.text):
            for count in _enumerated(frame, passage):
                _tell(frame, passage, count)


def _may_declare(frame: Frame, passage: Passage, opened: set[int]) -> bool:
    """Whether a passage stands where counts are declared: in the head, first in its section, or in an item."""
    if passage.place not in _TOLD or passage.block < 0:
        return False
    if passage.place == "list" and frame.document.blocks[passage.block].kind != "paragraph":
        return False
    if passage.item >= 0:
        return passage.role in ("", "role-key-points", "role-conclusion")
    head = passage.section < 0 or (passage.section == 0 and frame.document.sections[0].level == 1)
    return head or passage.section not in opened


def _tell_heading(frame: Frame, passage: Passage) -> None:
    role = frame.parts[passage.section].role if passage.section >= 0 else ""
    bracketed = _IN_BRACKETS.search(passage.text)
    if bracketed and role in _OF_ROLE:
        _tell(frame, passage, Count(bracketed.start(1), bracketed.end() - 1, int(bracketed[1]), _OF_ROLE[role]))
    elif passage.item >= 0:
        for count in _counts(frame, passage):
            if count.concept == "counted-works":
                _tell(frame, passage, count)


def _counts(frame: Frame, passage: Passage) -> Iterator[Count]:
    """Numbers right before or after a word for what is counted; inside items only works, `三篇都…`."""
    low, taken, figures = flat(passage.text), set[int](), _figures(frame, passage)
    figures = _wholes(low, figures)
    inside = passage.item >= 0 and passage.place != "heading"
    for hit in _words(frame, passage.text) if figures else ():
        name = hit.concepts[0].name
        if inside and (name != "counted-works" or not _all(frame, passage, hit.end)):
            continue
        if name == "counted-works" and not inside and _some(frame, passage, hit.end):
            continue
        beside = (f for f in figures if f[0] not in taken and _belongs(frame, low, hit, f[0], f[1]))
        for start, end, value in list(beside)[:1]:
            taken.add(start)
            yield Count(min(start, hit.start), max(end, hit.end), value, name)


def _figures(frame: Frame, passage: Passage) -> list[tuple[int, int, int]]:
    """Start, end and value of each number that may count something."""
    values = _values(frame.lexicon)
    found = _numerals(frame.lexicon).finditer(flat(passage.text))
    return [(m.start(), m.end(), int(values.get(m.group(), 0) or m.group())) for m in found]


def _wholes(low: str, figures: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The figures without those of a sentence that add up to its first: `19 items, of which 3 new, 16 old`."""
    kept: list[tuple[int, int, int]] = []
    for start, end in sentences(low):
        inside = [f for f in figures if start <= f[0] < end]
        adds_up = len(inside) > 2 and sum(f[2] for f in inside[1:]) == inside[0][2]
        kept += inside[:1] if adds_up else inside
    return kept


def _enumerated(frame: Frame, passage: Passage) -> Iterator[Count]:
    """Numbers with the list of what they count in brackets behind them, wherever they stand."""
    for found in enumerated(frame, passage.text, _figures(frame, passage)):
        end = found.start + len(found.printed)
        yield Count(found.start, end, found.value, "counted-listed", found.listed)


def _words(frame: Frame, text: str) -> Iterator[Hit]:
    """Words for what is counted, except inside a verdict: `不构成增量 2 条` counts what is none."""
    verdicts = frame.words.concepts("verdict", text)
    hits = frame.words.matcher("counted").find(text)
    return (h for h in hits if not any(w.start < h.start and h.end <= w.end for w in verdicts))


def _belongs(frame: Frame, low: str, hit: Hit, start: int, end: int) -> bool:
    """Whether a number stands right beside a word as its count."""
    if _SUM.match(low, end):
        return False
    if hit.end <= start:
        # `增量 1` is an item's name; `增量 4 条` counts them.
        named = low[hit.start : hit.end] in frame.lookups.heads and not _measured(frame, low, end)
        return not named and _GAP.fullmatch(low, hit.end, start) is not None
    if end <= hit.start:
        # One letter after a number means many things: `549 行` are lines of another file.
        single = hit.end - hit.start == 1 and hit.concepts[0].name != "counted-works"
        return not single and _MEASURE.fullmatch(low, end, hit.start) is not None
    return hit.start == start and end < hit.end


def _measured(frame: Frame, low: str, end: int) -> bool:
    """Whether a measure word for things in a list follows."""
    hit = next(frame.words.matcher("unit").at(low, end + (low[end : end + 1] == " ")), None)
    return hit is not None and any(c.name in ("unit-count", "unit-sample", "unit-document") for c in hit.concepts)


def _some(frame: Frame, passage: Passage, end: int) -> bool:
    """Whether what follows restricts the number: `两篇只到摘要页` counts some of them."""
    following = frame.words.stance(passage.text[end : end + 4]).quantifiers
    return any(word.concept in ("quantifier-only", "quantifier-some") for word in following)


def _all(frame: Frame, passage: Passage, end: int) -> bool:
    """Whether a statement on all of them follows: without it a number of papers counts somebody else's."""
    following = frame.words.stance(passage.text[end : end + 4]).quantifiers
    return any(word.concept in ("quantifier-all", "quantifier-always") for word in following)


def _tell(frame: Frame, passage: Passage, count: Count) -> None:
    node, out = frame.node("d"), frame.out
    out += (
        f"{node} {v.RDF_TYPE} {v.KB_DECLARED_COUNT}",
        f"{node} {v.KB_COUNTS} {concept(count.concept)}",
        f"{node} {v.SCHEMA_VALUE} {decimal(str(count.value))}",
        f"{node} {v.KB_LINE} {integer(passage.line_at(count.start))}",
        f"{node} {v.KB_AS_PRINTED} {text(passage.text[count.start : count.end])}",
    )
    if count.listed:
        frame.tell(node, v.KB_LISTED, integer(count.listed))
    within = frame.within(passage)
    if within:
        out.append(f"{node} {within}")
