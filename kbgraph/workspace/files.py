"""The files of a corpus: found by names and stamps alone, read whole or not at all. Nothing is ever written here."""

from __future__ import annotations

import os
import re
import stat
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from kbgraph.model.globs import expression
from kbgraph.model.settings import DECISIONS, Entry, Listing, Skipped
from kbgraph.store.versions import Seen

SUFFIXES = frozenset((".md", ".markdown", ".txt", ".json", ".bib"))
_ENDINGS = frozenset(suffix[1:].encode() for suffix in SUFFIXES)
LIMIT = 64 << 20  # bytes: a larger file is no text that people wrote
PASSED_OVER = frozenset(("node_modules", "__pycache__", "site-packages"))
RACY = 2_000_000_000  # ns: coarser clocks of file systems cannot tell two writes within this time apart
TRIES = 3


@dataclass(frozen=True, slots=True)
class Scan:
    """A corpus as its folders list it: what is to be read, what is passed over, how many files of other kinds."""

    listing: Listing
    others: tuple[tuple[str, int], ...] = ()


def ignoring(globs: Iterable[str]) -> Callable[[str], bool]:
    """Whether one of the globs names a path."""
    whole = re.compile("|".join(map(expression, globs)) or r"(?!)", re.DOTALL)
    return lambda path: whole.fullmatch(path) is not None


def name_of(raw: bytes) -> str:
    """A name as the model spells it: UTF-8, other bytes as surrogate escapes, whatever the locale says."""
    return raw.decode("utf-8", "surrogateescape")


def raw_path(root: Path, path: str) -> bytes:
    """The bytes by which the system knows a file of the corpus."""
    return os.path.join(os.fsencode(root), path.encode("utf-8", "surrogateescape"))  # noqa: PTH118  (bytes)


def scan(root: Path, ignore: Iterable[str] = ()) -> Scan:
    """Look through the folders of a corpus; files are neither opened nor followed out of it."""
    globs = tuple(ignore)
    walk = _Walk(os.fsencode(root), ignoring(globs) if globs else None)
    walk.run()
    listing = Listing(tuple(sorted(walk.entries, key=lambda e: e.path)), tuple(sorted(walk.skipped, key=_place)))
    return Scan(listing, tuple(sorted(walk.others.items())))


def _place(one: Skipped) -> tuple[str, str]:
    return one.path, one.reason


class _Walk:
    def __init__(self, root: bytes, ignored: Callable[[str], bool] | None) -> None:
        self._root = root
        self._real = os.path.realpath(root)
        self._ignored = ignored
        self._todo = [b""]
        self.entries: list[Entry] = []
        self.skipped: list[Skipped] = []
        self.others: Counter[str] = Counter()

    def run(self) -> None:
        while self._todo:
            folder = self._todo.pop()
            try:
                with os.scandir(os.path.join(self._root, folder)) as found:  # noqa: PTH118  (bytes)
                    self._meet(folder + b"/" if folder else b"", found)
            except OSError as error:
                self.skipped.append(Skipped(name_of(folder) or ".", f"folder cannot be listed: {error.strerror}"))

    def _meet(self, before: bytes, found: Iterable[os.DirEntry[bytes]]) -> None:
        """Each entry of a folder whose path ends in a slash; one loop, since it goes over every file at every start."""
        start, ignored, entries = name_of(before), self._ignored, self.entries
        for entry in found:
            name = entry.name
            if name.startswith(b"."):
                continue  # hidden: state of tools, ours among them
            path = start + name_of(name)
            if ignored is not None and ignored(path):
                continue
            try:
                facts = entry.stat(follow_symlinks=False)
            except OSError as error:
                self.skipped.append(Skipped(path, f"cannot be looked at: {error.strerror}"))
                continue
            mode, size, (_, dot, end) = facts.st_mode, facts.st_size, name.rpartition(b".")
            known = (dot and end.lower() in _ENDINGS) or path == DECISIONS
            if stat.S_ISREG(mode) and known and size <= LIMIT:
                entries.append(Entry(path, size, facts.st_mtime_ns, facts.st_ctime_ns))
            elif stat.S_ISDIR(mode):
                if name_of(name) not in PASSED_OVER:
                    self._todo.append(before + name)
            elif stat.S_ISLNK(mode):
                self._link(before + name, path)
            else:
                self._other(path, facts)

    def _link(self, raw: bytes, path: str) -> None:
        target = os.path.realpath(os.path.join(self._root, raw))  # noqa: PTH118  (bytes)
        folder = os.path.isdir(target)  # noqa: PTH112  (bytes)
        if not (folder or _readable(path)):
            return
        inside = target == self._real or target.startswith(self._real + b"/")
        if not os.path.lexists(target):
            reason = "link to nothing"
        else:
            reason = "link to what is read in its own place" if inside else "link that leads out of the corpus"
        self.skipped.append(Skipped(path, reason))

    def _other(self, path: str, facts: os.stat_result) -> None:
        if not _readable(path):
            self.others[os.path.splitext(path)[1].casefold()] += 1  # noqa: PTH122  (a name, no file)
        elif not stat.S_ISREG(facts.st_mode):
            self.skipped.append(Skipped(path, "not a regular file"))
        else:
            self.skipped.append(Skipped(path, f"larger than {LIMIT >> 20} MB"))


