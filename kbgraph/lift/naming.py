"""Which kind of material a file is by its name: the globs of the settings, else the id that the name spells."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from kbgraph.model.globs import expression
from kbgraph.model.settings import Settings

if TYPE_CHECKING:
    from kbgraph.lift.scan.found import Id

# Folders that hold papers by name: a bare run of nine digits is an id there and a number elsewhere.
_PAPERS = re.compile(r"(?:^|/)[^/]*(?:paper|arxiv|preprint)[^/]*/", re.IGNORECASE)


@lru_cache(maxsize=16)
def _compiled(globs: tuple[tuple[str, str], ...]) -> tuple[tuple[re.Pattern[str], str, str], ...]:
    return tuple((re.compile(expression(glob)), kind, glob) for glob, kind in globs)


def matched(path: str, settings: Settings) -> tuple[str, str]:
    """Kind and glob of the first glob that matches a path; two empty strings when none does."""
    found = ((kind, glob) for pattern, kind, glob in _compiled(settings.globs) if pattern.fullmatch(path))
    return next(found, ("", ""))


def stem(path: str) -> str:
    """A file's name without its last suffix."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def named_work(path: str) -> Id | None:
    """The work that a file's name spells, where a name of that form can be meant as one."""
    from kbgraph.lift.scan.ids import name_id  # noqa: PLC0415  (globs tell most kinds, and a start that lifts nothing is quick)

    found = name_id(stem(path))
    return found if found and (found.confidence == "high" or _PAPERS.search(path)) else None


def kind_of(path: str, settings: Settings) -> str:
    """The kind of a file by its path alone: the first glob that matches, a paper card by its name, else a note."""
    kind, _ = matched(path, settings)
    return kind or ("paper-card" if _PAPERS.search(path) and named_work(path) else "note")
