"""What a text is placed by: its words, its spelling, its words in English; and the words of it as they are printed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from kbgraph.relate.glosses import Glosses
from kbgraph.relate.pieces import HAN, Piece, bare, pieces, stem
from kbgraph.relate.tokens import bigrams, grams

LEAD = 300  # characters by whose spelling a text is known: its title and first sentence say what it is about
REACH = 4000  # characters whose words count
FAINT = 0.15  # of the heaviest word: what weighs less is not shown
_LONGEST = 4  # characters of Chinese unknown to the dictionary that are shown as one word
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_HAN = re.compile(f"[{HAN}]")
_LATIN = re.compile(r"[A-Za-z]")


class Seen(NamedTuple):
    """How often each word, each three characters, each English word stands in a text; its script, `han` or `latin`."""

    words: Counter[str]
    spelling: Counter[str]
    english: Counter[str]
    script: str


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads texts with a dictionary; `small` are the words that say nothing by themselves."""

    glosses: Glosses = field(default_factory=Glosses)
    small: frozenset[str] = frozenset()
    kept: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False)  # glosses that were asked for

    def read(self, text: str, *, english: bool = True) -> Seen:
        """All that is looked at in a text; reading it in English takes half of the time."""
        flat = self.flat(text)
        found = pieces(flat)
        words = Counter([word for piece in found for word in self.words(piece)])
        glossed = Counter([word for piece in found for word in self.english(piece)] if english else ())
        return Seen(words, grams(flat[:LEAD]), glossed, script(flat))

    def flat(self, text: str) -> str:
        """The text without marks, in simplified characters, as far as it is read."""
        return self.glosses.simplified(bare(text[:REACH]))

    def words(self, piece: Piece) -> list[str]:
        """A stem, a number, pairs of Chinese characters; a name and what it begins with (`GPT-4`, `GPT`)."""
        if piece.kind == "han":
            return bigrams(piece.key)
        if piece.kind == "sign" or piece.key in self.small:
            return []
        begins = _LETTERS.match(piece.key) if piece.kind == "name" else None
        return [piece.key, stem(begins[0])] if begins else [piece.key]

    def english(self, piece: Piece) -> list[str]:
        """The English of a piece: all glosses of the words of a Chinese run, any other piece as it is."""
        if piece.kind != "han":
            return self.words(piece)
        return [gloss for word in self.glosses.cut(piece.key) for gloss in self.gloss(word)]

    def gloss(self, word: str) -> tuple[str, ...]:
        """The glosses of one Chinese word without those that say nothing."""
        found = self.kept.get(word)
        if found is None:
            found = self.kept[word] = tuple(sorted(self.glosses.english(word) - self.small))
        return found


def script(text: str) -> str:
    """`han` where Chinese characters are at least a fifth of the letters."""
    return "han" if len(_HAN.findall(text)) * 4 >= len(_LATIN.findall(text)) else "latin"


class Unit(NamedTuple):
    """A word of a text as printed, the words and the English words that it counts as."""

    printed: str
    words: tuple[str, ...]
    english: tuple[str, ...]


def units(text: str, reader: Reader) -> list[Unit]:
    """The words of a text that can be shown, from left to right."""
    flat = reader.flat(text)
    found: list[Unit] = []
    for piece in pieces(flat):
        if piece.kind == "han":
            found += (Unit(word, tuple(bigrams(word)), reader.gloss(word)) for word in _cut(piece.key, reader))
        elif words := tuple(reader.words(piece)):
            found.append(Unit(flat[piece.start : piece.end], words, words))
    return found


def _cut(run: str, reader: Reader) -> Iterator[str]:
    """The words of a run, what no dictionary knows as neighbours joined; no single characters, no small words."""
    joined = ""
    for word in (*reader.glosses.cut(run), ""):
        if len(word) == 1 and word not in reader.small:
            joined += word
            continue
        yield from ([joined] if 1 < len(joined) <= _LONGEST else bigrams(joined) if joined[1:] else [])
        joined = ""
        if word and word not in reader.small:
            yield word


def telling(found: Iterable[Unit], words: Mapping[str, float], english: Mapping[str, float], top: int) -> list[str]:
    """The printed words that weigh most, the heaviest first, by the weights of words and of English words."""
    weighed: dict[str, float] = {}
    for unit in found:
        weight = sum([words.get(key, 0.0) for key in unit.words]) + sum([english.get(key, 0.0) for key in unit.english])
        weighed[unit.printed] = max(weight, weighed.get(unit.printed, 0.0))
    least = max(weighed.values(), default=0.0) * FAINT
    chosen: dict[str, str] = {}
    for printed in sorted(weighed, key=lambda word: (-weighed[word], word)):
        if weighed[printed] > least and len(chosen) < top:
            chosen.setdefault(printed.casefold(), printed)
    return list(chosen.values())
