"""Document to facts: what a file says, as triples of the ontology. Pure and total."""

from __future__ import annotations

from kbgraph.lift.naming import kind_of
from kbgraph.model.document import Document
from kbgraph.model.facts import Facts
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.settings import Settings
from kbgraph.model.text import HeadingWords

__all__ = ["heading_words", "identity", "kind_of", "lift"]


def lift(document: Document, lexicon: Lexicon, settings: Settings) -> Facts:
    """The facts of one document; what is odd in it becomes a fact as well."""
    from kbgraph.lift.whole import facts_of  # noqa: PLC0415  (most starts lift nothing)

    return facts_of(document, lexicon, settings)


def identity(document: Document, facts: Facts) -> tuple[str, str]:
    """What the file is known by whatever its name is, and its day, "" where it has none."""
    from kbgraph.lift.identity import identity_of  # noqa: PLC0415  (most starts lift nothing)

    return identity_of(document, facts)


def heading_words(lexicon: Lexicon) -> HeadingWords:
    """The words that make a bare line a heading."""

    def labels(*schemes: str) -> frozenset[str]:
        return frozenset(label for scheme in schemes for c in lexicon.schemes.get(scheme, ()) for label in c.labels)

    return HeadingWords(labels("section"), labels("item-head"), labels("role"))
