"""Lists that ran together in one paragraph: where each point begins."""

from __future__ import annotations

import re
from typing import NamedTuple

from kbgraph.model.text import Block
from kbgraph.read.rebuild import cut

BULLETS = "•●▪‣◦"
_DASH = re.compile(rf"(?:^|(?<=\s))-\s+(?=\S)|(?:^|(?<=\s))[{BULLETS}]\s*(?=\S)")
_COUNT = re.compile(r"(?:^|(?<=[\s：:；;。]))(\d{1,2})([.．、)）])\s*(?=\S)")
_BULLET_LINE = re.compile(rf"[ \t]*[{BULLETS}]\s*")
_ZH = "\u3400-\u9fff"
_LABEL = rf"[{_ZH}]{{2,8}}(?:（[^（）\n]{{1,24}}）)?[：:]|[A-Z][a-z]+(?: [a-z]+){{0,3}}: "
_TURN = re.compile(rf"(?<=[{_ZH}）」》。；！？])[ \u3000]+(?=[{_ZH}]{{2,8}}[：:])")
_NEXT_FIELD = re.compile(rf"(?<=\S)\s+(?={_LABEL})")
_FIRST_FIELD = re.compile(_LABEL)


class Point(NamedTuple):
    """One point of a run: its marker, and `[start, end)` of its text."""

    marker: str
    start: int
    end: int


def dashed(text: str, at: int = 0) -> list[Point]:
    """Points that " - " or "•" divide, from an offset on."""
    return _points([(match.start(), match.end(), "-") for match in _DASH.finditer(text, at)], len(text))


def counted(text: str, at: int = 0, first: int = 1) -> list[Point]:
    """Points numbered one after the other: " 1. … 2. …"; fewer than two are no list."""
    found: list[tuple[int, int, str]] = []
    for match in _COUNT.finditer(text, at):
        if int(match[1]) == first + len(found):
            found.append((match.start(), match.end(), match[1] + match[2]))
    return _points(found, len(text)) if len(found) > 1 or first > 1 else []


def _points(found: list[tuple[int, int, str]], size: int) -> list[Point]:
    ends = [*(start for start, _, _ in found), size][1:]
    return [Point(marker, begin, end) for (_, begin, marker), end in zip(found, ends, strict=True)]


def point_start(text: str, point: Point) -> int:
    """Offset of a point's marker: where what comes before it ends."""
    return len(text[: point.start].rstrip()) - len(point.marker)


def turns(text: str) -> list[int]:
    """Offsets where a blank between Chinese words is a lost line break: "… 分布 量化结果：…"."""
    return [match.end() for match in _TURN.finditer(text)]


def fields(text: str) -> list[int]:
    """Offsets of fields that ran together: "作者：甲 时间：…"; empty when the text does not begin with one."""
    return [0, *(match.end() for match in _NEXT_FIELD.finditer(text))] if _FIRST_FIELD.match(text) else []


def item(block: Block, point: Point) -> Block:
    """A point as a list item."""
    piece = cut(block, point.start, point.end)
    return piece._replace(kind="item", marker=point.marker, depth=block.depth + (block.kind != "item"))


def bullet_lines(block: Block) -> list[Block]:
    """A paragraph whose lines begin with "•" as the list that it was."""
    result: list[Block] = []
    at = 0
    lines = block.text.split("\n")
    starts: list[tuple[int, int]] = []  # (offset, offset after the bullet or the same)
    for line in lines:
        bullet = _BULLET_LINE.match(line)
        if bullet or not starts:
            starts.append((at, at + bullet.end() if bullet else at))
        at += len(line) + 1
    for (start, begin), (end, _) in zip(starts, [*starts[1:], (len(block.text), 0)], strict=True):
        if begin > start:
            result.append(item(block, Point(block.text[start:begin].strip(), begin, end)))
        else:
            result.append(cut(block, start, end))
    return result


def has_bullet_line(text: str) -> bool:
    """Whether any line begins with a bullet that Markdown does not know."""
    return any(_BULLET_LINE.match(line) for line in text.split("\n"))


def ordered(block: Block) -> list[Block]:
    """A numbered item in which the next numbers follow: "1. a；2. b；3. c"."""
    first = int(block.marker[:-1]) if block.marker[:-1].isdecimal() else 0
    points = [p for p in counted(block.text, 0, first + 1) if first] if "\n" not in block.text else []
    if not points or block.text[: point_start(block.text, points[0])].rstrip()[-1:] not in "；;。":
        return []
    head = cut(block, 0, point_start(block.text, points[0]))
    return [head, *(item(block, point) for point in points)]
