"""Blocks cut up and put together again, with lines, marks and parents kept right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kbgraph.model.text import Block


def cut(block: Block, start: int, end: int) -> Block:
    """The stretch of a block's text without blanks around it, its marks clipped, at its own line."""
    text = block.text[start:end]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    end = start + len(text)
    marks = tuple(
        mark._replace(start=max(mark.start - start, 0), end=min(mark.end - start, len(text)))
        for mark in block.marks
        if (mark.start < end and mark.end > start) or start <= mark.start == mark.end <= end
    )
    line = block.line_at(start)
    return block._replace(text=text, marks=marks, line=line, end_line=line + text.count("\n"))


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
