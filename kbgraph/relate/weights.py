"""How much a token says: rare ones much, common ones little; vectors of weighted tokens and their cosine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log, sqrt

Vector = Mapping[str, float]


@dataclass(slots=True)
class Counts:
    """In how many texts each token stands: a sum, so that the order of texts does not matter and each can go again."""

    texts: int = 0
    holding: Counter[str] = field(default_factory=Counter)

    def add(self, tokens: Iterable[str]) -> None:
        """One more text that holds these tokens."""
        self.texts += 1
        self.holding.update(set(tokens))

    def remove(self, tokens: Iterable[str]) -> None:
        """One text less."""
        self.texts -= 1
        self.holding.subtract(set(tokens))

    def weight(self, token: str) -> float:
        """Inverse document frequency, smoothed: at least 0.1, and largest for a token that no text holds."""
        return max(0.1, log((self.texts + 1) / (self.holding[token] + 0.5)))

    def vector(self, tokens: Iterable[str]) -> Vector:
        """Weighted tokens of a text, damped by how often each stands there, of length 1; empty for no token."""
        raw = {token: (1 + log(times)) * self.weight(token) for token, times in Counter(tokens).items()}
        length = sqrt(sum(value * value for value in raw.values()))
        return {token: value / length for token, value in raw.items()} if length else {}


def counts(texts: Iterable[Iterable[str]]) -> Counts:
    """Counts over texts given as tokens."""
    found = Counts()
    for tokens in texts:
        found.add(tokens)
    return found


def cosine(a: Vector, b: Vector) -> float:
    """Cosine of two vectors of length 1; 0 with an empty one."""
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    return sum(value * large[token] for token, value in small.items() if token in large)
