"""`kbgraph rounds`."""

from __future__ import annotations

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, lang_option, output_options


class Listing(click.Group):
    """Commands of which `list` is meant when none is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, `list` before them where they begin with an option or are none."""
        if not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names):
            args = ["list", *args]
        return super().parse_args(ctx, args)


FORMATS = ("text", "json", "csv", "md", "html")


@click.group(cls=Listing, epilog="Example: kbgraph rounds show 3f0c6a1e")
def command() -> None:
    """List the rounds of work, show one, or compare two."""


@command.command("list", epilog="Example: kbgraph rounds list -f json")
@lang_option()
@corpus_options
@output_options(*FORMATS)
def list_(corpus: Corpus, out: Out, lang: str) -> None:
    """All rounds whose manifests are in the graph, oldest first."""
    workspace = corpus.ready()
    out.write(workspace.render(workspace.tables.rounds(), out.format, lang))


@command.command(epilog="Example: kbgraph rounds show 3f0c6a1e")
@click.argument("round_id", metavar="ROUND")
@lang_option()
@corpus_options
@output_options(*FORMATS)
def show(corpus: Corpus, out: Out, round_id: str, lang: str) -> None:
    """The files that a round was given, with their state then and now. The first letters of its id are enough."""
    workspace = corpus.ready()
    out.write(workspace.render(workspace.tables.round(round_id), out.format, lang))


@command.command(epilog="Example: kbgraph rounds compare 3f0c6a1e 8b24d7f0")
@click.argument("first", metavar="ROUND")
@click.argument("second", metavar="ROUND")
@lang_option()
@corpus_options
@output_options(*FORMATS)
def compare(corpus: Corpus, out: Out, first: str, second: str, lang: str) -> None:
    """The files that differ between the corpus of one round and that of another."""
    workspace = corpus.ready()
    out.write(workspace.render(workspace.tables.compared(first, second), out.format, lang))
