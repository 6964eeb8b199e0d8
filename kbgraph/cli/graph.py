"""`kbgraph graph`."""

from __future__ import annotations

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, output_options, parameters, say


@click.command(epilog="Example: kbgraph graph --focus arXiv:2609.31446 --hops 2 -o around.html")
@click.option("--query", metavar="MAP", default="citations", show_default=True, help="A saved map to draw.")
@click.option("-p", "--param", "params", metavar="NAME=VALUE", multiple=True, help="A parameter of the map.")
@click.option(
    "--focus", metavar="WHAT", default="", help="Draw what is around a path, arXiv id, owner/name, §3.1, IRI."
)
@click.option("--hops", type=click.IntRange(1, 5), default=1, show_default=True, help="How far around the focus.")
@click.option(
    "--max-nodes", type=click.IntRange(1, 2000), default=500, show_default=True, help="Draw no more than this."
)
@click.option("--lang", type=click.Choice(["zh", "en"]), help="Default: kbgraph.toml's, else English.")
@corpus_options
@output_options("html", "json")
def command(
    query: str,
    params: tuple[str, ...],
    focus: str,
    hops: int,
    max_nodes: int,
    lang: str | None,
    corpus: Corpus,
    out: Out,
) -> None:
    """Draw a map or the surroundings of one thing as one HTML file that asks the network for nothing."""
    workspace = corpus.ready()
    said = lang or workspace.settings.lang or "en"
    made = workspace.drawing(query, focus, hops=hops, cap=max_nodes, lang=said, params=parameters(params))
    if made.all_nodes > len(made.nodes):
        say(f"{made.all_nodes - len(made.nodes)} of {made.all_nodes} nodes left out; --max-nodes shows more")
    out.write(workspace.render(made, out.format, said))
