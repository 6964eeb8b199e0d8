"""Answers of saved queries and findings -> Brief. Counts are counted here, never taken from a material's word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kbgraph.ask.brief import parts
from kbgraph.ask.brief.actions import actions
from kbgraph.ask.brief.group import drafts, groups
from kbgraph.ask.brief.index import index
from kbgraph.ask.brief.items import is_low, make_item, order
from kbgraph.ask.brief.rows import VIEWS, rows, word
from kbgraph.ask.brief.tasks import follow_ups, next_steps
from kbgraph.model.brief import Brief
from kbgraph.model.finding import Report
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.query import SavedQuery, Table

__all__ = ["VIEWS", "build", "rows", "word"]


def build(
    answers: Mapping[str, Table],
    report: Report,
    queries: Mapping[str, SavedQuery],
    lexicon: Lexicon,
    *,
    topic: str,
    manifest: str,
) -> Brief:
    """The brief of one manifest (its path) from the answers of VIEWS and the findings on the round's files."""
    own = next((r for r in rows(answers, "brief-round") if word(r["path"]) == manifest), None)
    created = word(own["created"]) if own else ""
    src = index(answers, report, lexicon, topic)
    made = [make_item(g, src) for g in groups(drafts(answers))]
    made.sort(key=lambda i: order(i, src))
    news = tuple(replace(i, number=n) for n, i in enumerate((i for i in made if not is_low(i)), 1))
    low = tuple(replace(i, number=n) for n, i in enumerate((i for i in made if is_low(i)), 1))
    citable, others = parts.identifiers(answers, (*news, *low), lexicon, report)
    readings = parts.readings(answers)
    return Brief(
        topic, word(own["id"]) if own else "", manifest, created, readings, parts.compared(answers),
        parts.earlier(answers, manifest, created), parts.counts(made), news, low,
        parts.doubts(report, queries, {r.path for r in readings}), citable, others, actions(news, src),
        follow_ups(answers, (*news, *low)), next_steps(answers),
        parts.problems(answers), tuple((c.check, c.reason) for c in report.checks if c.outcome == "broken"),
        parts.language(answers), lists=bool(src.known.listed),
    )  # fmt: skip
