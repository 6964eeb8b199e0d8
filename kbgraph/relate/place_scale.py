"""How much each word says among given texts, vectors of weighted words, sums of vectors and how near two are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log, sqrt

from kbgraph.relate.weights import Counts, Vector

ENOUGH = 20  # texts of one script that show which of its words are common


@dataclass(frozen=True, slots=True)
class Scale:
    """Weights by rarity: a word is as common as it is where it is most common of all `counts`."""

    counts: Sequence[Counts]
    known: dict[str, float] = field(default_factory=dict)

    def vector(self, tokens: Mapping[str, int]) -> dict[str, float]:
        """Weighted tokens, damped by how often each stands there, of length 1; empty for none."""
        get, raw = self.known.get, {}
        for token, times in tokens.items():
            weight = get(token) or self.weight(token)
            raw[token] = weight if times == 1 else weight * (1 + log(times))
        return unit(raw)

    def weight(self, token: str) -> float:
        """Inverse document frequency: at least 0.1; what no text holds weighs as much as what one text holds."""
        weight = self.known.get(token)
        if weight is None:
            whole = self.counts[0]  # so a text weighs the same before and after it is one of those that are counted
            once = log((whole.texts + 1) / 1.5)
            weight = self.known[token] = max(0.1, min(once, *(counts.weight(token) for counts in self.counts)))
        return weight


def scale(texts: Iterable[tuple[Iterable[str], str]], *, apart: bool) -> Scale:
    """Weights among texts, given as tokens and script; `apart` counts each script by itself as well."""
    # Else the small words of a language are rare, and weigh much, where few texts are in that language.
    whole = Counts()
    scripts: dict[str, Counts] = {}
    for tokens, script in texts:
        whole.add(tokens)
        if apart:
            scripts.setdefault(script, Counts()).add(tokens)
    return Scale((whole, *(found for found in scripts.values() if found.texts >= ENOUGH)))


def length(vector: Vector) -> float:
    """The length of a vector."""
    return sqrt(sum([value * value for value in vector.values()]))


def unit(vector: Vector) -> dict[str, float]:
    """The vector at length 1; empty when it has none."""
    size = length(vector)
    return {token: value / size for token, value in vector.items()} if size else {}


def add_to(total: dict[str, float], vector: Vector, times: float = 1.0) -> None:
    """`total` becomes the sum."""
    get = total.get
    for token, value in vector.items():
        total[token] = get(token, 0.0) + value * times


def dot(small: Vector, large: Vector) -> float:
    """The inner product, in the order of the first."""
    return sum([value * large[token] for token, value in small.items() if token in large])
