"""What all commands share: which knowledge base, whether to bring it up to date, where the result goes.

@click.command(epilog="Example: kbgraph rounds -f json")
@corpus_options
@output_options("text", "json")
def command(corpus: Corpus, out: Out) -> int | None: ...
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kbgraph.errors import BusyError, StoreError, UsageError
from kbgraph.serve import LOOPBACK

if TYPE_CHECKING:
    from kbgraph.model.sync import SyncReport
    from kbgraph.workspace import Workspace

Function = Callable[..., Any]
TOKEN = "KBGRAPH_TOKEN"  # noqa: S105  (the name of a variable)
SECRET = 16  # signs that a token has at least
WORKSPACE = "kbgraph.workspace"  # in a command's context: what the output must not overwrite


class PipeClosedError(Exception):
    """Whoever read standard output has gone; click would make exit code 1, findings, of a BrokenPipeError."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The knowledge base that a command is about."""

    folder: str
    store: str | None
    no_sync: bool

    def open(self) -> Workspace:
        """The workspace as it is."""
        from kbgraph.workspace import Workspace  # noqa: PLC0415  (`--help` needs none)

        if self.folder and not Path(self.folder).is_dir():
            raise UsageError(f"{self.folder} is no folder", "name the folder that holds the notes, with --kb")
        workspace = Workspace.open(self.folder, self.store)
        context = click.get_current_context()
        context.call_on_close(workspace.close)
        context.meta[WORKSPACE] = workspace
        return workspace

    def look(self) -> Workspace:
        """The workspace for what needs no graph: a folder that has none is left without."""
        from kbgraph import config  # noqa: PLC0415  (`--help` needs none)

        root = Path(self.folder) if self.folder else config.around(Path())
        has_state = (root / config.STATE).is_dir()
        return (self if has_state or self.store else replace(self, store="memory:")).open()

    def within(self, around: Corpus) -> Corpus:
        """Itself; where nothing was said to it, what was said to the group of commands around the command."""
        return around if self == Corpus("", None, no_sync=False) else self

    def ready(self) -> Workspace:
        """The workspace with its graph up to date; as it is with --no-sync, or while another process changes it."""
        workspace = self.open()
        if self.no_sync:
            if not workspace.synced:
                raise StoreError("there is no graph yet", "run `kbgraph sync`, or leave --no-sync out")
            return workspace
        try:
            tell_unread(workspace.sync(progress=progress()))
        except BusyError as error:
            if not workspace.synced:
                raise
            say(f"{error.message}; this answer is from the graph as it was before")
        return workspace


def tell_unread(report: SyncReport) -> None:
    """Say on standard error what was not read, and what else a person should know of the graph."""
    for note in report.notes:
        say(note)
    if report.skipped:
        files = f"{len(report.skipped)} file{'s' * (len(report.skipped) > 1)}"
        say(f"{files} could not be read; `kbgraph sync` says which and why")


@dataclass(frozen=True, slots=True)
class Out:
    """Where a result goes, and in which form."""

    format: str
    file: str | None

    def write(self, text: str | Iterable[str]) -> None:
        """Write a result: to standard output, or to a file that is there whole or not at all."""
        pieces = (text,) if isinstance(text, str) else text
        if self.file in {None, "-"}:
            _print(pieces)
        else:
            self._write(Path(str(self.file)), pieces)

    def _write(self, path: Path, pieces: Iterable[str]) -> None:
        from kbgraph.workspace.outputs import write_whole  # noqa: PLC0415  (`--help` needs none)

        workspace: Workspace | None = click.get_current_context().meta.get(WORKSPACE)
        outputs = workspace.outputs if workspace else None
        if outputs:
            outputs.check(path)
        write_whole(path, pieces)
        if outputs:
            outputs.note(path)


def _print(pieces: Iterable[str]) -> None:
    stream = sys.stdout
    if stream is None:  # `>&-`
        raise UsageError("standard output is closed", "open it, or name a file with -o")
    for piece in pieces:
        _put(stream.write, piece)
    _put(stream.flush)


def _put(write: Callable[..., object], *piece: str) -> None:
    """Only what goes wrong in writing is about the output: the pieces are made between."""
    try:
        write(*piece)
    except BrokenPipeError as error:
        raise PipeClosedError from error
    except OSError as error:
        raise UsageError(f"standard output cannot be written: {error.strerror}", "name a file with -o") from error


def say(message: str) -> None:
    """Tell about the work, on standard error."""
    click.echo(f"kbgraph: {message}", err=True)


def progress(doing: str = "reading", what: str = "files") -> Callable[[int, int], None] | None:
    """A line on a terminal that counts; nothing elsewhere."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        if done == total or done % max(1, min(50, total // 50)) == 0:
            click.echo(f"\r{doing} {done}/{total} {what}{'' if done < total else chr(10)}", err=True, nl=False)

    return show


def guarded(host: str) -> str:
    """The token that a server's askers must know, "" for none; UsageError where one is needed and there is none."""
    token = os.environ.get(TOKEN, "")
    if host not in LOOPBACK and len(token) < SECRET:
        raise UsageError(
            f"{host} can be reached by others, so a token is needed",
            f"set {TOKEN} to a secret of {SECRET} signs or more, or leave --host out",
        )
    return token


def spelled(word: str) -> str:
    """A word of the command line as UTF-8, whatever the locale took its bytes for."""
    return word.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def parameters(given: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE` words as a dict; UsageError for one without `=`."""
    found: dict[str, str] = {}
    for word in map(spelled, given):
        name, mark, value = word.partition("=")
        if not mark or not name.strip():
            raise UsageError(f"`{word}` is no parameter", "write it as NAME=VALUE, such as -p topic=inference")
        if name.strip() in found:
            raise UsageError(f"parameter `{name.strip()}` is given twice", "give it once")
        found[name.strip()] = value
    return found


def corpus_options(function: Function) -> Function:
    """Give a command `corpus`: --kb, --store and --no-sync."""

    @click.option("--kb", metavar="DIR", default="", help="The knowledge base; default: the one around this folder.")
    @click.option("--store", metavar="WHERE", help="Where the graph is kept: a folder, or `memory:`; default .kbgraph.")
    @click.option("--no-sync", is_flag=True, help="Use the graph as it is.")
    @wraps(function)
    def wrapped(*args: Any, kb: str, store: str | None, no_sync: bool, **kwargs: Any) -> Any:  # noqa: ANN401
        return function(*args, corpus=Corpus(kb, store, no_sync), **kwargs)

    return wrapped


def lang_option(told: str = "Default: kbgraph.toml's, else English.") -> Callable[[Function], Function]:
    """Give a command `lang`: zh, en, or "" for the default."""
    return click.option("--lang", type=click.Choice(["zh", "en"]), callback=_or_nothing, help=told)


def _or_nothing(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str:
    return value or ""


def output_options(*formats: str) -> Callable[[Function], Function]:
    """Give a command `out`: -f with these formats, the first by default, and -o."""

    def decorate(function: Function) -> Function:
        @click.option(
            "-f", "--format", "fmt", type=click.Choice(formats), default=formats[0], show_default=True, help="The form."
        )
        @click.option("-o", "--output", metavar="FILE", help="Write to a file: whole, or not at all.")
        @wraps(function)
        def wrapped(*args: Any, fmt: str, output: str | None, **kwargs: Any) -> Any:  # noqa: ANN401
            return function(*args, out=Out(fmt, output), **kwargs)

        return wrapped

    return decorate
