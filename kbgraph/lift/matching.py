"""Labels of the lexicon found in running text: longest first, left to right, one pass, spans into the printed text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache, wraps
from operator import add
from typing import NamedTuple, TypeVar

from kbgraph.lift.trie import pattern_of
from kbgraph.model.lexicon import Concept, Lexicon

T = TypeVar("T")

# NFKC keeps the length for these only; all of them are one character for one, so spans stay true.
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_NARROW |= {0x3000: 32, 0xA0: 32, 10: 32, 9: 32, 0x2019: 39, 0xB5: 0x3BC, 0xFFE5: 0xA5, 0x22EF: 0x2026}
_WIDE = re.compile(f"[{''.join(map(chr, _NARROW))}]")
_PATIENCE = 200  # texts after which an expression pays for its making
_GAP = '[^，,。！？；;!?（）()“”"「」]{1,40}?'  # what "…" in a label stands for


@lru_cache(maxsize=512)
def flat(text: str) -> str:
    """The text in small letters and half width, of the same length."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low.translate(_NARROW) if _WIDE.search(low) else low


def per_lexicon(build: Callable[[Lexicon], T]) -> Callable[[Lexicon], T]:
    """Keeps what was built for the last few lexicons; holding the lexicon keeps its identity from being reused."""
    kept: dict[int, tuple[Lexicon, T]] = {}

    @wraps(build)
    def wrapper(lexicon: Lexicon) -> T:
        hit = kept.get(id(lexicon))
        if hit is None:
            while len(kept) >= 8:
                kept.pop(next(iter(kept)))
            hit = kept[id(lexicon)] = (lexicon, build(lexicon))
        return hit[1]

    return wrapper


class Hit(NamedTuple):
    """A label at `[start, end)` with every concept that it names."""

    start: int
    end: int
    concepts: tuple[Concept, ...]


def _is_word(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char == "_")


def _key(label: str) -> str:
    """What labels are looked up by: the leading Latin letters, else the first two characters."""
    letters = _LETTERS.match(label)
    return letters.group() if letters else label[:2]


_LETTERS = re.compile("[a-z]+")
_WORD = re.compile("(?<![0-9_a-z])[a-z]+")


