"""A group of reported entries made an item of the brief."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

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
_VERSION = re.compile(r"(?<=\d)v\d+$")
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


def make_item(group: Group, src: Sources) -> BriefItem:
    """One item: sources, statements by role, relations to the compared documents, advice, cautions."""
    earlier, advice, points = before(group, src.known), _advice(group, src), _points(group, src)
    revises = any(a.action == "action-revise" for a in advice)
    keys = tuple(dict.fromkeys(key_of(s) for s in group.subjects))
    item = BriefItem(
        0, bare(_lead(group).title, keys), keys, standing(group, src.known, earlier, revises),
        _level(group, points, src.lexicon), _sources(group), urls=tuple(s for s in group.subjects if key_of(s) == s),
        cards=_cards(group, src), points=points, relations=_relations(group, points, advice, src),
        stated=_statements(group, src, {"role-relation"}), advice=advice,
        cautions=_statements(group, src, {"role-cautions"}), findings=_findings(group, src.findings),
        reasons=_reasons(group), before=earlier, counters=moved(group, src.known),
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


def _sources(group: Group) -> tuple[Source, ...]:
    return tuple(Source(d.path, d.line, d.end, d.agent, d.report or d.kind, d.level) for d in group.drafts)


def _cards(group: Group, src: Sources) -> tuple[str, ...]:
    named = [r for d in group.drafts for r in src.refs.get((d.path, d.focus), []) if word(r["kind"]) in CARDS]
    own = [d.path for d in group.drafts if d.kind in CARDS]
    return tuple(dict.fromkeys([*own, *(word(r["inDoc"]) for r in named)]))


def _own_lines(draft: Draft, src: Sources) -> list[Row]:
    found = src.lines.get((draft.path, draft.focus), [])
    return [*found, *src.lines.get((draft.path, ""), [])] if draft.whole else list(found)


def _statement(row: Row) -> Statement:
    text, path, level = (word(row[name]) for name in ("text", "path", "level"))
    said = _beside(text, word(row["conditions"]).split(SEPARATOR))
    return Statement(text, path, number(row["line"]), level, said, number(row["numbers"]))


def _beside(text: str, conditions: Iterable[str]) -> tuple[str, ...]:
    """Conditions that the statement's own words do not hold, longest first, none inside another."""
    kept: list[str] = []
    for one in sorted({c for c in conditions if c and c not in text}, key=lambda c: (-len(c), c)):
        if not any(one in other for other in kept):
            kept.append(one)
    return tuple(kept)


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
    return tuple(sorted(found.values(), key=lambda a: (a.path, a.line, a.action == "action-cross-reference")))


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


def _gaps(item: BriefItem, group: Group, src: Sources) -> tuple[str, ...]:
    numbers = any(p.numbers for p in item.points)
    cards = all(d.kind in CARDS for d in group.drafts)
    gaps = {
        "no-id": not any(k.startswith(_CITABLE) for k in item.keys),
        "no-level": numbers and not item.level,
        "no-number": bool(item.points) and not numbers and _numerous(item.advice, src),
        "no-section": not cards and not any(a.number for a in item.advice),
    }
    return tuple(name for name, missing in gaps.items() if missing)


def _numerous(advice: Sequence[Advice], src: Sources) -> bool:
    """True when most statements of a section that the item is advised for carry a number."""
    return any(
        2 * sum(number(r["numbers"]) > 0 for r in said) > len(said) > 2
        for a in advice
        for said in [src.said_in.get((a.number,), [])]
    )


def _reasons(group: Group) -> tuple[Statement, ...]:
    return tuple(Statement(d.reason, d.path, d.line, d.level) for d in group.drafts if d.reason)


def is_low(item: BriefItem) -> bool:
    """True for items that belong to part 3."""
    return item.standing in LOW
