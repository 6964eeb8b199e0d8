"""Where in a document a new text belongs: its sections, ranked, with the words that say so and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import NamedTuple

from kbgraph.relate.place_scale import Scale, add_to, scale, unit
from kbgraph.relate.place_text import Reader, Seen, Unit, telling, units

WEIGHTS = (1.0, 1.0, 0.5)  # of words, spelling, English words
NAME = 0.5  # what the name of a section says against all that stands in it, and its last title against the whole path
# How probable it is that the first place is right: by its lead over the second, times the root of the number of words,
# for a cosine falls as a text grows. Measured on nine lists of works and of tools in Chinese and English.
_SLOPE, _OFFSET, _MANY = 5.3, -1.03, 100
SURE = 0.75  # below, no place is recommended: above, nine of ten were right
WORDS = 5  # that are shown for a place


class Section(NamedTuple):
    """A section of a document: its key, and the headings from the top of the document down to its own."""

    key: str
    titles: tuple[str, ...]


class Held(NamedTuple):
    """A text that a section holds already."""

    section: str
    text: str


class Place(NamedTuple):
    """A section, how near the text is to it, and the words of the text that say so."""

    section: str
    score: float
    words: tuple[str, ...]


class Placement(NamedTuple):
    """Places, the best first; `sure` is how probable it is that the first is right; `abstains` below `SURE`."""

    places: tuple[Place, ...]
    sure: float
    abstains: bool


@dataclass(frozen=True, slots=True)
class Channel:
    """One way of looking: weights, and for each token the sections that hold it and how much."""

    scale: Scale
    postings: Mapping[str, Sequence[tuple[int, float]]]
    weight: float

    def vector(self, tokens: Mapping[str, int]) -> dict[str, float]:
        """The vector of a text by what the document knows of it."""
        return self.scale.vector({token: times for token, times in tokens.items() if token in self.postings})

    def scores(self, vector: Mapping[str, float], sections: int) -> list[float]:
        """The cosine of a text with each section."""
        found = [0.0] * sections
        for token, value in vector.items():
            for section, share in self.postings.get(token, ()):
                found[section] += value * share
        return found


@dataclass(frozen=True, slots=True)
class Outline:
    """A document ready for placing; the same whatever the order of what it was made from."""

    sections: tuple[Section, ...]
    channels: tuple[Channel, ...]
    reader: Reader

    def place(self, text: str, top: int = 3) -> Placement:
        """Where a text belongs, the best `top` places; none where no word of it is known."""
        vectors = self._vectors(text)
        scores = self._scores(vectors)
        order = self._order(scores)
        if not order or scores[order[0]] <= 0:
            return Placement((), 0.0, abstains=True)
        second = scores[order[1]] if len(order) > 1 else 0.0
        lead = (scores[order[0]] - second) * sqrt(min(_MANY, len(vectors[0])))
        sure = 1 / (1 + exp(-(_SLOPE * lead + _OFFSET)))
        printed = units(text, self.reader)
        places = tuple(self._place(printed, vectors, at, scores[at]) for at in order[:top])
        return Placement(places, sure, abstains=sure < SURE)

    def ranking(self, text: str) -> list[str]:
        """The keys of all sections, the nearest first."""
        return [self.sections[at].key for at in self._order(self._scores(self._vectors(text)))]

    def _vectors(self, text: str) -> list[dict[str, float]]:
        seen = self.reader.read(text)
        return [channel.vector(_side(seen, side)) for side, channel in enumerate(self.channels)]

    def _order(self, scores: Sequence[float]) -> list[int]:
        """Positions of the sections by falling score; equal ones in the order of their keys."""
        return sorted(range(len(scores)), key=lambda at: (-scores[at], at))

    def _scores(self, vectors: Sequence[Mapping[str, float]]) -> list[float]:
        found = [0.0] * len(self.sections)
        total = sum(channel.weight for channel in self.channels)
        for channel, vector in zip(self.channels, vectors, strict=True):
            for at, score in enumerate(channel.scores(vector, len(found))):
                found[at] += channel.weight * score / total
        return found

    def _place(self, printed: list[Unit], vectors: Sequence[Mapping[str, float]], at: int, score: float) -> Place:
        words, english = (dict(self._gains(side, vectors[side], at)) for side in (0, 2))
        return Place(self.sections[at].key, score, tuple(telling(printed, words, english, WORDS)))

    def _gains(self, side: int, vector: Mapping[str, float], at: int) -> Iterator[tuple[str, float]]:
        """Tokens that speak more for a section than for the others on the whole."""
        channel = self.channels[side]
        for token, value in vector.items():
            shares = channel.postings.get(token, ())
            own = sum(share for section, share in shares if section == at)
            mean = sum(share for _, share in shares) / len(self.sections)
            if own > mean:
                yield token, channel.weight * value * (own - mean)


def outline(sections: Iterable[Section], held: Iterable[Held], reader: Reader) -> Outline:
    """A document from its sections and what each holds; what stands under an unknown section is left out."""
    ordered = tuple(sorted(set(sections)))
    places = {section.key: at for at, section in enumerate(ordered)}
    texts = [(places[section], reader.read(text)) for section, text in sorted(held) if section in places]
    names = [reader.read(" / ".join(section.titles)) for section in ordered]
    leaves = [reader.read(section.titles[-1] if section.titles else "") for section in ordered]
    channels = tuple(_channel(side, weight, texts, names, leaves) for side, weight in enumerate(WEIGHTS))
    return Outline(ordered, channels, reader)


def _channel(
    side: int, weight: float, texts: Sequence[tuple[int, Seen]], names: Sequence[Seen], leaves: Sequence[Seen]
) -> Channel:
    among = (*(seen for _, seen in texts), *names)
    weights = scale(((_side(seen, side), seen.script) for seen in among), apart=False)
    sums: list[dict[str, float]] = [{} for _ in names]
    for at, seen in texts:
        add_to(sums[at], weights.vector(_side(seen, side)))
    postings: dict[str, list[tuple[int, float]]] = {}
    for at, (name, leaf) in enumerate(zip(names, leaves, strict=True)):
        said = weights.vector(_side(name, side))
        add_to(said, weights.vector(_side(leaf, side)), NAME)
        whole = unit(sums[at])
        add_to(whole, unit(said), NAME)
        for token, value in unit(whole).items():
            postings.setdefault(token, []).append((at, value))
    return Channel(weights, postings, weight)


def _side(seen: Seen, side: int) -> Mapping[str, int]:
    return (seen.words, seen.spelling, seen.english)[side]
