"""By what a claim is found: its words of matter, and for Chinese ones the English words that they are glossed by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple
from zlib import crc32

from kbgraph.relate.align import MATTER
from kbgraph.relate.atoms import Atom, Reading
from kbgraph.relate.lexis import Lexis

BRIDGE = "~"  # opens a token that a gloss gave
_SCALE = 4  # of a word's own weight; glosses of one word share it


class Features(NamedTuple):
    """Tokens and how much each counts, before rarity: whole numbers, so that sums do not depend on their order."""

    own: dict[str, int]
    bridge: dict[str, int]  # English stems by gloss; empty for a claim without Chinese words
    mark: int = 0  # by which a sample of claims is drawn

    @property
    def wide(self) -> bool:
        """Whether it is a Chinese claim."""
        return bool(self.bridge)


def features(reading: Reading, lexis: Lexis) -> Features:
    """The tokens of a reading."""
    own: Counter[str] = Counter()
    bridge: dict[str, int] = {}
    for atom in reading.atoms:
        token = token_of(atom)
        if token:
            own[token] += 1
            if atom.han and atom.kind in MATTER and not token.startswith("term-"):
                for stem, weight in _glossed(atom, lexis):
                    bridge[stem] = max(bridge.get(stem, 0), weight)
    weights = {token: _SCALE * times.bit_length() for token, times in own.items()}
    return Features(weights, bridge, crc32("\n".join(sorted(weights)).encode("utf-8", "replace")))


def token_of(atom: Atom) -> str:
    """The term that an atom names, else its key; for a number its value; "" for words without matter."""
    if atom.amount:
        return f"#{atom.amount.low:g}"
    if atom.kind not in MATTER:
        return ""
    return next((sense.name for sense in atom.senses if sense.scheme == "term"), atom.key)


def _glossed(atom: Atom, lexis: Lexis) -> Iterator[tuple[str, int]]:
    word = atom.key
    stems = lexis.glosses.english(word)
    if not stems and len(word) > 2:
        stems = lexis.glosses.english(word[:2]) | lexis.glosses.english(word[2:])
    share = max(1, round(_SCALE / sqrt(len(stems)))) if stems else 0
    for stem in stems:
        term = next((sense.name for sense in lexis.senses.get(stem, ()) if sense.scheme == "term"), stem)
        yield BRIDGE + term, share
