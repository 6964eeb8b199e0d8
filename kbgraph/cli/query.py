"""`kbgraph query`."""

from __future__ import annotations

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, lang_option, output_options, parameters, say, spelled

FORMATS = ("text", "json", "csv", "md", "html")


@click.command(epilog="Example: kbgraph query -e 'SELECT ?path WHERE { ?card a kb:PaperCard ; kb:path ?path }'")
@click.argument("what", required=False)
@click.option("-e", "--expression", metavar="SPARQL", help="Ask this; the ontology's prefixes need not be declared.")
@click.option("-p", "--param", "params", metavar="NAME=VALUE", multiple=True, help="A parameter of the saved query.")
@click.option("--as-of", "round_id", metavar="ROUND", help="Ask the graph as it was when this round was first seen.")
@lang_option()
@corpus_options
@output_options(*FORMATS)
def command(
    *,
    what: str | None,
    expression: str | None,
    params: tuple[str, ...],
    round_id: str | None,
    lang: str,
    corpus: Corpus,
    out: Out,
) -> None:
    """Answer WHAT: a saved query's name, or an .rq file; `kbgraph queries` lists the names."""
    if (what is None) == (expression is None):
        raise click.UsageError("name one query: a saved name, an .rq file, or -e SPARQL")
    given = parameters(params)
    workspace = corpus.ready()
    if round_id:
        workspace = workspace.as_of(round_id)
        click.get_current_context().call_on_close(workspace.close)
    found = workspace.query(what or spelled(expression or ""), **given)
    out.write(workspace.render(found, out.format, lang))
    if expression and not found.rows:
        from kbgraph.workspace.saved import hints  # noqa: PLC0415  (only where nothing is found)

        for hint in hints(spelled(expression)):
            say(hint)
