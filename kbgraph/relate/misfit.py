"""What stands in the wrong place among cards: cards, paragraphs and titles, by the words that all else has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import comb, fsum
from statistics import median
from typing import NamedTuple

from kbgraph.relate.misfit_words import Corpus, Told, Voice, Words, corpus, english
from kbgraph.relate.place_text import Reader
from kbgraph.relate.topic import FEWEST, Card, Topics, topics

ENOUGH = 15  # different words that say what a text is about
MANY = 10  # cards with as many that show how much of a card is usually known
FAR, MOST = 0.5, 0.2  # of what is usual, and of all its words: a card of which less is known stands alone
CHANCE = 0.03  # that a card of the corpus has as few of them: above, it is only short
PARAGRAPH = 14  # different words of a paragraph that is judged
AT_HOME = 0.1  # of its words: where more stand in the rest of the card, or in other texts on its work, it fits
MEANT = 0.2  # the same of words that stand there in the other language
UNHEARD = 0.25  # of its words: where fewer are known to others, it is of nothing that the corpus is about
ELSEWHERE = 0.15  # of its words: where one other work has as many, and `AGREED` at least, it is of that work
AGREED = 3
TITLE, TITLE_HAN = 3, 4  # different words of a title that is judged; those of Chinese are shorter
NEARER = 1.0  # the score from which a card is off-topic for being nearer to another topic
WORDS = 5  # that are shown


class Paragraph(NamedTuple):
    """Statements in lines `[line, end]` of a card; one that `names` another work compares, and is not judged."""

    line: int
    end: int
    said: tuple[str, ...]
    names: bool = False

    @property
    def text(self) -> str:
        """All that it says."""
        return " ".join(self.said)


class Leaf(NamedTuple):
    """A card: what it is about, the topics that it is filed under, its title, empty where that is a mere name."""

    key: str
    about: Voice
    topics: tuple[str, ...]
    title: str
    paragraphs: tuple[Paragraph, ...]

    @property
    def card(self) -> Card:
        """The card as topics are judged by."""
        return Card(self.key, self.topics, self.title, "\n".join(paragraph.text for paragraph in self.paragraphs))


class Misfit(NamedTuple):
    """What does not fit: a `card`, a `paragraph` or a `title`, with the share of its words that are known there.

    `topic` is the one it is filed under and `better` a nearer one, or empty; `near` the work that a paragraph is of.
    """

    kind: str
    key: str
    line: int
    end: int
    share: float
    words: tuple[str, ...]
    text: str = ""
    topic: str = ""
    better: str = ""
    near: str = ""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A card, its words by paragraph and all, and how many of them others know."""

    leaf: Leaf
    own: Voice
    parts: tuple[Words, ...]
    words: frozenset[str]
    share: float

    @property
    def count(self) -> int:
        """How many different words it has."""
        return len(self.words)


class Judged(NamedTuple):
    """The misfits by kind, card and line, and how many cards say enough to be compared.

    Where these are fewer than `MANY`, only titles were judged.
    """

    misfits: tuple[Misfit, ...]
    cards: int


def misfits(leaves: Iterable[Leaf], told: Iterable[Told], reader: Reader) -> Judged:
    """What does not fit among cards; `told` is all that the corpus says, the cards' own texts included."""
    known = corpus(told, reader)
    cards = [_seen(leaf, known) for leaf in sorted(set(leaves))]
    many = sum(card.count >= ENOUGH for card in cards)
    inside = {card.leaf.key: _title(card, known) or (_foreign(card, known) if many >= MANY else []) for card in cards}
    own = [_without(card, inside[card.leaf.key], known) for card in cards]
    strays = list(_strays(own, known, reader)) if many >= MANY else []
    gone = {one.key for one in strays}
    found = [one for key, ones in inside.items() if key not in gone for one in ones]
    return Judged(tuple(sorted((*strays, *found))), many)


def _without(card: _Seen, foreign: Iterable[Misfit], known: Corpus) -> _Seen:
    """A card without its foreign paragraphs: they tell nothing of its topic."""
    lines = {one.line for one in foreign if one.kind == "paragraph"}
    if not lines:
        return card
    kept = tuple(one for one in card.leaf.paragraphs if one.line not in lines)
    return _seen(card.leaf._replace(paragraphs=kept), known)


def _seen(leaf: Leaf, known: Corpus) -> _Seen:
    own = leaf.about or frozenset((leaf.key,))
    parts = tuple(known.words(*paragraph.said) for paragraph in leaf.paragraphs)
    every = frozenset().union(*(words.plain for words in parts))
    return _Seen(leaf, own, parts, every, known.share(every, own))


