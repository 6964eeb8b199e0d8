"""JUnit XML: a test suite a check, a failure a finding, so that any build server shows them."""

from __future__ import annotations

from collections.abc import Iterable

from kbgraph.model.finding import CheckResult, Finding, Report
from kbgraph.render.escape import html
from kbgraph.render.words import place, said


def report(product: Report, lang: str) -> str:
    """Every check that was run is a suite; a clean one holds one passed test, a broken one an error."""
    found: dict[str, list[Finding]] = {}
    for finding in product.findings:
        found.setdefault(finding.check, []).append(finding)
    suites = [_suite(result, found.get(result.check, ()), lang) for result in product.checks]
    open_ = sum(f.state != "waived" for f in product.findings)
    broken = sum(result.outcome == "broken" for result in product.checks)
    cases = sum(max(len(found.get(result.check, ())), 1) for result in product.checks)
    head = f'<testsuites name="kbgraph" tests="{cases}" failures="{open_}" errors="{broken}">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *suites, "</testsuites>", ""])


def _suite(result: CheckResult, found: Iterable[Finding], lang: str) -> str:
    mine = list(found)
    cases = [_case(finding, lang) for finding in mine] or [_whole(result)]
    failed = sum(finding.state != "waived" for finding in mine)
    skipped = len(mine) - failed + (result.outcome == "skipped")
    counts = f'tests="{len(cases)}" failures="{failed}" errors="{int(result.outcome == "broken")}" skipped="{skipped}"'
    return "\n".join([f'  <testsuite name="{html(result.check)}" {counts}>', *cases, "  </testsuite>"])


def _whole(result: CheckResult) -> str:
    """The one test of a check that found nothing, was broken or switched off."""
    name = html(result.check)
    inner = {
        "broken": f'<error type="broken" message="{html(result.reason)}"/>',
        "skipped": f'<skipped message="{html(result.reason)}"/>',
    }.get(result.outcome, "")
    return f'    <testcase classname="{name}" name="{name}">{inner}</testcase>'


def _case(finding: Finding, lang: str) -> str:
    key = finding.key if isinstance(finding.key, str) else " ".join(finding.key)
    message, where = html(said(finding.message, lang)), html(place(finding))
    if finding.state == "waived":
        inner = f'<skipped message="waived: {message}"/>'
    else:
        told = html(said(finding.fix, lang))
        inner = f'<failure type="{finding.severity}" message="{message}">{where}: {message}\n{told}</failure>'
    # The fingerprint keeps a finding's history together when its line moves.
    name = html(f"{place(finding)} {key} [{finding.fingerprint}]")
    file = f'file="{html(finding.path)}" line="{max(finding.line, 1)}"'
    return f'    <testcase classname="{html(finding.check)}" name="{name}" {file}>{inner}</testcase>'
