"""Reports for other tools: SARIF, JUnit, GitHub's workflow commands, SHACL results; each parsed as its readers do."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import fastjsonschema
import pytest
import yaml
from rdflib import RDF, Graph, Literal, Namespace, URIRef

from kbgraph.cli.check import command as check
from kbgraph.model.finding import OFF, CheckResult, Finding, Place, Report, State
from kbgraph.model.query import Severity
from kbgraph.render import render
from kbgraph.render.groups import groups

SH = Namespace("http://www.w3.org/ns/shacl#")
KB = Namespace("https://w3id.org/kbgraph/ns#")
HOSTILE = 'a "<b>&</b>" </script> ]]> ::error:: 100%\x07\u202e,:\n=1+1'
FINDING = Finding(
    "orphan-citation", "error", "k/推理 a.md", 541, 543, "urn:kb:t:k#b-1", "arXiv:2610.02076",
    {"en": "arXiv:2610.02076 is not cited", "zh": "arXiv:2610.02076 没有引用"}, {"en": "Cite it.", "zh": "引用它。"},
    "0123456789abcdef", "still", (Place("k/b.md", 3, "said there"),), (("n", 2),),
)  # fmt: skip
NEW = replace(FINDING, severity="warning", state="new", line=0, end_line=0, fingerprint="1" * 16, related=())
WAIVED = replace(FINDING, severity="info", state="waived", line=7, end_line=7, fingerprint="f" * 16)
NASTY = replace(
    NEW, check="dangling-path", path="a,b:c%.md", key=("x", HOSTILE), message={"en": HOSTILE, "zh": HOSTILE},
    focus="no iri", fingerprint="2" * 16, severity="info",
)  # fmt: skip
REPORT = Report(
    (
        CheckResult("dangling-path", "findings", 1, title={"en": "No such file", "zh": "没有这个文件"}),
        CheckResult("orphan-citation", "findings", 3, title={"en": "Listed, never cited", "zh": "正文没有"}),
        CheckResult("quiet", "clean"),
        CheckResult("slow", "broken", 0, "stopped: 10 s"),
        CheckResult("unwanted", "skipped", 0, "switched off"),
    ),
    (FINDING, NEW, NASTY, WAIVED),
)


@cache
def schema() -> Any:  # noqa: ANN401  (a compiled function)
    """The schema that OASIS publishes, compiled."""
    text = (Path(__file__).parent / "data" / "sarif-schema-2.1.0.json").read_text("utf-8")
    return fastjsonschema.compile(json.loads(text))


@pytest.mark.parametrize("report", [REPORT, Report()], ids=["all", "none"])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_sarif_is_valid(report: Report, lang: str) -> None:
    schema()(json.loads(render(report, "sarif", lang)))


def test_sarif_says_what_is_known_waived_and_broken() -> None:
    (run,) = json.loads(render(REPORT, "sarif", "en"))["runs"]
    results = run["results"]
    assert [(r["ruleId"], r["level"], r["baselineState"], "suppressions" in r) for r in results] == [
        ("orphan-citation", "error", "unchanged", False),
        ("orphan-citation", "warning", "new", False),
        ("dangling-path", "note", "new", False),
        ("orphan-citation", "note", "unchanged", True),
    ]
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in results)
    assert rules[1] == {
        "id": "orphan-citation", "shortDescription": {"text": "Listed, never cited"}, "help": {"text": "Cite it."},
    }  # fmt: skip
    place = results[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "k/%E6%8E%A8%E7%90%86%20a.md"
    assert place["region"] == {"startLine": 541, "endLine": 543}
    assert results[1]["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}
    assert results[0]["partialFingerprints"] == {"kbgraph/v1": "0123456789abcdef"}
    assert results[0]["relatedLocations"][0]["message"] == {"text": "said there"}
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"] == {"text": "stopped: 10 s"}


def test_junit_counts_as_build_servers_do() -> None:
    root = ET.fromstring(render(REPORT, "junit", "en"))  # noqa: S314  (our own text)
    assert root.attrib == {"name": "kbgraph", "tests": "7", "failures": "3", "errors": "1"}
    suites = {suite.attrib["name"]: suite for suite in root}
    assert suites["orphan-citation"].attrib == {
        "name": "orphan-citation", "tests": "3", "failures": "2", "errors": "0", "skipped": "1",
    }  # fmt: skip
    assert [len(suite.findall("testcase")) for suite in root] == [1, 3, 1, 1, 1]
    failure = suites["orphan-citation"][0][0]
    assert (failure.tag, failure.attrib["type"]) == ("failure", "error")
    assert failure.text == "k/推理 a.md:541: arXiv:2610.02076 is not cited\nCite it."
    assert suites["orphan-citation"][2][0].tag == "skipped"
    assert [child.tag for child in suites["slow"][0]] == ["error"]
    assert list(suites["quiet"][0]) == []
    told = suites["dangling-path"][0][0].attrib["message"]
    assert told.startswith('a "<b>&</b>" </script> ]]> ::error:: 100%⟨U+0007⟩⟨U+202E⟩')


def test_github_commands_stay_on_their_line() -> None:
    shown = 'a "<b>&</b>" </script> ]]> ::error:: 100%25⟨U+0007⟩⟨U+202E⟩,:%0A=1+1'
    lines = render(REPORT, "github", "en").splitlines()
    assert lines == [
        "::error file=k/推理 a.md,line=541,endLine=543,title=orphan-citation::arXiv:2610.02076 is not cited",
        "::warning file=k/推理 a.md,line=1,title=orphan-citation::arXiv:2610.02076 is not cited",
        f"::notice file=a%2Cb%3Ac%25.md,line=1,title=dangling-path::{shown}",
        "::error title=slow::broken: stopped: 10 s",
    ]
    assert render(Report(), "github", "en") == ""


def test_turtle_holds_shacl_results() -> None:
    found = Graph().parse(data=render(REPORT, "ttl", "zh"), format="turtle")
    report = URIRef("urn:kbgraph:report")
    assert (report, SH.conforms, Literal(False)) in found
    results = set(found.objects(report, SH.result))
    assert len(results) == len(set(found.subjects(RDF.type, SH.ValidationResult))) == 4
    first = URIRef("urn:kbgraph:finding/orphan-citation/0123456789abcdef")
    assert found.value(first, SH.focusNode) == URIRef("urn:kb:t:k#b-1")
    assert found.value(first, SH.resultSeverity) == SH.Violation
    assert set(found.objects(first, SH.resultMessage)) == {
        Literal("arXiv:2610.02076 is not cited", "en"), Literal("arXiv:2610.02076 没有引用", "zh"),
    }  # fmt: skip
    assert found.value(first, KB.line) == Literal(541)
    quiet = Graph().parse(data=render(replace(REPORT, findings=(WAIVED,)), "ttl", "zh"), format="turtle")
    assert (report, SH.conforms, Literal(True)) in quiet


ROOT = Path(__file__).parent.parent


def test_the_problem_matcher_reads_what_the_check_prints() -> None:
    told = json.loads((ROOT / "examples" / "ci" / "problem-matcher.json").read_text("utf-8"))
    (pattern,) = told["problemMatcher"][0]["pattern"]
    lines = render(REPORT, "text", "en").splitlines()
    found = [re.fullmatch(pattern["regexp"], line) for line in lines]
    assert [m.group(pattern["file"], pattern["line"], pattern["severity"], pattern["code"]) for m in found if m] == [
        ("k/推理 a.md", "541", "error", "orphan-citation"), ("k/推理 a.md", "1", "warning", "orphan-citation"),
        ("a,b:c%.md", "1", "info", "dangling-path"),
    ]  # fmt: skip
    assert all(found)


def test_the_hook_and_the_workflow_name_commands_that_exist() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    job = yaml.safe_load((ROOT / "examples" / "ci" / "pull-request.yml").read_text("utf-8"))["jobs"]["check"]
    commands = [hook["entry"], *(step["run"] for step in job["steps"] if "kbgraph check" in step.get("run", ""))]
    assert len(commands) == 2
    for command in commands:
        name, *arguments = command.split()
        assert name == "kbgraph"
        assert check.make_context("check", arguments[1:], resilient_parsing=False).params["fail_on"] == "error"


# -- many findings


def many(
    number: int, check: str = "dangling-path", state: State = "still", severity: Severity = "warning"
) -> list[Finding]:
    return [
        replace(
            FINDING, check=check, path=f"n/{at:05}.md", state=state, severity=severity, related=(),
            fingerprint=f"{check[:4]}{state[:2]}{at:010}", message={"en": f"finding {at}", "zh": f"第 {at} 处"},
        )
        for at in range(number)
    ]  # fmt: skip


def big() -> Report:
    found = [*many(8000), *many(3, "empty-section", severity="error"), *many(60, "stale-card", "new", "info")]
    names = ("dangling-path", "empty-section", "stale-card")
    checks = [
        CheckResult(name, "findings", 1, title={"en": f"Title of {name}", "zh": f"{name} 之题"}) for name in names
    ]
    rest = [
        CheckResult("clean-one", "clean"),
        CheckResult("off-one", "skipped", reason=OFF),
        CheckResult("unseen-one", "skipped", reason="too many to look at"),
    ]
    return Report((*checks, *rest), tuple(found), ("a" * 16,))


def test_a_page_of_thousands_is_by_cause_the_worst_first_with_exact_counts() -> None:
    page = render(big(), "html", "en")
    assert len(page.encode()) < 60_000
    heads = re.findall(r'<h2 class="(\w+)">([^<]*) <code>([^<]*)</code> <span class=dim>([\d,]+)</span>', page)
    assert heads == [
        ("error", "Title of empty-section", "empty-section", "3"),
        ("warning", "Title of dangling-path", "dangling-path", "8,000"),
        ("info", "Title of stale-card", "stale-card", "60"),
    ]
    assert "40 of 8,000, spread over all of them" in page
    assert re.findall(r"n/(\d+)\.md<span class=at>", page)[3:7] == ["00000", "00200", "00400", "00600"]
    assert [page.count(f"<td class=n>{n}</td>") for n in ("8,000", "60", "3")] == [1, 2, 1], "found, and new"
    assert "fixed 1" in page.replace("found no more", "fixed")
    assert "Nothing found by 1: clean-one" in page
    assert "Switched off 1: off-one" in page
    assert "<code>unseen-one</code>: too many to look at" in page, "no look is told, and is not called switched off"
    assert "共 8,000 处，均匀取出 40 处" in render(big(), "html", "zh")


def test_what_has_just_come_is_shown_before_what_has_long_been_there() -> None:
    (group,) = groups(Report((), (*many(500), *many(7, state="new"), *many(2, state="waived"))), 40)
    assert (group.open, group.total, len(group.shown)) == (507, 509, 40)
    assert sum(finding.state == "new" for finding in group.shown) == 7
    assert group.shown == tuple(f for f in [*many(500), *many(7, state="new")] if f in group.shown), "in their order"


def test_what_is_waived_alone_comes_last() -> None:
    found = [*many(1, "a-waived", "waived", "error"), *many(1, "b-open", severity="info")]
    assert [(g.check, g.level, g.open) for g in groups(Report((), tuple(found)), 40)] == [
        ("b-open", "info", 1), ("a-waived", "waived", 0),
    ]  # fmt: skip


def test_json_has_a_finding_a_line() -> None:
    text = render(big(), "json", "en")
    lines = [line.rstrip(",") for line in text.splitlines() if line.startswith('{"check": "dangling-path", "severity"')]
    assert len(lines) == 8000
    assert json.loads(lines[17])["path"] == "n/00017.md"
    assert list(json.loads(text)) == ["version", "summary", "checks", "findings", "fixed"]
    assert json.loads(text)["summary"] == {"error": 3, "warning": 8000, "info": 60, "waived": 0, "broken": 0}
