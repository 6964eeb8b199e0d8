"""Cards that hold a stretch of another work: which, where it fits better, and the words that say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kbgraph.relate.pieces import normal
from kbgraph.relate.place_scale import Scale, dot, scale, unit
from kbgraph.relate.place_text import Reader, telling, units
from kbgraph.relate.topic_cut import Stretch, stretches
from kbgraph.relate.topic_parts import Part, parts, seam

FOREIGN = 0.03  # above, a stretch is called foreign
NOTHING = -0.15  # the score of a card that has nothing to compare
OFTEN = 5  # cards that share a sentence: then it belongs to none of them
LOOKED_UP = 3  # stretches of a card that are looked for in other cards, and cards that are compared with each
STRANGE = -0.2  # the score below which a stretch is not looked for: it is at home
WORDS = 5  # that are shown
_KEPT = 1000  # cards that are kept taken apart
_COMMON, _FEW = 0.02, 20  # a word that more cards hold, in share and in number, leads to no other card


class Sheet(NamedTuple):
    """A card as it is compared: key, title, text with one paragraph a line."""

    key: str
    title: str
    text: str


class Foreign(NamedTuple):
    """The stretch of a card that fits least: its sentences `[start, end)`, the card that it fits better, its words.

    `torn` is the seam of a text that was cut, as printed; that, or a score above `FOREIGN`, makes it `foreign`.
    """

    key: str
    score: float
    foreign: bool
    start: int
    end: int
    quote: str
    elsewhere: str
    words: tuple[str, ...]
    torn: str


class Torn(NamedTuple):
    """A card taken apart: its own sentences, the words of each, those of the title, and a seam where it was cut."""

    sentences: tuple[Part, ...]
    counts: tuple[Mapping[str, int], ...]
    title: Mapping[str, int]
    seam: str


@dataclass(frozen=True, slots=True)
class Shelf:
    """All cards of a corpus, to be compared; the same whatever their order."""

    sheets: Mapping[str, Sheet]
    shared: frozenset[str]  # sentences that many cards hold
    scale: Scale
    holding: Mapping[str, Sequence[str]]  # a word that is not common, and the cards that hold it
    reader: Reader
    kept: dict[str, Torn] = field(default_factory=dict, compare=False)

    def judge(self, key: str) -> Foreign:
        """The stretch of a card that fits least to all else in it."""
        card = self._torn(key)
        words = {word for counted in (*card.counts, card.title) for word in counted}
        weights = {word: self.scale.weight(word) for word in words}
        found = stretches(card.sentences, card.counts, card.title, weights)[:LOOKED_UP]
        if not found:
            return Foreign(key, NOTHING, bool(card.seam), 0, 0, "", "", (), card.seam)
        asked = [(*self._elsewhere(key, stretch), stretch) for stretch in found]
        score, other, worst = min(asked, key=lambda one: (-one[0], one[2].start, one[2].end))
        quote = " ".join(part.text for part in card.sentences[worst.start : worst.end])
        foreign = score > FOREIGN or bool(card.seam)
        said = self._words(card, worst, quote) if foreign else ()
        return Foreign(key, score, foreign, worst.start, worst.end, quote, other, said, card.seam)

    def _elsewhere(self, key: str, stretch: Stretch) -> tuple[float, str]:
        """The score of a stretch with what it shares with the card that is nearest to it, and that card if nearer."""
        if stretch.score < STRANGE:
            return stretch.score, ""
        card = self._torn(key)
        vector = self._vector(_sum(card.counts[stretch.start : stretch.end]))
        taken = {normal(part.text) for part in card.sentences[stretch.start : stretch.end]}
        near = [(self._near(other, vector, taken), other) for other in self._alike(key, vector)]
        share, other = min(near, key=lambda one: (-one[0], one[1]), default=(0.0, ""))
        return stretch.score + 0.5 * share, other if share > stretch.near else ""

    def _alike(self, key: str, vector: Mapping[str, float]) -> list[str]:
        """The cards that share most with a stretch."""
        shared: dict[str, float] = {}
        for word, value in vector.items():
            for other in self.holding.get(word, ()):
                shared[other] = shared.get(other, 0.0) + value * self.scale.weight(word)
        shared.pop(key, None)
        return sorted(shared, key=lambda other: (-shared[other], other))[:LOOKED_UP]

    def _near(self, key: str, vector: Mapping[str, float], taken: set[str]) -> float:
        """The cosine of a stretch with another card, without the sentences that both hold."""
        card = self._torn(key)
        both = zip(card.sentences, card.counts, strict=True)
        kept = [counted for part, counted in both if normal(part.text) not in taken]
        return dot(vector, self._vector(_sum([card.title, *kept])))

    def _torn(self, key: str) -> Torn:
        if key not in self.kept:
            if len(self.kept) >= _KEPT:
                self.kept.clear()
            sheet, found = self.sheets[key], parts(self.sheets[key].text)
            own = tuple(part for part in found if normal(part.text) not in self.shared)
            counts = tuple(self.reader.read(part.text, english=False).words for part in own)
            title = self.reader.read(sheet.title, english=False).words
            self.kept[key] = Torn(own, counts, title, seam(found))
        return self.kept[key]

    def _vector(self, counts: Mapping[str, int]) -> dict[str, float]:
        return unit({word: times * self.scale.weight(word) for word, times in counts.items()})

    def _words(self, card: Torn, stretch: Stretch, quote: str) -> tuple[str, ...]:
        rest = _sum([card.title, *card.counts[: stretch.start], *card.counts[stretch.end :]])
        held = self._vector(_sum(card.counts[stretch.start : stretch.end]))
        strange = {word: value for word, value in held.items() if word not in rest}
        return tuple(telling(units(quote, self.reader), strange, {}, WORDS))


def shelf(sheets: Iterable[Sheet], reader: Reader) -> Shelf:
    """All cards, ready to be compared; of two with one key the later by their text counts."""
    held = {sheet.key: sheet for sheet in sorted(sheets)}
    said = Counter(one for sheet in held.values() for one in {normal(part.text) for part in parts(sheet.text)})
    read = {key: reader.read(f"{sheet.title}\n{sheet.text}", english=False) for key, sheet in held.items()}
    weights = scale(((seen.words, seen.script) for seen in read.values()), apart=True)
    holding: dict[str, list[str]] = {}
    for key, seen in read.items():
        for word in seen.words:
            holding.setdefault(word, []).append(key)
    most = max(_FEW, int(_COMMON * len(held)))
    rare = {word: keys for word, keys in holding.items() if len(keys) <= most}
    return Shelf(held, frozenset(one for one, times in said.items() if times >= OFTEN), weights, rare, reader)


def _sum(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for words in counts:
        total.update(words)
    return total
