"""`kbgraph brief`."""

from __future__ import annotations

import click
from click.core import ParameterSource

from kbgraph.cli._options import Corpus, Out, corpus_options, lang_option, output_options
from kbgraph.errors import UsageError


@click.command(epilog="Example: kbgraph brief inference --lang zh -o tonight.md")
@click.argument("topic", default="")
@click.option("--manifest", metavar="FILE", default="", help="The manifest, or its round's id; default: the newest.")
@click.option("--patch", is_flag=True, help="Write its merge actions as a unified diff of the documents instead.")
@lang_option("Default: kbgraph.toml's, else that of the materials.")
@corpus_options
@output_options("md", "json")
def command(topic: str, *, manifest: str, patch: bool, lang: str, corpus: Corpus, out: Out) -> None:
    """Write tonight's brief of a TOPIC: what is new, where it belongs, what is in doubt; each line with its place."""
    workspace = corpus.open()
    if patch:
        if click.get_current_context().get_parameter_source("fmt") is not ParameterSource.DEFAULT:
            raise UsageError("a patch has one format, a unified diff", "leave out --format")
        changes = workspace.patch(topic, manifest)
        out.write(workspace.render(changes, "diff", lang or workspace.settings.lang or changes.lang))
        return
    made = workspace.brief(topic, manifest)
    out.write(workspace.render(made, out.format, lang or workspace.settings.lang or made.lang))
