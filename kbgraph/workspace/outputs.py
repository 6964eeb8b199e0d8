"""Files that kbgraph wrote for its user: the only ones in the corpus's folder that it writes again."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from kbgraph.config import STATE
from kbgraph.errors import UsageError
from kbgraph.store.compact import keep, kept
from kbgraph.store.whole import written

FILE = "written.bin"
SOURCE = b"paths and hashes of outputs"


class Outputs:
    """What was written where: path within the corpus -> hash of what was written last."""

    def __init__(self, root: Path, folder: Path | None) -> None:
        self._root = root.resolve()
        self._file = folder / FILE if folder else None

    def check(self, path: Path) -> None:
        """UsageError when a file of the corpus stands there that somebody else wrote, or has changed since."""
        inner = self._inner(path)
        if inner is None:
            return
        if inner.parts[:1] == (STATE,):
            raise UsageError(f"{path} lies among kbgraph's own files", "choose another file with -o")
        if os.path.lexists(path) and self._known().get(inner.as_posix(), "-") != _hash(path):
            raise UsageError(
                f"{path} is a file of the knowledge base, and kbgraph changes none", "choose another file with -o"
            )

    def note(self, path: Path) -> None:
        """Remember what was written there; where that cannot be kept, the next output needs another name."""
        inner = self._inner(path)
        if inner is not None:
            keep(self._file, SOURCE, {**self._known(), inner.as_posix(): _hash(path)})

    def _inner(self, path: Path) -> Path | None:
        """The path within the corpus, None for one outside."""
        try:
            return (path.parent.resolve() / path.name).relative_to(self._root)
        except ValueError:
            return None

    def _known(self) -> dict[str, str]:
        found = kept(self._file, SOURCE)
        return found if isinstance(found, dict) else {}


def write_whole(path: Path, pieces: Iterable[str], mend: str = "choose another file with -o") -> None:
    """Write a file in UTF-8, whole or not at all; UsageError where it cannot be written."""
    try:
        with written(path) as out:
            try:
                out.writelines(piece.encode("utf-8", "backslashreplace") for piece in pieces)
                out.flush()
            except OSError as error:
                raise UsageError(f"{path} cannot be written: {error.strerror}", f"make room, or {mend}") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}", mend) from error


def _hash(path: Path) -> str:
    with suppress(OSError):
        return sha256(path.read_bytes()).hexdigest()
    return ""
