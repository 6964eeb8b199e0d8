"""`kbgraph manifest`."""

from __future__ import annotations

import json

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, lang_option, output_options, say

FORMATS = ("text", "json", "csv", "md", "html")


@click.group(epilog="Example: kbgraph manifest new inference -o work-guard/next.json")
def command() -> None:
    """Make the manifest of the next round, show one, or hold one against the folder."""


@command.command(epilog="Example: kbgraph manifest new inference -o work-guard/next.json")
@click.argument("topic")
@click.option("--id", "name", metavar="ID", help="The round's id; default: a new UUID.")
@click.option("--created", metavar="TIME", help="Its time, as it shall stand there; default: now.")
@corpus_options
@output_options("json")
def new(corpus: Corpus, out: Out, topic: str, name: str | None, created: str | None) -> None:
    """List what came since the last round: reports and cards that no manifest has named in their present state."""
    found = corpus.ready().tables.new_manifest(topic, name, created)
    out.write(json.dumps(found, ensure_ascii=False, indent=2) + "\n")


@command.command(epilog="Example: kbgraph manifest show work-guard/3f0c6a1e.json")
@click.argument("which", metavar="FILE|ROUND")
@lang_option()
@corpus_options
@output_options(*FORMATS)
def show(corpus: Corpus, out: Out, which: str, lang: str) -> None:
    """The files that a manifest names, each with its state in the folder."""
    workspace = corpus.open()
    out.write(workspace.render(workspace.tables.manifest(which), out.format, lang))


@command.command(epilog="Example: kbgraph manifest check work-guard/3f0c6a1e.json")
@click.argument("which", metavar="FILE|ROUND")
@lang_option()
@corpus_options
@output_options(*FORMATS)
def check(corpus: Corpus, out: Out, which: str, lang: str) -> int:
    """The files that are missing, changed or outside; exit code 1 when there are any."""
    workspace = corpus.open()
    found = workspace.tables.manifest(which, troubled=True)
    if found.rows or out.format != "text":
        out.write(workspace.render(found, out.format, lang))
    if not found.rows:
        number = len(workspace.tables.manifest(which).rows)
        say(f"{number} file{'s' * (number != 1)}, each as the manifest states it")
    return int(bool(found.rows))
