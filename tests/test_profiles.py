"""How checks are set: severity, off, how many findings may stand, parameters; whatever is wrong is told together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import kbgraph
from kbgraph.cli import _run
from kbgraph.errors import ConfigError

CARD = "# TwoQ+\n\n- **arXiv**: 2601.10101\n- **collected**: {}\n"
ROUND = '{"task_id": "1f3a", "topic": "cache", "created_at": "2026-08-20T07:00:00Z", "materials": []}'
DOC = "# Caches\n\n## 1. Eviction\n\nTwoQ+ (arXiv:2601.10101) holds cold objects back, as §7 and §8 tell.\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A card that was collected 81 days before the only round, and a document with two sections that are not there."""
    for path, text in {
        "organized/paper_cards/1-2601-10101.md": CARD.format("2026-05-31"),
        "work-guard/2026-08-20.json": ROUND,
        "organized/knowledge/cache.md": DOC,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


class Ran(NamedTuple):
    """Exit code, standard output, standard error."""

    code: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line."""

    def ran(*arguments: str) -> Ran:
        code = _run(arguments)
        return Ran(code, *capsys.readouterr())

    return ran


def stale(corpus: Path, settings: str, **profile: object) -> list[str]:
    (corpus / "kbgraph.toml").write_text(settings, "utf-8")
    with kbgraph.open(corpus, store="memory:") as kb:
        kb.sync()
        return [f.severity for f in kb.check(["stale-card"], profile=profile).findings]


def test_a_parameter_of_a_check_is_set_by_settings_and_by_a_profile(corpus: Path) -> None:
    assert stale(corpus, "") == []
    assert stale(corpus, "[checks.stale-card]\ndays = 81\n") == []
    assert stale(corpus, "[checks.stale-card]\ndays = 80\n") == ["info"]
    assert stale(corpus, '[checks]\nstale-card = {severity = "error", days = 80}\n') == ["error"]
    assert stale(corpus, "", **{"stale-card": {"days": 80}}) == ["info"]
    assert stale(corpus, "[checks.stale-card]\ndays = 80\n", **{"stale-card": "warning"}) == ["warning"]
    assert stale(corpus, "[checks.stale-card]\ndays = 80\n", **{"stale-card": {"days": 90}}) == []
    assert stale(corpus, "[checks.stale-card]\ndays = 80\n", **{"stale-card": "off"}) == []


def test_all_that_no_check_can_be_set_to_is_told_together(corpus: Path) -> None:
    (corpus / "kbgraph.toml").write_text('[checks]\nstale-crad = "off"\n[checks.stale-card]\ndayz = 3\n', "utf-8")
    profile = {"stale-card": {"days": "many"}, "orphan-citation": {"x": 1}}
    with kbgraph.open(corpus, store="memory:") as kb:
        kb.sync()
        with pytest.raises(ConfigError) as told:
            kb.check(profile=profile)
    first, second, *rest = told.value.message.splitlines()
    assert first == "checks cannot be set so:"
    assert second.startswith("  `stale-crad` is no check: did you mean `stale-card`")
    assert rest == [
        "  `stale-card` has no `dayz`: did you mean `days`?",
        "  `stale-card`: `days=many` is no int: write it like 12",
        "  `orphan-citation` has no `x`: there are severity, at-most",
    ]


def test_as_many_findings_as_may_stand_do_not_make_a_run_fail(run: Command, corpus: Path) -> None:
    check, profile = ("check", "dangling-section", "--kb", str(corpus)), corpus / "p.toml"
    assert run(*check).code == 1
    for most, code in ((2, 0), (1, 1)):
        profile.write_text(f"[dangling-section]\nat-most = {most}\n", "utf-8")
        ran = run(*check, "--profile", str(profile))
        assert (ran.code, ran.out.count("dangling-section")) == (code, 2), "they are shown all the same"


def test_a_profile_says_what_makes_a_run_fail_and_the_command_line_has_the_last_word(
    run: Command, corpus: Path
) -> None:
    check, profile = ("check", "dangling-section", "--kb", str(corpus)), corpus / "p.toml"
    profile.write_text('fail-on = "never"\n[checks]\ndangling-section = "info"\n', "utf-8")
    (corpus / "kbgraph.toml").write_text('fail-on = "info"\n', "utf-8")
    assert run(*check).code == 1
    assert run(*check, "--profile", str(profile)).code == 0
    assert run(*check, "--profile", str(profile), "--fail-on", "info").code == 1
    (corpus / "kbgraph.toml").write_text('fail-on = "never"\n', "utf-8")
    assert run(*check).code == 0


def test_what_is_wrong_with_the_form_of_a_profile_is_told_together(run: Command, corpus: Path) -> None:
    profile = corpus / "p.toml"
    profile.write_text('fail-on = "x"\nchekcs = 1\n[checks]\norphan-citation = "loud"\n', "utf-8")
    ran = run("check", "--kb", str(corpus), "--profile", str(profile))
    assert ran.code == 2
    assert ran.err.splitlines()[1:4] == [
        "  `chekcs`: is no setting: did you mean `checks`?",
        "  `fail-on`: input should be 'error', 'warning', 'info', 'never'",
        "  `orphan-citation`: input should be 'error', 'warning', 'info' or 'off'",
    ]
