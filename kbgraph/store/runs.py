"""Lines of a file in order, however many there are."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from itertools import islice
from pathlib import Path

RUN = 500_000  # lines sorted at once


def sorted_lines(whole: Path, run: int = RUN) -> Iterator[bytes]:
    """The lines of a file in byte order; what does not fit into one run is sorted in files beside it."""
    runs: list[Iterator[bytes]] = []
    with whole.open("rb") as lines:
        while part := sorted(islice(lines, run)):
            if not runs and len(part) < run:
                return iter(part)
            beside = whole.with_name(f"{whole.name}.{len(runs)}")
            beside.write_bytes(b"".join(part))
            runs.append(_lines(beside))
    return merge(*runs)


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as lines:
        yield from lines
