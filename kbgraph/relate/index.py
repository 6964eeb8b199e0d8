"""Near claims by an index: rare words in common; the same whether claims came one by one or all at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt
from typing import NamedTuple

from kbgraph.relate.features import BRIDGE, Features

NEAR = 12  # claims of either language that are kept as near to one
LEAST = 0.1  # likeness below which nothing is near
_COMMON = 256  # a word that stands in more claims than this and in one of 64 or more finds nothing
_SAMPLED = 5  # steps of a corpus of which all claims count for rarity; of a larger one a sample of about as many


def level(number: int) -> int:
    """Whole logarithm to base four: rarity moves in these steps, so that one claim more seldom moves it."""
    return (number.bit_length() - 1) // 2 if number else 0


Ranked = tuple[tuple[str, float], ...]  # claims with their likeness, nearest first


class Near(NamedTuple):
    """The nearest claims of a claim's own language and of the other one: likeness is lower across languages."""

    own: Ranked = ()
    other: Ranked = ()

    def holds(self, id_: str) -> bool:
        """Whether a claim is among the nearest."""
        return any(known == id_ for ranked in self for known, _ in ranked)

    def beside(self, id_: str) -> tuple[int, float, float]:
        """Rank from 0 and likeness of a near claim, -1 and 0 for another; likeness of the next one in its language."""
        for ranked in self:
            for rank, (known, like) in enumerate(ranked):
                if known == id_:
                    return rank, like, max((v for k, v in ranked if k != id_), default=LEAST)
        return -1, 0.0, LEAST


NONE = Near()


