"""Handlers of blocks that hold no others: headings, code, raw HTML."""

from __future__ import annotations

import re
from typing import Any

from kbgraph.model.document import Problem
from kbgraph.read.containers import open_block
from kbgraph.read.html import see
from kbgraph.read.page import Closed, Opened, Page, Pieces, Span
from kbgraph.read.pieces import as_typed, clipped, trimmed

_ID = re.compile(r"\s*\{[^{}#]*#([^\s{}#]+)[^{}]*\}$")
_FENCES = (b"`", b"~")
_HASH = ord("#")
# Raw HTML that goes on over blank lines until its end, by its beginning.
CLOSING = {"<!--": "-->", "<script": "</script>", "<style": "</style>", "<pre": "</pre>", "<textarea": "</textarea>",
           "<?": "?>", "<![cdata[": "]]>"}  # fmt: skip


def _open_heading(page: Page, data: dict[str, Any], span: Span) -> None:
    """Outside lists and quotes it opens a section."""
    page.close_text()
    page.level = int(data["level"][1])
    page.first = span
    if not page.items and not page.quoted:
        page.section += 1


def _close_heading(page: Page, span: Span) -> None:
    """Its id is no part of the title."""
    start, level = span["start"], page.level
    page.level = 0
    line = page.line(start)
    text, marks = page.take(line)
    if text.endswith("}") and (found := _ID.search(text)):
        text, marks = clipped(text[: found.start()], marks)
        page.ids[len(page.blocks)] = found[1]
    text, marks = trimmed(text, marks)
    if page.source[start] == _HASH and "\n" not in text:
        end = line
    elif _between_rules(page, line, level):
        page.section -= 1
        page.add("paragraph", text, line, marks, end=page.line(span["end"] - 1) - 1)
        page.add("rule", "", page.line(span["end"] - 1))
        return
    else:
        end = page.line(span["end"] - 1)
    page.add("heading", text, line, marks, level=level, end=end)


def _between_rules(page: Page, line: int, level: int) -> bool:
    """Whether an underlined heading is text between two rules: a header glued into the file, or a note."""
    last = page.blocks[-1] if page.blocks else None
    return level == 2 and last is not None and last.kind == "rule" and last.line == line - 1 and not page.items


def _open_code(page: Page, data: str | dict[str, str], _span: Span) -> None:
    page.close_text()
    page.info = data["Fenced"] if isinstance(data, dict) else None


def _close_code(page: Page, span: Span) -> None:
    """Its line is that of its first line of code, so that lines in it count."""
    start = page.line(span["start"])
    end = page.line(max(span["end"] - 1, span["start"]))
    fenced = page.info is not None
    line = start + 1 if fenced and page.parts else start
    text = as_typed("".join(page.parts).removesuffix("\n"))
    page.parts.clear()
    page.add("code", text, line, marker=page.info or "")
    page.passed.append(("code", start, max(end, line + text.count("\n"))))
    if fenced and _at_end(page, span) and not _closes(page.source[span["start"] : span["end"]]):
        page.problems.append(Problem("unclosed-code", start, page.info or ""))


def _at_end(page: Page, span: Span) -> bool:
    """Whether nothing but blanks follows."""
    return not page.source[span["end"] : span["end"] + 400].strip() and span["end"] + 400 >= len(page.source.rstrip())


def _closes(source: bytes) -> bool:
    """Whether the last line of fenced code is a fence of its own."""
    first, _, rest = source.partition(b"\n")
    last = rest.rstrip().rsplit(b"\n", 1)[-1].strip(b" \t>")
    fence = first.lstrip()[:1]
    return fence in _FENCES and last.startswith(fence * 3) and not last.strip(fence)


def _raw(page: Page, text: str, _span: Span) -> None:
    page.parts.append(text)


def _close_html(page: Page, span: Span) -> None:
    """What is seen of raw HTML, or a comment."""
    line = page.line(page.first["start"] if page.parts else span["start"])
    raw = "".join(page.parts)
    page.parts.clear()
    seen = see(raw)
    end = max(line, page.line(max(span["end"] - 1, 0)))
    if _at_end(page, span) and _swallows(raw):
        page.unclosed = True
    elif seen.unclosed >= 0:
        page.problems.append(Problem("unclosed-comment", line + raw.count("\n", 0, seen.unclosed), "<!--"))
    if seen.only_comments:
        page.add("comment", raw.replace("<!--", "").replace("-->", "").rstrip("\n"), line, end=end)
        page.passed.append(("comment", line, end))
        return
    text, marks = clipped(seen.text.rstrip("\n"), seen.marks)
    page.add("html", text, line, marks, end=end)
    if not text.strip() and all(mark.kind == "html" for mark in marks):
        page.passed.append(("html", line, end))


def _swallows(raw: str) -> bool:
    """Whether raw HTML goes on to the end of the file for want of its end."""
    head = raw.lstrip()[:10].lower()
    return any(head.startswith(opening) and closing not in raw.lower() for opening, closing in CLOSING.items())


OPENED: Opened = {"Heading": _open_heading, "CodeBlock": _open_code, "HtmlBlock": open_block}
CLOSED: Closed = {"Heading": _close_heading, "CodeBlock": _close_code, "HtmlBlock": _close_html}
PIECES: Pieces = {"Html": _raw}
