"""A run of checks -> Report: outcomes, findings in their order, what is new and what is gone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from kbgraph.ask.findings import NONE, SEVERITIES, Files, findings
from kbgraph.ask.history import History, fixed, followed, looked, stated
from kbgraph.ask.run import Select, run
from kbgraph.ask.waivers import EXPIRED, UNUSED, Waiver, waive
from kbgraph.errors import BrokenError
from kbgraph.model.finding import OFF, CheckResult, Finding, Outcome, Report
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.query import SavedQuery, Table

_RANK = {severity: at for at, severity in enumerate(SEVERITIES)}


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a run of checks knows beside the graph."""

    lexicon: Lexicon | None = None
    severities: Mapping[str, str] = field(default_factory=dict)  # check -> error, warning, info or off
    params: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # check -> what is set of it
    at_most: Mapping[str, int] = field(default_factory=dict)  # check -> findings that may stand
    waivers: tuple[Waiver, ...] = ()
    waiver_file: str = "kbgraph-waivers.toml"
    today: dt.date = dt.date.min
    history: History = field(default_factory=History)
    run: int = 1  # the number of this run, among those of the history
    files: Files = NONE
    blind: Mapping[str, str] = field(default_factory=dict)  # check -> why it cannot look this time
    whole: bool = False  # all checks of the corpus are in this run


def check_report(
    queries: Collection[SavedQuery], select: Select, known: Circumstances, each: Callable[..., Iterable[Any]] = map
) -> Report:
    """Run the checks, by `map` or one that does several at once; a broken one does not keep the others from theirs."""
    results: list[CheckResult] = []
    found: list[Finding] = []
    look = cache(select)  # most checks count on the same things
    for result, mine in each(lambda query: _one(query, select, look, known), [q for q in queries if q.text]):
        results.append(result)
        found += mine
    blind = [result.check for result in results if result.outcome in ("broken", "skipped")]
    waived = waive(
        found, known.waivers, {q.name: q for q in queries}, file=known.waiver_file, today=known.today,
        whole=known.whole, blind=blind, lasting=known.files.lasting,
    )  # fmt: skip
    told = [*waived.findings]
    for query, own in ((EXPIRED, waived.expired), (UNUSED, waived.unused)):
        if query.name in {q.name for q in queries}:
            mine = _graded(query, own, known)
            results.append(_result(query, mine, known))
            told += mine
    return _remembered(Report(_by_name(results), tuple(sorted(told, key=order))), known)


def _one(
    query: SavedQuery, select: Select, look: Select, known: Circumstances
) -> tuple[CheckResult, tuple[Finding, ...]]:
    if known.severities.get(query.name) == "off":
        return _result(query, (), known), ()
    if reason := known.blind.get(query.name):
        return CheckResult(query.name, "skipped", 0, reason, title=query.title), ()
    try:
        mine = _graded(query, findings(query, _rows(query, select, look, known), known.lexicon, known.files), known)
    except BrokenError as error:
        reason = error.message.removeprefix(f"{query.name}: ")
        told = f"{reason}; {error.mend}" if error.mend else reason
        return CheckResult(query.name, "broken", 0, told, title=query.title), ()
    return _result(query, mine, known), mine


def _rows(query: SavedQuery, select: Select, look: Select, known: Circumstances) -> Table:
    return run(query, select, known.params.get(query.name), whole=True, look=look)


def _result(query: SavedQuery, mine: Collection[Finding], known: Circumstances) -> CheckResult:
    if known.severities.get(query.name) == "off":
        return CheckResult(query.name, "skipped", 0, OFF, title=query.title)
    outcome: Outcome = "findings" if mine else "clean"
    most = known.at_most.get(query.name, 0)
    return CheckResult(query.name, outcome, len(mine), limit=query.limit, title=query.title, at_most=most)


def _graded(query: SavedQuery, mine: Iterable[Finding], known: Circumstances) -> tuple[Finding, ...]:
    """The findings with the severity that settings or profile give to their check; none when it is off."""
    given = known.severities.get(query.name, "")
    if given == "off":
        return ()
    if given not in SEVERITIES:
        return tuple(mine)
    severity = SEVERITIES[SEVERITIES.index(given)]
    return tuple(replace(finding, severity=severity) for finding in mine)


def order(finding: Finding) -> tuple[int, str, int, str, str]:
    """Severity, path, line, check, fingerprint."""
    return _RANK[finding.severity], finding.path, finding.line, finding.check, finding.fingerprint


def _by_name(results: Iterable[CheckResult]) -> tuple[CheckResult, ...]:
    return tuple(sorted(results, key=lambda result: result.check))


def _remembered(report: Report, known: Circumstances) -> Report:
    """The report with the state of each finding, and what is there no more."""
    history = followed(known.history, report.findings, looked(report), known.files.identities)

    def now(finding: Finding) -> Finding:
        if finding.state == "waived":
            return finding
        return replace(finding, state=stated(history.findings.get(finding.fingerprint), known.run))

    told = replace(report, findings=tuple(map(now, report.findings)))
    return replace(told, fixed=fixed(history, told, known.run))
