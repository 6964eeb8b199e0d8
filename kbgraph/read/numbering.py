"""The number that a heading prints: `3.1`, `§3.1`, `一、`, `（一）`, `第三节`, `增量 1：`, `Chapter 2`."""

from __future__ import annotations

import re
from typing import NamedTuple

from kbgraph.model.lexicon import fold
from kbgraph.model.text import HeadingWords

_ZH = "〇零一二两三四五六七八九十百"
_DIGITS = dict(zip("〇零一二三四五六七八九", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)) | {"两": 2}
_N = rf"(?:\d{{1,3}}|[{_ZH}]{{1,5}})"
_GLUE = r"(?=[\s\u3000-\u9fff（(【「『《“—–-]|$)"  # what may follow a dotted number without making it a quantity
_SECTION = re.compile(rf"§\s*((?:\d{{1,3}}(?:[.．]\d{{1,3}})*)|[{_ZH}]{{1,5}})\s*[.．、:：]?\s*")
_ORDINAL = re.compile(
    rf"第\s*({_N})\s*([章节節部篇回编卷讲講课課条條项項](?:分)?)(?=[\s:：、.．，—–-]|$|(?<=[章节節]))\s*[:：、.．—–-]*\s*"
)
_ROUND = re.compile(rf"[（(]\s*({_N})\s*[）)]\s*[、.．:：]?\s*")
_COUNTED = re.compile(rf"([{_ZH}]{{1,5}})\s*(?:[、.．:：])\s*")
_DOTTED = re.compile(rf"(\d{{1,3}}(?:[.．]\d{{1,3}})+)(?:[.．、:：)）]\s*|{_GLUE})\s*")
_SINGLE = re.compile(r"(\d{1,3})(?:[.．、)）:：](?![\d/]))\s*")
_BARE = re.compile(rf"(\d{{1,2}}|[{_ZH}]{{1,3}})\s+(?=\S)")
_LETTER = re.compile(r"([A-Z](?:[.．]\d{1,3})+)[.．、:：]?(?=\s|$)\s*")
_CIRCLED = re.compile(r"([①-⑳])\s*")
_WORDED = re.compile(
    rf"(#?[^\W\d_][^\d:：（(。，,]{{0,24}}?)[\s#.．]*({_N}(?:[.．]\d{{1,3}})*|(?<=\s)[A-Z])\s*"
    rf"((?:（[^（）]{{0,60}}）|\([^()]{{0,60}}\))\s*)?([:：.．、—–-]+|(?=\s)|$)\s*"
)


_COUNTS = re.compile(rf"[\d{_ZH}]| [A-Z]\b")


class Numbered(NamedTuple):
    """A heading's number: normal form, as printed, and the rest of the heading. `form` tells how it was written."""

    number: str
    printed: str
    title: str
    form: str  # "path" counts through the document, "local" within its parent, "item" is an entry; "bare…" needs proof
    word: str = ""  # folded word of an item head or ordinal


def numeral(text: str) -> int:
    """Value of a Chinese or Arabic numeral below a thousand."""
    if text.isdecimal():
        return int(text)
    total = digit = 0
    for char in text:
        if char in "十百":
            total += (digit or 1) * (10 if char == "十" else 100)
            digit = 0
        else:
            digit = digit * 10 + _DIGITS[char]
    return total + digit


def numbered(text: str, words: HeadingWords) -> Numbered:
    """The number at the head of a heading; without one the title is the whole text."""
    first = text[:1]
    if first.isdecimal():
        found = _arabic(text)
    elif first in "§第（(" or first in _ZH or "①" <= first <= "⑳":
        found = _marked(text, first, words)
    else:
        found = _lettered(text)
    if not found and _COUNTS.search(text, 0, 60):
        found = _worded(text, words)
    return found or Numbered("", "", text, "")


def _arabic(text: str) -> Numbered | None:
    if match := _DOTTED.match(text):
        return _made(match, text, _normal(match[1]), "path")
    if match := _SINGLE.match(text):
        return _made(match, text, _normal(match[1]), "local")
    if match := _BARE.match(text):
        return _made(match, text, _normal(match[1]), "bare")
    return None


def _marked(text: str, first: str, words: HeadingWords) -> Numbered | None:
    if first == "§":
        match = _SECTION.match(text)
        return _made(match, text, _normal(match[1]), "path") if match else None
    if first == "第":
        match = _ORDINAL.match(text)
        if not match:
            return None
        form = "item" if match[2] in words.items else "local"
        return _made(match, text, _normal(match[1]), form, match[2])
    if first in "（(":
        match = _ROUND.match(text)
        return _made(match, text, _normal(match[1]), "local") if match else None
    if match := _CIRCLED.match(text):
        return _made(match, text, str(ord(first) - ord("①") + 1), "local")
    if match := _COUNTED.match(text):
        return _made(match, text, _normal(match[1]), "local")
    return _made(match, text, _normal(match[1]), "bare") if (match := _BARE.match(text)) else None


def _lettered(text: str) -> Numbered | None:
    match = _LETTER.match(text)
    return _made(match, text, match[1].replace("．", "."), "path") if match else None


def _worded(text: str, words: HeadingWords) -> Numbered | None:
    """`增量 1：`, `条目 5（复核）：`, `Item 3 —`, `Chapter 2: …`, `附录 A`."""
    match = _WORDED.match(text)
    if not match:
        return None
    word = fold(match[1].lstrip("#")).rstrip(" :.")
    names = {word, f"{word}."}
    letter = "A" <= match[2] <= "Z"
    if not letter and "." not in match[2] and names & words.items:
        # "新增 3 项" only counts; a colon, a remark in brackets or the line's end make it a head.
        firm = match[3] or match[4] or match.end() == len(text)
        return _made(match, text, _normal(match[2]), "item" if firm else "bare-item", word)
    if names & words.ordinals:
        number = match[2] if letter else _normal(match[2])
        return _made(match, text, number, "path" if "." in number else "local", word)
    return None


def _normal(printed: str) -> str:
    return ".".join(str(numeral(part)) for part in printed.replace("．", ".").split("."))


def _made(match: re.Match[str], text: str, number: str, form: str, word: str = "") -> Numbered:
    return Numbered(number, match[0].rstrip(), text[match.end() :].strip(), form, word)
