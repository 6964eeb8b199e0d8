"""Words of the lexicon in a sentence: evidence levels, stance, leading labels, verdicts."""

from __future__ import annotations

import re
from typing import NamedTuple

from kbgraph.lift.scan.found import Label, Stance, Word
from kbgraph.lift.scan.matching import Hit, Matcher, flat, matcher_of, per_lexicon
from kbgraph.lift.scan.ranges import between
from kbgraph.model.lexicon import Lexicon, fold

# One pass finds all of these, so that the longest word wins across schemes: the negation in "not more than" or in
# "simulated, not real" belongs to the longer word. `lookalike` and `notnumber` hold words that only look like one.
_STANCE = ("hedge", "negation", "quantifier", "condition", "modality", "retelling", "party")
SENTENCE = (*_STANCE, "level", "approx", "notnumber", "lookalike")
_TOLD = frozenset((*_STANCE, "level"))
_BRACKETS = re.compile(r"[(（\[【]([^()（）\[\]【】]{1,160})[)）\]】]")
_SEGMENT = re.compile(r"[^，,；;、+·|：:。]+")
_LEAD = re.compile(r"[^\w\[【「『“\"'（(《<@$§]*(?:\d{1,2}[.)、．]\s*)?[\[【]?[*_]*")
_AFTER = re.compile(r"[*_]*(?:\s?[（(\[][^）)\]\n]{0,24}[）)\]])?[*_]*[\]】]?[*_]*")
_TWIN = re.compile(r"\s?[/／&＆、+]\s?")
_TAIL = re.compile(r"—\s?([^—，,；;。]{1,24})[。.]?$")
_SEPARATOR = re.compile(r"\s*[:：]{1,2}[*_]*\s*|\s+[-–—•·|]+\s+|\s*——\s*")
_VALUE = re.compile(r"[^。；;\n（(）)]{1,80}")

_FULL = "level-original-checked"
_NEAR = 40  # characters from a level in which a word for a part of it is looked for
_OF = re.compile(r"\s?(?:[a-z]{1,3}\s){0,2}[^\W\da-z_]?\s?")


class Words:
    """The matchers of one lexicon, made once; the sentence pass is shared by the questions asked about a text."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._sentence = matcher_of(lexicon, *SENTENCE)
        self._labels = {True: matcher_of(lexicon, "role", "field"), False: matcher_of(lexicon, "level")}
        self._others: dict[tuple[str, ...], Matcher] = {}
        self._last: tuple[str, dict[str, list[Word]]] = ("", {})

    def scan(self, text: str) -> dict[str, list[Word]]:
        """All words of levels and stance by their scheme; the last text's answer is kept."""
        if self._last[0] == text:
            return self._last[1]
        found: dict[str, list[Word]] = {}
        for start, end, concepts in self._sentence.find(text):
            for concept in concepts:
                if concept.scheme in _TOLD:
                    found.setdefault(concept.scheme, []).append(Word(concept.name, start, end, text[start:end]))
        self._last = (text, found)
        return found

    def matcher(self, *schemes: str) -> Matcher:
        """The matcher over these schemes."""
        found = self._others.get(schemes)
        if found is None:
            found = self._others[schemes] = matcher_of(self._lexicon, *schemes)
        return found

    def concepts(self, scheme: str, text: str) -> tuple[Word, ...]:
        """Words of one scheme anywhere in a text."""
        return _words(self.matcher(scheme).find(text), text, scheme)

    def stance(self, text: str) -> Stance:
        """Hedges, negations, quantifiers, conditions, modalities, retellings and parties of a sentence."""
        found = self.scan(text)
        return Stance(*[tuple(found.get(scheme, ())) for scheme in _STANCE]) if found else _NEUTRAL

    def levels(self, text: str, anywhere: bool = False) -> tuple[Word, ...]:
        """Evidence levels that stand as a mark: in brackets, after their label or a dash, or as the whole text."""
        found = tuple(self.scan(text).get("level", ()))
        if any(word.concept == _FULL for word in found):
            found = self._partly(text, found)
        if anywhere or not found:
            return found
        labels = self._level_labels(text)
        stretches = _stretches(text, labels)
        return tuple(
            word
            for word in found
            if not any(a <= word.start < b for a, b in labels) and any(_fills(word, text, s) for s in stretches)
        )

    def _partly(self, text: str, found: tuple[Word, ...]) -> tuple[Word, ...]:
        """The same, with `full text read` as an excerpt where words beside it say that it was a part: `正文前段`."""
        parts = self.concepts("extent", text)
        return tuple(_narrowed(text, word, parts) if word.concept == _FULL else word for word in found)

    def _level_labels(self, text: str) -> list[tuple[int, int]]:
        """Each `evidence level:` of the text, with what stands in brackets before its colon."""
        labels: list[tuple[int, int]] = []
        if ":" not in text and "：" not in text:
            return labels
        for hit in self._labels[True].find(text):
            if any(c.name in ("role-evidence", "field-level") for c in hit.concepts):
                after = _AFTER.match(text, hit.end)
                separator = _SEPARATOR.match(text, after.end() if after else hit.end)
                if separator:
                    labels.append((hit.start, separator.end()))
        return labels

    def label(self, text: str, schemes: tuple[str, ...] = ("role", "field")) -> Label | None:
        """The leading label of a text: a colon or dash follows it, or, after a CJK one, a space or nothing."""
        lead = _LEAD.match(text)
        start = lead.end() if lead else 0
        matcher = self._labels[True] if schemes == ("role", "field") else self.matcher(*schemes)
        low = flat(text)
        for hit in matcher.at(low, start):
            # `来源/出处：` is one label, named after its first word.
            twin = _TWIN.match(low, hit.end)
            other = matcher.longest(low, twin.end()) if twin else None
            offset = _label_end(text, other.end if other else hit.end)
            if offset >= 0:
                concept = min(hit.concepts, key=lambda c: schemes.index(c.scheme))
                return Label(concept.name, text[offset:], offset)
        return None

    def best(self, scheme: str, text: str) -> str:
        """Name of the concept of a scheme that a text says: the longest word, of equals the first; "" when none."""
        found = self.concepts(scheme, text)
        return max(found, key=lambda w: (w.end - w.start, -w.start)).concept if found else ""

    def verdict(self, text: str) -> str:
        """The verdict that a text states."""
        return self.best("verdict", text)

    def disposition(self, text: str) -> str:
        """The disposition that a list entry states first; what follows explains it."""
        return next((word.concept for word in self.concepts("disposition", text)), "")

    def named(self, scheme: str, text: str) -> str:
        """The concept of a scheme that a text is as a whole."""
        concepts = self.matcher(scheme).get(fold(text).strip(" :*_"))
        return concepts[0].name if concepts else ""


