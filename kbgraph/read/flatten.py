"""A text pasted out of a document viewer, its lists run together: read as the Markdown that it was."""

from __future__ import annotations

from collections.abc import Sequence

from kbgraph.model.lexicon import fold
from kbgraph.model.text import Block, HeadingWords
from kbgraph.read import flat_table, runs
from kbgraph.read.flat_labels import label_end, learned_labels
from kbgraph.read.flat_lines import Restorer
from kbgraph.read.headings import bare_rank
from kbgraph.read.rebuild import replaced


def restore(blocks: Sequence[Block], words: HeadingWords, *, bulleted: bool) -> tuple[list[Block], bool]:
    """Blocks with lists restored, and whether the whole text was flattened; `bulleted`: it has a "•" somewhere."""
    learned = _flat_labels(blocks, words)
    if learned is None and not bulleted and not any(block.marker[:1] == "1" for block in blocks):
        return list(blocks), False
    restorer = Restorer(learned, words) if learned is not None else None
    changes: dict[int, list[Block]] = {}
    for index, block in enumerate(blocks):
        new: list[Block] = []
        if block.kind == "item" and block.marker[:1] == "1":
            new = runs.ordered(block, flat=restorer is not None)
        elif block.kind == "paragraph" and not block.depth and not block.quoted:
            if restorer:
                new = restorer.restored(block)
            elif bulleted and runs.has_bullet_line(block.text) and len(runs.bullets(block.text)) > 1:
                new = runs.bullet_lines(block)
        if len(new) > 1 or (new and new[0].kind != block.kind):
            changes[index] = new
    return (replaced(blocks, changes) if changes else list(blocks)), learned is not None


def _flat_labels(blocks: Sequence[Block], words: HeadingWords) -> frozenset[str] | None:
    """Labels of parts that the text repeats, when its lists ran together; None when it is ordinary Markdown."""
    kinds = [block.kind for block in blocks]
    if kinds.count("heading") > 1 or "table" in kinds:
        return None
    listed = sum(block.kind == "item" and block.marker[:1] in "-*+" for block in blocks)
    texts = [b.text.split("\n") for b in blocks if b.kind == "paragraph" and not b.depth and not b.quoted]
    lines = [line for text in texts for line in text]
    learned = learned_labels(lines)
    signs = sum(_signs(line, learned, words) for line in lines) + sum(map(_has_table, texts))
    if signs < 2 or listed * 2 > signs:
        return None
    return learned if any(_is_bare_heading(line, words) for line in lines) else None


def _signs(line: str, learned: frozenset[str], words: HeadingWords) -> int:
    """How strongly a line looks like a list that lost its line breaks."""
    if runs.has_bullet_line(line):
        return min(len(runs.bullets(line)), 2)
    points = runs.dashed(line)
    if points:
        opening = line[: points[0].at].rstrip()
        return bool(label_end(line, learned, words)) or (len(points) > 1 and opening.endswith(("：", ":")))
    return bool(label_end(line, frozenset(), words)) and len(runs.counted(line)) > 1


def _has_table(lines: list[str]) -> bool:
    return len(lines) > 1 and flat_table.columns(lines, 0, len(lines)) > 0


def _is_bare_heading(line: str, words: HeadingWords) -> bool:
    known = fold(line) in words.sections
    return known or bare_rank(Block("paragraph", line.strip(), 1, 1), words, flat=False) > 0
