"""What the commands that give findings share: formats, which findings make a run fail, what standard error tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from kbgraph.cli._options import Function, say

if TYPE_CHECKING:
    from kbgraph.model.finding import Report
    from kbgraph.model.query import Severity

FORMATS = ("text", "json", "csv", "md", "html", "sarif", "junit", "github", "ttl")
GRADES: tuple[Severity, ...] = ("error", "warning", "info")  # worst first
SHOWN = 3  # names of broken checks that have one reason
FOUND, BROKEN = 1, 3


def fail_on_option(default: str) -> Callable[[Function], Function]:
    """Give a command `fail_on`: a severity, `never`, or None for the default."""
    told = f"Exit with 1 for findings as grave as this. {default}"
    return click.option("--fail-on", type=click.Choice([*GRADES, "never"]), help=told)


def code(report: Report, fail_on: str) -> int:
    """3 when a check was broken, 1 when more findings of one than may stand are as grave as `fail_on`, else 0."""
    if any(result.outcome == "broken" for result in report.checks):
        return BROKEN
    grave = GRADES[: [*GRADES, "never"].index(fail_on) + 1] if fail_on != "never" else ()
    found = Counter(f.check for f in report.findings if f.severity in grave and f.state != "waived")
    most = {result.check: result.at_most for result in report.checks}
    return FOUND if any(number > most.get(check, 0) for check, number in found.items()) else 0


def tell(report: Report) -> None:
    """Say on standard error what the lines of findings cannot: broken checks, counts, what went."""
    unseen: dict[tuple[str, str], list[str]] = {}
    for result in report.unseen:
        unseen.setdefault((result.outcome, result.reason), []).append(result.check)
    for (outcome, reason), names in unseen.items():
        some = ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
        say(f"{some} {'are' if len(names) > 1 else 'is'} {outcome}: {reason}")
    open_ = [f.severity for f in report.findings if f.state != "waived"]
    counts = [f"{n} {grade}{'s' * (n > 1 and grade != 'info')}" for grade in GRADES if (n := open_.count(grade))]
    waived = len(report.findings) - len(open_)
    counts += [f"{waived} waived"] if waived else []
    counts += [f"{len(report.fixed)} fixed"] if report.fixed else []
    if counts:
        say(", ".join(counts))
