"""All relations of a set of claims, and those that change when some of them do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kbgraph.relate.atoms import Reading, read
from kbgraph.relate.claim import Claim, Relation
from kbgraph.relate.features import features
from kbgraph.relate.index import NONE, Index
from kbgraph.relate.judge import Verdict, judge
from kbgraph.relate.lexis import Lexis

_LIKE = 0.3  # likeness from which two claims are compared
_FIRST = 2  # ... or how near in rank they must be
_OUTSTANDING = 0.6  # ... or how much nearer they must be to one another than to all others
_FAR = 3.0  # how much nearer than all others makes no more difference
_ACROSS = 1.5  # likeness runs lower across languages, and so does what stands out
_SOFT = 0.1  # keeps the ratio of small likenesses small


class Relations:
    """The claims of a graph and how they stand to one another; `relate` for all of them, `update` for some."""

    def __init__(self, lexis: Lexis) -> None:
        self.lexis = lexis
        self.claims: dict[str, Claim] = {}
        self.index = Index()
        self._readings: dict[str, Reading] = {}
        self._verdicts: dict[tuple[str, str], Verdict] = {}

    def update(self, claims: Iterable[Claim], gone: Iterable[str] = ()) -> frozenset[str]:
        """Takes in claims, new or changed, and drops others; gives the ids whose relations may have changed."""
        dropped = frozenset(gone)
        new = {claim.id: claim for claim in claims}
        for id_ in (*new, *dropped):
            self.claims.pop(id_, None)
            self._readings.pop(id_, None)
        self.claims |= new
        touched = {*new, *dropped}
        stale = [pair for pair in self._verdicts if pair[0] in touched or pair[1] in touched]
        for pair in stale:
            del self._verdicts[pair]
        found = {id_: features(self._reading(id_), self.lexis) for id_ in new}
        return self.index.update({**dict.fromkeys(dropped), **found})

    def all(self) -> list[Relation]:
        """All relations, by the ids of their claims."""
        near = self.index.near.items()
        pairs = {(min(a, b), max(a, b)) for a, ranked in near for kind in ranked for b, _ in kind}
        return [relation for pair in sorted(pairs) for relation in self._relation(*pair)]

    def of(self, ids: Iterable[str]) -> list[Relation]:
        """All relations with one of these claims on either side."""
        pairs = {(min(a, b), max(a, b)) for a in ids for b in self._around(a)}
        return [relation for pair in sorted(pairs) for relation in self._relation(*pair)]

    def _around(self, id_: str) -> Iterator[str]:
        """Claims that are near to one, and those that it is near to."""
        near = self.index.near.get(id_, NONE)
        yield from (other for ranked in near for other, _ in ranked)
        yield from self.index.held.get(id_, ())

    def _relation(self, a: str, b: str) -> Iterator[Relation]:
        rank, like, outstanding = self._nearness(a, b)
        if like < _LIKE and (rank > _FIRST or outstanding < _OUTSTANDING):
            return
        verdict = self._verdict(a, b)
        same = (1 + verdict.shared) / 2 * verdict.trust * min(outstanding, _FAR) / _FAR
        score = verdict.conflict if verdict.kind.startswith("conflict") else same
        yield Relation(a, b, verdict.kind, verdict.what, score, verdict.sure, verdict.why, same, verdict.conflict)

    def _nearness(self, a: str, b: str) -> tuple[int, float, float]:
        """The better rank, the likeness of two claims, and how far that stands out from what is next to either."""
        one, two = self.index.near[a].beside(b), self.index.near[b].beside(a)
        rank = min(r for r, _, _ in (one, two) if r >= 0)
        like = one[1] or two[1]
        across = self.index.features[a].wide != self.index.features[b].wide
        return rank, like, like / ((one[2] + two[2]) / 2 + _SOFT) * (_ACROSS if across else 1.0)

    def _verdict(self, a: str, b: str) -> Verdict:
        known = self._verdicts.get((a, b))
        if known is None:
            known = judge(self.claims[a], self.claims[b], self._reading(a), self._reading(b), self.lexis)
            self._verdicts[a, b] = known
        return known

    def _reading(self, id_: str) -> Reading:
        known = self._readings.get(id_)
        if known is None:
            known = self._readings[id_] = read(self.claims[id_].text, self.lexis)
        return known


def relate(claims: Iterable[Claim], lexis: Lexis) -> list[Relation]:
    """All relations of these claims."""
    relations = Relations(lexis)
    relations.update(claims)
    return relations.all()


def judge_pair(a: Claim, b: Claim, lexis: Lexis) -> Verdict:
    """How two claims stand to one another, without any others."""
    first, second = (a, b) if a.id <= b.id else (b, a)
    return judge(first, second, read(first.text, lexis), read(second.text, lexis), lexis)
