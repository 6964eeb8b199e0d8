"""A text in sentences, and seams at which it was torn: numbers that break off, sentences that begin in a number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

_END = re.compile(r"(?<=[。！？；!?;])|(?<=\.)(?=\s|[\u4e00-\u9fff])|\n+")
_CUT_NUMBER = re.compile(r"\d\.$")
_NUMBERED = re.compile(r"(?:[A-Za-z][\w-]*[ -]?\d+(?:\.\d+)*|\b\d{4})\.$")  # `Llama 3.`, `in 2024.`: whole
_GOES_ON = re.compile(r"[\d%％×)）~～]")
_HEADLESS = re.compile(r"\d*\s*[%％×]")
_SEAM = 12  # characters that are shown on both sides of a seam


class Part(NamedTuple):
    """A sentence and the paragraph that it stands in, counted from 0."""

    text: str
    paragraph: int


def parts(text: str) -> list[Part]:
    """The sentences of a text; lines are paragraphs."""
    found: list[Part] = []
    for number, line in enumerate(filter(str.strip, text.split("\n"))):
        found += (Part(sentence.strip(), number) for sentence in _END.split(line) if sentence and sentence.strip())
    return found


def seam(found: Sequence[Part]) -> str:
    """Where a number is cut in two or a sentence begins with the rest of one, as printed; empty where all is whole."""
    for before, after in pairwise(found):
        if before.paragraph != after.paragraph:
            continue
        if (_CUT_NUMBER.search(before.text) and _GOES_ON.match(after.text)) or _HEADLESS.match(after.text):
            return f"{before.text[-_SEAM:]} {after.text[:_SEAM]}"
    last = found[-1].text if found else ""
    return last[-_SEAM:] if _CUT_NUMBER.search(last) and not _NUMBERED.search(last) else ""
