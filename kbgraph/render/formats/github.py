"""Workflow commands: GitHub Actions shows each finding beside its line in the pull request."""

from __future__ import annotations

from kbgraph.model.finding import Finding, Report
from kbgraph.render.escape import visible
from kbgraph.render.words import said

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def report(product: Report, lang: str) -> str:
    """A command for every finding that is not waived, and an error for every check that is broken."""
    lines = [_command(finding, lang) for finding in product.findings if finding.state != "waived"]
    broken = (result for result in product.checks if result.outcome == "broken")
    lines += [f"::error title={_property(result.check)}::{_data(f'broken: {result.reason}')}" for result in broken]
    return "".join(f"{line}\n" for line in lines)


def _command(finding: Finding, lang: str) -> str:
    line = max(finding.line, 1)
    end = f",endLine={finding.end_line}" if finding.end_line > line else ""
    where = f"file={_property(finding.path)},line={line}{end},title={_property(finding.check)}"
    return f"::{_COMMANDS[finding.severity]} {where}::{_data(said(finding.message, lang))}"


def _data(text: str) -> str:
    """Text after the second `::`, as the runner reads it back."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
