"""`kbgraph graph`."""

from __future__ import annotations

import sys

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, lang_option, output_options, parameters, say
from kbgraph.errors import UsageError


@click.command(epilog="Example: kbgraph graph --focus arXiv:2609.31446 --hops 2 -o around.html")
@click.option("--query", metavar="MAP", default="", show_default="citations", help="A saved map to draw.")
@click.option("-p", "--param", "params", metavar="NAME=VALUE", multiple=True, help="A parameter of the map.")
@click.option(
    "--focus", metavar="WHAT", default="", help="Draw what is around a path, arXiv id, owner/name, §3.1, IRI."
)
@click.option("--hops", type=click.IntRange(1, 5), default=1, show_default=True, help="How far around the focus.")
@click.option(
    "--max-nodes", type=click.IntRange(1, 2000), default=500, show_default=True, help="Draw no more than this."
)
@lang_option()
@corpus_options
@output_options("html", "json")
def command(
    *,
    query: str,
    params: tuple[str, ...],
    focus: str,
    hops: int,
    max_nodes: int,
    lang: str,
    corpus: Corpus,
    out: Out,
) -> None:
    """Draw a map or the surroundings of one thing as one HTML file that asks the network for nothing."""
    if out.format == "html" and out.file is None and sys.stdout.isatty():
        raise UsageError("a terminal cannot show a drawing", "write it to a file: -o graph.html")
    if focus and (query or params):
        raise UsageError("--focus draws no map", "leave out --query and -p, or leave out --focus")
    name = query or "citations"
    workspace = corpus.ready()
    said = lang or workspace.settings.lang or "en"
    made = workspace.drawing(name, focus, hops=hops, cap=max_nodes, lang=said, params=parameters(params))
    if made.all_nodes > len(made.nodes):
        say(f"{made.all_nodes - len(made.nodes)} of {made.all_nodes} nodes left out; --max-nodes shows more")
    if not made.nodes:
        say(f"`{name}` finds nothing to draw in this corpus; `kbgraph queries` lists other maps")
    out.write(workspace.render(made, out.format, said))
