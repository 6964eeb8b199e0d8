"""`kbgraph mcp`."""

from __future__ import annotations

import click

from kbgraph.cli._options import Corpus, corpus_options, guarded, say
from kbgraph.errors import UsageError


@click.command(epilog="Example: kbgraph mcp --kb ~/notes")
@click.option("--http", is_flag=True, help="Serve over HTTP at /mcp instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=7879, show_default=True, help="With --http.")
@corpus_options
def command(corpus: Corpus, *, http: bool, host: str, port: int) -> None:
    """Serve the graph to agents as read-only tools of the Model Context Protocol."""
    token = guarded(host) if http else ""
    try:
        from kbgraph.serve import agents, server  # noqa: PLC0415  (the extra is needed only here)
    except ModuleNotFoundError as error:
        raise UsageError(f"serving agents needs {error.name}", "install it: pip install 'kbgraph[mcp]'") from error
    from kbgraph.serve.questions import Tools  # noqa: PLC0415  (`--help` needs none)
    from kbgraph.workspace.site import Site  # noqa: PLC0415

    tools = Tools(Site(corpus.ready()), sync=not corpus.no_sync)
    if http:
        app = agents.application(tools, host, token)
        server.listen(app, host, port, lambda address: say(f"serving agents at {address}mcp"))
    else:
        agents.server(tools).run("stdio")
