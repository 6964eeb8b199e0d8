"""`kbgraph queries`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, lang_option, output_options, say
from kbgraph.model.query import Table

FORMATS = ("text", "json", "csv", "md", "html")


@click.group(invoke_without_command=True, epilog="Example: kbgraph queries show orphan-citation")
@lang_option("Of the titles; default: kbgraph.toml's, else English.")
@corpus_options
@output_options(*FORMATS)
@click.pass_context
def command(context: click.Context, lang: str, corpus: Corpus, out: Out) -> None:
    """List the saved queries, show one, or run their case files."""
    context.obj = corpus
    if context.invoked_subcommand is not None:
        return
    workspace = corpus.look()
    said = lang or workspace.settings.lang or "en"
    rows = tuple(
        (q.name, q.kind, q.severity if q.kind == "check" else None, q.title.get(said, ""), q.note or q.origin)
        for q in workspace.queries.all()
    )
    listed = Table(("name", "kind", "severity", "title", "origin"), rows, len(rows))
    out.write(workspace.render(listed, out.format, said))


@command.command(epilog="Example: kbgraph queries show orphan-citation -f json")
@click.argument("name")
@corpus_options
@output_options("text", "json")
@click.pass_obj
def show(around: Corpus, name: str, corpus: Corpus, out: Out) -> None:
    """What a query answers, why, with which parameters, and its SPARQL."""
    workspace = corpus.within(around).look()
    query = workspace.queries.get(name)
    told = json.dumps(asdict(query), ensure_ascii=False, indent=2) + "\n"
    out.write(told if out.format == "json" else f"{workspace.explain(name)}\n```sparql\n{query.text.rstrip()}\n```\n")


@command.command(epilog="Example: kbgraph queries test my-own-check")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@corpus_options
@output_options("text")
@click.pass_obj
def test(around: Corpus, names: tuple[str, ...], corpus: Corpus, out: Out) -> int:
    """Run the case files of queries, of all that have one unless some are named; exit code 1 when one fails."""
    from kbgraph.workspace import Workspace  # noqa: PLC0415  (the list needs no second one)
    from kbgraph.workspace.testing import run_cases  # noqa: PLC0415

    def opened(root: Path) -> Workspace:
        made = Workspace.open(root, "memory:")
        made.sync()
        return made

    workspace = corpus.within(around).look()
    results = list(run_cases(workspace.root, workspace.queries, names, opened))
    failed = [result for result in results if result.trouble]
    out.write("".join(f"{r.query}: {r.title}: {r.trouble or 'as expected'}\n" for r in results))
    say(f"{len(results) - len(failed)} of {len(results)} as expected")
    return int(bool(failed))