_NEUTRAL = Stance()


def _narrowed(text: str, word: Word, parts: tuple[Word, ...]) -> Word:
    near = between(parts, word.start - _NEAR, word.end + _NEAR)
    part = next((part for part in near if _touch(text, part, word)), None)
    if part is None:
        return word
    start, end = min(part.start, word.start), max(part.end, word.end)
    return Word("level-excerpt", start, end, text[start:end])


def _touch(text: str, one: Word, other: Word) -> bool:
    """Whether two words stand side by side, but for a short word such as `of the`."""
    first, second = sorted((one, other), key=lambda word: word.start)
    return _OF.fullmatch(text, first.end, max(first.end, second.start)) is not None


def _words(hits: tuple[Hit, ...], text: str, scheme: str) -> tuple[Word, ...]:
    return tuple(
        Word(concept.name, hit.start, hit.end, text[hit.start : hit.end])
        for hit in hits
        for concept in hit.concepts
        if concept.scheme == scheme
    )


class _Stretch(NamedTuple):
    """Where a level may stand as a mark; `whole` when it must be all of it."""

    start: int
    end: int
    whole: bool


def _stretches(text: str, labels: list[tuple[int, int]]) -> list[_Stretch]:
    """The text itself, what a dash adds at its end, the segments of brackets and of labelled values."""
    found = [_Stretch(0, len(text), True)]
    if tail := _TAIL.search(text):
        found.append(_Stretch(*tail.span(1), True))
    parts = [m.span(1) for m in _BRACKETS.finditer(text)]
    parts += [m.span() for m in (_VALUE.match(text, end) for _, end in labels) if m]
    for start, end in parts:
        found += [_Stretch(*m.span(), False) for m in _SEGMENT.finditer(text, start, end)]
    return found


def _fills(word: Word, text: str, stretch: _Stretch) -> bool:
    """True when a word opens or closes a stretch, or is all of it where it must be."""
    if not stretch.start <= word.start <= word.end <= stretch.end:
        return False
    before, after = text[stretch.start : word.start].strip(" *_`"), text[word.end : stretch.end].strip(" *_`.。")
    # The word for no level is too common to be a part.
    whole = stretch.whole or word.concept == "level-none"
    return not before and not after if whole else not before or not after


def _label_end(text: str, end: int) -> int:
    """Where the labelled text begins, -1 when what ends at `end` no label."""
    after = _AFTER.match(text, end)
    close = after.end() if after else end
    separator = _SEPARATOR.match(text, close) or _SEPARATOR.match(text, end)
    if separator:
        return separator.end()
    if close > end and text[close - 1] in "]】":
        return close
    rest = text[end:]
    if not rest.strip(" *_"):
        return len(text)
    return end + len(rest) - len(rest.lstrip()) if rest[0].isspace() and not text[end - 1].isascii() else -1


@per_lexicon
def matcher(lexicon: Lexicon) -> Words:
    """The Words of a lexicon."""
    return Words(lexicon)
