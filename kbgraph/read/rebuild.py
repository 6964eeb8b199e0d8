"""Blocks cut up and put together again, with lines, marks and parents kept right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kbgraph.model.text import Block, Mark


def cut(block: Block, start: int, end: int) -> Block:
    """The stretch of a block's text without blanks around it, its marks clipped, at its own line."""
    return cuts(block, [(start, end)])[0]


def cuts(block: Block, bounds: Sequence[tuple[int, int]]) -> list[Block]:
    """Stretches in order, as `cut` makes them, in one pass over text and marks."""
    result: list[Block] = []
    at, line = 0, block.line
    marks, taken = block.marks, 0
    running: list[Mark] = []  # marks that reach over the end of the last stretch
    for first, last in bounds:
        text = block.text[first:last]
        start = first + len(text) - len(text.lstrip())
        text = text.strip()
        end = start + len(text)
        line += block.text.count("\n", at, start)
        at = start
        while taken < len(marks) and (marks[taken].start < end or marks[taken].start == marks[taken].end == end):
            running.append(marks[taken])
            taken += 1
        inside = tuple(mark._replace(start=max(mark.start, start) - start, end=min(mark.end, end) - start)
                       for mark in running if mark.end > start or mark.start >= start)  # fmt: skip
        running = [mark for mark in running if mark.end > end]
        result.append(block._replace(text=text, marks=inside, line=line, end_line=line + text.count("\n")))
    return result


def replaced(blocks: Sequence[Block], changes: Mapping[int, Sequence[Block]]) -> list[Block]:
    """Blocks with some replaced by others; children of a replaced item go to the last item that came of it."""
    result: list[Block] = []
    moved: list[int] = []  # old index -> new index
    for index, block in enumerate(blocks):
        parent = moved[block.parent] if block.parent >= 0 else -1
        new = changes.get(index)
        if new is None:
            moved.append(len(result))
            result.append(block if parent == block.parent else block._replace(parent=parent))
            continue
        result += [piece._replace(parent=parent) if piece.depth else piece._replace(parent=-1) for piece in new]
        moved.append(len(result) - 1)
    return result


def in_sections(blocks: Sequence[Block]) -> list[Block]:
    """Blocks with the index of the section that each stands in, counted afresh."""
    result: list[Block] = []
    section = -1
    for block in blocks:
        if block.kind == "heading" and not block.depth and not block.quoted:
            section += 1
        result.append(block if block.section == section else block._replace(section=section))
    return result
