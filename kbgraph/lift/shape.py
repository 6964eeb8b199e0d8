"""Which kind of material a file is: by the globs of the settings, else by its name and shape."""

from __future__ import annotations

import re
from functools import lru_cache

from kbgraph.lift import ids
from kbgraph.lift.found import Id
from kbgraph.lift.frame import Frame
from kbgraph.lift.header import ids_of
from kbgraph.model.settings import Settings

_WILD = re.compile(r"\*\*/|\*\*|\*|\?")
_WILD_AS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
# Folders that hold papers by name: a bare run of nine digits is an id there and a number elsewhere.
_PAPERS = re.compile(r"(?:^|/)[^/]*(?:paper|arxiv|preprint)[^/]*/", re.IGNORECASE)


def _pattern(glob: str) -> re.Pattern[str]:
    """A glob as a pattern: one without a slash is held against the file's name, in any folder."""
    parts, at = [], 0
    for wild in _WILD.finditer(glob):
        parts += [re.escape(glob[at : wild.start()]), _WILD_AS[wild.group()]]
        at = wild.end()
    start = "" if "/" in glob else "(?:.*/)?"
    return re.compile(start + "".join(parts) + re.escape(glob[at:]))


@lru_cache(maxsize=16)
def _compiled(globs: tuple[tuple[str, str], ...]) -> tuple[tuple[re.Pattern[str], str, str], ...]:
    return tuple((_pattern(glob), kind, glob) for glob, kind in globs)


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
    found = ids.name_id(stem(path))
    return found if found and (found.confidence == "high" or _PAPERS.search(path)) else None


def kind_of(path: str, settings: Settings) -> str:
    """The kind of a file by its path alone: the first glob that matches, a paper card by its name, else a note."""
    kind, _ = matched(path, settings)
    return kind or ("paper-card" if _PAPERS.search(path) and named_work(path) else "note")


def kind_by_shape(frame: Frame) -> str:
    """The kind of a file that no glob names: card by its front matter, knowledge document by its sections."""
    if any(said.concept == "field-arxiv" and said.block < 0 and ids_of(said) for said in frame.said):
        return "paper-card"
    lists = sum(part.role == "section-citation-list" for part in frame.parts)
    others = [s for s, p in zip(frame.document.sections, frame.parts, strict=True) if p.role != "section-citation-list"]
    told = sum(bool(s.number) or s.level > 1 for s in others)
    return "knowledge" if lists and told >= 2 else frame.kind
