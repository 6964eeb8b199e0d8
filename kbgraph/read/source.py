"""Source made ready for the parser: what authors mean and the parser would misread. Lines never change."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from kbgraph.model.document import Problem
from kbgraph.read.decode import visible
from kbgraph.read.leaves import CLOSING
from kbgraph.read.pieces import label_key

# `[[pdf]](url)`, `[[pdf]][label]`: to the parser a wikilink and some text, to their author a link.
_BRACKETED = re.compile(r"\[\[([^\[\]\n]*+)\]\](?=\((\S[^()\n]*+(?:\([^()\n]*+\)[^()\n]*+)*+)\)|\[([^\[\]\n]++)\])")
_TARGET = re.compile(r"<[^<>]*>|[^\s]*[/.#:][^\s]*(?:\s+[\"'].*)?")
_ROW = re.compile(r"(?m)^[ \t>]*\|.*\[\[.*$")
_ROW_LINK = re.compile(r"(?<=\[\[)([^\[\]|\\\n]++)\|(?=[^\[\]|\n]++\]\])")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[lr]rm|NewLine);")
_OPENING = re.compile(r"(?im)^ {0,3}(?:<!--|<script|<style|<pre|<textarea|<\?|<!\[CDATA\[)")
_BLANK = re.compile(r"\n[ \t]*\n|\Z")


def untangled(text: str, definitions: Iterable[str]) -> str:
    """Source in which the parser sees the links that were meant."""
    labels = {label_key(label) for label in definitions}

    def escaped(match: re.Match[str]) -> str:
        meant = _TARGET.fullmatch(match[2]) if match[2] else label_key(match[3]) in labels
        return f"[\\[{match[1]}\\]]" if meant else match[0]

    if "]](" in text or "]][" in text:
        text = _BRACKETED.sub(escaped, text)
    if "|" in text:
        # In a row the bar of `[[note|alias]]` would end the cell.
        text = _ROW.sub(lambda row: _ROW_LINK.sub(r"\1\\|", row[0]), text)
    return text


def harmless(text: str) -> str:
    """Source whose entities hold no line end and no hidden character."""
    return _ENTITY.sub(_harmless, text)


def _harmless(match: re.Match[str]) -> str:
    char = html.unescape(match[0])
    seen = " " if char in "\r\n" else visible(char)
    return match[0] if seen == char else seen


def fenced_in(text: str, base: int) -> tuple[str, list[Problem]]:
    """Raw HTML that never ends, ended with its paragraph, so that the rest of the file is still read."""
    pieces: list[str] = []
    problems: list[Problem] = []
    low = text.lower()
    last = {opening: low.rfind(closing) for opening, closing in CLOSING.items()}
    at = line = 0
    for match in _OPENING.finditer(text):
        opening = match[0].strip().lower()
        if match.start() < at or last[opening] >= match.end():
            continue
        end = _BLANK.search(text, match.end())
        stop = end.start() if end else len(text)
        line += text.count("\n", at, match.start())
        code = "unclosed-comment" if opening == "<!--" else "unclosed-html"
        problems.append(Problem(code, base + line + 1, match[0].strip()))
        pieces += (text[at:stop], CLOSING[opening])
        line += text.count("\n", match.start(), stop)
        at = stop
    return "".join((*pieces, text[at:])), problems
