"""What a run without changes cannot go below: the interpreter, the imports in use, a stat of every file.

`python benchmarks/floor_nochange.py CORPUS MODULE…`
"""

from __future__ import annotations

import importlib
import os
import sys


def walk(folder: str) -> int:
    """Number of files below, each with its size and time looked at."""
    seen = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                seen += walk(entry.path) if entry.name != ".kbgraph" else 0
            else:
                seen += entry.stat().st_size >= 0
    return seen


if __name__ == "__main__":
    for module in sys.argv[2:]:
        importlib.import_module(module)
    print(walk(sys.argv[1]))
