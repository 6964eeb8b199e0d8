"""Labels of the lexicon found in running text: longest first, left to right, one pass, spans into the printed text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, wraps
from typing import NamedTuple, TypeVar

from ahocorasick_rs import AhoCorasick

from kbgraph.model.lexicon import Concept, Lexicon

T = TypeVar("T")

# NFKC keeps the length for these only; all of them are one character for one, so spans stay true.
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_NARROW |= {0x3000: 32, 0xA0: 32, 10: 32, 9: 32, 0x2019: 39, 0xB5: 0x3BC, 0xFFE5: 0xA5, 0x22EF: 0x2026}
_NARROWED = {chr(wide): chr(narrow) for wide, narrow in _NARROW.items()}
_WIDE = re.compile(f"[{''.join(map(chr, _NARROW))}]")
_REACH = 40
_GAP = f'[^，,。！？；;!?（）()“”"「」]{{1,{_REACH}}}?'  # what "…" in a label stands for


@lru_cache(maxsize=512)
def flat(text: str) -> str:
    """The text in small letters and half width, of the same length."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    # Few different ones stand in a text: to replace each costs less than to look at every character.
    for wide in set(_WIDE.findall(low)):
        low = low.replace(wide, _NARROWED[wide])
    return low


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


_LETTERS = re.compile("[a-z]+")
_IN_WORD = frozenset("0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_SURROGATE = re.compile("[\ud800-\udfff]")


def _key(label: str) -> str:
    """What labels are looked up by at a place: the leading Latin letters, else the first two characters."""
    letters = _LETTERS.match(label)
    return letters.group() if letters else label[:2]


class Matcher:
    """All labels of some concepts, ready to be found."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._labels: dict[str, tuple[Concept, ...]] = {}
        self._wild: dict[str, list[tuple[tuple[str, ...], tuple[Concept, ...]]]] = {}
        for concept in concepts:
            for label in concept.labels:
                if "..." in label.strip("."):
                    self._wild.setdefault(label[0], []).append((tuple(label.split("...")), (concept,)))
                    continue
                # Folding made two characters of the sign for degrees Celsius, which a text holds as one.
                for spelling in (label, label.replace("°c", "\u2103")) if "°c" in label else (label,):
                    if spelling:
                        self._labels[spelling] = (*self._labels.get(spelling, ()), concept)
        self._known = tuple(self._labels.values())
        self._expressions: dict[tuple[str, ...], re.Pattern[str]] = {}

    @cached_property
    def _automaton(self) -> AhoCorasick | None:
        """Finds all labels in one pass; what opens a label with a gap comes after them."""
        spelled = [*self._labels, *self._wild]
        return AhoCorasick(spelled) if spelled else None

    @cached_property
    def _lengths(self) -> dict[str, tuple[int, ...]]:
        lengths: dict[str, set[int]] = {}
        for label in self._labels:
            lengths.setdefault(_key(label), set()).add(len(label))
        return {key: tuple(sorted(found, reverse=True)) for key, found in lengths.items()}

    @cached_property
    def firsts(self) -> frozenset[str]:
        """What labels begin with."""
        return frozenset(key[0] for key in (*self._labels, *self._wild))

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

    def _at(self, low: str, start: int) -> Sequence[Hit]:
        char = low[start : start + 1]
        if char not in self.firsts:
            return ()
        hits = []
        letters = _LETTERS.match(low, start) if char.isascii() else None
        for key in (letters.group(),) if letters else (low[start : start + 2], char):
            for size in self._lengths.get(key, ()):
                end = start + size
                labelled = self._labels.get(low[start:end]) if end <= len(low) else None
                if labelled and not _joined(low, end):
                    hits.append(Hit(start, end, labelled))
        if char in self._wild:
            hits += self._wild_at(low, start)
        return hits

    def _wild_at(self, low: str, start: int) -> Iterator[Hit]:
        """Labels with a gap that begin at a place."""
        for parts, concepts in self._wild[low[start]]:
            after = start + len(parts[0])
            # Most end here, so that few expressions have to be made.
            if not low.startswith(parts[0], start) or parts[1] not in low[after : after + _REACH + len(parts[1])]:
                continue
            found = self._gapped(parts).match(low, start)
            # The words that close it must not begin a longer one: 时 of 时间.
            if found and not any(h.end > found.end() for h in self._at(low, found.end() - len(parts[-1]))):
                yield Hit(start, found.end(), concepts)

    def _gapped(self, parts: tuple[str, ...]) -> re.Pattern[str]:
        """A label with a gap between its parts; a single character that closes it ends no longer word: 时 of 小时."""
        known = self._expressions.get(parts)
        if known is None:
            close = parts[-1]
            words = [one for one in self._labels if one.endswith(close) and one != close] if len(close) == 1 else []
            longer = (f"(?<!{re.escape(one)})" for one in words)
            known = self._expressions[parts] = re.compile(_GAP.join(map(re.escape, parts)) + "".join(longer))
        return known

    def find(self, text: str) -> tuple[Hit, ...]:
        """All labels in a text, none overlapping."""
        low = flat(text)
        if self._automaton is None:
            return ()
        try:
            found = self._automaton.find_matches_as_indexes(low, overlapping=True)
        except UnicodeEncodeError:  # half of a character, which UTF-8 cannot hold
            found = self._automaton.find_matches_as_indexes(_SURROGATE.sub("\ufffd", low), overlapping=True)
        return self._chosen(low, found) if found else ()

    def _chosen(self, low: str, found: list[tuple[int, int, int]]) -> tuple[Hit, ...]:
        """From left to right the longest label that no word runs across; one with a gap where there is no other."""
        reached, known, chosen = 0, self._known, []
        plain = len(known)
        # Labels with a gap come behind all others of their place.
        for start, minus, number in sorted([(s, -e if n < plain else 0, n) for n, s, e in found]):
            if start < reached or (low[start] in _IN_WORD and _joined(low, start)):
                continue
            if number < plain:
                end = -minus
                if low[end - 1] not in _IN_WORD or not _joined(low, end):
                    chosen.append(Hit(start, end, known[number]))
                    reached = end
            elif gapped := next(self._wild_at(low, start), None):
                chosen.append(gapped)
                reached = gapped.end
        return tuple(chosen)


def _joined(low: str, place: int) -> bool:
    """True when a Latin word or number runs across a place."""
    return 0 < place < len(low) and low[place - 1] in _IN_WORD and low[place] in _IN_WORD


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
