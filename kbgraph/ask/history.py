"""What earlier runs of the checks found, so that a finding is new, still there, back or gone.

A run is compared with the one before it on another state of the graph: the same graph gives the same answer however
often it is asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from kbgraph.model.finding import Finding, Report, State
from kbgraph.model.query import Severity


class Run(NamedTuple):
    """One run of checks: its number, the state of the graph that it looked at, and when that was."""

    number: int
    state: str
    time: str  # as an xsd:dateTime
    rounds: tuple[str, ...] = ()  # nodes of those that came in since the run before


class Known(NamedTuple):
    """A finding as it is remembered: what it says, and the runs that found it first, again after a gap, no more."""

    fingerprint: str
    check: str
    severity: Severity
    state: State
    path: str
    line: int
    focus: str
    message: tuple[tuple[str, str], ...]  # language, text
    first: int
    back: int = 0  # 0: never gone
    gone: int = 0  # 0: still there


@dataclass(frozen=True, slots=True)
class History:
    """Everything that was ever found, by fingerprint, and the runs that found it."""

    findings: Mapping[str, Known] = field(default_factory=dict)
    runs: tuple[Run, ...] = ()

    def run(self, state: str) -> int:
        """The number of a run on this state of the graph: that of the newest one if it was on the same."""
        newest = max(self.runs, default=Run(0, "", ""))
        return newest.number if newest.number and newest.state == state else newest.number + 1


def stated(known: Known | None, run: int) -> State:
    """The state, in a run, of what was found in it and is known so of earlier ones."""
    if known is None or known.first == run:
        return "new"
    return "regressed" if known.back == run or known.gone not in (0, run) else "still"


def looked(report: Report) -> set[str]:
    """The checks that did their work: what they did not find is not there."""
    return {result.check for result in report.checks if result.outcome in ("clean", "findings")}


def fixed(history: History, report: Report, run: int) -> tuple[str, ...]:
    """Fingerprints of what this run is the first not to find."""
    checks, now = looked(report), {finding.fingerprint for finding in report.findings}
    lost = (k for k in history.findings.values() if k.check in checks and k.fingerprint not in now and k.first != run)
    return tuple(sorted(k.fingerprint for k in lost if k.gone in (0, run)))


def remembered(history: History, report: Report, run: Run, checks: Collection[str] = ()) -> History:
    """The history with this run in it. Checks that did not run or broke stay as they are; `checks`: all there are."""
    out = {p: k for p, k in history.findings.items() if not checks or k.check in checks}
    gone = looked(report)
    now = {finding.fingerprint: finding for finding in report.findings}
    for print_, known in list(out.items()):
        if known.check in gone and print_ not in now and not known.gone:
            if known.first == run.number:
                del out[print_]  # the same graph, looked at again under other settings: it never was
            else:
                out[print_] = known._replace(state="fixed", gone=run.number)
    for print_, finding in now.items():
        out[print_] = _known(finding, out.get(print_), run.number)
    runs = {one.number: one for one in (run, *history.runs)}
    return History(out, tuple(sorted(runs.values())))


def _known(finding: Finding, old: Known | None, run: int) -> Known:
    back = old.back if old else 0
    if stated(old, run) == "regressed":
        back = run
    message = tuple(sorted(finding.message.items()))
    return Known(
        finding.fingerprint, finding.check, finding.severity, finding.state, finding.path, max(finding.line, 1),
        finding.focus, message, old.first if old else run, back,
    )  # fmt: skip


def followed(history: History, found: Iterable[Finding], checks: Collection[str], there: Collection[str]) -> History:
    """The history under the fingerprints of now, for findings whose file has got another title, or another name."""
    # What went is the same finding as what came where check and words are the same and the file is: by its path, or,
    # when no file has that path any more (`there` are those that are), because no finding was known of the new one.
    now = list(found)
    prints = {finding.fingerprint for finding in now}
    lost = [k for p, k in history.findings.items() if p not in prints and not k.gone and k.check in checks]
    came = [finding for finding in now if finding.fingerprint not in history.findings]
    if not lost or not came:
        return history
    seen = {known.path for known in history.findings.values()}
    out = dict(history.findings)

    def paired(key: Callable[[Finding | Known], str], old: Iterable[Known], new: Iterable[Finding]) -> None:
        for known, finding in _pairs(key, old, new):
            out[finding.fingerprint] = out.pop(known.fingerprint)._replace(fingerprint=finding.fingerprint)

    paired(lambda one: one.path, lost, came)
    moved = [k for k in lost if k.fingerprint in out and k.path not in there]
    paired(lambda _: "", moved, (f for f in came if f.fingerprint not in out and f.path not in seen))
    return History(out, history.runs)


def _pairs(
    key: Callable[[Finding | Known], str], old: Iterable[Known], new: Iterable[Finding]
) -> Iterable[tuple[Known, Finding]]:
    """What agrees in check, words and key, in the order of the lines."""
    waiting: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[Known]] = defaultdict(list)
    for known in sorted(old, key=lambda k: (k.path, k.line), reverse=True):
        waiting[known.check, key(known), known.message].append(known)
    for finding in sorted(new, key=lambda f: (f.path, f.line)):
        mine = waiting[finding.check, key(finding), tuple(sorted(finding.message.items()))]
        if mine:
            yield mine.pop(), finding
