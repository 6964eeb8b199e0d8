"""Plain values made from a source, kept beside the graph so that the next start need not make them again."""

from __future__ import annotations

import marshal
import sys
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from kbgraph.store.whole import written

_SIZE = 32


def _stamp(source: bytes) -> bytes:
    return blake2b(source, digest_size=_SIZE, salt=f"{marshal.version}.{sys.hexversion:x}".encode()[:16]).digest()


def kept(file: Path | None, source: bytes) -> Any:  # noqa: ANN401  (whatever plain value was kept)
    """The value kept for just this source, None when there is none or it is damaged."""
    if file is None:
        return None
    with suppress(OSError, ValueError, EOFError, TypeError):
        data = file.read_bytes()
        stamp, own, body = data[:_SIZE], data[_SIZE : 2 * _SIZE], data[2 * _SIZE :]
        if stamp == _stamp(source) and own == _stamp(body):
            return marshal.loads(body)  # noqa: S302  (its hash stands before it)
    return None


def keep(file: Path | None, source: bytes, value: Any) -> None:  # noqa: ANN401  (any plain value)
    """Keep a plain value for a source; nothing happens where nothing can be written, since it only saves time."""
    if file is None or not file.parent.is_dir():
        return
    body = marshal.dumps(value)
    with suppress(OSError), written(file) as out:
        out.write(_stamp(source) + _stamp(body) + body)
