"""Files that kbgraph wrote for its user: the only ones in the corpus's folder that it writes again."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from kbgraph.config import STATE
from kbgraph.errors import UsageError

FILE = "written.json"


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
        """Remember what was written there."""
        inner, file = self._inner(path), self._file
        if inner is None or file is None:
            return
        known = {**self._known(), inner.as_posix(): _hash(path)}
        beside = file.with_name(f"{FILE}.{os.getpid()}")
        with suppress(OSError):  # it can be written once more under another name
            beside.write_text(json.dumps(dict(sorted(known.items()))), "utf-8")
            beside.replace(file)

    def _inner(self, path: Path) -> Path | None:
        """The path within the corpus, None for one outside."""
        try:
            return (path.parent.resolve() / path.name).relative_to(self._root)
        except ValueError:
            return None

    def _known(self) -> dict[str, str]:
        with suppress(OSError, ValueError):
            found = json.loads(self._file.read_text("utf-8")) if self._file else None
            return found if isinstance(found, dict) else {}
        return {}


def _hash(path: Path) -> str:
    with suppress(OSError):
        return sha256(path.read_bytes()).hexdigest()
    return ""
