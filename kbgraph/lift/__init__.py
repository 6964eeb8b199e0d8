"""Document to facts: what a file says, as triples of the ontology. Pure and total."""

from __future__ import annotations

from kbgraph.lift import kinds
from kbgraph.lift.frame import open_frame
from kbgraph.lift.guarded import masked
from kbgraph.lift.header import said_of
from kbgraph.lift.outline import divide
from kbgraph.lift.shape import kind_by_shape, kind_of, matched
from kbgraph.model.document import Document
from kbgraph.model.facts import Facts, make_facts
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.settings import Settings
from kbgraph.model.text import HeadingWords

__all__ = ["VERSION", "heading_words", "kind_of", "lift"]

VERSION = 1  # part of the key of cached facts: raise it when equal documents give other facts


def lift(document: Document, lexicon: Lexicon, settings: Settings) -> Facts:
    """The facts of one document; what is odd in it becomes a fact as well."""
    frame = open_frame(document, lexicon, settings, kind_of(document.path, settings))
    frame.said = said_of(frame)
    divide(frame)
    if not matched(document.path, settings)[0]:
        frame.kind = kind_by_shape(frame)
    kinds.REGISTRY[frame.kind](frame)
    return make_facts(frame.me, masked(frame, frame.out))


def heading_words(lexicon: Lexicon) -> HeadingWords:
    """The words that make a bare line a heading."""

    def labels(*schemes: str) -> frozenset[str]:
        return frozenset(label for scheme in schemes for c in lexicon.schemes.get(scheme, ()) for label in c.labels)

    return HeadingWords(labels("section"), labels("item-head"), labels("role"))
