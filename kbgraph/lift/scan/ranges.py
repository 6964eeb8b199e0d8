"""Things found in a text, in order, cut to a stretch of it: a line may be endless and hold thousands."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter
from typing import Protocol, TypeVar


class Placed(Protocol):
    """What stands somewhere in a text."""

    @property
    def start(self) -> int:
        """Offset of its first character."""


P = TypeVar("P", bound=Placed)
_START = attrgetter("start")


def between(things: tuple[P, ...], start: int, end: int) -> tuple[P, ...]:
    """Those that start in `[start, end)`; they are in order of start."""
    if not things:
        return things
    return things[bisect_left(things, start, key=_START) : bisect_left(things, end, key=_START)]
