"""A table flattened to lines of cells with blanks between: where one cell ends and the next begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from kbgraph.model.text import Block, Cell, Table
from kbgraph.read.rebuild import cuts

_HEADER = re.compile(
    r"[^\s，。；：、,.;:!?（）()\[\]|]{1,12}(?:[ \t\u3000]+[^\s，。；：、,.;:!?（）()\[\]|]{1,12}){1,5}"
)
_WIDE = re.compile(r"[\u3001-\u303f\u3400-\u9fff\uff00-\uffef]")
_OPEN = dict(zip("（(《「『【“", "）)》」』】”", strict=True))
_GAP = re.compile(r"[（(《「『【“）)》」』】”]|(?<=\S)[ \u3000]+(?=\S)")
_CLOSERS = frozenset(_OPEN.values())
_SHORT = 4  # a cell that ends at a mere word gap has at least so many letters
_LONG = 30  # and one in the middle at most so many


def is_header(line: str) -> bool:
    """Whether a line holds nothing but a few short words."""
    return len(line) <= 60 and _HEADER.fullmatch(line.strip()) is not None


def columns(lines: Sequence[str], at: int, stop: int) -> int:
    """How many columns the lines `[at, stop)` have when they are a header of words and rows under it, else 0."""
    rows = lines[at + 1 : stop]
    if not rows or not is_header(lines[at]):
        return 0
    header = lines[at].strip()
    if "\t" in header:
        return len(re.split(r"\t+", header)) if all("\t" in row for row in rows) else 0
    count = len(header.split())
    if any(len(row.split()) < count for row in rows) or sum(map(len, rows)) < 2 * len(header) * len(rows):
        return 0
    return count if count > 2 or len(rows) > 1 else 0


def restore(block: Block, count: int) -> Block:
    """A paragraph as the table that it was; marks go to their cells."""
    offset = 0
    bounds: list[tuple[int, int]] = []
    widths: list[int] = []
    for number, line in enumerate(block.text.split("\n")):
        stops = _stops(line, count) if number else _words(line)
        bounds += pairwise([offset, *(offset + at for at in stops), offset + len(line)])
        widths.append(len(stops) + 1)
        offset += len(line) + 1
    cells = iter([Cell(piece.text, piece.marks, piece.line) for piece in cuts(block, bounds)])
    header, *rows = [tuple(islice(cells, width)) for width in widths]
    text = "\n".join(" | ".join(cell.text for cell in row) for row in (header, *rows))
    return block._replace(kind="table", text=text, marks=(), table=Table(header, tuple(rows)))


def _words(line: str) -> list[int]:
    return [match.start() for match in re.finditer(r"(?<=\S)\s+(?=\S)", line)]


def _stops(line: str, count: int) -> list[int]:
    """Offsets of the blanks that end all cells but the last."""
    if "\t" in line:
        return [match.start() for match in re.finditer(r"\t+", line)][: count - 1]
    gaps = list(_gaps(line)) or [(at, False) for at in _words(line)]
    if len(gaps) == count - 1:
        return [at for at, _ in gaps]
    stops: list[int] = []
    begin = 0
    for column in range(count - 1):
        left = [(at, firm) for at, firm in gaps if at > begin]
        left = left[: len(left) - (count - 2 - column)] if column < count - 2 else left
        if not left:
            break
        at = _stop(left, begin, limit=_LONG if column else len(line))
        stops.append(at)
        begin = at + 1
    return stops


def _stop(gaps: list[tuple[int, bool]], begin: int, limit: int) -> int:
    """The first firm gap near enough, else the first gap after some letters, else the first."""
    firm = next((at for at, is_firm in gaps if is_firm and at - begin <= limit), None)
    if firm is not None:
        return firm
    return next((at for at, _ in gaps if _SHORT <= at - begin <= limit), gaps[0][0])


def _gaps(line: str) -> Iterator[tuple[int, bool]]:
    """Blanks outside brackets; firm ones cannot be the gap that people leave between Chinese and other letters."""
    closing: list[str] = []
    for match in _GAP.finditer(line):
        char = match[0]
        if char in _OPEN:
            closing = [*closing[-8:], _OPEN[char]]  # deeper nesting is no prose
        elif char in _CLOSERS:
            if char in closing:
                del closing[closing.index(char) :]
        elif not closing and line[match.end()] not in _OPEN:
            yield match.start(), _firm(line, match.start(), match.end())


def _firm(line: str, start: int, end: int) -> bool:
    before, after = line[start - 1], line[end]
    word = line[max(line.rfind(" ", max(start - 300, 0), start), 0) : start]
    if "://" in word or ("/" in word and len(word) > 3) or before in _CLOSERS:
        return True  # a path, an address or a remark in brackets ends at a blank
    if _WIDE.match(before):
        return bool(_WIDE.match(after))
    return before.islower() and after.isupper() and not _WIDE.search(line)
