"""`kbgraph export`."""

from __future__ import annotations

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, output_options


@click.command(epilog="Example: kbgraph export -f ttl -o graph.ttl")
@corpus_options
@output_options("nq", "trig", "ttl", "jsonld", "graphml", "csv")
def command(corpus: Corpus, out: Out) -> None:
    """Write the whole graph; nq comes sorted, so that two graphs are compared as texts."""
    out.write(corpus.ready().pieces(out.format))
