"""Headings that no mark shows: bold lines, `一、…`, `增量 1：…`, and the bare lines of a flattened brief."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbgraph.model.lexicon import fold
from kbgraph.model.text import Block, HeadingWords
from kbgraph.read.numbering import Numbered, numbered
from kbgraph.read.rebuild import cut, in_sections

# How deep a heading stands among others, by what it is; numbers with more parts and round brackets stand deeper.
TITLE, PLAIN, ITEM, PART = 1.0, 2.0, 3.0, 4.0
_ENDS = "。.!！?？；;，,、…"
_STOPS = re.compile(r"[。；;！？]|[：:,，.] ?$")
_REMARK = re.compile(r"（[^（）]*）|\([^()]*\)|「[^「」]*」|《[^《》]*》")
_HEAD = re.compile(r"[§第（(〇零一二两三四五六七八九十百①-⑳]|\d{1,3}[.．]\d|[^\W\d_][^\d\n]{0,24}\d|附")


def bare_rank(block: Block, words: HeadingWords, *, flat: bool) -> float:
    """How deep a paragraph stands as a heading, 0.0 when it is none."""
    text = block.text
    if block.kind != "paragraph" or block.depth or block.quoted or "\n" in text or not 0 < len(text) <= 120:
        return 0.0
    if len(block.marks) and _is_bold(block):
        found = numbered(text.rstrip("：: "), words)
        return _number_rank(found) or PART if _is_title(text, 80) else 0.0
    if not _HEAD.match(text) and not flat:
        return 0.0
    if not _is_title(text, 100):
        return 0.0
    rank = _number_rank(numbered(text, words))
    return rank or (_plain_rank(text, words) if flat else 0.0)


def _is_bold(block: Block) -> bool:
    size = len(block.text.rstrip("：: "))
    return any(mark.kind == "strong" and mark.start == 0 and mark.end >= size for mark in block.marks)


def _is_title(text: str, longest: int) -> bool:
    bare = _REMARK.sub("", text).rstrip("：: ")
    return 0 < len(bare) <= longest and bare[-1] not in _ENDS and "。" not in bare and len(bare.split()) <= 16


def _number_rank(found: Numbered) -> float:
    if found.form in ("item", "bare-item"):
        return ITEM
    if found.form == "path":
        return PLAIN + min(found.number.count("."), 8) / 10
    if found.form == "local" and not found.printed[0].isdecimal():
        return PLAIN + (0.5 if found.printed[0] in "（(①②③④⑤⑥⑦⑧⑨⑩" else 0.0)
    return 0.0


def _plain_rank(text: str, words: HeadingWords) -> float:
    """In a flattened text any short line without a sentence's punctuation is a heading."""
    bare = _REMARK.sub("", text).strip()
    folded = fold(bare)
    if folded in words.sections:
        return PLAIN
    if folded in words.parts:
        return PART
    short = len(bare) <= 48 and not _STOPS.search(bare) and "：" not in bare and ": " not in bare
    return PLAIN if short and not bare.startswith(("http", "-")) and any(map(str.isalpha, bare)) else 0.0


def promote(blocks: Sequence[Block], words: HeadingWords, *, flat: bool) -> tuple[list[Block], frozenset[int]] | None:
    """Blocks with bare headings made headings, and which; None when there are none."""
    if flat:
        ranks = [_flat_rank(blocks, index, words) for index in range(len(blocks))]
    else:
        ranks = [bare_rank(b, words, flat=False) if b.kind == "paragraph" and not b.depth else 0.0 for b in blocks]
    if not any(ranks):
        return None
    if flat:
        _find_title(blocks, ranks)
    _keep_holders(blocks, ranks, flat=flat)
    if not any(ranks):
        return None
    result: list[Block] = []
    base, stack = 0, [0.0]
    for block, rank in zip(blocks, ranks, strict=True):
        if rank:
            while len(stack) > 1 and stack[-1] >= rank:
                stack.pop()
            stack.append(rank)
            end = len(block.text.rstrip("：: ")) if block.marks else len(block.text)
            level = min(base + len(stack) - 1, 6)
            result.append(
                cut(block, 0, end)._replace(kind="heading", level=level, line=block.line, end_line=block.end_line)
            )
            continue
        if block.kind == "heading" and not block.depth and not block.quoted:
            base, stack = block.level, [0.0]
        result.append(block)
    return in_sections(result), frozenset(index for index, rank in enumerate(ranks) if rank)


def _flat_rank(blocks: Sequence[Block], index: int, words: HeadingWords) -> float:
    block = blocks[index]
    if _is_label(block):
        known = PLAIN if fold(block.text) in words.sections else PART
        return _number_rank(numbered(block.text, words)) or known
    if block.kind != "paragraph":
        return 0.0
    if index and blocks[index - 1].end_line >= block.line:
        return 0.0  # what came after a label on the same line is no line of its own
    return bare_rank(block, words, flat=True)


def _is_label(block: Block) -> bool:
    """Whether it was cut out of a flattened paragraph: a heading already, without a level."""
    return block.kind == "heading" and not block.level


def _find_title(blocks: Sequence[Block], ranks: list[float]) -> None:
    """The first line of a flattened text is its title."""
    if (
        blocks[0].kind == "paragraph"
        and "\n" not in blocks[0].text
        and ranks[0] < ITEM
        and _is_title(blocks[0].text, 120)
    ):
        ranks[0] = TITLE if ranks[0] in (0.0, PLAIN) else ranks[0]


def _keep_holders(blocks: Sequence[Block], ranks: list[float], *, flat: bool) -> None:
    """A line is a heading when text or a deeper heading stands under it; else it is a sentence or a list."""
    likely = list(ranks)
    for index in range(len(blocks) - 1, -1, -1):
        if not ranks[index] or _is_label(blocks[index]):
            continue
        after = index + 1
        if after == len(blocks) or _is_real(blocks[after]):
            ranks[index] = 0.0
        elif ranks[after]:
            ranks[index] = ranks[index] if ranks[after] > ranks[index] else 0.0
        elif likely[after] and not flat:
            ranks[index] = 0.0


def _is_real(block: Block) -> bool:
    """A heading with a mark of its own."""
    return block.kind == "heading" and block.level > 0 and not block.depth and not block.quoted
