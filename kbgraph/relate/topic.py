"""Cards that are far from their topic: how far, which topic is nearer, and the words that say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log, sqrt
from typing import NamedTuple
from zlib import crc32

from kbgraph.relate.place_scale import Scale, add_to, length, scale, unit
from kbgraph.relate.place_text import Reader, Seen, telling, units

FEWEST = 5  # cards that show what a topic is about
MANY = 20  # cards of a topic that show that a card is far from it, though it is near to no other
MOST = 600  # cards that are looked at for it
OFF = 0.8  # above, a card is called off-topic
REACH = 1000  # characters of a card: what it is about is said at its beginning
WORDS = 5  # that are shown
_LEAST = 0.02  # of a cosine: what is below is chance


class Card(NamedTuple):
    """A card: its key, the topics that it is filed under, title and text."""

    key: str
    topics: tuple[str, ...]
    title: str
    text: str

    @property
    def whole(self) -> str:
        """Title and text, as far as it is read."""
        return f"{self.title}\n{self.text}"[:REACH]


class Stray(NamedTuple):
    """How far a card is from its topics; above `OFF` it is `off`, with a nearer topic, if there is one, and words.

    Topics with fewer than `MANY` cards are not known well: then it is `off` only where a nearer topic is.
    """

    key: str
    score: float
    off: bool
    better: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One way of looking at all topics: of each the length of the sum of its cards and how near these are to it."""

    scale: Scale
    postings: Mapping[str, Sequence[tuple[str, float]]]  # the topics that hold a token, and how much of their length 1
    lengths: Mapping[str, float]
    usual: Mapping[str, float]
    shown: Mapping[str, Mapping[str, float]]  # how near each card that shows a topic is to all of them, without itself

    def near(self, vector: Mapping[str, float]) -> dict[str, float]:
        """The cosine of a new card with each topic."""
        return _near(vector, self.postings, self.lengths)


@dataclass(frozen=True, slots=True)
class Topics:
    """What the topics of a corpus are about; the same whatever the order of the cards.

    At most `MOST` cards show it, chosen by their keys: while these stay as they are, so does what is said of any card.
    """

    shown: Mapping[str, Card]
    sizes: Mapping[str, int]
    sides: tuple[Side, ...]
    reader: Reader

    def judge(self, card: Card) -> Stray:
        """How far a card is from its own topics; nothing is said where no topic of it has cards enough."""
        own = [topic for topic in sorted(set(card.topics)) if self.sizes.get(topic, 0) >= FEWEST]
        if not own:
            return Stray(card.key, 0.0, off=False, better="", words=())
        if self.shown.get(card.key) == card:
            near = [side.shown[card.key] for side in self.sides]
        else:
            near = [side.near(vector) for side, vector in zip(self.sides, self._vectors(card), strict=True)]
        score = min(self._score(near, topic, own) for topic in own)
        if score <= OFF:
            return Stray(card.key, score, off=False, better="", words=())
        better = self._better(near, own)
        off = bool(better) or max(self.sizes[topic] for topic in own) >= MANY
        words = self._words(card, own, better) if off else ()
        return Stray(card.key, score, off, better, words)

    def _vectors(self, card: Card) -> list[dict[str, float]]:
        tokens = _tokens(self.reader.read(card.whole, english=False))
        return [side.scale.vector(counted) for side, counted in zip(self.sides, tokens, strict=True)]

    def _score(self, near: Sequence[Mapping[str, float]], topic: str, own: Sequence[str]) -> float:
        share, lead = 0.0, 0.0
        for side, values in zip(self.sides, near, strict=True):
            here = values[topic]
            other = max((value for t, value in values.items() if t not in own), default=0.0)
            share += here / max(side.usual[topic], _LEAST) / len(near)
            lead += (here - other) / (here + other + _LEAST) / len(near)
        return -(log(max(share, 0.0) + 0.3) + 3 * lead)

    def _better(self, near: Sequence[Mapping[str, float]], own: Sequence[str]) -> str:
        """The topic that is nearest of all, if a card is near to it as its own cards are, or half as near."""
        total = {topic: sum(values[topic] for values in near) for topic in self.sizes}
        best = max(sorted(total), key=lambda topic: total[topic])
        usual = sum(side.usual[best] for side in self.sides)
        return "" if best in own or total[best] < usual / 2 else best

    def _words(self, card: Card, own: Sequence[str], better: str) -> tuple[str, ...]:
        """The words of a card that speak for the nearer topic, else those that its own topics hardly know."""
        gains: dict[str, float] = {}
        for token, value in self._vectors(card)[0].items():
            shares = dict(self.sides[0].postings.get(token, ()))
            known = max(shares.get(topic, 0.0) for topic in own)
            gains[token] = value * (shares.get(better, 0.0) - known if better else value - known)
        telltale = {token: gain for token, gain in gains.items() if gain > 0}
        return tuple(telling(units(card.whole, self.reader), telltale, {}, WORDS))


