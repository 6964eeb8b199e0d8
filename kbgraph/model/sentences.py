"""Statements of one place, put together again as they stood."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WIDE = re.compile(r"[\u2e80-\u9fff\uff00-\uff60]")
_CLOSED = ("。", "！", "？", "…", ".", "!", "?")
_QUOTES = "”’\"'」』）)"


def run_on(texts: Iterable[str]) -> str:
    """The texts as one: a semicolon between two where the first closes with no mark of its own."""
    out = ""
    for text in texts:
        out += joint(out, text) + text
    return out


def joint(before: str, after: str) -> str:
    """What stands between two statements of one line."""
    if not before or not after:
        return ""
    wide = bool(_WIDE.match(before[-1]) or _WIDE.match(after[0]))
    if before.rstrip(_QUOTES).endswith(_CLOSED):
        return "" if wide else " "
    return "；" if wide else "; "
