"""`kbgraph init`."""

from __future__ import annotations

import click

from kbgraph.cli._options import Corpus, say
from kbgraph.cli.sync import told
from kbgraph.errors import UsageError


@click.command(epilog="Example: kbgraph init ~/notes")
@click.argument("folder", metavar="[DIR]", default=".")
@click.option("--force", is_flag=True, help="Write kbgraph.toml anew although there is one.")
@click.option("--no-sync", is_flag=True, help="Look and write, but make no graph yet.")
def command(folder: str, force: bool, no_sync: bool) -> None:
    """Look at a folder, write kbgraph.toml, and say what was recognised and what was not."""
    from kbgraph.workspace.outputs import write_whole  # noqa: PLC0415  (`--help` needs none)
    from kbgraph.workspace.survey import survey  # noqa: PLC0415  (`--help` needs none)

    found = survey(folder)
    if found.file.exists() and not force:
        raise UsageError(f"{found.file} is there already", "edit it, or use --force to write it anew")
    write_whole(found.file, [found.text], "make the folder writable, or copy the notes to one that is")
    click.echo(f"{found.file} written")
    for line in found.lines:
        click.echo(line)
    if not no_sync:
        say("making the graph")
        click.echo(told(Corpus(folder, None, no_sync=False).open().sync(), "text"), nl=False)
