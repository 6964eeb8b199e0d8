"""The answers of all views, indexed for the making of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kbgraph.ask.brief.rows import SEPARATOR, Groups, Row, by, number, rows, word
from kbgraph.ask.brief.standing import History, history
from kbgraph.model.finding import Finding, Report
from kbgraph.model.lexicon import Lexicon, fold
from kbgraph.model.query import Table


@dataclass(frozen=True, slots=True)
class Index:
    """Everything an item is made from."""

    lexicon: Lexicon
    known: History
    lines: Groups  # (path, item)
    advice: Groups  # (path, item)
    refs: Groups  # (path, item)
    sections: Mapping[str, Row]  # by key: `path§3.1`, `topic§3.1`, `*§3.1`
    said: Groups  # by subject
    said_in: Groups  # by document and section number
    findings: tuple[Finding, ...]

    def section(self, key: str, printed: str) -> Row | None:
        """The section of a compared document that a key means; a number alone is looked for in any of them."""
        return self.sections.get(key or f"*§{printed}")

    def rank(self, level: str) -> int:
        """How strong a level is, -1 for none."""
        concept = self.lexicon.by_name.get(level)
        return concept.rank if concept else -1

    def statements_in(self, document: str, section: str) -> list[Row]:
        """What a document says in a section, each statement once."""
        found = {(number(r["line"]), word(r["textKey"])): r for r in self.said_in.get((document, section), [])}
        return list(found.values())


def index(answers: Mapping[str, Table], report: Report, lexicon: Lexicon, topic: str) -> Index:
    """Indexes over the answers of all views; the topic's own document is looked up first."""
    lines = rows(answers, "brief-lines")
    said = [r for r in rows(answers, "brief-known") if word(r["kind"]) == "KnowledgeDoc"]
    return Index(
        lexicon, history(answers, lines), by(lines, "path", "item"), by(rows(answers, "brief-advice"), "path", "item"),
        by(rows(answers, "brief-refs"), "path", "item"), _sections(rows(answers, "brief-sections"), topic),
        by(said, "about"), by(said, "path", "number"), report.findings,
    )  # fmt: skip


def _sections(found: Sequence[Row], topic: str) -> dict[str, Row]:
    ranked = sorted(found, key=lambda r: fold(topic) not in fold(word(r["path"]).rpartition("/")[2]))
    return {key: r for r in reversed(ranked) for key in word(r["keys"]).split(SEPARATOR) if key}
