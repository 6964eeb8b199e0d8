"""`kbgraph trace`."""

from __future__ import annotations

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, lang_option, output_options, spelled


@click.command(epilog="Example: kbgraph trace organized/knowledge/inference.md:196")
@click.argument("what")
@lang_option()
@corpus_options
@output_options("text", "md", "json")
def command(what: str, lang: str, corpus: Corpus, out: Out) -> None:
    """Trace WHAT (an id, a number or words of a statement, PATH:LINE) back to its primary source, hop by hop."""
    workspace = corpus.ready()
    out.write(workspace.render(workspace.trace(spelled(what)), out.format, lang))
