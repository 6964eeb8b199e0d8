"""`kbgraph serve`."""

from __future__ import annotations

import click

from kbgraph.cli._options import Corpus, corpus_options, guarded, say
from kbgraph.errors import UsageError


@click.command(epilog="Example: kbgraph serve --kb ~/notes --port 8080")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=7878, show_default=True, help="0: any that is free.")
@click.option("--watch/--no-watch", default=True, show_default=True, help="Show what is saved within a second.")
@click.option("--timeout", type=click.FloatRange(0.1, 600), default=10.0, show_default=True, help="Seconds a query.")
@click.option("--max-rows", type=click.IntRange(1, 1_000_000), default=10_000, show_default=True, help="Rows of one.")
@corpus_options
def command(corpus: Corpus, *, host: str, port: int, watch: bool, timeout: float, max_rows: int) -> None:
    """Serve pages, saved queries and a SPARQL 1.1 endpoint, read-only; beyond this machine only with KBGRAPH_TOKEN."""
    token = guarded(host)
    try:
        from kbgraph.serve.server import run  # noqa: PLC0415  (the extra is needed only here)
    except ModuleNotFoundError as error:
        raise UsageError(f"serving needs {error.name}", "install it: pip install 'kbgraph[serve]'") from error
    from kbgraph.workspace.site import Limits, Site  # noqa: PLC0415  (`--help` needs none)

    workspace = corpus.ready()
    site = Site(workspace, Limits(seconds=timeout, rows=max_rows))
    watched = watch and not corpus.no_sync
    run(site, host, port, token=token, watch=watched, ready=lambda address: say(f"serving at {address}"))
