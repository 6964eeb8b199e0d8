"""SHACL results in Turtle: findings as what other tools know validation results to be. No blank nodes."""

from __future__ import annotations

from kbgraph.model.facts import boolean, integer, iri, segment, tagged, text
from kbgraph.model.finding import Finding, Report
from kbgraph.render.escape import visible

_HEAD = """@prefix kb: <https://w3id.org/kbgraph/ns#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .

"""
_SEVERITIES = {"error": "sh:Violation", "warning": "sh:Warning", "info": "sh:Info"}
_BASE = "urn:kbgraph:"


def report(product: Report, lang: str) -> str:  # noqa: ARG001  (messages stand in both languages)
    """One `sh:ValidationReport` with a `sh:result` for every finding; waived ones say so and do not count."""
    conforms = not any(finding.state != "waived" for finding in product.findings)
    names = [f"    sh:result {_name(finding)}" for finding in product.findings]
    head = [f"<{_BASE}report> a sh:ValidationReport", f"    sh:conforms {boolean(conforms)}", *names]
    return _HEAD + " ;\n".join(head) + " .\n" + "".join(map(_result, product.findings))


def _name(finding: Finding) -> str:
    return iri(f"{_BASE}finding/{segment(finding.check)}/{segment(finding.fingerprint)}")


def _result(finding: Finding) -> str:
    focus = iri(finding.focus) if ":" in finding.focus else text(finding.focus)
    lines = [
        f"\n{_name(finding)} a kb:Finding , sh:ValidationResult",
        f"    sh:focusNode {focus}",
        f"    sh:resultSeverity {_SEVERITIES[finding.severity]}",
        "    sh:sourceConstraintComponent sh:SPARQLConstraintComponent",
        *(f"    sh:resultMessage {tagged(visible(words), lang)}" for lang, words in sorted(finding.message.items())),
        f"    kb:check {text(finding.check)}",
        f"    kb:fingerprint {text(finding.fingerprint)}",
        f"    kb:state {text(finding.state)}",
        f"    kb:path {text(finding.path)}",
        f"    kb:line {integer(max(finding.line, 1))}",
    ]
    return " ;\n".join(lines) + " .\n"
