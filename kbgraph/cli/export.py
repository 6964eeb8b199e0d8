"""`kbgraph export`."""

from __future__ import annotations

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, output_options


@click.command(epilog="Example: kbgraph export -f ttl -o graph.ttl")
@corpus_options
@click.option(
    "--findings", is_flag=True, help="With what the runs of checks found; without, equal files give equal text."
)
@output_options("nq", "trig", "ttl", "jsonld", "graphml", "csv")
def command(findings: bool, corpus: Corpus, out: Out) -> None:
    """Write the whole graph; nq comes sorted, so that two graphs are compared as texts."""
    out.write(corpus.ready().pieces(out.format, findings))
