"""SARIF 2.1.0, which code hosts and editors show beside the line: waived is suppressed, known is unchanged."""

from __future__ import annotations

import json
from urllib.parse import quote

from kbgraph.model.finding import CheckResult, Finding, Place, Report
from kbgraph.render.escape import visible
from kbgraph.render.formats.json_ import lines
from kbgraph.render.words import said

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_STATES = {"new": "new", "still": "unchanged", "regressed": "new", "waived": "unchanged"}


def report(product: Report, lang: str) -> str:
    """One run: a rule for every check that was run, a result for every finding, broken checks as notifications."""
    first: dict[str, Finding] = {}
    for finding in product.findings:
        first.setdefault(finding.check, finding)
    numbers = {result.check: at for at, result in enumerate(product.checks)}
    broken = [result for result in product.checks if result.outcome == "broken"]
    run = {
        "tool": {"driver": {
            "name": "kbgraph",
            "rules": [_rule(result, first.get(result.check), lang) for result in product.checks],
        }},
        "columnKind": "unicodeCodePoints",
        "invocations": [{
            "executionSuccessful": not broken,
            "toolExecutionNotifications": [_notification(result, numbers) for result in broken],
        }],
        "results": [_result(finding, numbers, lang) for finding in product.findings],
    }  # fmt: skip
    head = f'{{"$schema": {json.dumps(SCHEMA)}, "version": "2.1.0", "runs": ['
    return f"{head}{lines(run).rstrip()}]}}\n"


def _rule(result: CheckResult, first: Finding | None, lang: str) -> dict[str, object]:
    rule: dict[str, object] = {
        "id": result.check,
        "shortDescription": {"text": said(result.title, lang) or result.check},
    }
    if first is not None and first.fix:
        rule["help"] = {"text": visible(said(first.fix, lang))}
    return rule


def _notification(result: CheckResult, numbers: dict[str, int]) -> dict[str, object]:
    rule = {"id": result.check, "index": numbers[result.check]}
    return {"level": "error", "message": {"text": visible(result.reason)}, "associatedRule": rule}


def _result(finding: Finding, numbers: dict[str, int], lang: str) -> dict[str, object]:
    out: dict[str, object] = {"ruleId": finding.check}
    if finding.check in numbers:
        out["ruleIndex"] = numbers[finding.check]
    out |= {
        "level": _LEVELS[finding.severity],
        "message": {"text": visible(said(finding.message, lang))},
        "locations": [_location(Place(finding.path, finding.line), finding.end_line)],
        "partialFingerprints": {"kbgraph/v1": finding.fingerprint},
        "baselineState": _STATES[finding.state],
    }
    if finding.related:
        out["relatedLocations"] = [_location(place) for place in dict.fromkeys(finding.related)]
    if finding.state == "waived":
        out["suppressions"] = [{"kind": "external"}]
    return out


def _location(place: Place, end: int = 0) -> dict[str, object]:
    line = max(place.line, 1)
    region = {"startLine": line, **({"endLine": end} if end > line else {})}
    path = {"uri": quote(visible(place.path), safe="/"), "uriBaseId": "%SRCROOT%"}
    told = {"message": {"text": visible(place.text)}} if place.text else {}
    return {"physicalLocation": {"artifactLocation": path, "region": region}, **told}
