"""The command line. The folder is the registry: a command is one file here, with a click command called `command`."""

from __future__ import annotations

import gc
import io
import os
import pkgutil
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import NoReturn

import click

from kbgraph.cli._options import PipeClosedError
from kbgraph.errors import KbgraphError

HELP = """A research knowledge base in Markdown as an RDF graph: gap checks, briefs and drawings from saved queries.

Every command finds the knowledge base as git finds its repository, and brings its graph up to date first."""
SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 110}
INTERRUPTED = 130
PIPE_CLOSED = 141


class Commands(click.Group):
    """Commands by the names of the files beside this one, each loaded when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (as click calls it)
        """All names, sorted; a file that starts with `_` is no command, one that ends so avoids a Python word."""
        found = (module.name for module in pkgutil.iter_modules(__path__))
        return sorted(name.rstrip("_").replace("_", "-") for name in found if not name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, None when there is none."""
        if cmd_name not in self.list_commands(ctx):
            return None
        stem = cmd_name.replace("-", "_")
        files = {module.name for module in pkgutil.iter_modules(__path__)}
        found: click.Command = import_module(f"{__name__}.{stem if stem in files else f'{stem}_'}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One whole sentence a command, however long."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(300)) for name, one in found if one])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; a name that is none is told with the nearest ones."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in self.list_commands(ctx):
            near = get_close_matches(name, self.list_commands(ctx), 2, 0.5)
            mend = f"did you mean {' or '.join(f'`{n}`' for n in near)}?" if near else "`kbgraph --help` lists them"
            raise click.UsageError(f"there is no command `{name}`: {mend}", ctx)
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version  # noqa: PLC0415  (only when asked for)

        click.echo(f"kbgraph {version('kbgraph')}")
        ctx.exit()


@click.group(cls=Commands, help=HELP, context_settings=SETTINGS)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Tell the version.")
@click.option("--kb", metavar="DIR", help="The knowledge base, for any command; may stand after the command as well.")
@click.pass_context
def group(ctx: click.Context, kb: str | None) -> None:
    """All commands."""
    if kb is not None:
        ctx.default_map = {ctx.invoked_subcommand or "": {"kb": kb}}


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and end the process with its exit code."""
    _free_encoding()
    gc.set_threshold(50_000, 20, 50)  # one command makes many values and hardly a cycle: less looking for those
    try:
        code = _run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (BrokenPipeError, PipeClosedError):
        code = PIPE_CLOSED
        _drop_output()
    except OSError as error:  # a full disk behind standard output
        code = _tell(f"standard output cannot be written: {error.strerror}", 2)
        _drop_output()
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        done = group.main(args=arguments, prog_name="kbgraph", standalone_mode=False)
    except KbgraphError as error:
        return _tell(str(error), error.code)
    except click.ClickException as error:
        return _tell(_clicked(error), 2)
    except (KeyboardInterrupt, click.Abort):
        return _tell("interrupted", INTERRUPTED)
    except (BrokenPipeError, PipeClosedError):
        raise
    except Exception:  # noqa: BLE001  (a fault of this project: told in a file, never poured over the user)
        from kbgraph.cli._trace import keep_trace  # noqa: PLC0415  (hopefully never needed)

        return _tell(keep_trace(arguments), 3)
    return done if isinstance(done, int) else 0


def _clicked(error: click.ClickException) -> str:
    """Click's message with what to do; its own usage line says which command it is about."""
    context = getattr(error, "ctx", None)
    mend = f"\n  `{context.command_path} --help` shows how it is used" if context else ""
    return f"{error.format_message()}{mend}"


def _tell(message: str, code: int) -> int:
    click.echo(f"kbgraph: {message}", err=True)
    return code


def _drop_output() -> None:
    """What is left in the buffer has no reader; the interpreter would complain of it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _free_encoding() -> None:
    """Make printing never fail: UTF-8 into pipes unless told otherwise, codes for what a terminal cannot show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            told = stream.isatty() or "PYTHONIOENCODING" in os.environ
            stream.reconfigure(encoding=None if told else "utf-8", errors="backslashreplace")
