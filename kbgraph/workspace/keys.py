"""What tells whether facts are still good, and which rounds they speak of; loads neither reading nor lifting."""

from __future__ import annotations

import re
from collections.abc import Collection
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

from kbgraph import resources, vocab
from kbgraph.model.settings import Settings

LIBRARIES = ("pyromark", "ahocorasick_rs")  # what a file's facts depend on beside our own code
VOCABULARY = repr(sorted((name, value) for name, value in vars(vocab).items() if isinstance(value, str)))
_ROUND = re.compile(r"<(?:[^<>]*)round/([^<>]*)> <[^<>]*#type> <[^<>]*ns#Round>")


def engine(settings: Settings) -> str:
    """Key of everything that decides what a file's facts are, but the file: code, words, settings."""
    code = (resources.code_digest("read", "lift", "model"), VOCABULARY, *map(_installed, LIBRARIES))
    said = (code, resources.lexicon_digest(settings), settings.digest)
    return blake2b(repr(said).encode(), digest_size=12).hexdigest()


def _installed(library: str) -> str:
    """Which installation of a library this is; asking for its version would take longer than all the rest."""
    found = find_spec(library)
    if found is None or found.origin is None:
        return ""
    stamps = Path(found.origin).stat()
    return f"{found.origin} {stamps.st_size} {stamps.st_mtime_ns}"


def rounds_in(triples: Collection[str]) -> tuple[str, ...]:
    """Ids of the rounds that a manifest's facts speak of."""
    return tuple(
        sorted(
            {
                unquote(match.group(1), errors="surrogateescape")
                for triple in triples
                if (match := _ROUND.fullmatch(triple))
            }
        )
    )
