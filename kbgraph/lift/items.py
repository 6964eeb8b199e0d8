"""Items of reports and briefs: from headings, list points and table rows; told when all of their parts are read."""

from __future__ import annotations

import re
from collections.abc import Callable

from kbgraph import vocab as v
from kbgraph.lift import nodes
from kbgraph.lift.frame import Frame, Item, concept, worded
from kbgraph.lift.heads import part_of
from kbgraph.lift.scan import ids
from kbgraph.lift.scan.found import Id
from kbgraph.model.facts import Term, integer, text
from kbgraph.model.text import Block, Mark, Section

_ASIDE = re.compile(r"[(（\[【]([^()（）\[\]【】]*)[)）\]】]")
_DIGITS = re.compile(r"\d+(?:\.\d+)*")
# The code of a task; `F2、F3 …` tells how two earlier ones stand.
_CODE = re.compile(r"([A-Z]{1,3}-?\d{1,3})\s*[:：.、]\s*(?![A-Z]{1,3}-?\d)")
_ADDRESS = re.compile(r"^\s*https?://\S+\s*[:：]")
_TASK_END = re.compile(r"[。.]$")
_HEAD = re.compile(r"[^。；;\n]{1,160}")
# Works go before repositories, repositories before pages.
_RANKS: tuple[Callable[[Id], bool], ...] = (lambda i: i.work, lambda i: i.kind == "repo", lambda i: i.kind == "url")
# Parts whose list points give a reason after what they name.
REASONED = frozenset({"section-dropped", "section-low-relevance", "section-re-check", "section-candidates", ""})
# Verdicts by which an item of a brief is no increment.
_LOW = frozenset({
    "verdict-no-new-view", "verdict-count-only", "verdict-off-topic", "verdict-low-relevance", "verdict-dropped",
    "verdict-misclassified", "verdict-duplicate",
})  # fmt: skip


def add(frame: Frame, item: Item) -> int:
    """Keep an item; its index."""
    frame.items.append(item)
    return len(frame.items) - 1


def headed(frame: Frame, section: Section) -> int:
    """The item that a section is; its index."""
    block = frame.document.blocks[section.block]
    part = part_of(frame, section.index) or ("section-new-items" if frame.kind == "brief" else "")
    number = next(iter(_DIGITS.findall(section.printed)), "") or section.number.rpartition(".")[2]
    item = Item(frame.node("i"), number, section.title, section.line, section.end_line, section.index, part)
    item.about = subjects(frame, block.text, block.marks)
    asides = " ".join(_ASIDE.findall(f"{section.printed} {section.title}"))
    item.verdict = frame.words.verdict(asides) or by_part(part)
    if part == "section-new-items" and item.verdict in _LOW:
        item.part = "section-low-relevance"
    item.levels = tuple(word.concept for word in frame.words.levels(section.title))[:1]
    return add(frame, item)


def listed(frame: Frame, block: Block) -> int:
    """The item that a list point of the first level is; its index."""
    part = part_of(frame, block.section)
    code = _CODE.match(block.text)
    number = code[1] if code else block.marker.rstrip(".)、） ") if block.marker[:1].isdigit() else ""
    start = code.end() if code else 0
    title, rest = _title(block, start)
    item = Item(frame.node("i"), number, title, block.line, block.end_line, block.section, part)
    item.about = subjects(frame, block.text, block.marks)
    item.verdict = frame.words.verdict(rest) or by_part(part)
    if part in ("section-contradictions", "section-follow-ups"):  # their text tells of other things' verdicts
        pending = any(word.concept == "verdict-pending" for word in frame.words.concepts("verdict", block.text))
        item.verdict = "verdict-pending" if pending else ""
    if part == "section-follow-ups":  # what is to be done is all of it, and no name of something
        item.title = _TASK_END.sub("", block.text[start:].strip())
    if part in REASONED:
        item.reason = rest
    item.levels = tuple(w.concept for said in (rest, block.text) for w in frame.words.levels(said))[:1]
    return add(frame, item)


