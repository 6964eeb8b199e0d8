"""How well the product relates, places and tells topics apart on labelled data: predictions, a table with the bars.

python benchmarks/quality.py --data DIR [--out DIR] [--only NAME]   (DIR holds *.jsonl; DIR/../score.py scores them)

Each kind of task is one file beside this one: it says which sets it takes and makes the predictions with the product's
own functions; thresholds stand in the product.
"""

from __future__ import annotations

import argparse
import importlib
import json
import runpy
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

KINDS = ("quality_pairs", "quality_mining", "quality_places", "quality_topics")
Row = dict[str, Any]


class Task(NamedTuple):
    """One set of predictions: `positive` is the label that counts."""

    name: str
    gold: str
    positive: str
    rows: list[Row]


class Bar(NamedTuple):
    """What is to be reached on one set: `value` reads it from the scores."""

    task: str
    measure: str
    bar: str
    value: Callable[[Row], float]
    reached: Callable[[float], bool]


def read(path: Path) -> list[Row]:
    """The records of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def kinds() -> Iterator[Any]:
    """The files of tasks that are there."""
    here = Path(__file__).parent
    sys.path.insert(0, str(here))
    yield from (importlib.import_module(name) for name in KINDS if (here / f"{name}.py").exists())


def write(rows: Iterable[Row], path: Path) -> None:
    """Predictions as JSON Lines."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def table(bars: Iterable[Bar], scores: dict[str, Row], seconds: dict[str, float]) -> Iterator[str]:
    """The bars and what was reached, as Markdown."""
    yield "| set | measure | bar | reached | |"
    yield "| --- | --- | --- | --- | --- |"
    for bar in bars:
        if bar.task in scores:
            value = bar.value(scores[bar.task])
            yield f"| {bar.task} | {bar.measure} | {bar.bar} | {value:.3f} | {'yes' if bar.reached(value) else 'no'} |"
    yield ""
    yield "| set | n | AP | R@P90 | decided: P | R | flagged | seconds |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for name, score in scores.items():
        said = score.get("decision", {})
        cells = [score.get("n", score.get("proposed", "")), score.get("AP", ""), score.get("R@P90", "")]
        cells += [said.get("P", ""), said.get("R", ""), said.get("flagged", ""), f"{seconds[name]:.1f}"]
        yield f"| {name} | {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--only", default="", help="sets whose name holds this")
    args = parser.parse_args()
    scorer = args.data.parent / "score.py"
    score = runpy.run_path(str(scorer))["score"] if scorer.exists() else None
    scores: dict[str, Row] = {}
    seconds: dict[str, float] = {}
    bars: list[Bar] = []
    for kind in kinds():
        bars += kind.BARS
        started = time.perf_counter()
        for task in kind.tasks(args.data, args.only):
            seconds[task.name] = time.perf_counter() - started
            if args.out:
                args.out.mkdir(parents=True, exist_ok=True)
                write(task.rows, args.out / f"{task.name}.jsonl")
            if score:
                scores[task.name] = score(task.rows, read(args.data / task.gold), task.positive)
            started = time.perf_counter()
    print("\n".join(table(bars, scores, seconds)))


if __name__ == "__main__":
    main()
