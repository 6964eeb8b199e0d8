"""Lists that ran together in one paragraph: where each point begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from kbgraph.model.text import Block
from kbgraph.read.rebuild import cuts

BULLETS = "•●▪‣◦"
_BULLET = re.compile(rf"[{BULLETS}]")
_COUNT = re.compile(r"(?:^|(?<=[\s：:；;。]))(\d{1,2})([.．、)）])\s*(?=\S)")
_BULLET_LINE = re.compile(rf"[ \t]*[{BULLETS}]\s*")
_ZH = "\u3400-\u9fff"
_LABEL = rf"[{_ZH}]{{2,8}}(?:（[^（）\n]{{1,24}}）)?[：:]|[A-Z][a-z]+(?: [a-z]+){{0,3}}: "
_TURN = re.compile(rf"(?<=[{_ZH}）」》。；！？])[ \u3000]+(?=[{_ZH}]{{2,8}}[：:])")
_NEXT_FIELD = re.compile(rf"(?<=\S)\s+(?={_LABEL})")
_FIRST_FIELD = re.compile(_LABEL)


class Point(NamedTuple):
    """One point of a run: its marker and where that stands, and `[start, end)` of its text."""

    marker: str
    at: int
    start: int
    end: int


def dashed(text: str, at: int = 0) -> list[Point]:
    """Points that " - " or "•" divide, from an offset on."""
    found = [match.start() for match in _BULLET.finditer(text, at)] if not text.isascii() else []
    place = text.find("- ", at)
    while place >= 0:
        found.append(place)
        place = text.find("- ", place + 2)
    last = len(text.rstrip()) - 1
    starts = [i for i in sorted(found) if i < last and _may_start(text, i)]
    return _points(text, [(i, i + 1, "-") for i in starts]) if starts else []


def counted(text: str, at: int = 0, first: int = 1) -> list[Point]:
    """Points numbered one after the other: " 1. … 2. …"; fewer than two are no list."""
    found: list[tuple[int, int, str]] = []
    for match in _COUNT.finditer(text, at):
        if int(match[1]) == first + len(found):
            found.append((match.start(), match.end(), match[1] + match[2]))
    return _points(text, found) if len(found) > 1 or first > 1 else []


def _points(text: str, found: list[tuple[int, int, str]]) -> list[Point]:
    """Points of markers at `[start, end)`: each reaches to the next."""
    ends = [*(start for start, _, _ in found), len(text)][1:]
    return [Point(marker, at, begin, end) for (at, begin, marker), end in zip(found, ends, strict=True)]


def turns(text: str) -> list[int]:
    """Offsets where a blank between Chinese words is a lost line break: "… 分布 量化结果：…"."""
    return [match.end() for match in _TURN.finditer(text)]


def fields(text: str) -> list[int]:
    """Offsets of fields that ran together: "作者：甲 时间：…"; empty when the text does not begin with one."""
    return [0, *(match.end() for match in _NEXT_FIELD.finditer(text))] if _FIRST_FIELD.match(text) else []


def items(block: Block, points: Sequence[Point]) -> list[Block]:
    """Points of a block as list items."""
    depth = block.depth + (block.kind != "item")
    pieces = cuts(block, [(point.start, point.end) for point in points])
    return [
        piece._replace(kind="item", marker=point.marker, depth=depth)
        for piece, point in zip(pieces, points, strict=True)
    ]


def bullets(text: str) -> list[Point]:
    """Points that begin with a bullet that Markdown does not know, at a line's start or after a blank."""
    starts = [match.start() for match in _BULLET.finditer(text) if _may_start(text, match.start())]
    return _points(text, [(start, start + 1, text[start]) for start in starts])


def _may_start(text: str, at: int) -> bool:
    return not at or text[at - 1].isspace() or text[at - 1] in "：:。；"


def bullet_lines(block: Block) -> list[Block]:
    """A paragraph with bullets as the list that it was; what stands before the first stays a paragraph."""
    points = bullets(block.text)
    if not block.text[: points[0].at].strip():
        return items(block, points)
    opening, *made = items(block, [Point("", 0, 0, points[0].at), *points])
    return [opening._replace(kind="paragraph", depth=block.depth), *made]


def has_bullet_line(text: str) -> bool:
    """Whether any line begins with a bullet that Markdown does not know."""
    return any(_BULLET_LINE.match(line) for line in text.split("\n"))


def ordered(block: Block, *, flat: bool) -> list[Block]:
    """A numbered item in which the next numbers follow: "1. a；2. b；3. c"; in a flattened text a blank is enough."""
    number = block.marker[:-1]
    if "\n" in block.text or not number.isdecimal():
        return []
    points = counted(block.text, 0, int(number) + 1)
    if not points or not (flat or block.text[: points[0].at].rstrip()[-1:] in ("；", ";", "。")):
        return []
    return items(block, [Point(block.marker, 0, 0, points[0].at), *points])
