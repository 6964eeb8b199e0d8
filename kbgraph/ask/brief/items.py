"""A group of reported entries made an item of the brief."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kbgraph.ask.brief.group import CARDS, Draft, Group
from kbgraph.ask.brief.rows import Groups, Row, by, number, rows, word
from kbgraph.ask.brief.standing import LOW, History, before, history, moved, standing
from kbgraph.model.brief import Advice, BriefItem, Relation, Source, Statement
from kbgraph.model.finding import Finding, Report
from kbgraph.model.keys import key_of
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.query import Table

_POINTS = {"", "role-key-points", "role-conclusion", "role-method", "role-numbers", "section-tldr", "section-whats-new"}
_ABSTRACT = {"section-abstract"}
_CITABLE = ("arXiv:", "doi:", "ISBN ", "PMID ")
_SHOWN = 3  # statements of the document quoted beside an item
SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything an item is made from, indexed."""

    lexicon: Lexicon
    known: History
    lines: Groups  # (path, item)
    advice: Groups  # (path, item)
    refs: Groups  # (path, item)
    sections: Mapping[str, Row]
    said: Groups  # by subject
    said_in: Groups  # by section number
    findings: tuple[Finding, ...]


def sources(answers: Mapping[str, Table], report: Report, lexicon: Lexicon) -> Sources:
    """Indexes over the answers of all views."""
    lines = rows(answers, "brief-lines")
    said = [r for r in rows(answers, "brief-known") if word(r["kind"]) == "KnowledgeDoc"]
    return Sources(
        lexicon, history(answers, lines), by(lines, "path", "item"), by(rows(answers, "brief-advice"), "path", "item"),
        by(rows(answers, "brief-refs"), "path", "item"),
        {word(r["number"]): r for r in reversed(rows(answers, "brief-sections"))},
        by(said, "about"), by(said, "number"), report.findings,
    )  # fmt: skip


def make_item(group: Group, at: int, src: Sources) -> BriefItem:
    """One item: sources, statements by role, relations to the compared documents, advice, cautions."""
    earlier = before(group, src.known)
    advice = _advice(group, src)
    word_for = standing(group, src.known, earlier, any(a.action == "action-revise" for a in advice))
    lead = _lead(group)
    points = _points(group, src)
    keys = tuple(dict.fromkeys(key_of(s) for s in group.subjects))
    level = _level(group, points, src.lexicon)
    return BriefItem(
        at, lead.title, keys, word_for, level, _sources(group),
        urls=tuple(s for s in group.subjects if key_of(s) == s), cards=_cards(group, src), points=points,
        relations=_relations(group, points, advice, src), stated=_statements(group, src, {"role-relation"}),
        advice=advice, cautions=_statements(group, src, {"role-cautions"}), findings=_findings(group, src.findings),
        gaps=_gaps(keys, points, level, advice), reasons=_reasons(group), before=earlier,
        counters=moved(group, src.known),
    )  # fmt: skip


def _lead(group: Group) -> Draft:
    return min(group.drafts, key=lambda d: (d.kind in CARDS, d.whole, not d.title, d.path, d.line))


def _sources(group: Group) -> tuple[Source, ...]:
    return tuple(Source(d.path, d.line, d.end, d.agent, d.report or d.kind, d.level) for d in group.drafts)


def _cards(group: Group, src: Sources) -> tuple[str, ...]:
    named = (word(r["inDoc"]) for d in group.drafts for r in src.refs.get((d.path, d.focus), []))
    own = [d.path for d in group.drafts if d.kind in CARDS]
    return tuple(dict.fromkeys([*own, *(p for p in named if "_cards/" in p)]))


def _own_lines(draft: Draft, src: Sources) -> list[Row]:
    found = src.lines.get((draft.path, draft.focus), [])
    return [*found, *src.lines.get((draft.path, ""), [])] if draft.whole else list(found)


def _statement(row: Row) -> Statement:
    said = tuple(c for c in word(row["conditions"]).split(SEPARATOR) if c)
    text, path, level = (word(row[name]) for name in ("text", "path", "level"))
    return Statement(text, path, number(row["line"]), level, said, number(row["numbers"]))


