"""The findings of a report by their cause, the worst first, so many of each as a person reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from kbgraph.model.finding import Finding, Report, State
from kbgraph.model.query import Both

_RANKS = ("error", "warning", "info", "waived")


class Group(NamedTuple):
    """The findings of one check: counts are of all of them, `shown` is spread evenly over them."""

    check: str
    title: Both
    fix: Both
    level: str  # that of its worst finding; "waived" when all are let stand
    open: int
    states: Counter[State]
    total: int
    shown: tuple[Finding, ...]


def groups(report: Report, most: int) -> tuple[Group, ...]:
    """A group for each check that found something: by level, then by number, then by name; at most so many findings."""
    by_check: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_check.setdefault(finding.check, []).append(finding)
    titles = {result.check: result.title for result in report.checks}
    made = (_group(check, found, titles.get(check, {}), most) for check, found in by_check.items())
    return tuple(sorted(made, key=lambda g: (_RANKS.index(g.level), -g.open, g.check)))


def _group(check: str, found: Sequence[Finding], title: Both, most: int) -> Group:
    states = Counter(finding.state for finding in found)
    level = min((level_of(finding) for finding in found), key=_RANKS.index)
    open_ = [finding for finding in found if finding.state != "waived"]
    # What has just come is what most readers look for.
    first = [finding for finding in open_ if finding.state in ("new", "regressed")]
    fresh = first if len(first) < len(open_) else []
    shown = {f.fingerprint: f for f in (*spread(fresh, most), *spread(open_, most), *spread(found, most))}
    kept = set(list(shown)[:most])
    return Group(
        check, title, found[0].fix, level, len(open_), states, len(found),
        tuple(finding for finding in found if finding.fingerprint in kept),
    )  # fmt: skip


def level_of(finding: Finding) -> str:
    """Severity of a finding, "waived" for one that is let stand."""
    return "waived" if finding.state == "waived" else finding.severity


def spread(found: Sequence[Finding], most: int) -> Sequence[Finding]:
    """All of them, or so many at even distances."""
    if len(found) <= most:
        return found
    return [found[at * len(found) // most] for at in range(most)]
