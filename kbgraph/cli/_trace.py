"""The trace of a fault, kept in a file that can be sent."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path


def keep_trace(arguments: Sequence[str] | None) -> str:
    """Write the trace of the exception at hand; what to tell the user."""
    told = traceback.format_exc()
    line = told.strip().rsplit("\n", 1)[-1]
    said = sys.argv[1:] if arguments is None else arguments
    head = f"kbgraph {version('kbgraph')}, Python {platform.python_version()}, {platform.platform()}\n{said}\n\n"
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", errors="backslashreplace", prefix="kbgraph-trace-", suffix=".txt", delete=False
        ) as file:
            file.write(head + told)
    except OSError:
        return f"this is a fault in kbgraph: {line}\n{head}{told}"
    return f"this is a fault in kbgraph: {line}\n  please report it with {Path(file.name)}; your files are unchanged"
