"""What a text is indexed by: stems, names, numbers, pairs of Chinese characters; and n-grams of characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from kbgraph.relate.pieces import Piece, bare, normal, pieces


def tokens(text: str) -> list[str]:
    """Stems, names, numbers, and all pairs of neighbours in a Chinese run (a single character stands for itself)."""
    return keys(pieces(bare(text)))


def keys(found: Iterable[Piece]) -> list[str]:
    """The tokens of pieces that are already there."""
    out: list[str] = []
    for piece in found:
        if piece.kind == "han":
            out += bigrams(piece.key)
        elif piece.kind != "sign":
            out.append(piece.key)
    return out


def bigrams(run: str) -> list[str]:
    """All pairs of neighbours of a run of characters; the run itself when it is a single one."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def grams(text: str, size: int = 3) -> Counter[str]:
    """Character n-grams of the normal text, each word with a blank on both sides, and how often each stands there."""
    squeezed = f" {normal(text)} "
    return Counter(squeezed[i : i + size] for i in range(max(1, len(squeezed) - size + 1)))


def counted(found: Iterable[str]) -> Mapping[str, int]:
    """How often each token stands there."""
    return Counter(found)
