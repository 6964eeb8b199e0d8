"""The words of the lexicon and of the dictionary, made ready once for reading many texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from kbgraph.model.lexicon import Lexicon
from kbgraph.relate.figures import Figures
from kbgraph.relate.glosses import Cutter, Glosses
from kbgraph.relate.pieces import HAN, stem

MARKS = ("negation", "quantifier", "modality", "hedge")  # schemes whose words change what a statement says
MEANINGS = ("contrast", "term", "once", "counter")  # schemes whose words stand for a concept
_HAN = re.compile(rf"[{HAN}]+")
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 32, 0xA0: 32, 0x2019: 39, 0xB5: 0x3BC}


class Sense(NamedTuple):
    """What a label stands for: scheme, concept, class and, in contrast sets, the set."""

    scheme: str
    name: str
    value: str
    group: str


@dataclass(frozen=True)
class Lexis:
    """Labels by their key: words that turn a statement as they are spelled, all others by the stems of their words."""

    lexicon: Lexicon
    glosses: Glosses
    marks: Mapping[str, tuple[Sense, ...]]
    senses: Mapping[str, tuple[Sense, ...]]
    small: frozenset[str]  # words without matter of their own
    hooks: dict[str, frozenset[str]] = field(default_factory=dict)  # of words seen before
    likes: dict[tuple[str, str], tuple[float, str]] = field(default_factory=dict)  # what was compared before

    def flat(self, text: str) -> str:
        """Small letters, half width, simplified characters: another spelling of the same length."""
        low = text.lower()
        if len(low) != len(text):
            low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
        return self.glosses.simplified(low.translate(_NARROW))

    @cached_property
    def reach(self) -> Mapping[str, int]:
        """How many words the longest label has that begins with a word."""
        found: dict[str, int] = {}
        for label in (*self.marks, *self.senses):
            first = label.partition(" ")[0]
            found[first] = max(found.get(first, 1), label.count(" ") + 1)
        return found

    @cached_property
    def sets(self) -> Mapping[str, str]:
        """Contrast sets by what they tell apart: `thing`, `condition`, `mechanism`, or "" for what cannot both hold."""
        return {
            concept.name: concept.value for concept in self.lexicon.schemes.get("contrast", ()) if not concept.broader
        }

    @cached_property
    def metrics(self) -> frozenset[str]:
        """Words for what is measured."""
        return frozenset(label for concept in self.lexicon.schemes.get("metric", ()) for label in concept.labels)

    @cached_property
    def grammar(self) -> Mapping[str, frozenset[str]]:
        """Words that tell who does what to whom, by what they do."""
        return self.lexicon.words("grammar")

    @cached_property
    def figures(self) -> Figures:
        """Reads numbers by the words of this lexicon."""
        return Figures(self.lexicon)

    @cached_property
    def known(self) -> Cutter:
        """All Chinese words by which a run is cut."""
        return Cutter(self.glosses.words, [x for x in (*self.marks, *self.senses, *self.small) if _HAN.fullmatch(x)])


def make(lexicon: Lexicon, glosses: Glosses) -> Lexis:
    """The words of a lexicon and a dictionary, ready for reading."""
    marks = _by_label(lexicon, MARKS, lambda label: _spelled(label, glosses))
    senses = _by_label(lexicon, MEANINGS, lambda label: _stems(label, glosses))
    small = {_stems(label, glosses) for concept in lexicon.schemes.get("small", ()) for label in concept.labels}
    return Lexis(lexicon, glosses, marks, senses, frozenset(small))


def _by_label(lexicon: Lexicon, schemes: Iterable[str], key: Callable[[str], str]) -> dict[str, tuple[Sense, ...]]:
    found: dict[str, dict[Sense, None]] = {}
    for scheme in schemes:
        for concept in lexicon.schemes.get(scheme, ()):
            sense = Sense(scheme, concept.name, concept.value, concept.broader)
            for label in concept.labels if scheme != "contrast" or concept.broader else ():
                if "..." not in label:
                    found.setdefault(key(label), {})[sense] = None
    return {label: tuple(senses) for label, senses in found.items()}


def _spelled(label: str, glosses: Glosses) -> str:
    return glosses.simplified(label) if _HAN.fullmatch(label) else " ".join(label.replace("-", " ").split())


def _stems(label: str, glosses: Glosses) -> str:
    return " ".join(stem(word) for word in _spelled(label, glosses).split(" "))
