"""Which statements words or a number mean, and how to name one of several."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches

from kbgraph.model.keys import key_of
from kbgraph.model.query import Cell

NEAR = 3  # nearest ones told where nothing is meant
_NUMBER = re.compile(r"[0-9]")
_FIGURE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(\D{0,12})")


def close(what: str, texts: Collection[str]) -> list[str]:
    """The texts that are nearest to what was asked for: with a number, those whose number of that unit is nearest."""
    number = _FIGURE.fullmatch(what)
    if number:
        return _around(float(number[1]), number[2], texts)
    parts = what.lower().split()
    shared = sorted(texts, key=lambda text: (-sum(part in text.lower() for part in parts), text))
    near = [text for text in shared[:NEAR] if any(part in text.lower() for part in parts)]
    return near or get_close_matches(what, sorted(texts), NEAR, 0.3)


def _around(value: float, unit: str, texts: Iterable[str]) -> list[str]:
    pattern = re.compile(rf"(?<![\d.])(\d+(?:\.\d+)?)\s*{re.escape(unit)}", re.IGNORECASE)
    found = ((min(abs(float(n) - value) for n in told), text) for text in texts if (told := pattern.findall(text)))
    return [text for _, text in sorted(found)[:NEAR]]


def holds(text: str, what: str) -> bool:
    """Whether a text has the words as such, and not within a longer number."""
    before = r"(?<![\d.])" if _NUMBER.match(what) else ""
    after = r"(?![\d]|\.\d)" if _NUMBER.match(what[-1]) else ""
    return re.search(before + re.escape(what) + after, text, re.IGNORECASE) is not None


def by_subject(rows: Iterable[Mapping[str, Cell]]) -> list[list[Mapping[str, Cell]]]:
    """Rows that have a subject in common, or else a claim, belong together; the largest groups first."""
    groups: list[tuple[set[str], list[Mapping[str, Cell]]]] = []
    for row in rows:
        own = set(str(row["subjects"] or "").split()) or {str(row["claim"])}
        meet = [group for group in groups if group[0] & own]
        merged = own.union(*(keys for keys, _ in meet)), [r for _, each in meet for r in each] + [row]
        groups = [group for group in groups if group not in meet] + [merged]
    return sorted((each for _, each in groups), key=lambda each: (-len(each), str(each[0]["path"]), each[0]["line"]))


def first(rows: Iterable[Mapping[str, Cell]]) -> Mapping[str, Cell]:
    """The row that stands in the document, else in a brief, else in a report."""
    ranks = {"KnowledgeDoc": 0, "Brief": 1, "Report": 2}
    return min(rows, key=lambda r: (ranks.get(str(r["kind"]).rpartition("#")[2], 3), str(r["path"]), r["line"]))


def place(row: Mapping[str, Cell]) -> str:
    """A row as a line: where it stands, what it says, of what."""
    about = ", ".join(map(key_of, str(row["subjects"] or "").split()[:2]))
    return f"{row['path']}:{row['line']}  “{row['text']}”" + (f"  {about}" if about else "")
