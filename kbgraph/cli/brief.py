"""`kbgraph brief`."""

from __future__ import annotations

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, lang_option, output_options


@click.command(epilog="Example: kbgraph brief inference --lang zh -o tonight.md")
@click.argument("topic", default="")
@click.option("--manifest", metavar="FILE", default="", help="The manifest, or its round's id; default: the newest.")
@lang_option("Default: kbgraph.toml's, else that of the materials.")
@corpus_options
@output_options("md", "json")
def command(topic: str, manifest: str, lang: str, corpus: Corpus, out: Out) -> None:
    """Write tonight's brief of a TOPIC: what is new, where it belongs, what is in doubt; each line with its place."""
    workspace = corpus.open()
    made = workspace.brief(topic, manifest)
    out.write(workspace.render(made, out.format, lang or workspace.settings.lang or made.lang))