class Index:
    """All claims by their tokens. Rarity, likeness and order follow from the set of claims alone."""

    def __init__(self) -> None:
        self.features: dict[str, Features] = {}
        self.near: dict[str, Near] = {}
        self.held: dict[str, set[str]] = {}  # claim -> those among whose nearest it is
        self._holders: dict[str, dict[str, int]] = {}
        self._sampled: dict[str, int] = {}  # token -> claims of the sample that hold it
        self._weights: dict[str, int] = {}
        self._wide: set[str] = set()  # Chinese claims
        self._lengths: tuple[dict[str, float], dict[str, float]] = {}, {}  # in its own language, towards the other

    def update(self, changed: Mapping[str, Features | None]) -> frozenset[str]:
        """Takes in claims, new or changed, and drops those that are None; gives the claims whose near ones are new."""
        top = level(len(self.features))
        losing = {other for id_ in changed for other in self.held.get(id_, ())}
        tokens = self._tokens_of(changed)
        self._store(changed)
        tokens |= self._tokens_of(changed)
        if level(len(self.features)) != top:
            self._weights.clear()
            self._sample()
            dirty = set(self.features)
        else:
            dirty = losing | self._stirred(tokens) | {id_ for id_, features in changed.items() if features is not None}
        return self._look(dirty & self.features.keys()) | changed.keys()

    def _tokens_of(self, ids: Iterable[str]) -> set[str]:
        known = (self.features[id_] for id_ in ids if id_ in self.features)
        return {token for found in known for token in (*found.own, *found.bridge)}

    def _store(self, changed: Mapping[str, Features | None]) -> None:
        for id_, features in changed.items():
            old = self.features.pop(id_, None)
            for token in (*old.own, *old.bridge) if old else ():
                self._holders[token].pop(id_, None)
                if not self._holders[token]:
                    del self._holders[token]
            self._count(old, -1)
            self._place(id_, NONE)
            self._wide.discard(id_)
            if features is not None:
                self.features[id_] = features
                if features.wide:
                    self._wide.add(id_)
                self._count(features, 1)
                for token, times in (*features.own.items(), *features.bridge.items()):
                    self._holders.setdefault(token, {})[id_] = times

    def _sample(self) -> None:
        """Counts the sample anew: of a larger corpus a smaller part, chosen by the words of the claims."""
        self._sampled = {}
        for features in self.features.values():
            self._count(features, 1)

    def _count(self, features: Features | None, step: int) -> None:
        if features is not None and not features.mark % 4 ** max(0, level(len(self.features)) - _SAMPLED):
            for token in features.own:
                self._sampled[token] = self._sampled.get(token, 0) + step

    def _stirred(self, tokens: Iterable[str]) -> set[str]:
        """Claims that hold a token which has become rarer or more common by a step."""
        found: set[str] = set()
        for plain in {token.removeprefix(BRIDGE) for token in tokens}:
            old = self._weights.pop(plain, None)
            if old is not None and old != self.weight(plain):
                found |= self._holders.get(plain, {}).keys() | self._holders.get(BRIDGE + plain, {}).keys()
        return found

    def _look(self, dirty: set[str]) -> frozenset[str]:
        """Finds the near claims of these anew, and of those for which one of these is or was among the nearest."""
        for lengths in self._lengths:
            for id_ in dirty:
                lengths.pop(id_, None)
        found = {id_: self.likenesses(id_) for id_ in sorted(dirty)}
        more = {
            other
            for id_, likes in found.items()
            for other, like in likes.items()
            if other not in dirty and self._enters(id_, like, other)
        }
        for id_ in sorted(dirty | more):
            self._place(id_, self._nearest(id_, found.get(id_) or self.likenesses(id_)))
        return frozenset(dirty | more)

    def _place(self, id_: str, near: Near) -> None:
        """Keeps the nearest of a claim, both ways; none for a claim that goes."""
        for ranked in self.near.pop(id_, NONE):
            for other, _ in ranked:
                self.held[other].discard(id_)
        for ranked in near:
            for other, _ in ranked:
                self.held.setdefault(other, set()).add(id_)
        if near != NONE or id_ in self.features:
            self.near[id_] = near

    def _nearest(self, id_: str, likes: Mapping[str, float]) -> Near:
        ranked = sorted((-like, other) for other, like in likes.items())
        wide = self.features[id_].wide
        own = [(other, -minus) for minus, other in ranked if self.features[other].wide == wide]
        across = [(other, -minus) for minus, other in ranked if self.features[other].wide != wide]
        return Near(tuple(own[:NEAR]), tuple(across[:NEAR]))

    def _enters(self, id_: str, like: float, other: str) -> bool:
        known = self.near.get(other, NONE)
        near = known.own if self.features[id_].wide == self.features[other].wide else known.other
        return len(near) < NEAR or (-like, id_) < (-near[-1][1], near[-1][0]) or known.holds(id_)

    def weight(self, token: str) -> int:
        """Rarity of a token, from 1, in the sample; 0 for one so common that it finds nothing."""
        known = self._weights.get(token)
        if known is None:
            top, seen = level(len(self.features)), self._sampled.get(token, 0)
            steps, part = level(seen), max(0, top - _SAMPLED)
            common = seen * 4**part > _COMMON and steps >= top - part - 3
            known = self._weights[token] = 0 if common else max(1, top - part - steps + 1)
        return known

    def lengths(self, id_: str) -> tuple[float, float]:
        """Lengths of a claim's own vector and of the one that leads into the other language."""
        own, across = (lengths.get(id_) for lengths in self._lengths)
        if own is None or across is None:
            features = self.features[id_]
            parts = {token: (times * (self.weight(token) or 1)) ** 2 for token, times in features.own.items()}
            glossed = (
                (times * (self.weight(t.removeprefix(BRIDGE)) or 1)) ** 2 for t, times in features.bridge.items()
            )
            own = self._lengths[0][id_] = sqrt(sum(parts.values()))
            both = sum(part for token, part in parts.items() if token.isascii()) + sum(glossed)
            across = self._lengths[1][id_] = sqrt(both) if features.wide else own
        return own, across

    def likenesses(self, id_: str) -> dict[str, float]:
        """All claims that are somewhat like one, by the cosine of weighted tokens."""
        features = self.features[id_]
        shared: dict[str, int] = {}
        for token, times in self._ways(features):
            holders = self._holders.get(token)
            weight = self.weight(token.removeprefix(BRIDGE)) ** 2 * times if holders else 0
            if weight and holders:
                for other, there in holders.items():
                    shared[other] = shared.get(other, 0) + weight * there
        shared.pop(id_, None)
        lengths = self.lengths(id_)
        found = {}
        for other, both in shared.items():
            side = (other in self._wide) != features.wide  # as a place in the pair of lengths
            product = lengths[side] * (self._lengths[side].get(other) or self.lengths(other)[side])
            if both >= LEAST * product:
                found[other] = both / product
        return found

    def _ways(self, features: Features) -> list[tuple[str, int]]:
        """Tokens by which a claim finds others: its own, and those that a gloss leads to or from."""
        own = list(features.own.items())
        if features.wide:
            return own + [(token.removeprefix(BRIDGE), times) for token, times in features.bridge.items()]
        return own + [(BRIDGE + token, times) for token, times in own]
