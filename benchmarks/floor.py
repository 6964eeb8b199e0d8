"""What a full sync cannot go below: read, hash, parse with the parser in use, bulk load of the very same quads.

`python benchmarks/floor.py CORPUS QUADS.nq STORE` prints the seconds of each part as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from pyoxigraph import RdfFormat, Store
from pyromark import Markdown, Options


def sources(corpus: Path) -> Iterator[Path]:
    """The files of the corpus that a sync reads."""
    return (path for path in corpus.rglob("*") if path.suffix in {".md", ".json"} and ".kbgraph" not in path.parts)


def main() -> None:
    corpus, quads, store = map(Path, sys.argv[1:])
    marks = [time.perf_counter()]
    files = [path.read_bytes() for path in sources(corpus)]
    marks.append(time.perf_counter())
    for data in files:
        sha256(data).digest()
    marks.append(time.perf_counter())
    parser = Markdown(options=Options.ENABLE_TABLES | Options.ENABLE_FOOTNOTES)
    for data in files:
        for _ in parser.events_with_range(data.decode()):
            pass
    marks.append(time.perf_counter())
    Store(store).bulk_load(path=quads, format=RdfFormat.N_QUADS, lenient=True)
    marks.append(time.perf_counter())
    parts = dict(zip(("read", "hash", "parse", "load"), (b - a for a, b in pairwise(marks)), strict=True))
    print(json.dumps({**parts, "total": marks[-1] - marks[0]}))


if __name__ == "__main__":
    main()
