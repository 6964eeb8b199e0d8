"""A text pasted out of a document viewer, its lists run together: read as the Markdown that it was."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise

from kbgraph.model.lexicon import fold
from kbgraph.model.text import Block, HeadingWords
from kbgraph.read import flat_table, runs
from kbgraph.read.headings import bare_rank
from kbgraph.read.rebuild import cut, cuts, replaced

_SENTENCE = re.compile(r"[。；！？，;!?]|, ")
_LONGEST = 48  # a part's label is no longer


def restore(blocks: Sequence[Block], words: HeadingWords, *, bulleted: bool) -> tuple[list[Block], bool]:
    """Blocks with lists restored, and whether the whole text was flattened; `bulleted`: it has a "•" somewhere."""
    learned = _flat_labels(blocks, words)
    if learned is None and not bulleted and not any(block.marker[:1] == "1" for block in blocks):
        return list(blocks), False
    changes: dict[int, list[Block]] = {}
    for index, block in enumerate(blocks):
        if block.kind == "item" and block.marker[:1] == "1":
            new = runs.ordered(block)
        elif block.kind != "paragraph" or block.depth or block.quoted:
            new = []
        elif learned is not None:
            new = _restored(block, learned, words, before_first_heading=_in_head(blocks, index, words))
        else:
            new = runs.bullet_lines(block) if bulleted and _is_bulleted(block.text) else []
        if len(new) > 1 or (new and new[0].kind != block.kind):
            changes[index] = new
    return (replaced(blocks, changes) if changes else list(blocks)), learned is not None


def _is_bulleted(text: str) -> bool:
    return "\n" in text and sum(map(runs.has_bullet_line, text.split("\n"))) > 1


def _in_head(blocks: Sequence[Block], index: int, words: HeadingWords) -> bool:
    """Whether a paragraph stands before the first section of a flattened text."""
    return index < 6 and not any(bare_rank(block, words, flat=True) for block in blocks[1:index])


def _flat_labels(blocks: Sequence[Block], words: HeadingWords) -> frozenset[str] | None:
    """Labels of parts that the text itself shows by repeating them; None when the text is ordinary Markdown."""
    kinds = [block.kind for block in blocks]
    if kinds.count("heading") > 1 or "table" in kinds:
        return None
    listed = sum(block.kind == "item" and block.marker[:1] in "-*+" for block in blocks)
    texts = [
        line for b in blocks if b.kind == "paragraph" and not b.depth and not b.quoted for line in b.text.split("\n")
    ]
    heads = Counter(head for text in texts if (head := _head(text)))
    learned = frozenset(fold(head) for head, count in heads.items() if count > 1)
    signs = sum(_is_sign(text, learned, words) for text in texts)
    signs += sum(
        flat_table.table_lines(b.text.split("\n")) > 0 for b in blocks if b.kind == "paragraph" and "\n" in b.text
    )
    if signs < 2 or listed * 2 > signs:
        return None
    return (
        learned
        if any(bare_rank(block, words, flat=False) for block in _lines(blocks))
        else _sectioned(blocks, learned, words)
    )


def _sectioned(blocks: Sequence[Block], learned: frozenset[str], words: HeadingWords) -> frozenset[str] | None:
    known = any(fold(block.text) in words.sections for block in _lines(blocks))
    return learned if known else None


def _lines(blocks: Sequence[Block]) -> list[Block]:
    """First lines of paragraphs, as paragraphs."""
    paragraphs = [block for block in blocks if block.kind == "paragraph" and not block.depth and not block.quoted]
    return [cut(block, 0, len(block.text.split("\n", 1)[0])) if "\n" in block.text else block for block in paragraphs]


def _head(text: str) -> str:
    """What stands before the first point of a run, when it is short enough for a label."""
    points = runs.dashed(text)
    head = text[: points[0].at].strip(" ：:") if points else ""
    return head if 0 < len(head) <= _LONGEST and not _SENTENCE.search(head) else ""


def _is_sign(text: str, learned: frozenset[str], words: HeadingWords) -> bool:
    """Whether a line can only be a list that lost its line breaks."""
    if runs.has_bullet_line(text):
        return True
    points = runs.dashed(text)
    if points:
        head = text[: points[0].at].rstrip()
        return bool(label_end(text, learned, words)) or (len(points) > 1 and head.endswith(("：", ":")))
    return bool(label_end(text, frozenset(), words)) and len(runs.counted(text)) > 1


def label_end(text: str, learned: frozenset[str], words: HeadingWords) -> int:
    """Offset after the label of a part at the head of a line: `要点 …`, `与 x.md 现有脉络的关系 - …`; 0 when none."""
    points = runs.dashed(text[: 2 * _LONGEST])
    limit = min(points[0].at if points else len(text), _LONGEST)
    best = 0
    for match in re.finditer(r"(?<=\S)(?=[\s：:]|$)", text[: limit + 1]):
        prefix = text[: match.start()]
        if _SENTENCE.search(prefix) or match.start() > limit:
            break
        folded = fold(prefix)
        if folded in learned or folded in words.parts or _fits_template(folded, words.parts):
            best = match.start()
    return best


@cache
def _templates(parts: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Labels with a gap, "与…的关系", as (beginning, end)."""
    return tuple((head, tail) for head, gap, tail in (part.partition("...") for part in parts) if gap and tail)


def _fits_template(folded: str, parts: frozenset[str]) -> bool:
    return any(
        folded.startswith(head) and folded.endswith(tail) and len(folded) > len(head) + len(tail)
        for head, tail in _templates(parts)
    )


def _restored(block: Block, learned: frozenset[str], words: HeadingWords, *, before_first_heading: bool) -> list[Block]:
    """What a paragraph of a flattened text was: a table, a list, or a line for each paragraph."""
    lines = block.text.split("\n")
    columns = flat_table.table_lines(lines)
    if columns:
        return [flat_table.restore(block, columns)]
    if any(map(runs.has_bullet_line, lines)):
        return runs.bullet_lines(block)
    ends = list(accumulate((len(line) + 1 for line in lines), initial=0))
    result: list[Block] = []
    for piece in cuts(block, list(pairwise(ends))):
        starts = runs.fields(piece.text) if before_first_heading else []
        if len(starts) > 1:
            bounds = pairwise([*starts, len(piece.text)])
            result += runs.items(piece, [runs.Point("-", start, start, end) for start, end in bounds])
        elif piece.text:
            result += _parts(piece, label_end(piece.text, learned, words), bare_rank(piece, words, flat=True) > 0)
    return result


def _parts(line: Block, label: int, is_heading: bool) -> list[Block]:
    """A line as label, opening words and points."""
    text = line.text
    if is_heading and not (label and runs.dashed(text)):
        return [line]
    points = runs.dashed(text, label) or runs.counted(text, label)
    if points and not label and _head(text):
        label = points[0].at
    if not label and len(points) < 2:
        points = []
    begin = label + len(text[label:]) - len(text[label:].lstrip(" ：:")) if label else 0
    stop = max(points[0].at, begin) if points else len(text)
    result = [cut(line, 0, label)._replace(kind="heading")] if label else []
    if text[begin:stop].strip():
        result += _turned(cut(line, begin, stop))
    for item in runs.items(line, points):
        first, *rest = _turned(item)
        result += [first, *(piece._replace(kind="paragraph", depth=0, marker="") for piece in rest)]
    return result


def _turned(block: Block) -> list[Block]:
    """A stretch of text, apart where a line break was lost."""
    stops = [at for at in runs.turns(block.text) if at]
    return cuts(block, list(pairwise([0, *stops, len(block.text)]))) if stops else [block]
