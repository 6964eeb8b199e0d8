"""Words and numbers looked up in texts: is it there, and where it is not, which line comes nearest."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from kbgraph.relate.pieces import bare

_GAP = re.compile(r"\s*(?:…+|\.{3,}|\[[^\]]{0,20}\])\s*")  # words left out of a quotation, or put in
_NUMBER = re.compile(r"\d+(?:[,，]\d{3})*(?:\.\d+)?")
_LEAST = 0.2  # of the pairs of letters: a line that has fewer is no near one


class Source(NamedTuple):
    """The lines of one file."""

    path: str
    lines: tuple[str, ...]


class Near(NamedTuple):
    """The line that is most like what was looked up."""

    path: str
    line: int
    text: str


def letters(text: str) -> str:
    """Letters and digits alone, folded: what is left when marks, spaces and width are no matter."""
    plain = unicodedata.normalize("NFKC", bare(text)).casefold()
    return "".join(char for char in plain if char.isalnum())


def quoted(words: str, source: Source) -> bool:
    """Whether a file has these words; what a quotation leaves out may stand between them."""
    whole = letters("\n".join(source.lines))
    parts = [part for part in map(letters, _GAP.split(words)) if part]
    return bool(parts) and all(part in whole for part in parts)


def nearest(words: str, sources: Iterable[Source]) -> Near | None:
    """The line of these files that shares most with the words; None where none shares much."""
    wanted = _pairs(letters(words))
    best, found = _LEAST, None
    for source in sources:
        for number, line in enumerate(source.lines, 1):
            score = _share(wanted, _pairs(letters(line))) if line.strip() else 0.0
            if score > best:
                best, found = score, Near(source.path, number, " ".join(bare(line).split()))
    return found


def measured(printed: str, sources: Iterable[Source]) -> Near | None:
    """The first line that gives a number in the same unit, for texts in two languages; None where there is none."""
    unit = _NUMBER.split(printed)[-1].strip()
    if not unit:
        return None
    wanted = re.compile(rf"\d\s?{re.escape(unit)}", re.IGNORECASE)
    for source in sources:
        for number, line in enumerate(source.lines, 1):
            if wanted.search(line):
                return Near(source.path, number, " ".join(bare(line).split()))
    return None


def _pairs(text: str) -> frozenset[str]:
    return frozenset(text[at : at + 2] for at in range(len(text) - 1))


def _share(wanted: frozenset[str], line: frozenset[str]) -> float:
    return len(wanted & line) / len(wanted) if wanted else 0.0


def figures(text: str) -> Iterator[Decimal]:
    """The numbers in digits of a text, as values."""
    for match in _NUMBER.finditer(unicodedata.normalize("NFKC", text)):
        yield Decimal(match.group().replace(",", ""))


def numbered(printed: str, values: Collection[Decimal], source: Source, known: Collection[Decimal]) -> bool:
    """Whether a file gives a number: each of its figures, or its values in other units; a rounding is the same."""
    there = {*known, *(value for line in source.lines for value in figures(line))}
    figures_ = list(figures(printed))
    return all(_given(value, there) for value in figures_) or all(_given(value, there) for value in values or figures_)


def _given(value: Decimal, there: Collection[Decimal]) -> bool:
    if value in there:
        return True
    exponent = value.normalize().as_tuple().exponent
    places = -exponent if isinstance(exponent, int) and exponent < 0 else 0
    if not places and value < 10:  # 3 is no rounding of 3.4: small whole numbers count things
        return False
    return any(round(one, places) == value for one in there if one != one.to_integral_value())
