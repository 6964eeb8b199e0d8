"""Whether two words say the same, the opposite or neither: spelling, terms, glosses, contrast sets."""

from __future__ import annotations

from collections.abc import Iterable

from kbgraph.relate.atoms import Atom
from kbgraph.relate.lexis import Lexis, Sense

SAME, TERM, MEMBER, GLOSS, SHARED, PREFIX = 1.0, 0.95, 0.85, 0.8, 0.6, 0.7
_FEW = 3  # glosses that give a word its main meanings
_LONG = 5  # letters that two English words must share from their start


def alike(x: Atom, y: Atom, lexis: Lexis) -> float:
    """From 0, nothing in common, to 1, the same word."""
    return SAME if x.key == y.key else _compared(x, y, lexis)[0]


def opposite(x: Atom, y: Atom, lexis: Lexis) -> str:
    """The contrast set that two words stand on different sides of, `turned` for a word and its negation, else ""."""
    return "" if x.key == y.key else _compared(x, y, lexis)[1]


def hooks(x: Atom, lexis: Lexis) -> frozenset[str]:
    """Marks of a word of which two words share one if they are alike or contrary at all."""
    known = lexis.hooks.get(x.key)
    if known is None:
        found = {sense.name for sense in x.senses} | {sense.group for sense in meanings(x, lexis)}
        known = lexis.hooks[x.key] = frozenset(
            found | (_han_hooks(x.key, lexis) if x.han else _latin_hooks(x.key, lexis))
        )
    return known


def _han_hooks(word: str, lexis: Lexis) -> set[str]:
    parts = (word, word[:-1], word[1:]) if len(word) > 2 else (word,)
    return {*word, *(f"={stem}" for part in parts for stem in lexis.glosses.english(part))}


def _latin_hooks(key: str, lexis: Lexis) -> set[str]:
    found = {key[:_LONG], *(f"={part}" for part in key.split(" "))}
    return found | {key[len(turn) :][:_LONG] for turn in lexis.grammar["reversing"] if key.startswith(turn)}


def _compared(x: Atom, y: Atom, lexis: Lexis) -> tuple[float, str]:
    """Likeness and contrast set of two words, kept for the next time."""
    one, two = (x, y) if x.key < y.key else (y, x)
    known = lexis.likes.get((one.key, two.key))
    if known is None:
        known = lexis.likes[one.key, two.key] = _alike(one, two, lexis), _opposite(one, two, lexis)
    return known


def _opposite(x: Atom, y: Atom, lexis: Lexis) -> str:
    a, b = meanings(x, lexis), meanings(y, lexis)
    if not {s.name for s in a} & {s.name for s in b}:
        sides = _sides(a, b)
        if sides:
            return min(sides)
    if _turned(x.key, y.key, lexis) or _turned(y.key, x.key, lexis):
        return "turned"
    return _half(x, y, lexis) if x.han and y.han and len(x.key) == len(y.key) == 2 else ""


def meanings(x: Atom, lexis: Lexis) -> tuple[Sense, ...]:
    """The members of contrast sets that a word is, a Chinese one by its main glosses where it is not listed itself."""
    own = tuple(sense for sense in x.senses if sense.scheme == "contrast")
    if own or not x.han or len(x.key) < 2:
        return own
    main = [" ".join(gloss) for gloss in lexis.glosses.senses(x.key)[:_FEW]]
    return tuple(s for gloss in main for s in lexis.senses.get(gloss, ()) if s.scheme == "contrast")


def _alike(x: Atom, y: Atom, lexis: Lexis) -> float:
    shared = {s.name for s in x.senses} & {s.name for s in y.senses}
    if any(name.startswith("term-") for name in shared):
        return TERM
    if shared:
        return MEMBER
    if any(c.isdigit() for c in x.key + y.key):
        return 0.0
    if x.han and y.han:
        return _han_alike(x.key, y.key, lexis)
    if x.han or y.han:
        word, other = (x, y) if x.han else (y, x)
        return _glossed(word.key, other.key, lexis)
    return _spelled_alike(x.key, y.key)


def _glossed(word: str, stem: str, lexis: Lexis) -> float:
    senses = lexis.glosses.senses(word)
    if any(gloss == [stem] for gloss in senses):
        return GLOSS
    if any(stem in gloss for gloss in senses) or set(stem.split(" ")) <= lexis.glosses.english(word):
        return PREFIX
    parts = [lexis.glosses.english(word[:-1]), lexis.glosses.english(word[1:])] if len(word) > 2 else []
    return SHARED if any(stem in part for part in parts) else 0.0


def _han_alike(a: str, b: str, lexis: Lexis) -> float:
    glosses = [{" ".join(gloss) for gloss in lexis.glosses.senses(word)} for word in (a, b)]
    if glosses[0] & glosses[1]:
        return GLOSS
    common = len(set(a) & set(b))
    if min(len(a), len(b)) >= 2 and (a in b or b in a):
        return PREFIX
    return SHARED if common and common * 2 >= max(len(a), len(b)) and min(len(a), len(b)) >= 2 else 0.0


def _spelled_alike(a: str, b: str) -> float:
    size = 0
    for one, two in zip(a, b, strict=False):
        if one != two:
            break
        size += 1
    return PREFIX if size >= _LONG and size * 3 >= max(len(a), len(b)) * 2 else 0.0


def _turned(word: str, other: str, lexis: Lexis) -> bool:
    """Whether one word is the other with a syllable of negation before it."""
    turn = word.removesuffix(other)
    return len(other) > 1 and len(turn) < len(word) and turn in lexis.grammar["reversing"]


def _half(x: Atom, y: Atom, lexis: Lexis) -> str:
    """Two words of two characters that share one of them, the other ones being opposites."""
    for at in (0, 1):
        if x.key[1 - at] == y.key[1 - at]:
            one, two = (lexis.senses.get(word.key[at], ()) for word in (x, y))
            return min(_sides(one, two), default="")
    return ""


def _sides(one: Iterable[Sense], two: Iterable[Sense]) -> list[str]:
    sets = {s.group: s.name for s in one if s.group}
    return [s.group for s in two if sets.get(s.group, s.name) != s.name]
