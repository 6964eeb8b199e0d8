"""Pools of sentences in which the same and the conflicting ones are to be found (`mine_*`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kbgraph.relate import Claim, relate
from quality import Bar, Row, Task, read
from quality_pairs import lexis


def tasks(data: Path, only: str) -> Iterator[Task]:
    """Predictions for all pools; two for a pool that holds both."""
    for path in sorted(data.glob("mine_*.docs.jsonl")):
        name = path.name.removesuffix(".docs.jsonl")
        if only not in name:
            continue
        found = relate([Claim(row["id"], row["text"]) for row in read(path)], lexis())
        gold = f"{name}.gold.jsonl"
        labels = sorted({row["label"] for row in read(data / gold)})
        for label in labels:
            score = "same" if label == "dup" else "conflict"
            rows = [{"a": r.a, "b": r.b, "score": getattr(r, score)} for r in found]
            yield Task(f"{name}.{label}" if len(labels) > 1 else name, gold, label, rows)


def _at_least(name: str, measure: str, bar: float) -> Bar:
    def value(score: Row) -> float:
        return float(score[measure])

    return Bar(name, measure, f"{bar:.2f}", value, lambda v: v >= bar)


BARS = [
    _at_least("mine_papernotes_zh", "AP", 0.95),
    _at_least("mine_papernotes_zh", "R@P90", 0.93),
    _at_least("mine_awesome_x", "AP", 0.75),
    _at_least("mine_mixed_en.dup", "AP", 0.75),
    _at_least("mine_mixed_zh.dup", "AP", 0.75),
    _at_least("mine_mixed_en.conflict", "AP", 0.85),
    _at_least("mine_mixed_zh.conflict", "AP", 0.76),
]
