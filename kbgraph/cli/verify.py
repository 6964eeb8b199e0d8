"""`kbgraph verify`."""

from __future__ import annotations

import click

from kbgraph.cli._findings import FORMATS, code, fail_on_option, tell
from kbgraph.cli._options import Corpus, Out, corpus_options, lang_option, output_options, say, spelled


@click.command(epilog="Example: kbgraph verify tonight.md --fail-on error")
@click.argument("file", metavar="FILE")
@fail_on_option("Default: kbgraph.toml's, else warning.")
@lang_option()
@corpus_options
@output_options(*FORMATS)
def command(file: str, *, fail_on: str | None, lang: str, corpus: Corpus, out: Out) -> int:
    """Hold a written brief against the graph: what it names, counts, quotes and claims, and no material has."""
    workspace = corpus.ready()
    told = len(workspace.notes)
    found = workspace.verify(spelled(file))
    for note in workspace.notes[told:]:
        say(note)
    out.write(workspace.render(found, out.format, lang))
    tell(found.report)
    return code(found.report, fail_on or workspace.settings.fail_on or "warning")
