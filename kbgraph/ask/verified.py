"""Reports cut down to one file: only its findings, files that are not there told once, other names of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from kbgraph.ask.findings import digest
from kbgraph.ask.report import order
from kbgraph.model.finding import CheckResult, Finding, Place, Report

ABSENT = "dangling-path"
FEW = 2  # files that are not there and are told one by one, whatever else is there


def kept(report: Report, wanted: Callable[[Finding], bool]) -> Report:
    """The report with these findings alone, and outcomes that say the same."""
    return _told(report, tuple(filter(wanted, report.findings)))


def summed(report: Report, named: int, found: int) -> Report:
    """The report with one finding for all files that are not there, where most of those named are not."""
    absent = [f for f in report.findings if f.check == ABSENT and not dict(f.values).get("nearest")]
    if len(absent) <= FEW or found * 2 >= named:
        return report
    one = _summary(absent, named)
    others = (f for f in report.findings if f not in absent)
    return _told(report, tuple(sorted((one, *others), key=order)))


def _summary(absent: list[Finding], named: int) -> Finding:
    first = absent[0]
    n = len(absent)
    return replace(
        first,
        key=tuple(str(found.key) for found in absent),
        message={
            "en": f"{n} of the {named} files named are not here: what is taken from them could not be held",
            "zh": f"提到的 {named} 个文件里有 {n} 个不在这里：出自它们的内容无法核对",
        },
        related=tuple(Place(found.path, found.line, str(found.key)) for found in absent[1:]),
        values=(),
        fingerprint=digest(found.fingerprint for found in absent),
    )


def renamed(report: Report, path: str, shown: str) -> Report:
    """The report with another name of a file."""

    def given(finding: Finding) -> Finding:
        related = tuple(p._replace(path=shown) if p.path == path else p for p in finding.related)
        return replace(finding, path=shown if finding.path == path else finding.path, related=related)

    return replace(report, findings=tuple(map(given, report.findings)))


def _told(report: Report, findings: tuple[Finding, ...]) -> Report:
    return Report(tuple(_result(one, findings) for one in report.checks), findings)


def _result(result: CheckResult, findings: Iterable[Finding]) -> CheckResult:
    if result.outcome not in ("findings", "clean"):
        return result
    count = sum(found.check == result.check for found in findings)
    return replace(result, count=count, outcome="findings" if count else "clean")
