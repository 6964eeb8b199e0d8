"""`kbgraph status`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, output_options
from kbgraph.model.sync import Round, Status

LAST = 5  # rounds shown


@click.command(epilog="Example: kbgraph status -f json")
@corpus_options
@output_options("text", "json")
def command(corpus: Corpus, out: Out) -> None:
    """Tell what is in the graph: kinds of files, works, claims, how much was understood, the last rounds."""
    found = corpus.ready().status()
    if out.format == "json":
        out.write(json.dumps(asdict(found), ensure_ascii=False, indent=1) + "\n")
    else:
        out.write("".join(f"{line}\n" for line in _lines(found)))


def _lines(found: Status) -> Iterator[str]:
    yield found.root
    yield f"{found.documents:,} documents, {found.quads:,} statements"
    yield from (f"  {number:>9,}  {name}" for name, number in found.kinds)
    yield "of which"
    yield from (f"  {number:>9,}  {name}" for name, number in found.counts)
    share = f"{found.understood / found.lines:.0%}" if found.lines else "none"
    yield f"{share} of {found.lines:,} lines understood"
    yield from (f"  {number:>9,}  passed over: {reason}" for reason, number in found.ignored)
    yield "last rounds" if found.rounds else "no rounds"
    yield from (f"  {line(one)}" for one in found.rounds[-LAST:])


def line(one: Round) -> str:
    """A round on one line."""
    return f"{one.created or '?':<16} {one.topic or '-':<14} {one.materials:>4} materials  {one.id}"
