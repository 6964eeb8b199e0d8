"""Reported entries that speak of one thing become one item with several sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kbgraph.ask.brief.rows import Groups, Row, by, number, rows, word
from kbgraph.model.query import Table

# Parts of a report whose entries are things reported; entries of other parts (tasks, actions, lists of ids) are not.
REPORTED = {
    "", "section-new-items", "section-kept", "section-dropped", "section-low-relevance", "section-re-check",
    "section-candidates",
}  # fmt: skip
CARDS = {"PaperCard", "RepoCard"}
_STANDALONE = {"Report", "Brief", "Guide", "Note"}


@dataclass(slots=True)
class Draft:
    """One reported entry, or a card, or a report without entries: not yet grouped."""

    path: str
    focus: str
    title: str
    line: int
    end: int
    kind: str
    part: str = ""
    level: str = ""
    verdict: str = ""
    reason: str = ""
    agent: str = ""
    report: str = ""
    date: str = ""
    subjects: tuple[str, ...] = ()
    whole: bool = False  # stands for the material, not for an entry of it


@dataclass(slots=True)
class Group:
    """Drafts about one thing, strongest first."""

    drafts: list[Draft] = field(default_factory=list)
    subjects: list[str] = field(default_factory=list)


def drafts(answers: Mapping[str, Table]) -> list[Draft]:
    """Every entry of the round's reports, every card, and every report that has no entries, by path and line."""
    subjects = by(rows(answers, "brief-subjects"), "path", "item")
    entries = by(rows(answers, "brief-items"), "path")
    out: list[Draft] = []
    for path, material in _materials(answers).items():
        kind = word(material["kind"])
        found = [d for d in _entries(path, material, entries.get((path,), []), subjects) if d.part in REPORTED]
        if kind in CARDS or (kind in _STANDALONE and not entries.get((path,))):
            found.insert(0, _whole(path, material, subjects))
        out += found
    return out


def _materials(answers: Mapping[str, Table]) -> dict[str, Row]:
    read = (r for r in rows(answers, "brief-materials") if not r["compared"] and r["sha"])
    return {str(r["path"]): r for r in sorted(read, key=lambda r: str(r["path"]))}


def _about(subjects: Groups, path: str, focus: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word(r["about"]) for r in subjects.get((path, focus), [])))


def _entries(path: str, material: Row, entries: Sequence[Row], subjects: Groups) -> list[Draft]:
    seen: dict[str, Draft] = {}
    for row in entries:
        focus = word(row["item"])
        seen.setdefault(focus, Draft(
            path, focus, word(row["title"]), number(row["line"]), number(row["end"]) or number(row["line"]),
            word(material["kind"]), word(row["part"]), word(row["level"]) or word(material["level"]),
            word(row["verdict"]), word(row["reason"]), word(material["agent"]), word(material["reportKind"]),
            word(material["date"]), _about(subjects, path, focus),
        ))  # fmt: skip
    return sorted(seen.values(), key=lambda d: (d.line, d.focus))


def _whole(path: str, material: Row, subjects: Groups) -> Draft:
    focus = next((key[1] for key in subjects if key[0] == path and "#" not in key[1]), "")
    return Draft(
        path, focus, word(material["title"]) or path, 1, number(material["lines"]) or 1, word(material["kind"]),
        level=word(material["level"]), agent=word(material["agent"]), report=word(material["reportKind"]),
        date=word(material["date"]),
        subjects=_about(subjects, path, focus), whole=True,
    )  # fmt: skip


def groups(found: Sequence[Draft]) -> list[Group]:
    """Drafts joined when they share a subject and one of the two speaks of nothing else; entries before cards."""
    out: list[Group] = []
    home: dict[str, Group] = {}
    for draft in sorted(found, key=lambda d: (len(d.subjects) > 1, d.kind in CARDS, d.path, d.line)):
        target = next((home[s] for s in draft.subjects if s in home), None) if len(draft.subjects) == 1 else None
        if target is None:
            target = Group()
            out.append(target)
        target.drafts.append(draft)
        target.subjects += [s for s in draft.subjects if s not in target.subjects]
        for subject in draft.subjects if len(draft.subjects) == 1 else ():
            home.setdefault(subject, target)
    return sorted(out, key=lambda g: (g.drafts[0].path, g.drafts[0].line))
