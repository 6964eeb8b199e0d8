"""A text as pieces that can be compared: words, names, runs of Chinese characters, numbers, signs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from Stemmer import Stemmer

from kbgraph.model.lexicon import fold

PieceKind = Literal["word", "name", "han", "number", "sign"]

HAN = r"\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_PIECE = re.compile(
    rf"(?P<han>[{HAN}]+)"
    r"|(?P<number>\d+(?:[.,．，]\d+)*)"
    rf"|(?P<word>[^\W\d_{HAN}]+(?:['’][^\W\d_{HAN}]+)*(?P<tail>(?:[-‐‑.]?\d+)+[^\W{HAN}]*)?)"
    r"|(?P<sign>[%‰％$€£¥￥±+<>=≤≥≈~∼～∞→↑↓×−-])"
)
_MARKUP = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)|<!--.*?-->|</?[a-zA-Z][^<>]*>|[*`]+|(?<!\w)_+|_+(?!\w)")
_STEMMER = Stemmer("english")


class Piece(NamedTuple):
    """A stretch `[start, end)` of a text and the key that it is compared by: stem, folded name, characters, digits."""

    kind: PieceKind
    start: int
    end: int
    key: str


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of an English word in any case; other scripts come back folded."""
    plain = fold(word).replace("’", "'").removesuffix("'s")
    return _STEMMER.stemWord(plain) if plain.isascii() else plain


def bare(text: str) -> str:
    """The text without the marks of Markdown and HTML; a link leaves its words."""
    return _MARKUP.sub(r"\1", text) if any(mark in text for mark in "*`_<[") else text


def normal(text: str) -> str:
    """What two spellings of one text share: no markup, half width, small letters, one blank, no closing mark."""
    return fold(bare(text)).rstrip(" .。;；!！")


def pieces(text: str) -> list[Piece]:
    """The pieces of a text from left to right; punctuation and blanks are none."""
    return [Piece(*_kind(found), *found.span(), _key(found)) for found in _PIECE.finditer(text)]


def _kind(found: re.Match[str]) -> tuple[PieceKind]:
    last = found.lastgroup
    if last == "han":
        return ("han",)
    if last == "number":
        return ("number",)
    if last == "sign":
        return ("sign",)
    return ("name",) if found["tail"] else ("word",)


def _key(found: re.Match[str]) -> str:
    printed = found.group()
    if found.lastgroup == "han":
        return printed
    if found["tail"]:
        return re.sub(r"[-‐‑]", "", fold(printed))
    return stem(printed) if found["word"] else fold(printed)
