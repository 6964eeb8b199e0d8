"""`kbgraph check`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click

from kbgraph.cli._findings import FORMATS, FOUND, code, fail_on_option, tell
from kbgraph.cli._options import Corpus, Out, corpus_options, lang_option, output_options, progress, say
from kbgraph.errors import UsageError
from kbgraph.model.fault import VERDICTS

TESTED = ("text", "json")  # formats of a self-test


@click.command(epilog="Example: kbgraph check orphan-citation dangling-path --fail-on error")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="The checks with this tag; may be repeated.")
@click.option(
    "--profile", metavar="FILE", help="A TOML file that says of checks what [checks] of kbgraph.toml may say."
)
@fail_on_option("Default: the profile's, kbgraph.toml's, else warning.")
@click.option("--since-last", is_flag=True, help="Show only what the graph before this one did not have.")
@click.option("--shapes", is_flag=True, help="Hold the graph against the ontology's SHACL shapes as well.")
@click.option("--self-test", is_flag=True, help="Plant a fault of each kind, in memory, and tell which checks notice.")
@click.option("--seed", metavar="N", type=int, default=0, help="With --self-test: where the faults are planted.")
@lang_option()
@corpus_options
@output_options(*FORMATS)
def command(
    *,
    names: tuple[str, ...],
    tags: tuple[str, ...],
    profile: str | None,
    fail_on: str | None,
    since_last: bool,
    shapes: bool,
    self_test: bool,
    seed: int,
    lang: str,
    corpus: Corpus,
    out: Out,
) -> int:
    """Run the checks, all unless some are named; exit code 1 for findings, 3 when a check could not do its work."""
    if self_test:
        if tags or profile or since_last or shapes:
            raise UsageError("--self-test runs all checks as they are", "give it names of checks, --seed, or nothing")
        if out.format not in TESTED:  # told before the work, not after it
            raise UsageError(f"a self-test cannot be written as {out.format}", f"there are {', '.join(TESTED)}")
        return _selftest(names, seed, lang, replace(corpus, store="memory:", no_sync=False), out)
    grades, grave = _profile(profile) if profile else ({}, "")
    workspace = corpus.ready()
    told = len(workspace.notes)
    report = workspace.check(names, tags, grades)
    for note in workspace.notes[told:]:
        say(note)
    if shapes:
        report = workspace.held(report)
    if since_last:
        report = replace(report, findings=tuple(f for f in report.findings if f.state in ("new", "regressed")))
    out.write(workspace.render(report, out.format, lang))
    tell(report)
    return code(report, fail_on or grave or workspace.settings.fail_on or "warning")


def _selftest(names: tuple[str, ...], seed: int, lang: str, corpus: Corpus, out: Out) -> int:
    """Plant and look; exit code 1 when a fault was not found, or more was found than it."""
    workspace = corpus.ready()
    told = workspace.selftest(names, seed, progress("trying", "faults"))
    out.write(workspace.render(told, out.format, lang))
    counts = [f"{n} {word}" for word in VERDICTS if (n := sum(t.verdict == word for t in told.trials))]
    say(", ".join(counts) or "no kind of fault tries these checks")
    return FOUND if told.failed else 0


def _profile(file: str) -> tuple[Mapping[str, object], str]:
    from kbgraph.config.checks import profile  # noqa: PLC0415  (most runs have none)

    try:
        return profile(Path(file).read_text("utf-8"), file)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}", "give a TOML file with --profile") from error
