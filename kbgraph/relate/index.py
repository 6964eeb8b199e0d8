"""Near claims by an index: rare words in common; the same whether claims came one by one or all at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt
from typing import NamedTuple

from kbgraph.relate.features import BRIDGE, Features

NEAR = 12  # claims of either language that are kept as near to one
LEAST = 0.1  # likeness below which nothing is near
_COMMON = 256  # a word that stands in more claims than this and in one of 64 or more finds nothing


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

    def beside(self, id_: str) -> tuple[float, float]:
        """Likeness of a near claim, 0 when it is not near; and that of the nearest one but it in its language."""
        for ranked in self:
            known = dict(ranked)
            if id_ in known:
                return known.pop(id_), max(known.values(), default=LEAST)
        return 0.0, LEAST


NONE = Near()


class Index:
    """All claims by their tokens. Rarity, likeness and order follow from the set of claims alone."""

    def __init__(self) -> None:
        self.features: dict[str, Features] = {}
        self.near: dict[str, Near] = {}
        self._holders: dict[str, dict[str, int]] = {}
        self._length: dict[str, tuple[float, float]] = {}

    def update(self, changed: Mapping[str, Features | None]) -> frozenset[str]:
        """Takes in claims, new or changed, and drops those that are None; gives the claims whose near ones are new."""
        top = level(len(self.features))
        before = {token: self._step(token) for token in self._tokens_of(changed)}
        gone = {other for id_ in changed for ranked in self.near.get(id_, NONE) for other, _ in ranked}
        gone |= {id_ for id_ in self._holding(changed) if any(self.near.get(id_, NONE).holds(one) for one in changed)}
        self._store(changed)
        stirred = {t for t in {*before, *self._tokens_of(changed)} if before.get(t) != self._step(t)}
        if level(len(self.features)) != top:
            dirty = set(self.features)
        else:
            dirty = {id_ for token in stirred for id_ in self._affected(token)} | gone
            dirty |= {id_ for id_, features in changed.items() if features is not None}
        return self._look(dirty & self.features.keys(), changed)

    def _tokens_of(self, ids: Iterable[str]) -> set[str]:
        known = (self.features[id_] for id_ in ids if id_ in self.features)
        return {token for found in known for token in (*found.own, *found.bridge)}

    def _holding(self, ids: Iterable[str]) -> set[str]:
        """Claims that may have these among their nearest: they share a word that is not too common."""
        return {other for id_ in ids if id_ in self.features for other in self.likenesses(id_)}

    def _store(self, changed: Mapping[str, Features | None]) -> None:
        for id_, features in changed.items():
            old = self.features.pop(id_, None)
            for token in (*old.own, *old.bridge) if old else ():
                self._holders[token].pop(id_, None)
                if not self._holders[token]:
                    del self._holders[token]
            self.near.pop(id_, None)
            self._length.pop(id_, None)
            if features is not None:
                self.features[id_] = features
                for token, times in (*features.own.items(), *features.bridge.items()):
                    self._holders.setdefault(token, {})[id_] = times

    def _look(self, dirty: set[str], changed: Mapping[str, Features | None]) -> frozenset[str]:
        """Finds the near claims of these anew, and of those for which a changed one is now among the nearest."""
        for id_ in dirty:
            self._length.pop(id_, None)
        found = {id_: self.likenesses(id_) for id_ in sorted(dirty)}
        more = set()
        for id_ in dirty:
            for other, like in found[id_].items():
                if other not in dirty and self._enters(id_, like, other):
                    more.add(other)
        found |= {id_: self.likenesses(id_) for id_ in sorted(more)}
        for id_, likes in found.items():
            ranked = sorted(likes.items(), key=lambda pair: (-pair[1], pair[0]))
            wide = self.features[id_].wide
            own = [pair for pair in ranked if self.features[pair[0]].wide == wide]
            across = [pair for pair in ranked if self.features[pair[0]].wide != wide]
            self.near[id_] = Near(tuple(own[:NEAR]), tuple(across[:NEAR]))
        return frozenset(found) | (changed.keys() - self.features.keys())

    def _enters(self, id_: str, like: float, other: str) -> bool:
        known = self.near.get(other, NONE)
        near = known.own if self.features[id_].wide == self.features[other].wide else known.other
        return len(near) < NEAR or (-like, id_) < (-near[-1][1], near[-1][0]) or known.holds(id_)

    def _step(self, token: str) -> tuple[int, bool]:
        """On what the weight of a token depends: how many hold it, in steps; and whether that is too many to look."""
        number = len(self._holders.get(token.removeprefix(BRIDGE), ()))
        return level(number), number > _COMMON

    def _affected(self, token: str) -> set[str]:
        """Claims whose length or likeness a token's weight is part of."""
        plain = token.removeprefix(BRIDGE)
        return {*self._holders.get(plain, ()), *self._holders.get(BRIDGE + plain, ())}

    def weight(self, token: str) -> int:
        """Rarity of a token, from 1; a gloss is as rare as its word."""
        return max(1, level(len(self.features)) - self._step(token)[0] + 1)

    def _too_common(self, token: str) -> bool:
        steps, many = self._step(token)
        return many and steps >= level(len(self.features)) - 2

    def lengths(self, id_: str) -> tuple[float, float]:
        """Lengths of a claim's own vector and of the one that leads into the other language."""
        known = self._length.get(id_)
        if known is None:
            features = self.features[id_]
            own = sum((times * self.weight(token)) ** 2 for token, times in features.own.items())
            shared = sum((n * self.weight(t)) ** 2 for t, n in features.own.items() if crosses(t))
            bridge = sum((times * self.weight(token)) ** 2 for token, times in features.bridge.items())
            known = self._length[id_] = sqrt(own), sqrt(shared + bridge)
        return known

    def likenesses(self, id_: str) -> dict[str, float]:
        """All claims that are somewhat like one, by the cosine of weighted tokens."""
        features = self.features[id_]
        same: dict[str, int] = {}
        for token, times in features.own.items():
            if not self._too_common(token):
                weight = self.weight(token) ** 2 * times
                for other, there in self._holders[token].items():
                    same[other] = same.get(other, 0) + weight * there
        across = self._across(features)
        same.pop(id_, None)
        own, bridge = self.lengths(id_)
        out = {}
        for other in same.keys() | across.keys():
            wide = self.features[other].wide
            if wide == features.wide:
                like = same.get(other, 0) / (own * self.lengths(other)[0])
            else:
                length = bridge * self.lengths(other)[0] if features.wide else own * self.lengths(other)[1]
                like = (same.get(other, 0) + across.get(other, 0)) / length
            if like >= LEAST:
                out[other] = like
        return out

    def _across(self, features: Features) -> dict[str, int]:
        """What claims of the other language share by gloss."""
        found: dict[str, int] = {}
        if features.wide:
            pairs = [(token.removeprefix(BRIDGE), times) for token, times in features.bridge.items()]
        else:
            pairs = [(BRIDGE + token, times) for token, times in features.own.items()]
        for token, times in pairs:
            holders = self._holders.get(token)
            if holders and not self._too_common(token):
                weight = self.weight(token) ** 2 * times
                for other, there in holders.items():
                    found[other] = found.get(other, 0) + weight * there
        return found


def crosses(token: str) -> bool:
    """Whether a token is the same in both languages: a term, a number, a Latin word."""
    return token.isascii()
