"""`kbgraph explain`."""

from __future__ import annotations

import re

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, lang_option, output_options


@click.command(epilog="Example: kbgraph explain orphan-citation")
@click.argument("what")
@lang_option("Of a finding; default: kbgraph.toml's, else English.")
@corpus_options
@output_options("text")
def command(what: str, lang: str, corpus: Corpus, out: Out) -> None:
    """Explain WHAT: a check or other saved query, a finding by its fingerprint, a term of the ontology."""
    workspace = corpus.ready() if re.fullmatch(r"[0-9a-f]{6,16}", what) else corpus.look()
    out.write(workspace.explain(what, lang or workspace.settings.lang or "en"))
