"""From a file to its packed facts: the one place where reading and lifting meet, in this process or in another."""

from __future__ import annotations

import gc
import sys
import traceback
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from kbgraph import resources
from kbgraph.lift import heading_words, identity, lift
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.settings import Settings, Skipped
from kbgraph.model.text import HeadingWords
from kbgraph.store.child import receive, send
from kbgraph.store.versions import Lifted, Seen, pack
from kbgraph.workspace.files import read_file


class Outcome(NamedTuple):
    """What became of a file: its stamps with what it said (None when that is kept already), or why it was not read."""

    path: str
    seen: Seen | None
    lifted: Lifted | None
    reason: str = ""


class Lifter:
    """Reads files of one corpus with one set of words and settings."""

    def __init__(self, root: Path, settings: Settings, compact: Path | None) -> None:
        self._root = root
        self._settings = settings
        self._compact = compact

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words, loaded when the first file is lifted."""
        return resources.lexicon(self._settings, self._compact)

    @cached_property
    def _headings(self) -> HeadingWords:
        return heading_words(self.lexicon)

    def greeting(self) -> tuple[str, Mapping[str, Any], str]:
        """What another process must know to do the same."""
        fields = {name: getattr(self._settings, name) for name in Settings.__dataclass_fields__}
        return str(self._root), fields, str(self._compact or "")

    def outcome(self, path: str, kept: Collection[str]) -> Outcome:
        """Read a file, and lift it unless the facts for its hash are among those `kept`."""
        found = read_file(self._root, path)
        if isinstance(found, Skipped):
            return Outcome(path, None, None, found.reason)
        data, seen = found
        if seen.sha in kept:
            return Outcome(path, seen, None)
        try:
            return Outcome(path, seen, self.lifted(path, data, seen.sha))
        except Exception as error:  # noqa: BLE001  (a fault of this project in one file must not lose all others)
            at = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(at.filename).name}:{at.lineno}"
            return Outcome(
                path, None, None, f"a fault in kbgraph ({type(error).__name__} in {where}): please report it"
            )

    def lifted(self, path: str, data: bytes, sha: str) -> Lifted:
        """What the bytes of a file say."""
        from kbgraph.read import read  # noqa: PLC0415  (a brief of files that are all known reads none)

        document = read(data, path, self._headings)
        facts = lift(document, self.lexicon, self._settings)
        covered = document.coverage
        counts = (len(facts.triples), covered.lines, covered.understood, covered.ignored)
        return Lifted(path, sha, pack(facts), *counts, *identity(document, facts))


def serve() -> None:
    """Lift files that another process names on standard input; answers on standard output."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    root, settings, compact = receive(source)
    lifter = Lifter(Path(root), Settings(**settings), Path(compact) if compact else None)
    while True:
        try:
            tasks = receive(source)
        except EOFError:
            return
        send(sink, [_plain(lifter.outcome(path, kept)) for path, kept in tasks])
        gc.freeze()  # words and expressions stay: looking through them again and again costs a tenth of the time


def _plain(one: Outcome) -> tuple[Any, ...]:
    return one.path, one.seen and tuple(one.seen), one.lifted and tuple(one.lifted), one.reason


def outcome_of(plain: tuple[Any, ...]) -> Outcome:
    """The Outcome that another process sent."""
    path, seen, lifted, reason = plain
    return Outcome(path, seen and Seen(*seen), lifted and Lifted(*lifted), reason)
