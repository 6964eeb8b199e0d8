"""Titles that stand over the text of another work, within and across languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kbgraph.relate.place_scale import Scale, dot, scale
from kbgraph.relate.place_text import Reader, script, telling, units
from kbgraph.relate.topic_mix import Sheet

ALIEN = 0.15  # above, and below the share, a title is called that of another text
SHARE = 0.2  # of what titles usually say of their texts
REACH = 600  # characters of a text: its title is that of its beginning
FEWEST = 5  # different words that say what a text is about, cards that show what is usual
WORDS = 5  # that are shown
NOTHING = -2.0  # the score of a card that has nothing to compare
_USUAL = 0.2  # the cosine of titles and texts in a corpus with few cards
_LEAST = 0.02  # of it: what is below is chance


class Titled(NamedTuple):
    """How little a title says of its text: where it is `alien`, with the card whose title says more and its words."""

    key: str
    score: float
    alien: bool
    other: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Titles:
    """The titles of a corpus, by their English words; the same whatever the order of the cards."""

    sheets: Mapping[str, Sheet]
    said: Mapping[str, float]  # the cosine of the title of each card with its text, where there is enough to compare
    scale: Scale
    holding: Mapping[str, Sequence[tuple[str, float]]]  # a word, and the titles that hold it
    usual: Mapping[tuple[str, str], float]  # what titles in one script say of texts in another
    reader: Reader

    def judge(self, sheet: Sheet) -> Titled:
        """What the title of a card says of its text, against all other titles."""
        same = self.sheets.get(sheet.key) == sheet
        own = self.said.get(sheet.key) if same else _near(*self._read(sheet))
        if own is None:
            return Titled(sheet.key, NOTHING, alien=False, other="", words=())
        usual = self.usual.get(_scripts(sheet), _USUAL)
        if own >= SHARE * usual:
            return Titled(sheet.key, -own / usual, alien=False, other="", words=())
        title, text = self._read(sheet)
        other, best = self._other(sheet, text)
        score = (0.5 * other - own) / usual
        if score <= ALIEN:
            return Titled(sheet.key, score, alien=False, other="", words=())
        strange = {word: value for word, value in title.items() if word not in text}
        return Titled(sheet.key, score, True, best, tuple(telling(units(sheet.title, self.reader), {}, strange, WORDS)))

    def _other(self, sheet: Sheet, text: Mapping[str, float]) -> tuple[float, str]:
        """What the title that says most of a text says, of all that differ from its own, and its card."""
        shared: dict[str, float] = {}
        for word, value in text.items():
            for key, share in self.holding.get(word, ()):
                shared[key] = shared.get(key, 0.0) + value * share
        others = (key for key in shared if key != sheet.key and self.sheets[key].title != sheet.title)
        best = min(others, key=lambda key: (-shared[key], key), default="")
        return shared.get(best, 0.0), best

    def _read(self, sheet: Sheet) -> tuple[dict[str, float], dict[str, float]]:
        title, text = (self.reader.read(said).english for said in (sheet.title, sheet.text[:REACH]))
        return self.scale.vector(title), self.scale.vector(text)


def titles(sheets: Iterable[Sheet], reader: Reader) -> Titles:
    """The titles of all cards; of two cards with one key the later by their text counts."""
    held = {sheet.key: sheet for sheet in sorted(sheets)}
    read = {key: (reader.read(sheet.title), reader.read(sheet.text[:REACH])) for key, sheet in held.items()}
    both = ((title.english + text.english, text.script) for title, text in read.values())
    weights = scale(both, apart=True)
    holding: dict[str, list[tuple[str, float]]] = {}
    said: dict[tuple[str, str], list[float]] = {}
    near: dict[str, float] = {}
    for key, (title, text) in read.items():
        vector = weights.vector(title.english)
        own = _near(vector, weights.vector(text.english))
        if own is not None:
            near[key] = own
            said.setdefault(_scripts(held[key]), []).append(own)
        for word, value in vector.items():
            holding.setdefault(word, []).append((key, value))
    usual = {pair: sorted(values)[len(values) * 3 // 4] for pair, values in said.items() if len(values) >= FEWEST}
    return Titles(held, near, weights, holding, {pair: max(value, _LEAST) for pair, value in usual.items()}, reader)


def _near(title: Mapping[str, float], text: Mapping[str, float]) -> float | None:
    return dot(title, text) if title and len(text) >= FEWEST else None


def _scripts(sheet: Sheet) -> tuple[str, str]:
    return script(sheet.title), script(sheet.text)
