"""Conditions that a source gives and that a sentence with its number has lost."""

from __future__ import annotations

from collections.abc import Collection

from kbgraph.relate.align import MATTER, align, covered
from kbgraph.relate.atoms import read
from kbgraph.relate.lexis import Lexis
from kbgraph.relate.place_text import script

_KEPT = 0.5  # of a condition's matter, from which the sentence is taken to speak of it
_PHRASE = 40  # characters: a longer condition is a sentence, which another language words too freely to be compared


def lost(text: str, conditions: Collection[str], lexis: Lexis) -> tuple[str, ...]:
    """The conditions of which a text says nothing, sorted; those in its own language where there are any."""
    own = [condition for condition in conditions if script(condition) == script(text)]
    compared = own or [condition for condition in conditions if len(condition) <= _PHRASE]
    said = read(text, lexis)
    found = []
    for condition in sorted(set(compared)):
        asked = read(condition, lexis)
        matter = any(atom.kind in (*MATTER, "amount") for atom in asked.atoms)
        if matter and covered(asked, align(asked, said, lexis), first=True) < _KEPT:
            found.append(condition)
    return tuple(found)
