"""What `kbgraph.toml` says, with defaults, as a value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

KINDS = (
    "paper-card", "repo-card", "report", "brief", "guide", "knowledge", "queue", "manifest", "note", "bibliography",
    "decisions",
)  # fmt: skip

DECISIONS = "kbgraph-decisions.tsv"  # what people have decided of pairs of claims, at the root of the corpus

# First glob that matches names the kind; what matches none is judged by its shape (note or knowledge document).
DEFAULT_GLOBS: tuple[tuple[str, str], ...] = (
    ("inbox/*/*-e1prep.md", "brief"),
    ("inbox/*/*.md", "report"),
    ("organized/paper_cards/*.md", "paper-card"),
    ("organized/repo_cards/*.md", "repo-card"),
    ("organized/guides/*.md", "guide"),
    ("organized/knowledge/*.md", "knowledge"),
    ("organized/queue/*.md", "queue"),
    ("work-guard/*.json", "manifest"),
    ("*.bib", "bibliography"),
    (DECISIONS, "decisions"),
)


# Check name; error, warning, info, off or "" for its own; findings that may stand; parameters with their values.
CheckSetting = tuple[str, str, int, tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one corpus; `digest` goes into the key of cached facts."""

    name: str = "kb"
    base: str = "urn:kb:kb:"
    topics: tuple[str, ...] = ()
    lang: str = ""  # language of briefs: "zh", "en" or "" for the corpus's own
    globs: tuple[tuple[str, str], ...] = DEFAULT_GLOBS
    ignore: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()  # (concept name, extra label)
    levels: tuple[tuple[str, int, tuple[str, ...]], ...] = ()  # (name without `level-`, rank, labels)
    contrasts: tuple[tuple[str, ...], ...] = ()  # words of one set exclude one another
    checks: tuple[CheckSetting, ...] = ()
    fail_on: str = ""  # error, warning, info, never, or "" for the default
    waivers: str = "kbgraph-waivers.toml"
    digest: str = ""


class Entry(NamedTuple):
    """One file of the corpus as found: path relative to the root, size in bytes, mtime and ctime in ns."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int = 0


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that was seen and not read, with the reason."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Listing:
    """All files of a corpus, sorted by path, and what was passed over."""

    entries: tuple[Entry, ...] = ()
    skipped: tuple[Skipped, ...] = field(default=())
