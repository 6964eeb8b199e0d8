"""Topics: cards that are off-topic (`topic_*`), titles over other texts and halves of other works (`title_*`)."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from kbgraph.relate.topic import Card, Topics, topics
from kbgraph.relate.topic_mix import FOREIGN, Foreign, Sheet, shelf
from kbgraph.relate.topic_title import ALIEN, titles
from quality import Bar, Row, Task, read
from quality_places import reader

_GOLD = tempfile.TemporaryDirectory()  # goes with the process
SEAM = 0.3  # what a seam adds to the score of a card, for the ranking


def tasks(data: Path, only: str) -> Iterator[Task]:
    """Predictions for all sets of topics and of titles."""
    for path in sorted(data.glob("topic_*.jsonl")):
        if only in path.stem and not path.name.endswith(".pool.jsonl"):
            yield Task(path.stem, path.name, "", _off_topic(data, path))
    for path in sorted(data.glob("title_*.jsonl")):
        if only in path.stem:
            yield from _titles(path)


def _off_topic(data: Path, path: Path) -> list[Row]:
    rows = read(path)
    pool = path.with_name(f"{path.stem}.pool.jsonl")
    if pool.exists():
        held = read(pool)
    else:
        names = sorted({row["topic"] for row in rows})
        held = [{"topic": name, **row} for name in names for row in read(data / f"place_{name}.pool.jsonl")]
    known: Topics = topics((_card(f"pool-{at}", row) for at, row in enumerate(held)), reader())
    said = [known.judge(_card(row["id"], row)) for row in rows]
    return [{"id": stray.key, "score": stray.score, "label": int(stray.off)} for stray in said]


def _card(key: str, row: Row) -> Card:
    return Card(key, (row["topic"],), row.get("title", ""), row["text"])


def _titles(path: Path) -> Iterator[Task]:
    """All kinds by the stronger of two signs; halves by what is foreign in the text, titles by what they say of it."""
    rows = read(path)
    sheets = [Sheet(row["id"], row["title"], row["text"]) for row in rows]
    compared, named = shelf(sheets, reader()), titles(sheets, reader())
    foreign = [compared.judge(sheet.key) for sheet in sheets]
    titled = [named.judge(sheet) for sheet in sheets]
    both = [
        {"id": f.key, "score": max(_score(f) - FOREIGN, (t.score - ALIEN) / 3), "label": int(f.foreign or t.alien)}
        for f, t in zip(foreign, titled, strict=True)
    ]
    yield Task(path.stem, path.name, "", both)
    halves = [{"id": f.key, "score": _score(f), "label": int(f.foreign)} for f in foreign]
    yield Task(f"{path.stem}.halves", _only(rows, ("ok", "mix")), "", halves)
    alien = [{"id": t.key, "score": t.score, "label": int(t.alien)} for t in titled]
    yield Task(f"{path.stem}.titles", _only(rows, ("ok", "swap_near", "swap_far")), "", alien)


def _score(said: Foreign) -> float:
    return said.score + (SEAM if said.torn else 0.0)


def _only(rows: list[Row], kinds: tuple[str, ...]) -> str:
    """A file with the records of some kinds: the scorer counts what is missing as wrong."""
    chosen = Path(_GOLD.name) / f"{rows[0]['id']}-{'-'.join(kinds)}.jsonl"
    chosen.write_text("".join(json.dumps(row) + "\n" for row in rows if row["kind"] in kinds), "utf-8")
    return str(chosen)


def _bar(name: str, bar: float) -> Bar:
    return Bar(name, "AUROC", f"{bar:.2f}", lambda score: float(score["AUROC"]), lambda reached: reached >= bar)


BARS = [
    _bar("topic_lists", 0.98),
    _bar("topic_areas", 0.88),
    *(
        _bar(f"title_{name}{part}", bar)
        for name, bar in (("csl_zh", 0.92), ("neurips_en", 0.8), ("notes_x", 0.75))
        for part in ("", ".halves", ".titles")
    ),
]
