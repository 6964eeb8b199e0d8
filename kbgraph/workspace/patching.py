"""A brief as changes of the documents: these are read for it, and never written."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kbgraph.ask.brief.patch import Source, patch
from kbgraph.lift import heading_words
from kbgraph.model.brief import Brief
from kbgraph.model.patch import Patch
from kbgraph.model.query import Table
from kbgraph.model.settings import Skipped
from kbgraph.read import read
from kbgraph.workspace.files import read_file
from kbgraph.workspace.holdings import Holdings

_HAN = re.compile("[\u4e00-\u9fff]")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_LONE = re.compile(r"\r(?!\n)")


def patched(made: Brief, answers: Mapping[str, Table], holdings: Holdings) -> Patch:
    """The patch of a brief, from the answers that it was made from."""
    documents = sorted({one.path for one in made.compared if one.kind == "KnowledgeDoc"})
    sources = {path: source for path in documents if (source := _source(path, holdings)) is not None}
    return patch(made, answers, sources, holdings.lexicon)


def _source(path: str, holdings: Holdings) -> Source | None:
    """A document by its bytes; None where these cannot be had, are no UTF-8 or end lines as no diff can."""
    found = read_file(holdings.root, path)
    if isinstance(found, Skipped):
        return None
    try:
        text = found[0].decode("utf-8")
    except UnicodeDecodeError:
        return None
    if _LONE.search(text):
        return None
    document = read(found[0], path, heading_words(holdings.lexicon))
    lang = "zh" if len(_HAN.findall(text)) * 10 > len(text) else "en"
    return Source(document, tuple(_LINE.findall(text)), lang)
