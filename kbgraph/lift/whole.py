"""One document from its kind to its facts."""

from __future__ import annotations

from dataclasses import replace

from kbgraph.lift import kinds
from kbgraph.lift.frame import open_frame
from kbgraph.lift.guarded import masked
from kbgraph.lift.header import said_of
from kbgraph.lift.naming import kind_of, matched
from kbgraph.lift.outline import divide
from kbgraph.lift.shape import kind_by_shape
from kbgraph.model.document import Document
from kbgraph.model.facts import Facts, make_facts
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.settings import Settings


def facts_of(document: Document, lexicon: Lexicon, settings: Settings) -> Facts:
    """The facts of one document; what is odd in it becomes a fact as well."""
    frame = open_frame(document, lexicon, settings, kind_of(document.path, settings))
    frame.said = said_of(frame)
    if not document.title and (title := next((s.value for s in frame.values("field-title") if s.block < 0), "")):
        frame.document = replace(document, title=title)  # front matter may say it in any word of the lexicon
    divide(frame)
    if not matched(document.path, settings)[0]:
        frame.kind = kind_by_shape(frame)
    kinds.REGISTRY[frame.kind](frame)
    return make_facts(frame.me, masked(frame, frame.out))
