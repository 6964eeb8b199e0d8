"""Whether two statements put the same words into the same places: who does what to whom."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from kbgraph.relate.align import Alignment
from kbgraph.relate.atoms import Reading
from kbgraph.relate.lexis import Lexis

_ABOVE = "contrast-outperform"


def breaks(a: Reading, b: Reading, found: Alignment) -> int:
    """How often neighbours of one clause are no neighbours in the other text, the text with more of it counting."""
    pairs = ((k.a, k.b) for kind in (found.links, found.counts, found.turns) for k in kind)
    forth = dict(pairs)
    back = {there: here for here, there in forth.items()}
    return max(_breaks(a, forth), _breaks(b, back))


def _breaks(reading: Reading, across: dict[int, int]) -> int:
    here = sorted(across)
    rank = {there: place for place, there in enumerate(sorted(across.values()))}
    return sum(
        reading.atoms[one].clause == reading.atoms[two].clause and rank[across[two]] - rank[across[one]] != 1
        for one, two in pairwise(here)
    )


def swapped(a: Reading, b: Reading, found: Alignment, lexis: Lexis) -> tuple[str, str] | None:
    """Two words that changed sides around a comparison that both make, as printed in either text."""
    once = _once(a), _once(b)
    across = {k.a: k.b for k in found.links if a.atoms[k.a].key in once[0] and b.atoms[k.b].key in once[1]}
    for here, there in sorted(across.items()):
        if not _compares(a, here, lexis) or _passive(a, here, lexis) != _passive(b, there, lexis):
            continue
        before = [i for i in across if i < here and across[i] > there]
        after = [i for i in across if i > here and across[i] < there]
        if before and after:
            one, two = max(before), min(after)
            return f"{_said(a, one)} … {_said(a, two)}", f"{_said(b, across[two])} … {_said(b, across[one])}"
    return None


def _once(reading: Reading) -> set[str]:
    """What stands in a text once only, so that its place is beyond doubt."""
    times = Counter(atom.key for atom in reading.atoms)
    return {key for key, number in times.items() if number == 1}


def _said(reading: Reading, index: int) -> str:
    return reading.printed(reading.atoms[index])


def _compares(reading: Reading, index: int, lexis: Lexis) -> bool:
    """Whether a word compares what is before it with what is after it."""
    if any(sense.group == _ABOVE for sense in reading.atoms[index].senses):
        return True
    near = reading.atoms[index + 1 : index + 3]
    than = any(atom.key in lexis.grammar["than"] for atom in near)
    return than and any(sense.scheme == "contrast" for sense in reading.atoms[index].senses)


def _passive(reading: Reading, index: int, lexis: Lexis) -> bool:
    return any(atom.key in lexis.grammar["passive"] for atom in reading.atoms[max(0, index - 2) : index + 3])
