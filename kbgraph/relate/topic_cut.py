"""A card cut in two, in all ways that could part a foreign stretch from the rest: how little both have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import sqrt
from typing import NamedTuple

from kbgraph.relate.topic_parts import Part

FEWEST = 5  # different words that say what a stretch is about


class Stretch(NamedTuple):
    """Sentences `[start, end)` of a card, and the cosine and doubt about it: `score` is high for a foreign one."""

    start: int
    end: int
    near: float
    score: float


class _Cut:
    """Words on both sides of a cut; moving a sentence costs no more than the sentence has words."""

    def __init__(self, outside: Counter[str], weights: Mapping[str, float]) -> None:
        self.inside: Counter[str] = Counter()
        self.outside = outside
        self.weights = weights
        self.both = self.inner = 0.0
        self.outer = sum([(times * weights[word]) ** 2 for word, times in outside.items()])
        self.counted = [0, len(outside)]

    def move(self, words: Mapping[str, int], sign: int = 1) -> None:
        """Words from outside to inside, or back with a sign of -1."""
        for word, times in words.items():
            square, a, b = self.weights[word] ** 2, self.inside[word], self.outside[word]
            new_a, new_b = a + sign * times, b - sign * times
            self.both += square * (new_a * new_b - a * b)
            self.inner += square * (new_a * new_a - a * a)
            self.outer += square * (new_b * new_b - b * b)
            self.counted[0] += (new_a > 0) - (a > 0)
            self.counted[1] += (new_b > 0) - (b > 0)
            self.inside[word], self.outside[word] = new_a, new_b

    def stretch(self, start: int, end: int) -> Iterator[Stretch]:
        """What is inside now, if both sides have words enough."""
        if min(self.counted) >= FEWEST and self.inner > 0 and self.outer > 0:
            near = min(1.0, max(0.0, self.both / sqrt(self.inner * self.outer)))
            yield Stretch(start, end, near, -near - doubt(self.counted[0]))


def doubt(words: int) -> float:
    """What a stretch of few words is given: it has little in common with anything."""
    return 0.5 / (words + 1)


def stretches(
    found: Sequence[Part], counts: Sequence[Mapping[str, int]], title: Mapping[str, int], weights: Mapping[str, float]
) -> list[Stretch]:
    """All beginnings, ends and paragraphs of a card, against its title and all else in it; the strangest first."""
    total: Counter[str] = Counter(title)
    for words in counts:
        total.update(words)
    out = [
        *_growing(counts, range(len(found) - 1), _Cut(total.copy(), weights)),
        *_growing(counts, range(len(found) - 1, 0, -1), _Cut(total.copy(), weights)),
        *_paragraphs(found, counts, _Cut(total, weights)),
    ]
    return sorted(set(out), key=lambda stretch: (-stretch.score, stretch.start, stretch.end))


def _growing(counts: Sequence[Mapping[str, int]], order: Iterable[int], cut: _Cut) -> Iterator[Stretch]:
    first: int | None = None
    for at in order:
        first = at if first is None else first
        cut.move(counts[at])
        yield from cut.stretch(min(first, at), max(first, at) + 1)


def _paragraphs(found: Sequence[Part], counts: Sequence[Mapping[str, int]], cut: _Cut) -> Iterator[Stretch]:
    for _, group in groupby(range(len(found)), key=lambda at: found[at].paragraph):
        held = list(group)
        if held[0] > 0 and held[-1] < len(found) - 1:  # the first and the last are a beginning and an end
            for at in held:
                cut.move(counts[at])
            yield from cut.stretch(held[0], held[-1] + 1)
            for at in held:
                cut.move(counts[at], -1)
