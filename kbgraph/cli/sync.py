"""`kbgraph sync`."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import asdict

import click

from kbgraph.cli._options import Corpus, Out, corpus_options, output_options, progress
from kbgraph.model.sync import SyncReport


@click.command(epilog="Example: kbgraph sync --kb ~/notes")
@click.option("--manifest", metavar="FILE", help="Read only what this manifest names, into memory: a rehearsal.")
@click.option("--full", is_flag=True, help="Read every file again and build the graph anew.")
@click.option("--watch", is_flag=True, help="Go on, and follow every change until interrupted.")
@click.option("--workers", type=click.IntRange(1, 64), metavar="N", help="Processes that read; default by the machine.")
@corpus_options
@output_options("text", "json")
def command(corpus: Corpus, out: Out, *, manifest: str | None, full: bool, watch: bool, workers: int | None) -> None:
    """Bring the graph up to date with the folder, and say what changed and what was not read."""
    if watch and (manifest or corpus.no_sync):
        raise click.UsageError("--watch goes with neither --manifest nor --no-sync")
    if corpus.no_sync:
        raise click.UsageError("--no-sync would leave nothing to do")
    workspace = corpus.open()
    report = workspace.sync(manifest, full, workers, progress=progress())
    out.write(told(report, out.format))
    if watch:
        from kbgraph.workspace.watching import looks  # noqa: PLC0415  (most syncs end)

        for _ in filter(None, looks(workspace.root, threading.Event())):
            report = workspace.sync(workers=workers, wait=60)
            if not report.nothing_new:
                out.write(told(report, out.format))


def told(report: SyncReport, fmt: str) -> str:
    """A report as a person or a program reads it."""
    if fmt == "json":
        return json.dumps(asdict(report), ensure_ascii=False, indent=1) + "\n"
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: SyncReport) -> Iterator[str]:
    for sign, paths in (("+", report.added), ("~", report.changed), ("-", report.removed)):
        shown = paths if len(paths) <= 20 else paths[:10]
        yield from (f"{sign} {path}" for path in shown)
        if len(shown) < len(paths):
            yield f"{sign} … and {len(paths) - len(shown)} more"
    yield from (f"not read: {one.path}: {one.reason}" for one in report.skipped)
    yield from (f"odd name: {one.path}: {one.reason}" for one in report.odd)
    yield from report.notes
    counts = f"{len(report.added)} added, {len(report.changed)} changed, {len(report.removed)} removed"
    yield f"{counts}, {report.unchanged} unchanged"
    yield f"{report.statements:,} statements from {report.documents:,} documents; {coverage(report)}"
    if report.others:
        yield "files of other kinds: " + ", ".join(f"{n:,} {suffix or 'without suffix'}" for suffix, n in report.others)


def coverage(report: SyncReport) -> str:
    """How much of the text was understood, and why the rest was passed over."""
    share = f"{report.understood / report.lines:.0%}" if report.lines else "none"
    because = ", ".join(f"{n:,} {reason}" for reason, n in report.ignored)
    return f"{share} of {report.lines:,} lines understood{f' (passed over: {because})' if because else ''}"
