"""Files that are there whole or not at all: written under another name, then renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def written(path: Path, lasting: bool = False) -> Iterator[BinaryIO]:
    """A file to fill, which takes its place when the block ends well; `lasting`: once it is safe from a power cut."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:80]}.", dir=path.parent)
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        beside.chmod(0o666 & ~mask)  # as any new file; a temporary one is its owner's alone
        beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink()
