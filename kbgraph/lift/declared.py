"""Counts that a file declares of its own items, materials and entries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kbgraph import vocab as v
from kbgraph.lift.frame import Frame, Passage, concept
from kbgraph.lift.matching import flat, per_lexicon
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
_GAP = re.compile(r"[\s:：共为有计]{0,4}")
_MEASURE = re.compile(r"\s*[\u4e00-\u9fff]?\s*")
_SUM = re.compile(r"[-–—~～到至.%％:：/\d]")


class Count(NamedTuple):
    """A number beside a word for what is counted."""

    start: int
    end: int
    value: int
    concept: str


@per_lexicon
def _numerals(lexicon: Lexicon) -> re.Pattern[str]:
    """Figures, and number words up to ten; the words are in the lexicon, their values as well."""
    words = _values(lexicon)
    return re.compile(r"(?<![\d./年月第-])(?<!\d:)\d{1,4}(?![\d.年月日%％])|" + "|".join(map(re.escape, sorted(words))))


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
        place = passage.section
        if passage.place == "heading":
            _tell_heading(frame, passage)
        elif passage.place in ("body", "list") and (passage.item >= 0 or _in_head(frame, passage) or place not in opened):
            opened.add(place)
            for count in _counts(frame, passage):
                _tell(frame, passage, count)


def _in_head(frame: Frame, passage: Passage) -> bool:
    if passage.item >= 0:
        return False
    return passage.section < 0 or (passage.section == 0 and frame.document.sections[0].level == 1)


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
    low, values, taken = flat(passage.text), _values(frame.lexicon), set[int]()
    figures = [
        (m.start(), m.end(), int(values.get(m.group(), 0) or m.group())) for m in _numerals(frame.lexicon).finditer(low)
    ]
    for hit in frame.words.matcher("counted").find(passage.text) if figures else ():
        name = hit.concepts[0].name
        if (
            passage.item >= 0
            and passage.place != "heading"
            and (name != "counted-works" or not _all(frame, passage, hit.end))
        ):
            continue
        for start, end, value in figures:
            after = hit.end <= start and _GAP.fullmatch(low, hit.end, start)
            before = end <= hit.start and _MEASURE.fullmatch(low, end, hit.start)
            inside = hit.start == start and end < hit.end
            if (after or before or inside) and start not in taken and not _SUM.match(low, end):
                taken.add(start)
                yield Count(min(start, hit.start), max(end, hit.end), value, name)
                break


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
    within = frame.within(passage)
    if within:
        out.append(f"{node} {within}")
