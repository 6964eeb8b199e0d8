"""Chinese words with their English glosses: cuts Chinese text into words and leads from one language to the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from kbgraph.relate.pieces import bare, pieces, stem

_ENTRY = re.compile(r"(\S+) (\S+) \[[^\]]*\] /(.*)/\s*$")
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_SKIPPED = ("CL:", "see ", "variant of", "old variant", "surname ", "abbr. for", "also written", "also pr.", "used in ")
_LITTLE = frozenset((
    "a", "an", "the", "to", "of", "in", "on", "at", "for", "by", "with", "and", "or", "be", "is", "are", "sb", "sth",
    "one", "etc", "it", "that", "as", "from",
))  # fmt: skip
_HAN = re.compile(r"[\u3400-\u9fff]+")

# Words, one a line; their glosses, one word a line, "/" between glosses, blanks between stems; traditional characters,
# and the simplified ones in the same order: four texts, which are kept and loaded ten times faster than mappings.
Packed = tuple[str, str, str, str]


@dataclass(frozen=True)
class Glosses:
    """A dictionary: `words` to glosses as stems, `plain` from traditional characters to simplified ones."""

    words: Mapping[str, str] = field(default_factory=dict)
    plain: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def _cutter(self) -> Cutter:
        return Cutter(self.words)

    def simplified(self, text: str) -> str:
        """The text in simplified characters, of the same length."""
        return text.translate(self.plain) if self.plain else text

    def cut(self, run: str) -> list[str]:
        """A run of Chinese characters as words: fewest words, then fewest single characters, longest first."""
        return self._cutter.cut(run)

    def english(self, word: str) -> frozenset[str]:
        """All stems by which a Chinese word is glossed; empty for an unknown word."""
        return frozenset(self.words.get(word, "").replace("/", " ").split())

    def senses(self, word: str) -> list[list[str]]:
        """Its glosses one by one, each as stems."""
        said = self.words.get(word, "")
        return [gloss.split(" ") for gloss in said.split("/")] if said else []


def unpack(packed: Packed) -> Glosses:
    """The dictionary from its packed form."""
    words, said, traditional, simple = packed
    table = {ord(t): s for t, s in zip(traditional, simple, strict=True)}
    return Glosses(dict(zip(words.split("\n"), said.split("\n"), strict=True)), table)


def pack(lines: Iterable[str]) -> Packed:
    """The packed form from lines in the format of CC-CEDICT."""
    rows: dict[str, tuple[str, ...]] = {}
    plain: dict[int, str] = {}
    for line in lines:
        found = _ENTRY.match(line)
        if not found or not _HAN.fullmatch(found[2]):
            continue
        traditional, word, said = found.groups()
        if len(traditional) == len(word):
            plain.update((ord(t), s) for t, s in zip(traditional, word, strict=True) if t != s and ord(t) not in plain)
        rows[word] = tuple(dict.fromkeys((*rows.get(word, ()), *_said(said))))
    # What is itself a simplified character of common words stays as it is.
    simple = {ord(char) for word in rows for char in word}
    plain = {code: char for code, char in plain.items() if code not in simple}
    words, said = "\n".join(rows), "\n".join(map("/".join, rows.values()))
    return words, said, "".join(map(chr, plain)), "".join(plain.values())


def _said(said: str) -> Iterator[str]:
    for gloss in said.split("/"):
        if gloss.startswith(_SKIPPED):
            continue
        found = (stem(w) for w in re.findall(r"[A-Za-z]+", _ASIDE.sub("", gloss)) if w.lower() not in _LITTLE)
        if stems := " ".join(dict.fromkeys(found)):
            yield stems


class Cutter:
    """Cuts Chinese runs into words: as few as can be, then as few single characters, then the longest first."""

    def __init__(self, words: Iterable[str], more: Iterable[str] = ()) -> None:
        self._words = {*words, *more}
        self._reach: dict[str, int] = {}  # first two characters -> length of the longest word that begins so
        for word in self._words:
            if len(word) > self._reach.get(word[:2], 1):
                self._reach[word[:2]] = len(word)

    def cut(self, run: str) -> list[str]:
        """The words of a run."""
        size, known, reach = len(run), self._words, self._reach
        # From each place on: words, single characters, minus the length of the first word.
        best: list[tuple[int, int, int]] = [(0, 0, 0)] * (size + 1)
        for start in range(size - 1, -1, -1):
            count, singles, _ = best[start + 1]
            chosen = (count + 1, singles + 1, -1)
            for end in range(start + 2, min(size, start + reach.get(run[start : start + 2], 1)) + 1):
                if run[start:end] in known:
                    count, singles, _ = best[end]
                    chosen = min(chosen, (count + 1, singles, start - end))
            best[start] = chosen
        cut, start = [], 0
        while start < size:
            end = start - best[start][2]
            cut.append(run[start:end])
            start = end
        return cut


def words(text: str, known: Glosses) -> list[str]:
    """Stems, names and numbers, and Chinese words instead of pairs of characters."""
    out: list[str] = []
    for piece in pieces(bare(known.simplified(text))):
        if piece.kind == "han":
            out += known.cut(piece.key)
        elif piece.kind != "sign":
            out.append(piece.key)
    return out