def _strays(cards: Sequence[_Seen], known: Corpus, reader: Reader) -> Iterator[Misfit]:
    """Cards that are nearer to another topic, and those with words that hardly anything else in the corpus has."""
    filed = [card for card in cards if card.leaf.topics and card.count >= ENOUGH]
    kinds = topics((card.leaf.card for card in cards if card.leaf.topics), reader)
    usual = median(card.share for card in filed) if len(filed) >= MANY else 0.0
    for card in filed:
        leaf = card.leaf
        better, words = _better(kinds, leaf)
        if better or _is_far(card, usual):
            topic = max(sorted(leaf.topics), key=lambda name: kinds.sizes.get(name, 0))
            text = leaf.card.text
            told = words or known.printed(text, known.strange(card.words, card.own), WORDS)
            yield Misfit("card", leaf.key, 1, 1, round(card.share, 3), told, leaf.title, topic, better)


def _is_far(card: _Seen, usual: float) -> bool:
    """Whether others know much fewer words of a card than usual, and that not because it has few."""
    if card.share > min(FAR * usual, MOST) or not usual:
        return False
    size, usual = min(card.count, 200), min(usual, 0.95)  # of more words chance says no more
    odds = (comb(size, n) * usual**n * (1 - usual) ** (size - n) for n in range(round(card.share * size) + 1))
    return fsum(odds) <= CHANCE


def _better(kinds: Topics, leaf: Leaf) -> tuple[str, tuple[str, ...]]:
    """A topic that is well known and that a card is nearer to than to its own, with the words that say so."""
    stray = kinds.judge(leaf.card)
    nearer = stray.score > NEARER and kinds.sizes.get(stray.better, 0) >= FEWEST
    return (stray.better, stray.words) if nearer else ("", ())


def _foreign(card: _Seen, known: Corpus) -> list[Misfit]:
    """Paragraphs that have nothing of their card, but much of another work, or words that nobody has."""
    found: list[Misfit] = []
    for at, paragraph in enumerate(card.leaf.paragraphs):
        words = card.parts[at].main
        if paragraph.names or len(words) < PARAGRAPH:
            continue
        at_home = _at_home(card, at, known)
        near, shared = known.nearest(words, card.own)
        near = near if len(shared) >= max(AGREED, ELSEWHERE * len(words)) else ""
        if at_home > AT_HOME or not (near or _unheard(card, at, known)):
            continue
        told = known.printed(paragraph.text, shared if near else known.strange(words, card.own), WORDS)
        line, end, text = paragraph.line, paragraph.end, paragraph.text
        found.append(Misfit("paragraph", card.leaf.key, line, end, round(at_home, 3), told, text, near=near))
    # Two parts of a card that have nothing in common are strange to one another: what nobody knows is the stranger.
    for ones in (found, [one for one in found if not one.near]):
        if _without(card, ones, known).count >= ENOUGH:
            return ones
    return []


def _unheard(card: _Seen, at: int, known: Corpus) -> bool:
    """Whether others know few words of a paragraph, and twice as many of the rest of its card in the same script."""
    words = card.parts[at]
    rest = (part.main for place, part in enumerate(card.parts) if place != at and part.han == words.han)
    share = known.share(words.main, card.own)
    return share <= UNHEARD and share <= known.share(frozenset().union(*rest), card.own) / 2


def _at_home(card: _Seen, at: int, known: Corpus) -> float:
    """The share of a paragraph's words that the rest of its card has; 1 where that says little, or means the same."""
    words, title = card.parts[at], known.words(card.leaf.title)
    rest = [part for place, part in enumerate(card.parts) if place != at]
    if len(frozenset().union(*(part.main for part in rest if part.han == words.han))) < ENOUGH:
        return 1.0
    around = known.beside(card.leaf.about, card.leaf.key).union(title.plain, *(part.plain for part in rest))
    left, size = words.main - around, len(words.main)
    if size - len(left) > AT_HOME * size:
        return 1.0
    both = zip(card.leaf.paragraphs, card.parts, strict=True)
    meant = english(
        "\n".join((card.leaf.title, *(one.text for one, part in both if part.han != words.han))), known.reader
    )
    gloss = known.reader.gloss
    other = [word for word in left if not meant.isdisjoint(gloss(word) if words.han else (word,))]
    return 1.0 if len(other) > MEANT * size else 1 - len(left) / size


def _title(card: _Seen, known: Corpus) -> list[Misfit]:
    """A title that has no word in common with its text; what stands before a colon is a name."""
    leaf = card.leaf
    said = leaf.title.replace("：", ":").partition(":")[2] or leaf.title
    title = known.words(said)
    own = frozenset().union(*(part.plain for part in card.parts if part.han == title.han))
    if len(title.main) < (TITLE_HAN if title.han else TITLE) or len(own) < ENOUGH:
        return []
    if not all(part.plain.isdisjoint(title.plain) for part in card.parts):
        return []
    other = (one.text for one, part in zip(leaf.paragraphs, card.parts, strict=True) if part.han != title.han)
    if not english("\n".join(other), known.reader).isdisjoint(english(said, known.reader)):
        return []
    told = known.printed(leaf.card.text, known.strange(own, card.own), WORDS)
    return [Misfit("title", leaf.key, 1, 1, 0.0, told, leaf.title)]
