"""HTML inside Markdown: what a reader sees of it, and where it links to."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from kbgraph.model.text import Mark, MarkKind

_NAMES = re.compile(r"\w+")
# Anything else between angle brackets (`<T>`, `<your name>`) is text that only looks like a tag.
ELEMENTS = frozenset(
    _NAMES.findall(
        "a abbr acronym address area article aside audio b base bdi bdo big blockquote body br button canvas "
        "caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed "
        "fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr "
        "html i iframe img input ins kbd label legend li link main map mark marquee math menu meta meter nav "
        "nobr noscript object ol optgroup option output p param path picture pre progress q rect rp rt ruby s "
        "samp script search section select slot small source span strike strong style sub summary sup svg "
        "table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr"
    )
)
_APART = frozenset(_NAMES.findall("br td th tr li p div dt dd summary h1 h2 h3 h4 h5 h6 option hr caption"))
_UNSEEN = frozenset(("script", "style"))
# Possessive and free of "<" inside, so that a search over any text stays linear.
_TAG = re.compile(r"""<(/?)([A-Za-z][A-Za-z0-9-]*+)((?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>""")
_ATTRIBUTE = re.compile(r"""(?<![A-Za-z-])([A-Za-z-]++)\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'<>]++)""")


class Tag(NamedTuple):
    """One tag of an element that HTML knows, or a comment (name "!--"; its text as attribute ""): `[start, end)`."""

    name: str
    closing: bool
    attributes: dict[str, str]
    start: int
    end: int


class Seen(NamedTuple):
    """What is seen of a stretch of HTML, its line breaks kept."""

    text: str
    marks: tuple[Mark, ...]
    only_comments: bool
    unclosed: int  # offset of a comment that never ends, -1 when there is none


def attributes(text: str) -> dict[str, str]:
    """Attributes by lowercased name, entities resolved; the first of a name wins."""
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        value = match[2][1:-1] if match[2][0] in "\"'" else match[2]
        found.setdefault(match[1].lower(), html.unescape(value))
    return found


def plain(text: str) -> str:
    """Text with its entities resolved, and no line break more than before."""
    if "&" not in text:
        return text
    return "\n".join(" ".join(html.unescape(line).splitlines()) for line in text.split("\n"))


def tags(source: str) -> Iterator[Tag]:
    """Tags and comments in order; an unclosed comment reaches to the end."""
    at = 0
    while (at := source.find("<", at)) >= 0:
        if source.startswith("<!--", at):
            close = source.find("-->", at + 4)
            end = close + 3 if close >= 0 else len(source)
            inner = source[at + 4 : close] if close >= 0 else source[at + 4 :]
            yield Tag("!--", close < 0, {"": inner}, at, end)
            at = end
        elif (match := _TAG.match(source, at)) and match[2].lower() in ELEMENTS:
            yield Tag(match[2].lower(), bool(match[1]), attributes(match[3]), at, match.end())
            at = match.end()
        else:
            at += 1


class _Page:
    """Collects what is seen, piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.size = 0
        self.marks: list[Mark] = []
        self.links: list[tuple[str, int]] = []
        self.unclosed = -1

    def add(self, text: str) -> None:
        self.pieces.append(text)
        self.size += len(text)

    def tag(self, tag: Tag, source: str) -> None:
        raw = source[tag.start : tag.end]
        if tag.name == "!--" and tag.closing:
            self.unclosed = tag.start
        if tag.name == "a" and tag.closing:
            if self.links:
                target, start = self.links.pop()
                self.mark("link", start, target)
        elif tag.name == "a" and "href" in tag.attributes:
            self.links.append((tag.attributes["href"], self.size))
        elif tag.name == "img" and "src" in tag.attributes:
            start = self.size
            self.add(" ".join(tag.attributes.get("alt", "").split()))
            self.mark("image", start, tag.attributes["src"])
        elif not tag.closing or tag.name == "!--":
            self.mark("html", self.size, raw)
        if tag.name in _APART:
            self.add(" ")
        self.add("\n" * raw.count("\n"))

    def mark(self, kind: MarkKind, start: int, target: str) -> None:
        self.marks.append(Mark(kind, start, self.size, target))


def see(source: str) -> Seen:
    """What a reader sees of raw HTML; scripts, styles and comments are not seen, but keep their line breaks."""
    page = _Page()
    at, unseen, comments = 0, "", 0
    for tag in tags(source):
        text = source[at : tag.start]
        page.add("\n" * text.count("\n") if unseen else plain(text))
        at = tag.end
        comments += tag.name == "!--"
        if unseen and tag.name != unseen:
            page.add("\n" * source.count("\n", tag.start, tag.end))
            continue
        page.tag(tag, source)
        unseen = tag.name if tag.name in _UNSEEN and not tag.closing else ""
    rest = source[at:]
    page.add("\n" * rest.count("\n") if unseen else plain(rest))
    text = "".join(page.pieces)
    return Seen(text, tuple(page.marks), comments > 0 and not text.strip() and not _shows(page), page.unclosed)


def _shows(page: _Page) -> bool:
    return any(mark.kind != "html" or not mark.target.startswith("<!--") for mark in page.marks)