def _title(block: Block, start: int) -> tuple[str, str]:
    """Title of a list point, its strong opening, link or first clause, and what comes after it."""
    opening = next((m for m in block.marks if m.start <= start + 2 and m.kind in ("strong", "link")), None)
    if opening and opening.end - start > 1:
        return block.text[start : opening.end].strip(), _ADDRESS.sub("", block.text[opening.end :]).strip(" ：:，,—–-")
    head, colon, rest = _split(block.text[start:])
    if colon:
        return head, rest
    found = _HEAD.match(block.text, start)
    return (found.group().strip() if found else block.text[start:].strip()), rest


def _split(value: str) -> tuple[str, str, str]:
    """Text up to the colon that ends its head; a colon inside an id or URL is none."""
    for found in re.finditer(r"\s*[：]\s*|\s*:\s+", value):
        if not value[: found.start()].lower().endswith(("arxiv", "doi", "isbn")):
            return value[: found.start()].strip(), found.group(), value[found.end() :].strip()
    return value, "", ""


def by_part(part: str) -> str:
    """The verdict that a part gives to all of its items, "" for most."""
    return {"section-kept": "verdict-kept", "section-dropped": "verdict-dropped"}.get(part, "")


def subjects(frame: Frame, value: str, marks: tuple[Mark, ...]) -> list[Term]:
    """What a title speaks of: works first, else repositories, else pages."""
    found = [i for i in ids.find_ids(value, marks, frame.lexicon) if i.iri]
    found += [i for i in _repositories(value) if i.iri not in {f.iri for f in found}]
    for wanted in _RANKS:
        chosen = [nodes.named(frame, i) for i in found if i.iri and wanted(i)]
        if chosen:
            return list(dict.fromkeys(chosen))
    return []


_SLUG = re.compile(r"(?:^|[（(：:]\s*)([A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*)(?=\s*(?:$|[）)：:,，—–]|\s-))")


def _repositories(value: str) -> list[Id]:
    """`owner/name` that opens a title or stands alone in brackets; elsewhere a slash means other things."""
    return [
        i._replace(start=m.start(1), end=m.end(1), confidence="high")
        for m in _SLUG.finditer(value)
        for i in ids.find_ids(m[1], bare_repos=True)
        if i.kind == "repo"
    ]


def tell_items(frame: Frame) -> None:
    """Tell all items, their parts read."""
    for item in frame.items:
        _tell(frame, item)


def _tell(frame: Frame, item: Item) -> None:
    node, out = item.node, frame.out
    place = frame.parts[item.section].node if item.section >= 0 else frame.me
    out += (
        f"{node} {v.RDF_TYPE} {v.KB_ITEM}",
        f"{node} {v.DCTERMS_TITLE} {worded(item.title)}",
        f"{node} {v.DCTERMS_IS_PART_OF} {place}",
        f"{node} {v.KB_LINE} {integer(item.line)}",
        f"{node} {v.KB_END_LINE} {integer(item.end_line)}",
    )
    named = ((v.KB_NUMBER, item.number), (v.KB_STATUS, item.status))
    out += (f"{node} {predicate} {text(value)}" for predicate, value in named if value)
    chosen = ((v.KB_PART, item.part), (v.KB_VERDICT, item.verdict))
    out += (f"{node} {predicate} {concept(name)}" for predicate, name in chosen if name)
    if item.reason:
        frame.tell(node, v.KB_REASON, worded(item.reason))
    out += (f"{node} {v.SCHEMA_ABOUT} {about}" for about in item.about)
    if item.named and len(item.about) == 1:
        frame.tell(item.about[0], v.DCTERMS_TITLE, worded(item.named))
    out += (f"{node} {v.KB_EVIDENCE_LEVEL} {concept(level)}" for level in item.levels)
    out += (f"{node} {v.KB_SOURCE_PATH} {text(path)}" for path in item.paths)
    out += (f"{node} {v.KB_SOURCE_URL} {page}" for page in item.pages)
