"""Tasks that earlier rounds left, and those that tonight's materials leave."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from kbgraph.ask.brief.rows import Row, by, number, rows, word
from kbgraph.model.brief import BriefItem, FollowUp, Statement
from kbgraph.model.keys import key_of
from kbgraph.model.query import Table
from kbgraph.model.sentences import run_on

_LABEL = re.compile(r"[A-Za-z]+-?\d+")


def follow_ups(answers: Mapping[str, Table], items: Sequence[BriefItem]) -> tuple[FollowUp, ...]:
    """Tasks of the compared briefs; taken up where something read later names the label or the subject."""
    tasks = list(by(rows(answers, "brief-tasks"), "date", "path", "line", "task").values())
    labels = {word(group[0]["number"]) for group in tasks} - {""}
    told = [(word(g[0]["date"]), g[0]) for g in tasks if _is_status(g[0], labels)]
    said = [*told, *_said_later(answers)]
    of = {key: item for item in reversed(items) for key in item.keys}
    return tuple(_follow_up(group, said, of) for group in tasks if not _is_status(group[0], labels))


def next_steps(answers: Mapping[str, Table]) -> tuple[Statement, ...]:
    """What tonight's materials leave to be done, each in all of its words."""
    lines = by(rows(answers, "brief-lines"), "path", "item")
    tasks = by((r for r in rows(answers, "brief-items") if word(r["part"]) == "section-follow-ups"), "path", "item")
    return tuple(
        Statement(_text([*lines.get(key, []), *group]), key[0], number(group[0]["line"]))
        for key, group in tasks.items()
    )


def _text(group: Sequence[Row]) -> str:
    """What is said under a task, its title where nothing is."""
    said = [word(r["text"]) for r in group if r.get("text")]
    return run_on(dict.fromkeys(said or (word(r.get("title")) for r in group)))


def _said_later(answers: Mapping[str, Table]) -> list[tuple[str, Row]]:
    """Statements of the compared briefs and of tonight, with the brief's date; tonight is after all of them."""
    dates = {word(r["path"]): word(r["date"]) for r in rows(answers, "brief-materials")}
    briefs = (r for r in rows(answers, "brief-known") if word(r["kind"]) == "Brief")
    return [*((dates.get(word(r["path"]), ""), r) for r in briefs), *(("~", r) for r in rows(answers, "brief-lines"))]


def _is_status(row: Row, labels: Iterable[str]) -> bool:
    """True for a line that only tells how earlier tasks stand."""
    return not row["number"] and any(_names(row, label) for label in labels)


def _follow_up(group: Sequence[Row], said: Sequence[tuple[str, Row]], of: Mapping[str, BriefItem]) -> FollowUp:
    row = group[0]
    label, path, date = (word(row[name]) for name in ("number", "path", "date"))
    about = (of.get(key_of(word(r["about"]))) for r in group if r["about"])
    hits = [_said(r) for day, r in said if day > date and _names(r, label)]
    hits += [Statement("", s.path, s.line) for item in about if item for s in item.sources]
    places = {(s.path, s.line): s for s in reversed(hits)}
    return FollowUp(label, _text(group), path, number(row["line"]), date, tuple(reversed(places.values())))


def _said(row: Row) -> Statement:
    return Statement(word(row.get("title")) or word(row["text"]), word(row["path"]), number(row["line"]))


def _names(row: Row, label: str) -> bool:
    """True when the line writes the label of a task, such as F2."""
    if not _LABEL.fullmatch(label):
        return False
    said = f"{word(row.get('title'))} {word(row['text'])}"
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(label)}(?![A-Za-z0-9])", said) is not None
