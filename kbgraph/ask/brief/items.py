"""A group of reported entries made an item of the brief."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from kbgraph.ask.brief.group import CARDS, Draft, Group
from kbgraph.ask.brief.index import Index
from kbgraph.ask.brief.relations import relations
from kbgraph.ask.brief.rows import CITABLE, SEPARATOR, Row, number, word
from kbgraph.ask.brief.standing import LOW, ORDER, before, moved, standing
from kbgraph.model.brief import Advice, BriefItem, Source, Statement
from kbgraph.model.finding import Finding
from kbgraph.model.keys import key_of

_POINTS = {"", "role-key-points", "role-conclusion", "role-method", "role-numbers", "section-tldr", "section-whats-new"}
_ABSTRACT = {"section-abstract"}
_VERSION = re.compile(r"(?<=\d)\s*v\d+$")
_NOTE = re.compile(r"\[\^[^\]\s]+\]")  # a pointer to a footnote


def make_item(group: Group, src: Index) -> BriefItem:
    """One item: sources, statements by role, relations to the compared documents, advice, cautions."""
    earlier, advice, points = before(group, src.known), _advice(group, src), _points(group, src)
    revises = any(a.action == "action-revise" for a in advice)
    keys = tuple(dict.fromkeys(key_of(s) for s in group.subjects))
    tied = relations(group, _text_keys(group, points, src), advice, src)
    item = BriefItem(
        0, bare(_lead(group).title, keys), keys, standing(group, src.known, earlier, revises),
        _level(group, points, src), _sources(group, src), urls=tuple(s for s in group.subjects if key_of(s) == s),
        cards=_cards(group, src), points=points, relations=tied,
        stated=_statements(group, src, {"role-relation"}), advice=advice,
        cautions=_statements(group, src, {"role-cautions"}), findings=_findings(group, src.findings),
        before=earlier, counters=moved(group, src.known),
    )  # fmt: skip
    return replace(item, gaps=_gaps(item, group, src))


def bare(title: str, keys: Sequence[str]) -> str:
    """The title without a closing bracket that only names the item's identifiers."""
    head, mark, tail = title.rstrip().rpartition("（" if "（" in title else "(")
    inside = tail.rstrip(")）").strip()
    named = any(_VERSION.sub("", one.strip()) in keys for one in re.split(r"[,，、;；]", inside))
    return head.strip() if mark and head.strip() and tail.endswith((")", "）")) and named else title


def _lead(group: Group) -> Draft:
    """The draft that names the item: an entry written out before a table's row, before a card."""
    return min(group.drafts, key=lambda d: (d.kind in CARDS, d.whole, not d.title, d.end <= d.line, d.path, d.line))


def _sources(group: Group, src: Index) -> tuple[Source, ...]:
    return tuple(_source(d, src) for d in group.drafts)


def _source(draft: Draft, src: Index) -> Source:
    inner = "" if draft.level else _strongest((word(r["level"]) for r in _own_lines(draft, src)), src)
    return Source(
        draft.path, draft.line, draft.end, draft.agent, draft.report or draft.kind, draft.level, inner, draft.date,
        draft.verdict, draft.reason,
    )  # fmt: skip


def _cards(group: Group, src: Index) -> tuple[str, ...]:
    named = [r for d in group.drafts for r in src.refs.get((d.path, d.focus), []) if word(r["kind"]) in CARDS]
    own = [d.path for d in group.drafts if d.kind in CARDS]
    return tuple(dict.fromkeys([*own, *(word(r["inDoc"]) for r in named)]))


def _own_lines(draft: Draft, src: Index) -> list[Row]:
    found = src.lines.get((draft.path, draft.focus), [])
    return [*found, *src.lines.get((draft.path, ""), [])] if draft.whole else list(found)


def _statement(row: Row) -> Statement:
    text, path, level = (word(row[name]) for name in ("text", "path", "level"))
    said = _beside(text, word(row["conditions"]).split(SEPARATOR))
    return Statement(text, path, number(row["line"]), level, said, number(row["numbers"]))


def _beside(text: str, conditions: Iterable[str]) -> tuple[str, ...]:
    """Conditions that the statement's own words do not hold, longest first, none inside another."""
    kept: list[str] = []
    for one in sorted({c for c in conditions if c and _NOTE.sub("", c) not in text}, key=lambda c: (-len(c), c)):
        if not any(one in other for other in kept):
            kept.append(one)
    return tuple(kept)


