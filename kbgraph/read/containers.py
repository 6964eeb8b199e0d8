"""Handlers of what holds blocks: lists, quotes, footnotes; and of paragraphs and rules between them."""

from __future__ import annotations

from kbgraph.read.page import Closed, Opened, Page, Pieces, Span

_BULLETS = {ord(bullet): bullet for bullet in "-+*"}


def open_block(page: Page, _data: object, _span: Span) -> None:
    """A block begins: what was gathered ends."""
    page.close_text()


def _close_paragraph(page: Page, span: Span) -> None:
    if not page.parts and not page.marks:  # nothing but closing tags
        page.passed.append(("html", page.line(span["start"]), page.line(span["end"] - 1)))
    page.close_text()


def _open_paragraph(page: Page, _data: object, span: Span) -> None:
    """The first paragraph of an item is the item's own text."""
    if page.parts:
        page.close_text()
    page.first = span


def _open_item(page: Page, _data: object, span: Span) -> None:
    if page.parts or page.fresh >= 0:
        page.close_text()
    blocks = page.blocks
    page.fresh = len(blocks)
    blocks.append(None)  # type: ignore[arg-type]  # keeps the place before the item's children until its text is known
    page.items.append(page.fresh)
    start = page.item_start = span["start"]
    page.marker = _BULLETS.get(page.source[start]) or _ordinal(page.source[start : start + 11])


def _ordinal(source: bytes) -> str:
    """The number of an ordered item as printed: "3.", "3)"."""
    return source.split(maxsplit=1)[0].decode("ascii", "ignore")


def _close_item(page: Page, _span: Span) -> None:
    if page.parts or page.fresh >= 0:
        page.close_text()
    page.items.pop()


def _task(page: Page, done: bool, _span: Span) -> None:
    page.marker += " [x]" if done else " [ ]"


def _open_quote(page: Page, _data: object, _span: Span) -> None:
    page.close_text()
    page.quoted += 1


def _close_quote(page: Page, _span: Span) -> None:
    page.close_text()
    page.quoted -= 1


def rule(page: Page, span: Span) -> None:
    """A thematic break."""
    page.close_text()
    page.add("rule", "", page.line(span["start"]))


def _open_footnote(page: Page, label: str, span: Span) -> None:
    page.close_text()
    page.footnote = label
    page.notes.append((label, page.line(span["start"])))
    page.before = len(page.blocks)


def _close_footnote(page: Page, span: Span) -> None:
    page.close_text()
    if len(page.blocks) == page.before:
        page.add("footnote", "", page.line(span["start"]), marker=page.footnote)
    page.footnote = ""


OPENED: Opened = {
    "Paragraph": _open_paragraph,
    "List": open_block,
    "Item": _open_item,
    "BlockQuote": _open_quote,
    "FootnoteDefinition": _open_footnote,
}
CLOSED: Closed = {
    "Paragraph": _close_paragraph,
    "List": None,
    "Item": _close_item,
    "BlockQuote": _close_quote,
    "FootnoteDefinition": _close_footnote,
}
PIECES: Pieces = {"TaskListMarker": _task}
