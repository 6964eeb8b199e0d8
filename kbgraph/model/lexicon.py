"""The words that recognise things, as values: concepts of the ontology's SKOS schemes with their labels."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


def fold(label: str) -> str:
    """NFKC, casefolded, spaces squeezed: full-width and half-width spellings of a label are equal."""
    plain = label.lower() if label.isascii() else unicodedata.normalize("NFKC", label).casefold()
    return " ".join(plain.split())


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept of a scheme: `name` is the local name (`level-second-hand`), labels are folded, longest first."""

    name: str
    scheme: str
    labels: tuple[str, ...]
    pref: Mapping[str, str]  # language -> preferred label as printed
    rank: int = 0  # evidence levels: higher is stronger
    broader: str = ""
    value: str = ""  # kb:value: factor of a magnitude, symbol of a unit, number of a numeral


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All concepts by scheme; made once from `ontology/lexicon.ttl` and the corpus's own extra labels."""

    schemes: Mapping[str, tuple[Concept, ...]]
    digest: str  # hash of the source, part of the key of cached facts
    by_name: Mapping[str, Concept] = field(default_factory=dict)

    def scheme(self, name: str) -> tuple[Concept, ...]:
        """Concepts of a scheme, in order of name; KeyError for a scheme that the ontology lacks."""
        return self.schemes[name]

    def labels(self, scheme: str) -> dict[str, Concept]:
        """Folded label -> concept of one scheme."""
        return {label: concept for concept in self.schemes[scheme] for label in concept.labels}

    def words(self, scheme: str) -> Mapping[str, frozenset[str]]:
        """Folded labels by what follows the scheme in their concept's name; none for what the ontology lacks."""
        members = self.schemes.get(scheme, ())
        return defaultdict(frozenset, {c.name.removeprefix(f"{scheme}-"): frozenset(c.labels) for c in members})

    def pref(self, name: str, lang: str) -> str:
        """Preferred label of a concept in a language, else in English, else its name."""
        concept = self.by_name.get(name)
        return name if concept is None else concept.pref.get(lang) or concept.pref.get("en") or name


def make_lexicon(concepts: Iterable[Concept], digest: str) -> Lexicon:
    """A Lexicon of these concepts, ordered by name within each scheme."""
    ordered = sorted(concepts, key=lambda c: (c.scheme, c.name))
    schemes: dict[str, list[Concept]] = {}
    for concept in ordered:
        schemes.setdefault(concept.scheme, []).append(concept)
    frozen = {name: tuple(members) for name, members in schemes.items()}
    return Lexicon(frozen, digest, {c.name: c for c in ordered})
