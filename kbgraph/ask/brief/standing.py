"""Is an item new, a revision, a supplement, or nothing new: said from the graph and the materials' own labels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kbgraph.ask.brief.group import CARDS, REPORTED, Group
from kbgraph.ask.brief.rows import Groups, Row, by, number, rows, word
from kbgraph.model.brief import Before
from kbgraph.model.query import Table

# Verdicts of a material that keep an entry out of tonight's news, and the standing they give it.
_OUT = {
    "verdict-dropped": "dropped",
    "verdict-off-topic": "off-topic",
    "verdict-misclassified": "off-topic",
    "verdict-count-only": "count-only",
    "verdict-no-new-view": "judged-before",
    "verdict-low-relevance": "low-relevance",
    "verdict-duplicate": "low-relevance",
    "verdict-extraction-failed": "failed",
}
_OUT_PARTS = {
    "section-dropped": "dropped",
    "section-low-relevance": "low-relevance",
    "section-re-check": "low-relevance",
}
LOW = ("count-only", "judged-before", "off-topic", "low-relevance", "dropped", "failed")
ORDER = ("revision", "new", "supplement", *LOW)


_NUMBER = re.compile(r"[+-]?(\d[\d,]*(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class History:
    """What the compared documents know of each subject."""

    judged: Groups
    listed: Groups
    cited: Groups
    counters: Groups
    failed: frozenset[str]
    fresh: frozenset[str]  # cards with a part that says what is new


def history(answers: Mapping[str, Table], lines: Sequence[Row]) -> History:
    """Indexes over the answers, by subject."""
    failed = {word(r["path"]) for r in rows(answers, "brief-problems") if r["code"] == "extraction-failed"}
    fresh = {word(r["path"]) for r in lines if word(r["role"]) == "section-whats-new"}
    return History(
        by(rows(answers, "brief-judged"), "about"), by(rows(answers, "brief-listed"), "iri"),
        by(rows(answers, "brief-cited"), "iri"), by(rows(answers, "brief-counters"), "about"),
        frozenset(failed), frozenset(fresh),
    )  # fmt: skip


def before(group: Group, known: History) -> tuple[Before, ...]:
    """Earlier verdicts on any subject of the group, oldest first, one per place."""
    found = {
        _before(r)
        for subject in group.subjects
        for r in known.judged.get((subject,), [])
        if word(r["part"]) in REPORTED
    }
    return tuple(sorted(found))


def _before(row: Row) -> Before:
    date, reason, path = (word(row[name]) for name in ("date", "reason", "path"))
    return Before(date, word(row["verdict"]) or word(row["part"]), reason, path, number(row["line"]))


def moved(group: Group, known: History) -> tuple[tuple[str, str, str], ...]:
    """Counters of the group's subjects whose latest printed value differs from the one before: (counter, then, now)."""
    out = []
    for subject in group.subjects:
        for (counter,), series in sorted(by(known.counters.get((subject,), []), "property").items()):
            told = {word(r["value"]): _shown(r) for r in sorted(series, key=_when, reverse=True)}
            values = list(dict.fromkeys(word(r["value"]) for r in sorted(series, key=_when)))
            if len(values) > 1:
                out.append((counter, told[values[-2]], told[values[-1]]))
    return tuple(out)


def _when(row: Row) -> tuple[str, str]:
    return word(row["date"]), word(row["path"])


def _shown(row: Row) -> str:
    """A counter's value as it is printed, without the words beside it."""
    value = row["value"]
    for found in _NUMBER.finditer(word(row["printed"])):
        if isinstance(value, int | float) and float(found[1].replace(",", "")) == value:
            return found.group()
    return word(row["printed"]) or word(value)


def standing(group: Group, known: History, earlier: Sequence[Before], revises: bool) -> str:
    """One word for the group; the strongest reason wins, in the order of the text below."""
    paths = {d.path for d in group.drafts}
    voices = [d for d in group.drafts if d.kind not in CARDS]
    only_cards = not voices
    # A card only records; what a report says of the same thing decides.
    own = {_OUT.get(d.verdict) or _OUT_PARTS.get(d.part, "") for d in voices or group.drafts}
    if paths <= known.failed:
        return "failed"
    if "" not in own:
        return _kept_out(own, earlier)
    if only_cards and earlier and not paths & known.fresh:
        low = all(b.verdict.endswith(("low-relevance", "no-new-view", "off-topic", "dropped")) for b in earlier)
        return "count-only" if moved(group, known) and not low else "judged-before"
    if any((s,) in known.listed or (s,) in known.cited for s in group.subjects):
        return "revision" if revises else "supplement"
    return "supplement" if earlier or (only_cards and not group.subjects) else "new"


def _kept_out(own: set[str], earlier: Sequence[Before]) -> str:
    if earlier and own & {"dropped", "judged-before", "low-relevance"}:
        return "judged-before"
    return next(s for s in LOW if s in own)
