"""Files as they were read: stamps, versions, and what a version said, packed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from kbgraph.model.facts import Facts, Term
from kbgraph.store.sqlite import DamagedError


class Seen(NamedTuple):
    """A file when it was last read; `mtime_ns` is -1 when it had only just been written and must be read again."""

    size: int
    mtime_ns: int
    ctime_ns: int
    sha: str


class Version(NamedTuple):
    """One version of one file as one engine read it."""

    path: str
    sha: str
    engine: str


class Lifted(NamedTuple):
    """What a version of a file said, packed, with the counts that a report adds up, and what the file is known by."""

    path: str
    sha: str
    data: bytes
    statements: int
    lines: int
    understood: int
    ignored: tuple[tuple[str, int], ...]
    identity: str = ""
    day: str = ""


class Covered(NamedTuple):
    """Counts over all files of the graph: what was said, and how much of the text was understood."""

    documents: int
    statements: int
    lines: int
    understood: int
    ignored: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class State:
    """What the graph on disk holds: its generation, what made it, and how many changes came before."""

    generation: str = ""
    engine: str = ""  # what lifted the files
    derive: str = ""  # digest of the queries whose results are in it
    derived: tuple[str, ...] = ()  # names of their graphs
    seq: int = 0


def identities(lifted: Iterable[Lifted]) -> dict[str, str]:
    """What each file is known by, in the order of their days, then of their paths."""
    return {one.path: one.identity for one in sorted(lifted, key=lambda one: (one.day, one.path)) if one.identity}


def pack(facts: Facts) -> bytes:
    """Facts as compressed bytes."""
    return zlib.compress("\n".join((facts.graph, *facts.triples)).encode(), 1)


def unpack(data: bytes) -> Facts:
    """The Facts that `pack` made these bytes of; DamagedError when they are others."""
    try:
        graph, *triples = zlib.decompress(data).decode().split("\n")
    except (zlib.error, UnicodeDecodeError) as error:
        raise DamagedError(f"a file's facts are damaged: {error}", "run `kbgraph sync --full`") from error
    return Facts(Term(graph), tuple(triples))
