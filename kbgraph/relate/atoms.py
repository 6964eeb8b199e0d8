"""A statement as atoms: words that say something, numbers, and the words that turn, bound or weaken it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from kbgraph.relate.amounts import Amount
from kbgraph.relate.lexis import Lexis, Sense
from kbgraph.relate.pieces import bare, pieces

AtomKind = Literal["content", "name", "small", "amount", "negation", "quantifier", "modality"]

_BINDS = frozenset({"may", "must"})  # modalities that a statement stands or falls with
_DESIGNATION = re.compile(r"\d{3,}(?![\d.,%])")  # shorter ones count more often than they name
_STOP = re.compile(r"[，,。.;；:：!！?？()（）、\n]")
_JOINED = re.compile(r"[ \-‐‑]*")  # nothing stands between a Chinese word and a Latin one
_BLANK = re.compile(r"[ \-‐‑]+")


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


class _Word(NamedTuple):
    start: int
    end: int
    key: str
    name: bool


def read(text: str, lexis: Lexis) -> Reading:
    """The atoms of a text."""
    plain = bare(text)
    low = lexis.flat(plain)
    found: list[Atom] = []
    at = 0
    for amount in lexis.figures.find(low):
        found += _labelled(low, list(_words(plain, low, at, amount.start, lexis)), lexis)
        name = _DESIGNATION.match(low, amount.start) if _names(low, found, amount, lexis) else None
        if name:
            found.append(Atom("name", *name.span(), name.group()))
        else:
            found.append(Atom("amount", amount.start, amount.end, "", (), amount))
        at = found[-1].end
    found += _labelled(low, list(_words(plain, low, at, len(low), lexis)), lexis)
    return Reading(plain, tuple(_claused(low, _measured(found))))


def _names(low: str, before: list[Atom], amount: Amount, lexis: Lexis) -> bool:
    """Whether a bare number is a name: right behind the word that opens a clause and measures nothing, `模型 7102`."""
    if not before or before[-1].kind != "content" or amount.bound or amount.unit:
        return False
    word = before[-1]
    if low[word.start : word.end] in lexis.metrics:
        return False
    opens = word.start == 0 or _STOP.fullmatch(low[: word.start].rstrip()[-1:]) is not None
    return opens and low[word.end : amount.start] in ("", " ")


def _measured(found: list[Atom]) -> Iterator[Atom]:
    """What belongs to a number says nothing else: its bound, and a measure word that is a quantifier elsewhere (只)."""
    marks = [atom.amount.mark for atom in found if atom.amount]
    for before, atom in zip([None, *found], found, strict=False):
        measures = atom.kind == "quantifier" and before and before.kind == "amount" and before.end == atom.start
        bounds = not atom.amount and any(start <= atom.start and atom.end <= end for start, end in marks)
        yield atom._replace(kind="small") if measures or bounds else atom


def _claused(low: str, found: Iterable[Atom]) -> Iterator[Atom]:
    clause, at = 0, 0
    for atom in found:
        clause += bool(_STOP.search(low, at, atom.start))
        at = atom.end
        yield atom._replace(clause=clause)


def _words(plain: str, low: str, start: int, end: int, lexis: Lexis) -> Iterator[_Word]:
    """Words of a stretch without numbers, Chinese ones by the dictionary."""
    for piece in pieces(low[start:end]):
        at = start + piece.start
        if piece.kind == "han":
            for word in lexis.known.cut(piece.key):
                yield _Word(at, at + len(word), word, False)
                at += len(word)
        elif piece.kind in ("word", "name"):
            named = piece.kind == "name" or _capital(plain, at, start + piece.end)
            yield _Word(at, start + piece.end, piece.key, named)


def _capital(plain: str, start: int, end: int) -> bool:
    """Whether capitals show a name: within the word, or at its head where no sentence begins."""
    word = plain[start:end]
    if word.islower():
        return False
    if not word[1:].islower() and len(word) > 1:
        return True
    before = plain[:start].rstrip(" \"'“‘(（《")
    return word[0].isupper() and bool(before) and before[-1] not in ".!?。！？:：" and word != "I"


def _labelled(low: str, said: list[_Word], lexis: Lexis) -> Iterator[Atom]:
    at = 0
    while at < len(said):
        size, senses = _label(low, said, at, lexis)
        key = " ".join(word.key for word in said[at : at + size])
        kind = _kind(said[at], key, senses, lexis)
        yield Atom(kind, said[at].start, said[at + size - 1].end, key, senses)
        at += size


def _label(low: str, said: list[_Word], at: int, lexis: Lexis) -> tuple[int, tuple[Sense, ...]]:
    """Words of the longest label at a place, at least one, and what it stands for."""
    word = said[at]
    spelled = low[word.start : word.end]
    most = max(lexis.reach.get(word.key, 0), lexis.reach.get(spelled, 0))
    reach = 1
    while reach < most and at + reach < len(said):
        if not _JOINED.fullmatch(low, said[at + reach - 1].end, said[at + reach].start):
            break
        reach += 1
    for size in range(reach, 1, -1):
        several = _BLANK.sub(" ", low[word.start : said[at + size - 1].end])
        stems = " ".join(word.key for word in said[at : at + size])
        if senses := (*lexis.marks.get(several, ()), *lexis.senses.get(stems, ())):
            return size, senses
    if most and not (len(spelled) == 1 and word.name):
        return 1, (*lexis.marks.get(spelled, ()), *lexis.senses.get(word.key, ()))
    return 1, ()


def _kind(word: _Word, key: str, senses: tuple[Sense, ...], lexis: Lexis) -> AtomKind:
    for sense in senses:
        if sense.scheme in ("negation", "quantifier"):
            return "negation" if sense.scheme == "negation" else "quantifier"
        if sense.scheme == "hedge" or sense.value in _BINDS:
            return "modality"
    if word.name and not senses:
        return "name"
    return "small" if key in lexis.small else "content"
