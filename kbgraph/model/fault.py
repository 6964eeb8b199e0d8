"""A fault that can be planted in a corpus, and what became of it: which checks noticed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kbgraph.model.query import Both, SavedQuery

# killed: the check found it, and no other spoke; noisy: others spoke that should not; survived: it was not found.
Verdict = Literal["killed", "noisy", "survived", "skipped"]
VERDICTS: tuple[Verdict, ...] = ("survived", "noisy", "skipped", "killed")  # worst first


class Edit(NamedTuple):
    """One change of one file. The texts of a fault have `{column}` holes, those of a planted one have none."""

    file: str
    put: str = ""  # what comes in; with nothing else than a file: all that is in it
    line: str = ""  # in this line `find`, or what `match` matches, becomes `put`; `*`: the first line that has it
    find: str = ""
    match: str = ""
    after: str = ""  # `put` becomes a line of its own after this one: 0 the top, `end` the end
    like: str = ""  # with `after`: what comes in is this line, with the replacement made
    drop: str = ""  # this line goes
    same: str = ""  # the file becomes the same as this one
    move: str = ""  # the file gets this name
    raw: str = ""  # all that is in the file, a character a byte


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of fault: the query that finds where it can be planted, how, and which check must find it there."""

    query: SavedQuery  # columns `path` and `line`: where the finding is expected
    check: str
    edits: tuple[Edit, ...]
    allows: tuple[str, ...] = ()  # checks that may speak as well
    needs: Both = field(default_factory=dict)  # what a corpus without a place for it lacks


class Noise(NamedTuple):
    """A finding that a planted fault brought about and that nobody expected."""

    check: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one kind of fault; `path` and `line` tell where the finding was expected."""

    fault: str
    title: Both
    check: str
    verdict: Verdict
    reason: Both = field(default_factory=dict)  # why it was skipped
    path: str = ""
    line: int = 0
    noise: tuple[Noise, ...] = ()


@dataclass(frozen=True, slots=True)
class SelfTest:
    """All trials of one run, by name of the fault, and the checks that no kind of fault tries."""

    seed: int
    trials: tuple[Trial, ...]
    uncovered: tuple[str, ...] = ()

    @property
    def failed(self) -> tuple[Trial, ...]:
        """The trials in which a fault was not found, or more was found than it."""
        return tuple(trial for trial in self.trials if trial.verdict in ("survived", "noisy"))
