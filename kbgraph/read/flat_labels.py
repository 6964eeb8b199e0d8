"""Labels of parts at the head of a flattened line: `要点 …`, `来源 - …`, `与 x.md 现有脉络的关系 - …`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from kbgraph.model.lexicon import fold
from kbgraph.model.text import HeadingWords
from kbgraph.read import runs

_SENTENCE = re.compile(r"[。；！？，;!?]|, ")
_LONGEST = 48  # a label is no longer
_STOPS = re.compile(r"(?<=\S)(?=[\s：:]|$)")


def head(text: str) -> str:
    """What stands before the first point of a run, when it is short enough for a label."""
    points = runs.dashed(text)
    label = text[: points[0].at].strip(" ：:") if points else ""
    return label if 0 < len(label) <= _LONGEST and not _SENTENCE.search(label) else ""


def learned_labels(lines: Iterable[str]) -> frozenset[str]:
    """Labels that the text itself shows by repeating them, folded."""
    heads = Counter(fold(label) for line in lines if (label := head(line)))
    return frozenset(label for label, count in heads.items() if count > 1)


def label_end(text: str, learned: frozenset[str], words: HeadingWords) -> int:
    """Offset after the label at the head of a line, 0 when it has none."""
    points = runs.dashed(text[: 2 * _LONGEST])
    limit = min(points[0].at if points else len(text), _LONGEST)
    best = 0
    for match in _STOPS.finditer(text[: limit + 1]):
        prefix = text[: match.start()]
        if _SENTENCE.search(prefix) or match.start() > limit:
            break
        folded = fold(prefix)
        if folded in learned or folded in words.parts or _fits_template(folded, words.parts):
            best = match.start()
    return best


@cache
def _templates(parts: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Labels with a gap, "与…的关系", as (beginning, end)."""
    return tuple((first, last) for first, gap, last in (part.partition("...") for part in parts) if gap and last)


def _fits_template(folded: str, parts: frozenset[str]) -> bool:
    return any(
        folded.startswith(first) and folded.endswith(last) and len(folded) > len(first) + len(last)
        for first, last in _templates(parts)
    )
