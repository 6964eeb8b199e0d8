"""Whole processes measured: wall time and peak memory, several commands interleaved."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
PYTHON = sys.executable
KBGRAPH = Path(PYTHON).with_name("kbgraph")


@dataclass(frozen=True, slots=True)
class Run:
    """One process that ended well."""

    seconds: float
    rss_mb: float
    output: str


def run(*command: object, codes: Sequence[int] = (0,)) -> Run:
    """Run a command to its end; its own peak memory, children it waited for included."""
    start = time.perf_counter()
    with subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        output = process.stdout.read()
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in codes:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {process.returncode}:\n{errors.decode()}")
    return Run(seconds, usage.ru_maxrss / 1024, output.decode())


def interleaved(times: int, **jobs: Callable[[], float]) -> dict[str, list[float]]:
    """Each job `times` times, in turn, so that a slow minute of the machine hits all of them."""
    found: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(times):
        for name, job in jobs.items():
            found[name].append(job())
    return found


def median(values: list[float]) -> float:
    """The middle one."""
    return statistics.median(values)


def ratio(found: dict[str, list[float]], above: str, below: str) -> float:
    """Median of the ratios of neighbouring runs."""
    return statistics.median(a / b for a, b in zip(found[above], found[below], strict=True))
