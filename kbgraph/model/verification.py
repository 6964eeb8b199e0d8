"""What holding a written brief against the graph has shown: what was looked for, and what is not there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from kbgraph.model.finding import Report


class Held(NamedTuple):
    """How many different things of one kind a brief names, and how many of them are as the materials have them."""

    kind: str  # ids, paths, sections, numbers, quotations, counts, levels
    named: int
    found: int


@dataclass(frozen=True, slots=True)
class Verification:
    """A brief, the findings in it alone, and what was held; nothing held is not the same as nothing found."""

    path: str
    report: Report
    held: tuple[Held, ...]
    manifest: str = ""  # the manifest that the brief names, where it is there
    lines: int = 0  # that are not blank
    understood: int = 0