def _statements(group: Group, src: Sources, roles: set[str]) -> tuple[Statement, ...]:
    found = [_statement(r) for d in group.drafts for r in _own_lines(d, src) if word(r["role"]) in roles]
    return tuple({s.text: s for s in reversed(found)}.values())[::-1]


def _points(group: Group, src: Sources) -> tuple[Statement, ...]:
    """Key points of the entries; of a card its summary, or its abstract when it has none."""
    entries = Group([d for d in group.drafts if d.kind not in CARDS], group.subjects)
    cards = Group([d for d in group.drafts if d.kind in CARDS], group.subjects)
    found = _statements(entries, src, _POINTS)
    return found or _statements(cards, src, _POINTS) or _statements(cards, src, _ABSTRACT)


def _level(group: Group, points: Sequence[Statement], lexicon: Lexicon) -> str:
    """The strongest level that any source of the item states."""
    names = [d.level for d in group.drafts if d.level] or [p.level for p in points if p.level]
    rank = {name: lexicon.by_name[name].rank for name in names if name in lexicon.by_name}
    return max(names, key=lambda n: (rank.get(n, -1), n), default="")


def _advice(group: Group, src: Sources) -> tuple[Advice, ...]:
    found: dict[tuple[str, str], Advice] = {}
    for draft in group.drafts:
        for row in src.advice.get((draft.path, draft.focus), []):
            target = word(row["number"])
            section = src.sections.get(target)
            found.setdefault((target, word(row["action"])), Advice(
                target, word(section["title"]) if section else "", word(row["action"]), draft.path,
                number(row["line"]), word(row["text"]), section is not None,
            ))  # fmt: skip
    return tuple(found.values())


def _relations(
    group: Group, points: Sequence[Statement], advice: Sequence[Advice], src: Sources
) -> tuple[Relation, ...]:
    keyed = {word(r["text"]): word(r["textKey"]) for d in group.drafts for r in _own_lines(d, src)}
    mine = {keyed.get(p.text, "") for p in points} - {""}
    out = [r for s in group.subjects for r in _about(s, mine, src)]
    if not any(r.kind in ("beside", "repeats") for r in out):
        known = (a for a in advice if a.known and a.number)
        out += [Relation("section", "", len(src.said_in.get((a.number,), [])), a.number, a.title) for a in known][:1]
    return tuple(dict.fromkeys(out))


def _about(subject: str, mine: set[str], src: Sources) -> list[Relation]:
    key, listed = key_of(subject), src.known.listed.get((subject,), [])
    out = [_place("listed" if number(r["cited"]) else "uncited", r, key) for r in listed]
    if not listed and key.startswith(_CITABLE):
        out.append(Relation("unlisted", "", 0, text=key))
    said = {(word(r["path"]), number(r["line"]), word(r["textKey"])): r for r in src.said.get((subject,), [])}
    for row in list(said.values())[:_SHOWN]:
        kind = "repeats" if word(row["textKey"]) in mine else "beside"
        out.append(_place(kind, row, word(row["text"]), word(row["number"])))
    return out


def _place(kind: str, row: Row, text: str, section: str = "") -> Relation:
    return Relation(kind, word(row["path"]), number(row["line"]), section, text=text)


def _findings(group: Group, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings that stand within the lines of the item's sources; notes about several sources are told as such."""
    spans = [(d.path, d.line, max(d.end, d.line)) for d in group.drafts]
    return tuple(
        f
        for f in findings
        if f.check != "same-source" and any(f.path == path and first <= f.line <= last for path, first, last in spans)
    )


def _gaps(keys: Sequence[str], points: Sequence[Statement], level: str, advice: Sequence[Advice]) -> tuple[str, ...]:
    gaps = {
        "no-id": not any(k.startswith(_CITABLE) for k in keys),
        "no-level": not level,
        "no-number": bool(points) and not any(p.numbers for p in points),
        "no-section": not any(a.number for a in advice),
    }
    return tuple(name for name, missing in gaps.items() if missing)


def _reasons(group: Group) -> tuple[Statement, ...]:
    return tuple(Statement(d.reason, d.path, d.line, d.level) for d in group.drafts if d.reason)


def is_low(item: BriefItem) -> bool:
    """True for items that belong to part 3."""
    return item.standing in LOW