def _statements(group: Group, src: Index, roles: set[str]) -> tuple[Statement, ...]:
    found = [_statement(r) for d in group.drafts for r in _own_lines(d, src) if word(r["role"]) in roles]
    return tuple({s.text: s for s in reversed(found)}.values())[::-1]


def _text_keys(group: Group, points: Sequence[Statement], src: Index) -> set[str]:
    """Keys of the normalised texts of the key points: what an equal statement elsewhere has as well."""
    keyed = {word(r["text"]): word(r["textKey"]) for d in group.drafts for r in _own_lines(d, src)}
    return {keyed.get(p.text, "") for p in points} - {""}


def _points(group: Group, src: Index) -> tuple[Statement, ...]:
    """Key points of the entries; of a card its summary, or its abstract when it has none."""
    entries = Group([d for d in group.drafts if d.kind not in CARDS], group.subjects)
    cards = Group([d for d in group.drafts if d.kind in CARDS], group.subjects)
    found = _statements(entries, src, _POINTS)
    return found or _statements(cards, src, _POINTS) or _statements(cards, src, _ABSTRACT)


def _strongest(names: Iterable[str], src: Index) -> str:
    return max((n for n in names if n), key=lambda n: (src.rank(n), n), default="")


def _level(group: Group, points: Sequence[Statement], src: Index) -> str:
    """The strongest level that a source of the item states for it, else that a sentence of its key points has."""
    return _strongest((d.level for d in group.drafts), src) or _strongest((p.level for p in points), src)


def _advice(group: Group, src: Index) -> tuple[Advice, ...]:
    """Where each source wants the item to go, in its own words: two sources that say the same are two."""
    found = [_one_advice(r, src) for d in group.drafts for r in src.advice.get((d.path, d.focus), [])]
    unique = dict.fromkeys(found)
    return tuple(sorted(unique, key=lambda a: (a.path, a.line, a.action == "action-cross-reference")))


def _one_advice(row: Row, src: Index) -> Advice:
    target, key = word(row["number"]), word(row["key"])
    section = src.section(key, target) if target else None
    where = word(section["path"]) if section else key.rpartition("§")[0].strip("*")
    return Advice(
        target, word(section["title"]) if section else "", word(row["action"]), word(row["path"]),
        number(row["line"]), word(row["text"]), section is not None, where,
    )  # fmt: skip


def _findings(group: Group, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings that stand within the lines of the item's sources; notes about several sources are told as such."""
    spans = [(d.path, d.line, max(d.end, d.line)) for d in group.drafts]
    return tuple(
        f
        for f in findings
        if f.check != "same-source" and any(f.path == path and first <= f.line <= last for path, first, last in spans)
    )


def _gaps(item: BriefItem, group: Group, src: Index) -> tuple[str, ...]:
    """What the item lacks, as far as the compared documents ask for it."""
    numbers = any(p.numbers for p in item.points)
    cards = all(d.kind in CARDS for d in group.drafts)
    gaps = {
        "card-only": cards,
        "no-id": bool(src.known.listed) and not any(k.startswith(CITABLE) for k in item.keys),
        "no-level": numbers and not item.level,
        "no-number": bool(item.points) and not numbers and _numerous(item.advice, src),
        "no-section": bool(src.sections) and not cards and not any(a.number for a in item.advice),
    }
    return tuple(name for name, missing in gaps.items() if missing)


def _numerous(advice: Sequence[Advice], src: Index) -> bool:
    """True when most statements of a section that the item is advised for carry a number."""
    return any(
        2 * sum(number(r["numbers"]) > 0 for r in said) > len(said) > 2
        for a in advice
        for said in [src.statements_in(a.document, a.number)]
    )


def order(item: BriefItem, src: Index) -> tuple[int, bool, int]:
    """What comes first: the weightier standing, then what a report speaks of, then the stronger evidence."""
    cards = all(s.kind in CARDS for s in item.sources)
    return ORDER.index(item.standing), cards, -src.rank(item.level)


def is_low(item: BriefItem) -> bool:
    """True for items that belong to part 3."""
    return item.standing in LOW
