"""Pairs of sentences: the same (`dup_*`), conflicting (`conf_*`), both ways (`probe_*`)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from kbgraph import resources
from kbgraph.relate import Claim, Lexis, Verdict, judge_pair, make_lexis
from quality import Bar, Row, Task, read

SILENT = ("ocnli_zh", "xnli_en", "xnli_zh", "xnli_x", "healthver_en")


@cache
def lexis() -> Lexis:
    """The words of the product."""
    return make_lexis(resources.lexicon(), resources.glosses())


def tasks(data: Path, only: str) -> Iterator[Task]:
    """Predictions for all sets of pairs."""
    for path in sorted([*data.glob("dup_*.jsonl"), *data.glob("conf_*.jsonl"), *data.glob("probe_*.jsonl")]):
        if only not in path.stem:
            continue
        said = [(row, judge_pair(Claim("a", row["text_a"]), Claim("b", row["text_b"]), lexis())) for row in read(path)]
        if path.stem.startswith("dup"):
            yield Task(path.stem, path.name, "same", [_same(row, verdict) for row, verdict in said])
            continue
        yield Task(path.stem, path.name, "conflict", [_conflict(row, verdict) for row, verdict in said])
        if path.stem.startswith("probe"):
            yield Task(f"{path.stem}.same", path.name, "same", [_same(row, verdict, "same") for row, verdict in said])


def _same(row: Row, verdict: Verdict, label: int | str = 1) -> Row:
    return {"id": row["id"], "score": verdict.same, "label": label if verdict.sure and verdict.says_same else 0}


def _conflict(row: Row, verdict: Verdict) -> Row:
    decided = "conflict" if verdict.sure and verdict.says_conflict else "other"
    return {"id": row["id"], "score": verdict.conflict, "label": decided}


def _false_flags(score: Row) -> float:
    decided = score["decision"]
    return float(decided["flagged"] * (1 - decided["P"]) / (score["n"] - score["pos"]))


def _decided(name: str, precision: float, recall: float) -> list[Bar]:
    return [
        Bar(name, "conflict, decided: P", f"{precision:.2f}", lambda s: s["decision"]["P"], lambda v: v >= precision),
        Bar(name, "conflict, decided: R", f"{recall:.2f}", lambda s: s["decision"]["R"], lambda v: v >= recall),
    ]


BARS = [
    *(
        Bar(f"dup_pawsx_{x}", "look-alikes called surely the same", "<= .10", _false_flags, lambda v: v <= 0.1)
        for x in ("en", "zh", "x")
    ),
    *_decided("conf_scifact_en", 0.90, 0.75),
    *_decided("conf_sick_en", 0.92, 0.85),
    *_decided("conf_numer_zh", 0.97, 0.90),
    *_decided("conf_antsyn_zh", 0.95, 0.40),
    *_decided("probe_llmsys", 0.85, 0.75),
    *(Bar(f"conf_{x}", "false conflicts", "<= .05", _false_flags, lambda v: v <= 0.05) for x in SILENT),
]
