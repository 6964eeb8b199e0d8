"""The ontology's words as the rooms take them, read once for all tests."""

from __future__ import annotations

from functools import cache

from kbgraph import resources
from kbgraph.lift import heading_words as words_of
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.text import HeadingWords


@cache
def lexicon() -> Lexicon:
    """The shipped lexicon."""
    return resources.lexicon()


@cache
def heading_words() -> HeadingWords:
    """Words that make a bare line a heading."""
    return words_of(lexicon())
