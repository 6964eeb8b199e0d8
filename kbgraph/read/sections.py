"""Headings as a tree of sections, and what is odd about them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence

from kbgraph.model.document import Problem
from kbgraph.model.text import Block, HeadingWords, Section
from kbgraph.read.numbering import Numbered, numbered

_DROPPED = re.compile(r"[^\w-]+")
# Accents and vowel signs that stand as characters of their own: part of a word, though Python does not think so.
_MARKS = re.compile(
    r"[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u065f\u0900-\u109f\u1ab0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
_new: Callable[..., Section] = tuple.__new__  # at half the price of the constructor


def slug(text: str) -> str:
    """GitHub's anchor of a heading: lower case, punctuation dropped, blanks as hyphens."""
    name = text.strip().lower().replace(" ", "-")
    if name.replace("-", "").isalnum():
        return name
    return _DROPPED.sub(_kept if _MARKS.search(name) else "", name)


def _kept(match: re.Match[str]) -> str:
    return "".join(char for char in match[0] if unicodedata.category(char).startswith("M"))


class Anchors:
    """Makes anchors unique, as GitHub does: -1, -2 on repeats."""

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}

    def unique(self, name: str) -> str:
        """The name itself, or with the first free number."""
        anchor, count = name, self.seen.get(name, 0)
        while anchor in self.seen:
            count += 1
            anchor = f"{name}-{count}"
        self.seen[name] = count
        self.seen.setdefault(anchor, 0)
        return anchor


def make_sections(
    blocks: Sequence[Block], ids: Mapping[int, str], words: HeadingWords, last: int, bare: frozenset[int]
) -> tuple[tuple[Section, ...], list[Problem]]:
    """Sections in order and their problems; `last` is the file's last line, `bare` the headings without a mark."""
    heads = [i for i, block in enumerate(blocks) if block.kind == "heading" and not block.depth and not block.quoted]
    if not heads:
        return (), []
    numbers = _proven([numbered(blocks[i].text.replace("\n", " "), words) for i in heads], [blocks[i] for i in heads])
    parents, depths, ends = _tree([blocks[i] for i in heads], last)
    anchors = _anchors(blocks, heads, ids, bare)
    titled = parents.count(-1) == 1 and blocks[heads[0]].level == 1  # the title's own number is no section's
    sections: list[Section] = []
    for at, (index, head) in enumerate(zip(heads, numbers, strict=True)):
        number = _joined(head, parents[at], sections, numbers, titled)
        title = head.title.rstrip("：: ") if index in bare else head.title
        line = blocks[index].line
        row = (at, depths[at], number, head.printed, title, anchors[at], line, ends[at], index, parents[at])
        sections.append(_new(Section, row))
    return tuple(sections), _problems(blocks, sections, numbers, bare)


def _proven(numbers: list[Numbered], heads: list[Block]) -> list[Numbered]:
    """A number without punctuation ("3 Results", "3 ways to …") counts when a neighbour of its level counts with it."""
    if not any(number.form.startswith("bare") for number in numbers):
        return numbers
    known = {(head.level, n.word, n.number) for n, head in zip(numbers, heads, strict=True) if n.number.isdecimal()}
    result: list[Numbered] = []
    for n, head in zip(numbers, heads, strict=True):
        if not n.form.startswith("bare"):
            result.append(n)
        elif any((head.level, n.word, str(int(n.number) + step)) in known for step in (-1, 1)):
            result.append(n._replace(form="item" if n.word else "local"))
        else:
            result.append(Numbered("", "", head.text, ""))
    return result


def _tree(heads: list[Block], last: int) -> tuple[list[int], list[int], list[int]]:
    """For each heading its parent, its depth in the tree, and the last line of its section."""
    parents: list[int] = []
    depths: list[int] = []
    ends = [max(last, head.line) for head in heads]
    open_: list[int] = []
    for at, head in enumerate(heads):
        while open_ and heads[open_[-1]].level >= head.level:
            ended = open_.pop()
            ends[ended] = max(heads[ended].line, head.line - 1)
        parents.append(open_[-1] if open_ else -1)
        open_.append(at)
        depths.append(len(open_))
    return parents, depths, ends


def _anchors(blocks: Sequence[Block], heads: list[int], ids: Mapping[int, str], bare: frozenset[int]) -> list[str]:
    """Real headings first: on GitHub a bare line has no anchor and pushes none away."""
    anchors = Anchors()
    made: dict[int, str] = {}
    for index in sorted(heads, key=lambda i: i in bare) if bare else heads:
        made[index] = anchors.unique(ids.get(index) or slug(blocks[index].text.replace("\n", " ")) or "section")
    return [made[index] for index in heads]


def _joined(head: Numbered, parent: int, sections: list[Section], numbers: list[Numbered], titled: bool) -> str:
    """A number that counts within its parent, joined to the parent's: `（一）` under `二、` is 2.1."""
    if head.form != "local":
        return head.number
    while parent >= 0 and (not sections[parent].number or numbers[parent].form == "item"):
        parent = sections[parent].parent
    if parent < 0 or (titled and parent == 0):
        return head.number
    return f"{sections[parent].number}.{head.number}"


def _problems(
    blocks: Sequence[Block], sections: list[Section], numbers: list[Numbered], bare: frozenset[int]
) -> list[Problem]:
    found: list[Problem] = []
    titles: dict[tuple[int, str], int] = {}
    printed: dict[tuple[str, ...], int] = {}
    before: dict[tuple[int, str, str], int] = {}
    level = 6
    for section, head in zip(sections, numbers, strict=True):
        block = blocks[section.block]
        if not block.text:
            found.append(Problem("empty-heading", block.line))
        if block.level > level + 1:
            found.append(Problem("level-skipped", block.line, f"h{level} -> h{block.level}"))
        level = block.level
        if block.text and section.block not in bare:
            first = titles.setdefault((section.parent, block.text.casefold()), block.line)
            if first != block.line:
                found.append(Problem("duplicate-heading", block.line, f"{block.text}: also line {first}"))
        if section.number:
            found += _number_problems(section, head, printed, before)
    return found


def _number_problems(
    section: Section, head: Numbered, printed: dict[tuple[str, ...], int], before: dict[tuple[int, str, str], int]
) -> list[Problem]:
    found: list[Problem] = []
    # Entries, and numbers that count within a parent without number, begin anew in each part.
    apart = head.form == "item" or (head.form == "local" and section.number == head.number)
    key = (str(section.parent), head.word, section.number) if apart else (section.number,)
    first = printed.setdefault(key, section.line)
    if first != section.line:
        found.append(Problem("duplicate-number", section.line, f"{section.number}: also line {first}"))
    prefix, _, own = section.number.rpartition(".")
    if own.isdecimal():
        row = (section.parent, head.word if head.form == "item" else "", prefix)
        last = before.get(row, int(own))
        if int(own) > last + 1:
            earlier = f"{prefix}.{last}" if prefix else str(last)
            found.append(Problem("number-gap", section.line, f"{earlier} -> {section.number}"))
        before[row] = int(own)
    return found
