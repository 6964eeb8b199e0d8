"""What a check found, and what it means that it found nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kbgraph.model.query import Both, Cell, Severity

OFF = "switched off"  # why a check was skipped that nobody wants
Outcome = Literal["clean", "findings", "broken", "skipped"]
State = Literal["new", "still", "regressed", "waived", "fixed"]  # a report's findings are never fixed


class Place(NamedTuple):
    """A line of the corpus that bears on a finding."""

    path: str
    line: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One row of a check, told to a person: place, message in zh and en, fingerprint."""

    check: str
    severity: Severity
    path: str
    line: int
    end_line: int
    focus: str
    key: str | tuple[str, ...]
    message: Both
    fix: Both
    fingerprint: str
    state: State = "new"
    related: tuple[Place, ...] = ()
    values: tuple[tuple[str, Cell], ...] = ()
    suggest: str | None = None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of one check; `reason` says why it is broken or skipped."""

    check: str
    outcome: Outcome
    count: int = 0
    reason: str = ""
    limit: int = 0  # findings of this check that a display shows, 0 for all
    title: Both = field(default_factory=dict, compare=False)
    at_most: int = 0  # findings of this check that do not make a run fail


@dataclass(frozen=True, slots=True)
class Report:
    """All outcomes and findings of one run, sorted by severity, path, line, check, fingerprint."""

    checks: tuple[CheckResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    fixed: tuple[str, ...] = field(default=())

    @property
    def unseen(self) -> tuple[CheckResult, ...]:
        """Checks that did not do their work, other than those that nobody wants."""
        return tuple(c for c in self.checks if c.outcome in ("broken", "skipped") and c.reason != OFF)
