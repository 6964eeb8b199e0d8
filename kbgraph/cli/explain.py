"""`kbgraph explain`."""

from __future__ import annotations

import re

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, output_options


@click.command(epilog="Example: kbgraph explain orphan-citation")
@click.argument("what")
@click.option("--lang", type=click.Choice(["zh", "en"]), help="Of a finding; default: kbgraph.toml's, else English.")
@corpus_options
@output_options("text")
def command(what: str, lang: str | None, corpus: Corpus, out: Out) -> None:
    """Explain WHAT: a check or other saved query, a finding by its fingerprint, a term of the ontology."""
    workspace = corpus.ready() if re.fullmatch(r"[0-9a-f]{6,16}", what) else corpus.look()
    out.write(workspace.explain(what, lang or workspace.settings.lang or "en"))
