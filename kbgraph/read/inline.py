"""Handlers of what stands inside a block: code, formulas, links, images, tags."""

from __future__ import annotations

import re
from typing import Any

from kbgraph.model.text import MarkKind
from kbgraph.read.html import tags
from kbgraph.read.page import Closed, Opened, Page, Pieces, Span
from kbgraph.read.pieces import as_typed, broken, label_key

_SIZE = re.compile(r"\d+(?:x\d+)?")  # the alias of an embedded picture that is only its size
_APART = frozenset(("br", "td", "th", "li", "p", "div"))


def _breaks(page: Page, span: Span) -> int:
    return page.source.count(b"\n", span["start"], span["end"])


def _code(page: Page, text: str, span: Span) -> None:
    if _breaks(page, span):  # the parser turns them into blanks
        text = broken(text, page.source[span["start"] : span["end"]].decode("utf-8", "replace"))
    at = len(page.parts)
    page.marks.append(("code", at, at + 1, ""))
    page.parts.append(as_typed(text))


def _math(page: Page, text: str, span: Span, around: str = "$") -> None:
    """A formula, with its dollars: they may yet turn out to be money."""
    at = len(page.parts)
    page.marks.append(("math", at, at + 1, ""))
    page.parts.append(f"{around}{text}{around}" + "\n" * (_breaks(page, span) - text.count("\n")))


def _display_math(page: Page, text: str, span: Span) -> None:
    _math(page, text, span, "$$")


def _note(page: Page, label: str, _span: Span) -> None:
    at = len(page.parts)
    page.marks.append(("footnote", at, at + 1, label))
    page.parts.append(f"[^{label}]")
    page.noted.append(label)


def _html(page: Page, raw: str, span: Span) -> None:
    """A tag or comment vanishes from the text; what HTML does not know stays."""
    tag = next(tags(raw), None)
    at = len(page.parts)
    if tag is None:
        page.parts.append(raw)
        return
    if tag.name == "a" and tag.closing:
        if page.anchors:
            start, target = page.anchors.pop()
            page.marks.append(("link", start, at, target))
    elif tag.name == "a" and "href" in tag.attributes:
        page.anchors.append((at, tag.attributes["href"]))
    elif tag.name == "img" and "src" in tag.attributes:
        page.marks.append(("image", at, at + 1, tag.attributes["src"]))
        page.parts.append("" if page.level else " ".join(tag.attributes.get("alt", "").split()))
    elif not tag.closing:
        page.marks.append(("html", at, at, raw))
    breaks = _breaks(page, span)
    if breaks or tag.name in _APART:
        page.parts.append("\n" * breaks or " ")


def _open_strong(page: Page, _data: None, _span: Span) -> None:
    page.opens.append(("strong", len(page.parts), ""))


def _open_link(page: Page, data: dict[str, Any], span: Span) -> None:
    if "\n" in data["dest_url"] and not page.parts:  # a wikilink's name over two lines
        page.first = span
    _open(page, "link", "wikilink", data)


def _open_image(page: Page, data: dict[str, Any], span: Span) -> None:
    if not page.parts:  # it may have no text of its own
        page.first = span
    _open(page, "image", "embed", data)


def _open(page: Page, plain: MarkKind, wiki: MarkKind, data: dict[str, Any]) -> None:
    target: str = data["dest_url"]
    if data["link_type"].__class__ is dict:
        # In a table the bar before an alias is escaped, and the parser takes the backslash for the name's.
        page.opens.append((wiki, len(page.parts), target.removesuffix("\\").strip()))
        if "\n" in target and data["link_type"]["WikiLink"]["has_pothole"]:
            page.parts.append("\n" * target.count("\n"))
        return
    if data["id"]:
        page.uses.append(label_key(data["id"]))
    page.opens.append((plain, len(page.parts), target))


def _close_strong(page: Page, _span: Span) -> None:
    kind, start, target = page.opens.pop()
    page.marks.append((kind, start, len(page.parts), target))


def _close_link(page: Page, span: Span) -> None:
    kind, start, target = page.opens.pop()
    end = len(page.parts)
    _make_up(page, start, span)
    if target or kind == "link":
        page.marks.append((kind, start, end, target))


def _close_image(page: Page, span: Span) -> None:
    """In a heading an image is no part of the title, and a size is no text."""
    kind, start, target = page.opens.pop()
    if page.level or (kind == "embed" and _SIZE.fullmatch("".join(page.parts[start:]))):
        del page.parts[start:]
        page.marks[:] = [mark for mark in page.marks if mark[2] <= start]
    page.marks.append((kind, start, len(page.parts), target))
    _make_up(page, start, span)


def _make_up(page: Page, start: int, span: Span) -> None:
    """Line breaks inside a link's target, added to the text so that lines still count."""
    breaks = _breaks(page, span)
    if breaks:
        page.parts.append("\n" * (breaks - sum(part.count("\n") for part in page.parts[start:])))


_LIGHT = dict.fromkeys(("Emphasis", "Strikethrough", "Superscript", "Subscript"))
OPENED: Opened = {**_LIGHT, "Strong": _open_strong, "Link": _open_link, "Image": _open_image}
CLOSED: Closed = {**_LIGHT, "Strong": _close_strong, "Link": _close_link, "Image": _close_image}
PIECES: Pieces = {
    "Code": _code,
    "InlineMath": _math,
    "DisplayMath": _display_math,
    "InlineHtml": _html,
    "FootnoteReference": _note,
}
