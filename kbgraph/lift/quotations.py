"""What a brief quotes: passages in quotation marks that are somebody's words, and the line that they are from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kbgraph import vocab as v
from kbgraph.lift.frame import Frame, concept
from kbgraph.lift.scan import refs
from kbgraph.lift.scan.found import FileRef
from kbgraph.model.facts import integer, text

_QUOTE = re.compile(r"“([^”\n]+)”|「([^」\n]+)」|『([^』\n]+)』|‘([^’\n]{8,})’|\"([^\"\n]+)\"")
# Of a section the words behind its number are its title.
_TITLED = re.compile(r"(?:§\s?|\d|[一二三四五六七八九十节])\s?$")
_BEHIND = re.compile(r"[^“「『\"（(]{0,2}[（(]([^（）()]{0,200})[)）]")
_LINE = re.compile(r"`?:(\d{1,7})")
_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
# Shorter words in quotation marks are mostly names or held at arm's length; with their place they are quoted.
_LONG = 14  # letters: a Chinese character is one, a word of another script counts as two
_SHORT = 6
_PLACES = frozenset({"body", "table", "quote", "reported"})


class Quoted(NamedTuple):
    """Quoted words with their offset, and the file that stands behind them."""

    start: int
    words: str
    source: FileRef | None
    line: int


def tell_quotations(frame: Frame) -> None:
    """Tell the quotations of a brief."""
    tops = refs.tops_of(frame.settings.globs)
    for passage in frame.passages:
        if passage.place not in _PLACES:
            continue
        for found in _quotations(passage.text, frame.document.path, tops):
            node = frame.node("u")
            frame.out += (
                f"{node} {v.RDF_TYPE} {v.KB_QUOTATION}",
                f"{node} {v.KB_AS_PRINTED} {text(found.words)}",
                f"{node} {v.KB_LINE} {integer(passage.line_at(found.start))}",
            )
            if found.source:
                frame.tell(node, v.KB_TARGET_PATH, text(found.source.path))
            if found.line:
                frame.tell(node, v.KB_TARGET_LINE, integer(found.line))
            if within := frame.within(passage):
                frame.out.append(f"{node} {within}")
            if passage.role:
                frame.tell(node, v.KB_ROLE, concept(passage.role))


def _quotations(value: str, path: str, tops: frozenset[str]) -> Iterator[Quoted]:
    for match in _QUOTE.finditer(value):
        words = next(filter(None, match.groups()), "").strip()
        behind = _BEHIND.match(value, match.end())
        files = refs.find_file_refs(behind[1], (), path, tops) if behind and "/" in behind[1] else ()
        if not files and _TITLED.search(value, max(0, match.start() - 4), match.start()):
            continue
        size = len(_HAN.findall(words)) + 2 * len(_WORD.findall(words))
        if size >= (_SHORT if files else _LONG):
            source = files[0] if files and not files[0].template else None
            yield Quoted(match.start(), words, source, line_behind(behind[1], source.end) if behind and source else 0)


def line_behind(value: str, end: int) -> int:
    """The line that a text names right behind a file's name, 0 for none."""
    found = _LINE.match(value, end)
    return int(found[1]) if found else 0
