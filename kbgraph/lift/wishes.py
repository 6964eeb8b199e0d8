"""What a text wants a section to hold: `§2.4 补墓碑压实`, `§2.4 still lacks tombstone compaction`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kbgraph.lift.frame import Frame
from kbgraph.lift.scan.found import SectionRef, Word

_STOP = re.compile(r"[，；。！？、（）()\[\]【】\n|]|[,;:.!?](?=\s|$)|\s[-–—•·]+\s")
_END = re.compile(r"[；。！？\n|]|[;.!?](?=\s|$)")
_EDGES = " \t:：*_`「」『』“”《》\"'"
_SMALL = re.compile(r"^(?:[a-z]{1,3}\s+)+|(?:\s+[a-z]{1,4})+$")  # articles before a phrase, prepositions after it
_LONGEST = 40
_SHORTEST = 3, 5  # letters of a phrase that has CJK ones, and of one that has none


def wishes(frame: Frame, text: str, sections: Sequence[SectionRef]) -> Mapping[int, tuple[str, ...]]:
    """For the references that something is asked of, by their place: the phrases that name it, as printed."""
    found: dict[int, list[str]] = {}
    for word in frame.words.concepts("wish", text) if sections else ():
        at, phrase = _asked(text, sections, word)
        if phrase:
            found.setdefault(at, []).append(phrase)
    return {at: tuple(phrases) for at, phrases in found.items()}


def _asked(text: str, sections: Sequence[SectionRef], word: Word) -> tuple[int, str]:
    """Which reference a wish is for, and what follows the wish; "" where that is no phrase."""
    before = [at for at, ref in enumerate(sections) if ref.end <= word.start]
    after = [at for at, ref in enumerate(sections) if ref.start >= word.end]
    end = sections[after[0]].start if after else len(text)
    stop = _STOP.search(text, word.end, end)
    phrase = _phrase(text[word.end : stop.start() if stop else end])
    if before and not _END.search(text, sections[before[-1]].end, word.start):
        return before[-1], phrase
    return (after[0], phrase) if after and not stop else (-1, "")


def _phrase(stretch: str) -> str:
    bare = _SMALL.sub("", stretch.strip(_EDGES)).strip(_EDGES)
    shortest = _SHORTEST[bare.isascii()]
    named = shortest <= len(bare) <= _LONGEST and not any(char.isdigit() for char in bare)
    return bare if named else ""
