"""Waivers beside what they let stand: `<!-- kbgraph: waive CHECK: reason (until DAY, by NAME) -->`.

A comment holds for the sentence, list point, heading or table row that it stands in; one on lines of its own for the
block below it, else for the block above. It has no hash of what it judged unless it states one: who changes the
sentence has the comment before his eyes, and whoever reads the change sees both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kbgraph import vocab as v
from kbgraph.lift.frame import Frame
from kbgraph.lift.scan.dates import day_in
from kbgraph.lift.scan.sentences import sentences
from kbgraph.model.facts import Term, date, integer, iri, segment, text
from kbgraph.model.lexicon import Lexicon, fold
from kbgraph.model.text import Block, Mark

_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
OURS = re.compile(r"kbgraph\s*[:：]\s*", re.IGNORECASE)
_CHECKS = re.compile(r"\s*([A-Za-z0-9-]+(?:\s*[,，、]\s*[A-Za-z0-9-]+)*)\s*(?:[:：—–]|$)")
_BETWEEN = re.compile(r"\s*[,，、]\s*")
_BRACKET = re.compile(r"[（(]([^（）()]*)[)）]\s*[。.]?\s*$")
_PARTS = re.compile(r"\s*[,，;；]\s*")
_HASH = re.compile(r"[0-9a-f]{16}")
_EDGES = " \t\n:：,，;；"
_NEAR = 2  # lines on which a comment of its own may stand off from its block: a blank one between


class Note(NamedTuple):
    """A comment that speaks to kbgraph: its words, its line, and the lines that it stands beside."""

    words: str
    line: int
    first: int
    last: int


class Waived(NamedTuple):
    """What a comment says; `wrong` is the concept of what is wrong with it."""

    checks: tuple[str, ...] = ()
    reason: str = ""
    until: str = ""
    by: str = ""
    judged: str = ""
    wrong: Term | None = None


def tell_waivers(frame: Frame) -> None:
    """Tell the waivers of a file, and what is no waiver though it looks like one."""
    for note in notes(frame.document.blocks):
        said = waived(note.words, frame.lexicon)
        if said.wrong:
            _tell_problem(frame, note, said.wrong)
        else:
            _tell(frame, note, said)


def _tell(frame: Frame, note: Note, said: Waived) -> None:
    node = frame.node("w")
    frame.tell(node, v.RDF_TYPE, v.KB_WAIVER)
    frame.tell(node, v.KB_LINE, integer(note.line))
    frame.tell(node, v.KB_COVERS_FROM, integer(note.first))
    frame.tell(node, v.KB_COVERS_TO, integer(note.last))
    frame.tell(node, v.KB_REASON, text(said.reason))
    for check in said.checks:
        frame.tell(node, v.KB_CHECK, text(check))
    if said.until:
        frame.tell(node, v.KB_UNTIL, date(said.until))
    if said.judged:
        frame.tell(node, v.KB_JUDGED, text(said.judged))
    if said.by:
        agent = iri(f"{frame.settings.base}agent/{segment(said.by)}")
        frame.tell(node, v.PROV_WAS_ATTRIBUTED_TO, agent)
        frame.tell(agent, v.RDF_TYPE, v.PROV_AGENT)
        frame.tell(agent, v.RDFS_LABEL, text(said.by))


def _tell_problem(frame: Frame, note: Note, wrong: Term) -> None:
    node = frame.node("p")
    frame.tell(node, v.RDF_TYPE, v.KB_READING_PROBLEM)
    frame.tell(node, v.KB_CODE, text("malformed-waiver"))
    frame.tell(node, v.KB_LINE, integer(note.line))
    frame.tell(node, v.KB_REASON, wrong)
    frame.tell(node, v.KB_DETAIL, text(note.words))


def waived(words: str, lexicon: Lexicon) -> Waived:
    """What the words after `kbgraph:` say."""
    rest = _after(words, lexicon, "waiver-verb")
    if rest is None:
        return Waived(wrong=v.KB_ODDITY_WAIVER_VERB)
    named = _CHECKS.match(rest)
    if named is None:
        return Waived(wrong=v.KB_ODDITY_WAIVER_CHECK)
    checks = tuple(dict.fromkeys(name.lower() for name in _BETWEEN.split(named[1])))
    said = _options(rest[named.end() :].strip(), lexicon)
    if not said.wrong and not any(char.isalnum() for char in said.reason):
        return Waived(wrong=v.KB_ODDITY_WAIVER_REASON)
    return said._replace(checks=checks)


def _options(words: str, lexicon: Lexicon) -> Waived:
    """The reason, and what the bracket behind it says; one that holds no option is a part of the reason."""
    bracket = _BRACKET.search(words)
    parts = [part for part in _PARTS.split(bracket[1]) if part.strip()] if bracket else []
    found = {part: _option(part, lexicon) for part in parts}
    if not bracket or not any(name or day_in(part) for part, (name, _) in found.items()):
        return Waived(reason=words)
    given = dict(found.values())
    if "" in given or len(given) < len(parts):
        return Waived(wrong=v.KB_ODDITY_WAIVER_OPTION)
    until, judged = day_in(given.get("until", "")), given.get("judged", "")
    if "until" in given and not until:
        return Waived(wrong=v.KB_ODDITY_WAIVER_DAY)
    if judged and not _HASH.fullmatch(judged):
        return Waived(wrong=v.KB_ODDITY_WAIVER_OPTION)
    reason = words[: bracket.start()].strip(_EDGES)
    return Waived((), reason, until, given.get("by", ""), judged)


def _option(part: str, lexicon: Lexicon) -> tuple[str, str]:
    """Name (`until`, `by`, `judged`) and value of one part of the bracket; the name is "" for anything else."""
    for name in ("until", "by", "judged"):
        value = _after(part, lexicon, f"waiver-{name}")
        if value is not None and value.strip(_EDGES):
            return name, value.strip(_EDGES)
    return "", part


def _after(words: str, lexicon: Lexicon, name: str) -> str | None:
    """What follows the longest label of a concept that opens the words; None when none does."""
    for label in lexicon.by_name[name].labels if name in lexicon.by_name else ():
        end = len(label)
        head, after = words[:end], words[end : end + 1]
        if fold(head) == label and not (label[-1:].isascii() and (after.isalnum() or after == "-") and after.isascii()):
            return words[end:]
    return None


def notes(blocks: tuple[Block, ...]) -> Iterator[Note]:
    """The comments that speak to kbgraph, in the order of the file."""
    for at, block in enumerate(blocks):
        if block.kind == "comment":
            if OURS.search(block.text):
                first, last = _beside(blocks, at)
                yield from _spoken(block.text, block.line, first, last)
        elif block.table:
            for cell in (cell for row in (block.table.header, *block.table.rows) for cell in row):
                yield from _in_marks(cell.marks, cell.line, cell.line, cell.line)
        else:
            for mark in block.marks:
                if mark.kind == "html" and mark.target.startswith("<!--"):
                    line = block.line_at(mark.start)
                    first, last = _around(blocks, at, mark)
                    yield from _in_marks((mark,), line, min(first, line), max(last, line))


def _in_marks(marks: tuple[Mark, ...], line: int, first: int, last: int) -> Iterator[Note]:
    for mark in marks:
        comment = _COMMENT.match(mark.target) if mark.kind == "html" else None
        if comment:
            yield from _spoken(comment[1], line, first, last)


def _spoken(inner: str, line: int, first: int, last: int) -> Iterator[Note]:
    """Each `kbgraph: …` of a comment, or of comments that were read as one."""
    starts = list(OURS.finditer(inner))
    if not starts or inner[: starts[0].start()].strip():
        return  # a comment that mentions it in passing
    for mark, end in zip(starts, [*(m.start() for m in starts[1:]), len(inner)], strict=True):
        at = line + inner.count("\n", 0, mark.start())
        yield Note(" ".join(inner[mark.end() : end].split()), at, min(first, at), max(last, at))


def _around(blocks: tuple[Block, ...], at: int, mark: Mark) -> tuple[int, int]:
    """The lines of the sentence that a comment stands in or behind; of the whole block where it is no paragraph."""
    block = blocks[at]
    first = 1 if at == 0 else block.line
    if block.kind != "paragraph":
        return first, block.end_line
    spans = sentences(block.text, block.marks)
    mine = next((s for s in reversed(spans) if s[0] <= mark.start), spans[0] if spans else (0, len(block.text)))
    start = block.line_at(mine[0])
    return 1 if at == 0 and start == block.line else start, block.line_at(mine[1])


def _beside(blocks: tuple[Block, ...], at: int) -> tuple[int, int]:
    """The lines of the block that a comment on lines of its own stands beside: below it, else above; nearer first."""
    top, bottom = at, at  # other comments between are passed over, unless a blank line parts them
    while top > 0 and _joined(blocks[top - 1], blocks[top]):
        top -= 1
    while bottom + 1 < len(blocks) and _joined(blocks[bottom + 1], blocks[bottom]):
        bottom += 1
    above, below = (blocks[top - 1] if top else None), (blocks[bottom + 1] if bottom + 1 < len(blocks) else None)
    up = blocks[top].line - above.end_line if above and above.kind != "comment" else _NEAR + 1
    down = below.line - blocks[bottom].end_line if below and below.kind != "comment" else _NEAR + 1
    if min(up, down) > _NEAR:
        return blocks[at].line, blocks[at].end_line
    chosen = below if below and down <= up else above
    assert chosen is not None
    # What is said of the file as a whole stands at its first line.
    return 1 if chosen is blocks[0] or above is None else chosen.line, chosen.end_line


def _joined(comment: Block, other: Block) -> bool:
    gap = other.line - comment.end_line if comment.line < other.line else comment.line - other.end_line
    return comment.kind == "comment" and gap <= 1
