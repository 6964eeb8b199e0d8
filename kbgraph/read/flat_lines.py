"""What each line of a flattened text was: a heading, a list, a table, fields, a paragraph."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from kbgraph.model.lexicon import fold
from kbgraph.model.text import Block, HeadingWords
from kbgraph.read import flat_table, runs
from kbgraph.read.flat_labels import head, label_end
from kbgraph.read.headings import bare_rank
from kbgraph.read.rebuild import cut, cuts


class Restorer:
    """Takes the paragraphs of one text in order; `learned` are labels that the text repeats."""

    def __init__(self, learned: frozenset[str], words: HeadingWords) -> None:
        self.learned = learned
        self.words = words
        self.first = True  # the next line is the text's first
        self.in_head = True  # no section has begun

    def restored(self, block: Block) -> list[Block]:
        """What a paragraph was."""
        lines = block.text.split("\n")
        ends = list(accumulate((len(line) + 1 for line in lines), initial=0))
        result: list[Block] = []
        at = 0
        while at < len(lines):
            if runs.has_bullet_line(lines[at]):
                stop = next((n for n in range(at, len(lines)) if not runs.has_bullet_line(lines[n])), len(lines))
                result += runs.bullet_lines(cut(block, ends[at], ends[stop]))
            elif columns := flat_table.columns(lines, at, stop := self.table_end(lines, at)):
                result.append(flat_table.restore(cut(block, ends[at], ends[stop]), columns))
            else:
                stop = at + 1
                result += self.line(cut(block, ends[at], ends[stop]))
            at = stop
        return result

    def table_end(self, lines: Sequence[str], at: int) -> int:
        """Index after the last line that may be a row under a header at an index."""
        if not flat_table.is_header(lines[at]):
            return at
        return next((n for n in range(at + 1, len(lines)) if self.ends_table(lines[n])), len(lines))

    def ends_table(self, line: str) -> bool:
        """Whether a line is surely no row."""
        if runs.has_bullet_line(line) or fold(line) in self.words.sections or label_end(line, self.learned, self.words):
            return True
        return bare_rank(Block("paragraph", line.strip(), 1, 1), self.words, flat=False) > 0

    def line(self, line: Block) -> list[Block]:
        """What one line was."""
        if not line.text:
            return []
        rank = bare_rank(line, self.words, flat=True)
        self.in_head = self.in_head and (self.first or not rank)
        self.first = False
        starts = runs.fields(line.text) if self.in_head else []
        if len(starts) > 1:
            bounds = pairwise([*starts, len(line.text)])
            return runs.items(line, [runs.Point("-", start, start, end) for start, end in bounds])
        return _parts(line, label_end(line.text, self.learned, self.words), is_heading=rank > 0)


def _parts(line: Block, label: int, *, is_heading: bool) -> list[Block]:
    """A line as label, opening words and points."""
    text = line.text
    points = runs.dashed(text, label)
    listed = bool(points) and (label > 0 or text[: points[0].at].rstrip().endswith(("：", ":")))
    if is_heading and not listed:
        return [line]
    points = points or runs.counted(text, label)
    if points and not label and head(text):
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
