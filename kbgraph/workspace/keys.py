"""What tells whether facts are still good, and which rounds they speak of; loads neither reading nor lifting."""

from __future__ import annotations

import re
from collections.abc import Collection
from hashlib import blake2b
from urllib.parse import unquote

from kbgraph import resources
from kbgraph.model.settings import Settings

_ROUND = re.compile(r"<(?:[^<>]*)round/([^<>]*)> <[^<>]*#type> <[^<>]*ns#Round>")


def engine(settings: Settings) -> str:
    """Key of everything that decides what a file's facts are, but the file: code, words, settings."""
    said = (resources.code_digest("read", "lift", "model"), resources.lexicon_digest(settings), settings.digest)
    return blake2b(repr(said).encode(), digest_size=12).hexdigest()


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
