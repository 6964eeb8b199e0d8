"""Places: where in a list each entry belongs (`place_*`), by what the list already holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from kbgraph import resources
from kbgraph.relate.lexis import make
from kbgraph.relate.place import Held, Outline, Section, outline
from kbgraph.relate.place_text import Reader
from quality import Bar, Row, Task, read

LISTS = ("chinese_llm_zh", "efficient_en", "llm_inference_en", "papernotes_acl25_zh", "python_cn_zh")


@cache
def reader() -> Reader:
    """The words of the product."""
    lexis = make(resources.lexicon(), resources.glosses())
    return Reader(lexis.glosses, lexis.small)


def tasks(data: Path, only: str) -> Iterator[Task]:
    """Predictions for all lists."""
    for path in sorted(data.glob("place_*.query.jsonl")):
        if only in path.stem:
            queries = read(path)
            known = _outline(queries[0]["sections"], read(path.with_name(path.name.replace(".query.", ".pool."))))
            rows = [_predicted(known, row) for row in queries]
            yield Task(path.name.removesuffix(".query.jsonl"), path.name, "", rows)


def _outline(sections: list[str], pool: list[Row]) -> Outline:
    named = (Section(name, tuple(name.split(" / "))) for name in sections)
    return outline(named, (Held(row["section"], row["text"]) for row in pool), reader())


def _predicted(known: Outline, row: Row) -> Row:
    abstains = known.place(row["text"], top=1).abstains
    return {"id": row["id"], "ranking": known.ranking(row["text"]), "abstain": abstains}


def _bar(name: str, measure: str, bar: float) -> Bar:
    value: Callable[[Row], float] = lambda score: score[measure]
    return Bar(f"place_{name}", measure, f"mean {bar:.2f}", value, lambda reached: reached >= bar)


MEANS = (("acc@1", 0.65), ("acc@3", 0.84), ("MRR", 0.76), ("acc_when_answered", 0.90), ("answered", 0.30))
BARS = [_bar(name, measure, bar) for measure, bar in MEANS for name in LISTS]
