"""A statement as atoms: words that say something, numbers, and the words that turn, bound or weaken it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from kbgraph.relate.amounts import Amount
from kbgraph.relate.glosses import cut_run
from kbgraph.relate.lexis import Lexis, Sense
from kbgraph.relate.pieces import Piece, bare, pieces

AtomKind = Literal["content", "name", "small", "amount", "negation", "quantifier", "modality"]

_KINDS: tuple[tuple[str, AtomKind], ...] = (
    ("negation", "negation"), ("quantifier", "quantifier"), ("modality", "modality"), ("hedge", "modality"),
)  # fmt: skip
_STOP = re.compile(r"[，,。.;；:：!！?？()（）、\n]")
_JOINED = re.compile(r"[ \-]+")


class Atom(NamedTuple):
    """A stretch `[start, end)` of a text; `key` is what it is compared by."""

    kind: AtomKind
    start: int
    end: int
    key: str
    senses: tuple[Sense, ...] = ()
    amount: Amount | None = None
    clause: int = 0

    @property
    def han(self) -> bool:
        """Whether it is written in Chinese characters."""
        return not self.key.isascii() and self.key[:1] > "\u2e80"


class Reading(NamedTuple):
    """A text without markup and its atoms from left to right."""

    text: str
    atoms: tuple[Atom, ...]

    def printed(self, atom: Atom) -> str:
        """The atom as it stands in the text."""
        return self.text[atom.start : atom.end]


def read(text: str, lexis: Lexis) -> Reading:
    """The atoms of a text."""
    plain = bare(text)
    low = lexis.flat(plain)
    found: list[Atom] = []
    at = 0
    for amount in lexis.amounts.find(low):
        found += _words(low, at, amount.start, lexis)
        found.append(Atom("amount", amount.start, amount.end, "", (), amount))
        at = amount.end
    found += _words(low, at, len(low), lexis)
    return Reading(plain, tuple(_claused(low, found)))


def _claused(low: str, found: list[Atom]) -> Iterator[Atom]:
    clause, at = 0, 0
    for atom in found:
        clause += bool(_STOP.search(low, at, atom.start))
        at = atom.end
        yield atom._replace(clause=clause)


def _words(low: str, start: int, end: int, lexis: Lexis) -> Iterator[Atom]:
    """Atoms of a stretch without numbers."""
    said = [piece for piece in pieces(low[start:end]) if piece.kind != "sign"]
    at = 0
    while at < len(said):
        piece = said[at]
        if piece.kind == "han":
            yield from _han(piece, start, lexis)
            at += 1
            continue
        size, senses = _label(low, start, said, at, lexis)
        last = said[at + size - 1]
        key = " ".join(p.key for p in said[at : at + size])
        yield Atom(_kind(piece, key, senses, lexis), start + piece.start, start + last.end, key, senses)
        at += size


def _label(low: str, start: int, said: Sequence[Piece], at: int, lexis: Lexis) -> tuple[int, tuple[Sense, ...]]:
    """Words of the longest label at a place, at least one, and what it stands for."""
    reach = 1
    while at + reach < len(said) and reach < lexis.longest and said[at + reach].kind in ("word", "name"):
        if not _JOINED.fullmatch(low, start + said[at + reach - 1].end, start + said[at + reach].start):
            break
        reach += 1
    for size in range(reach, 0, -1):
        spelled = _JOINED.sub(" ", low[start + said[at].start : start + said[at + size - 1].end])
        senses = lexis.marks.get(spelled) or lexis.senses.get(" ".join(p.key for p in said[at : at + size]))
        if senses:
            return size, senses
    return 1, ()


def _kind(piece: Piece, key: str, senses: tuple[Sense, ...], lexis: Lexis) -> AtomKind:
    for scheme, kind in _KINDS:
        if any(sense.scheme == scheme for sense in senses):
            return kind
    if key in lexis.small:
        return "small"
    return "name" if piece.kind == "name" else "content"


def _han(piece: Piece, start: int, lexis: Lexis) -> Iterator[Atom]:
    at = start + piece.start
    for word in cut_run(piece.key, lexis.known):
        senses = lexis.marks.get(word) or lexis.senses.get(word, ())
        yield Atom(_kind(piece, word, senses, lexis), at, at + len(word), word, senses)
        at += len(word)
