"""The words of a corpus by who speaks: how many others know a word, and what is said of one work in all files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kbgraph.relate.pieces import HAN, pieces
from kbgraph.relate.place_text import Reader, script, units

Voice = frozenset[str]  # the works that a text is about, or the file where it is about none

KEPT = 12  # voices that are kept of a word: one with more is common, and leads nowhere
_SHORT = 2  # letters: shorter English words are signs and parts of names
_HAN = re.compile(f"[{HAN}]")


class Told(NamedTuple):
    """A statement: the file that holds it, what it is about."""

    file: str
    about: Voice
    text: str


class Words(NamedTuple):
    """The different words of a text, all and those of its own script."""

    plain: frozenset[str]
    main: frozenset[str]
    han: bool


@dataclass(frozen=True, slots=True)
class Corpus:
    """Who knows which word, and all words said of a work by file; the same whatever the order of the statements."""

    voices: Mapping[str, Sequence[Voice]]  # of a word, in their order, at most one more than `KEPT`
    said: Mapping[str, Mapping[str, frozenset[str]]]  # of a work, by file
    read: dict[str, frozenset[str]]  # of statements
    reader: Reader

    def words(self, *said: str) -> Words:
        """The words of a text, given as its statements."""
        each = (self.read[one] if one in self.read else words(one, self.reader) for one in said)
        plain = frozenset().union(*each)
        han = script(" ".join(said)) == "han"
        return Words(plain, frozenset(word for word in plain if _HAN.search(word)) if han else plain, han)

    def others(self, word: str, own: Voice) -> int:
        """How many know a word beside those who speak of a work."""
        return sum(own.isdisjoint(voice) for voice in self.voices.get(word, ()))

    def share(self, found: Collection[str], own: Voice) -> float:
        """Of these words, how many two others at least know; 0 for none."""
        return sum(self.others(word, own) > 1 for word in found) / len(found) if found else 0.0

    def beside(self, about: Iterable[str], file: str) -> frozenset[str]:
        """All words that other files say of works."""
        held = [found for work in about for at, found in self.said.get(work, {}).items() if at != file]
        return frozenset().union(*held)

    def nearest(self, found: Iterable[str], own: Voice) -> tuple[str, frozenset[str]]:
        """The work beside one's own that most of these words are said of, and these; of common words none counts."""
        shared: dict[str, set[str]] = {}
        for word in found:
            voices = self.voices.get(word, ())
            others = voices if len(voices) <= KEPT else ()
            for work in {work for voice in others if own.isdisjoint(voice) for work in voice if work in self.said}:
                shared.setdefault(work, set()).add(word)
        best = min(shared, key=lambda work: (-len(shared[work]), work), default="")
        return best, frozenset(shared.get(best, ()))

    def strange(self, found: Iterable[str], own: Voice) -> frozenset[str]:
        """The words that nobody else has."""
        return frozenset(word for word in found if not self.others(word, own))

    def printed(self, text: str, among: Collection[str], top: int) -> tuple[str, ...]:
        """Words of a text as they are printed there: those used most, then long ones; no scraps of Chinese."""
        times: Counter[str] = Counter()
        for unit in units(text, self.reader):
            keys = _keys(unit.printed, unit.words)
            whole = not _HAN.search(unit.printed) or unit.printed in self.reader.glosses.words
            if keys and whole and all(key in among for key in keys):
                times[unit.printed.casefold()] += 1
        return tuple(sorted(times, key=lambda word: (-times[word], -len(word), word))[:top])


def corpus(told: Iterable[Told], reader: Reader) -> Corpus:
    """The words of all statements."""
    read: dict[str, frozenset[str]] = {}
    said: dict[str, dict[str, set[str]]] = {}
    by_voice: dict[Voice, set[str]] = {}
    for one in sorted(told, key=lambda one: (one.file, sorted(one.about), one.text)):
        found = read.get(one.text)
        if found is None:
            found = read[one.text] = words(one.text, reader)
        by_voice.setdefault(one.about or frozenset((one.file,)), set()).update(found)
        for work in one.about:
            said.setdefault(work, {}).setdefault(one.file, set()).update(found)
    voices: dict[str, list[Voice]] = {}
    for voice in sorted(by_voice, key=sorted):
        for word in by_voice[voice]:
            held = voices.setdefault(word, [])
            if len(held) <= KEPT:
                held.append(voice)
    frozen = {work: {file: frozenset(found) for file, found in held.items()} for work, held in said.items()}
    return Corpus(voices, frozen, read, reader)


def words(text: str, reader: Reader) -> frozenset[str]:
    """Chinese words, stems of others; no numbers, no small words."""
    return frozenset(key for unit in units(text, reader) for key in _keys(unit.printed, unit.words))


def _keys(printed: str, stems: Iterable[str]) -> list[str]:
    if _HAN.search(printed):
        return [printed]
    return [stem for stem in stems if len(stem) > _SHORT and not stem[0].isdigit()]


def english(text: str, reader: Reader) -> frozenset[str]:
    """A text in English: stems of its words, and of what its Chinese words are glossed by."""
    kinds = ("han", "word", "name")
    found = (word for piece in pieces(reader.flat(text)) if piece.kind in kinds for word in reader.english(piece))
    return frozenset(word for word in found if len(word) > _SHORT and not word.isdigit())
