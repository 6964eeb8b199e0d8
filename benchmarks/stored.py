"""The quads that the graph stores, as N-Quads: `kbgraph export` states implied classes too, the store does not.

`python benchmarks/stored.py CORPUS FILE`
"""

from __future__ import annotations

import sys
from pathlib import Path

import kbgraph


def main() -> None:
    corpus, file = sys.argv[1:]
    with Path(file).open("w", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in kbgraph.open(corpus).store.dump())


if __name__ == "__main__":
    main()