class Matcher:
    """All labels of some concepts, ready to be found."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._labels: dict[str, tuple[Concept, ...]] = {}
        self._wild: dict[str, list[tuple[re.Pattern[str], int, tuple[Concept, ...]]]] = {}
        lengths: dict[str, set[int]] = {}
        for concept in concepts:
            for label in concept.labels:
                if "..." in label.strip("."):
                    self._add_wild(label, concept)
                    continue
                # Folding made two characters of the sign for degrees Celsius, which a text holds as one.
                for spelling in {label, label.replace("°c", "\u2103")} - {""}:
                    self._labels[spelling] = (*self._labels.get(spelling, ()), concept)
                    lengths.setdefault(_key(spelling), set()).add(len(spelling))
        self._lengths = {key: tuple(sorted(found, reverse=True)) for key, found in lengths.items()}
        self._keys = frozenset((*lengths, *self._wild))
        self._firsts = frozenset(key[0] for key in self._keys)
        self._asked = 0

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        return pattern_of(self._labels, self._wild)

    def _add_wild(self, label: str, concept: Concept) -> None:
        parts = label.split("...")
        pattern = re.compile(_GAP.join(map(re.escape, parts)))
        self._wild.setdefault(label[0], []).append((pattern, len(parts[-1]), (concept,)))

    def __contains__(self, label: str) -> bool:
        return label in self._labels

    def get(self, label: str) -> tuple[Concept, ...]:
        """The concepts of a folded label."""
        return self._labels.get(label, ())

    def at(self, low: str, start: int) -> Iterator[Hit]:
        """Labels that begin at a place of a `flat` text, longest first; no boundary is asked for on the left."""
        return iter(self._at(low, start))

    def longest(self, low: str, start: int) -> Hit | None:
        """The longest label that begins at a place of a `flat` text."""
        hits = self._at(low, start)
        return hits[0] if hits else None

    def _at(self, low: str, start: int) -> list[Hit]:
        if start >= len(low) or low[start] not in self._firsts:
            return []
        hits = []
        letters = _LETTERS.match(low, start) if low[start].isascii() else None
        for key in (letters.group(),) if letters else (low[start : start + 2], low[start]):
            for size in self._lengths.get(key, ()):
                end = start + size
                labelled = self._labels.get(low[start:end]) if end <= len(low) else None
                if labelled and not _joined(low, end):
                    hits.append(Hit(start, end, labelled))
        for pattern, tail, concepts in self._wild.get(low[start], ()):
            found = pattern.match(low, start)
            # The words that close it must not begin a longer one: 时 of 时间.
            if found and not any(h.end > found.end() for h in self._at(low, found.end() - tail)):
                hits.append(Hit(start, found.end(), concepts))
        return hits

    def _starts(self, low: str) -> list[int]:
        """Places where a label may begin, in order. A miss is the rule, so one set operation decides it."""
        present = self._keys & _grams(low)
        if not present:
            return []
        starts = set()
        for key in present:
            if not _LETTERS.match(key):
                place = low.find(key)
                while place >= 0:
                    starts.add(place)
                    place = low.find(key, place + 1)
        starts.update(start for start, word in _latin(low) if word in present)
        return sorted(starts)

    def find(self, text: str) -> tuple[Hit, ...]:
        """All labels in a text, none overlapping."""
        self._asked += 1
        return tuple(self._walk(flat(text)) if self._asked < _PATIENCE else self._scan(flat(text)))

    def _walk(self, low: str) -> Iterator[Hit]:
        """By keys: ready at once."""
        reached = 0
        for start in self._starts(low):
            if start >= reached and not (start and _joined(low, start)):
                found = self._at(low, start)
                if found:
                    yield found[0]
                    reached = found[0].end

    def _scan(self, low: str) -> Iterator[Hit]:
        """The same by one expression: several times faster, and slow to make."""
        place, labels = 0, self._labels
        while place >= 0 and self._pattern:
            begun, place = place, -1
            for match in self._pattern.finditer(low, begun):
                start, end = match.span()
                if end > start:
                    yield Hit(start, end, labels[match.group()])
                elif not (start and _joined(low, start)) and (found := self._at(low, start)):
                    yield found[0]
                    place = found[0].end
                    break


@lru_cache(maxsize=512)
def _latin(low: str) -> tuple[tuple[int, str], ...]:
    """Latin words of a `flat` text with their places; shared by all matchers that see the text."""
    return tuple((m.start(), m.group()) for m in _WORD.finditer(low))


@lru_cache(maxsize=512)
def _grams(low: str) -> frozenset[str]:
    """Characters, pairs of characters and Latin words of a `flat` text: what keys of labels are among."""
    return frozenset(low).union(map(add, low, low[1:]), _WORD.findall(low))


def _joined(low: str, place: int) -> bool:
    """True when a Latin word or number runs across a place."""
    return 0 < place < len(low) and _is_word(low[place - 1]) and _is_word(low[place])


class Endings:
    """Labels looked up by the place where they end: words before a number."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._labels = {label: concept for concept in concepts for label in concept.labels if "..." not in label}
        lengths: dict[str, set[int]] = {}
        for label in self._labels:
            lengths.setdefault(label[-1], set()).add(len(label))
        self._lengths = {char: tuple(sorted(found, reverse=True)) for char, found in lengths.items()}

    def before(self, low: str, end: int) -> tuple[int, Concept] | None:
        """Start and concept of the longest label that ends right before a place of a `flat` text, space apart."""
        while end and low[end - 1] == " ":
            end -= 1
        for size in self._lengths.get(low[end - 1], ()) if end else ():
            concept = self._labels.get(low[end - size : end]) if size <= end else None
            if concept is not None and not _joined(low, end - size):
                return end - size, concept
        return None


def matcher_of(lexicon: Lexicon, *schemes: str) -> Matcher:
    """A matcher over whole schemes; those that the lexicon lacks hold no labels."""
    return Matcher(concept for scheme in schemes for concept in lexicon.schemes.get(scheme, ()))