def topics(cards: Iterable[Card], reader: Reader) -> Topics:
    """The topics of all cards; of two cards with one key the later by their text counts."""
    members = {card.key: card for card in sorted(cards)}
    shown = _chosen(members.values())
    seen = [(card, reader.read(card.whole, english=False)) for card in shown.values()]
    sides = tuple(_side([(card, _tokens(s)[at], s.script) for card, s in seen]) for at in range(2))
    return Topics(shown, Counter(topic for card in shown.values() for topic in set(card.topics)), sides, reader)


def _chosen(cards: Iterable[Card]) -> dict[str, Card]:
    """At most `MOST` cards of each topic, by the checksum of their keys."""
    held: dict[str, list[tuple[int, str]]] = {}
    known = {card.key: card for card in cards}
    for card in known.values():
        for topic in set(card.topics):
            held.setdefault(topic, []).append((crc32(card.key.encode("utf-8", "surrogatepass")), card.key))
    chosen = {key for keys in held.values() for _, key in sorted(keys)[:MOST]}
    return {key: known[key] for key in sorted(chosen)}


def without(both: float, size: float) -> float:
    """The cosine of a vector of length 1 with a sum that it is part of, after it left; `both` is their product."""
    left = size * size - 2 * both + 1
    return (both - 1) / sqrt(left) if left > 1e-9 else 0.0


def _tokens(seen: Seen) -> tuple[Mapping[str, int], Mapping[str, int]]:
    return seen.words, seen.spelling


def _side(seen: Sequence[tuple[Card, Mapping[str, int], str]]) -> Side:
    weights = scale(((tokens, script) for _, tokens, script in seen), apart=True)
    vectors = [(card, weights.vector(tokens)) for card, tokens, _ in seen]
    sums: dict[str, dict[str, float]] = {}
    for card, vector in vectors:
        for topic in sorted(set(card.topics)):
            add_to(sums.setdefault(topic, {}), vector)
    lengths = {topic: length(total) for topic, total in sums.items()}
    postings: dict[str, list[tuple[str, float]]] = {}
    for topic in sorted(sums):
        for token, value in unit(sums[topic]).items():
            postings.setdefault(token, []).append((topic, value))
    shown: dict[str, dict[str, float]] = {}
    for card, vector in vectors:
        near = shown[card.key] = _near(vector, postings, lengths)
        near.update({topic: without(near[topic] * lengths[topic], lengths[topic]) for topic in card.topics})
    usual = {t: fsum(shown[c.key][t] for c, _ in vectors if t in c.topics) for t in sums}
    sizes = Counter(topic for card, _ in vectors for topic in set(card.topics))
    return Side(weights, postings, lengths, {topic: usual[topic] / sizes[topic] for topic in sums}, shown)


def _near(
    vector: Mapping[str, float], postings: Mapping[str, Sequence[tuple[str, float]]], topics: Iterable[str]
) -> dict[str, float]:
    found = dict.fromkeys(topics, 0.0)
    for token, value in vector.items():
        for topic, share in postings.get(token, ()):
            found[topic] += value * share
    return found