def _readable(path: str) -> bool:
    return path == DECISIONS or os.path.splitext(path)[1].casefold() in SUFFIXES  # noqa: PTH122  (a name, no file)


def same(entry: Entry, seen: Seen) -> bool:
    """Whether a file's stamps are those of when it was read."""
    return (entry.size, entry.mtime_ns, entry.ctime_ns) == seen[:3]


def read_file(root: Path, path: str) -> tuple[bytes, Seen] | Skipped:
    """A file's bytes with its stamps and hash; read again when it changes meanwhile."""
    try:
        for _ in range(TRIES):
            data, before, after = _read_once(raw_path(root, path))
            if not stat.S_ISREG(before.st_mode):
                return Skipped(path, "not a regular file")
            if len(data) > LIMIT:
                return Skipped(path, f"larger than {LIMIT >> 20} MB")
            if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns) and len(
                data
            ) == before.st_size:
                # Written just now: another write may leave the same stamps, so this one is never trusted again.
                fresh = before.st_mtime_ns > time.time_ns() - RACY
                stamps = (-1 if fresh else before.st_mtime_ns, before.st_ctime_ns)
                return data, Seen(before.st_size, *stamps, sha256(data).hexdigest())
    except OSError as error:
        return Skipped(path, f"cannot be read: {error.strerror}")
    return Skipped(path, "keeps changing while it is read")


def _read_once(file: bytes) -> tuple[bytes, os.stat_result, os.stat_result]:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    opened = os.open(file, flags)
    try:
        before = os.fstat(opened)
        data = b"".join(_pieces(opened, before.st_size + 1)) if stat.S_ISREG(before.st_mode) else b""
        return data, before, os.fstat(opened)
    finally:
        os.close(opened)


def _pieces(opened: int, most: int) -> Iterator[bytes]:
    left = min(most, LIMIT + 1)  # one byte more than it had tells that it grows
    while left > 0 and (piece := os.read(opened, min(left, 1 << 20))):
        left -= len(piece)
        yield piece


def odd_names(paths: Iterable[str]) -> tuple[Skipped, ...]:
    """Names that will make trouble on another system: not UTF-8, or equal there to another one."""
    folded: dict[str, list[str]] = defaultdict(list)
    odd = []
    for path in paths:
        if path.isascii():
            folded[path.lower()].append(path)
        else:
            if any("\ud800" <= char <= "\udfff" for char in path):
                odd.append(Skipped(path, "name is not UTF-8"))
            folded[unicodedata.normalize("NFC", path).casefold()].append(path)
    for twins in (twins for twins in folded.values() if len(twins) > 1):
        first, *rest = sorted(twins)
        odd += [Skipped(path, f"differs only in capitals or composition from {first}") for path in rest]
    return tuple(sorted(odd, key=_place))
