"""What bringing the graph up to date did, and what a graph holds."""

from __future__ import annotations

from dataclasses import dataclass

from kbgraph.model.settings import Skipped


@dataclass(frozen=True, slots=True)
class SyncReport:
    """One sync: paths that changed the graph, what was passed over and why, and counts over the whole graph."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    skipped: tuple[Skipped, ...] = ()  # seen and not read
    odd: tuple[Skipped, ...] = ()  # read, but the name will make trouble elsewhere
    others: tuple[tuple[str, int], ...] = ()  # files of kinds that are not read: suffix, number
    notes: tuple[str, ...] = ()  # what a person should know of the graph itself
    documents: int = 0
    statements: int = 0
    lines: int = 0
    understood: int = 0
    ignored: tuple[tuple[str, int], ...] = ()  # reason, lines

    @property
    def nothing_new(self) -> bool:
        """Whether the graph is as it was."""
        return not (self.added or self.changed or self.removed)


@dataclass(frozen=True, slots=True)
class Round:
    """A round of work: its manifest as it stands in the graph, and whether its versions were recorded."""

    id: str
    topic: str
    created: str
    manifest: str  # path
    materials: int
    recorded: bool


@dataclass(frozen=True, slots=True)
class Status:
    """What a graph holds, counted."""

    root: str
    kinds: tuple[tuple[str, int], ...]
    counts: tuple[tuple[str, int], ...]
    documents: int
    quads: int
    lines: int
    understood: int
    ignored: tuple[tuple[str, int], ...]
    rounds: tuple[Round, ...]
