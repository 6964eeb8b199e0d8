"""What a text wants a section to hold: `§2.4 补墓碑压实`, `§2.4 still lacks tombstone compaction`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kbgraph.lift.frame import Frame
from kbgraph.lift.scan.found import SectionRef, Word

_STOP = re.compile(r"[，；。！？、（）()\[\]【】\n|]|[,;:.!?](?=\s|$)|\s[-–—•·]+\s")
_END = re.compile(r"[；。！？\n|]|[;.!?](?=\s|$)")
_ASIDE = re.compile(r"\s*[（(][^（）()]*[)）]\s*$")
_EDGES = " \t:：*_`「」『』“”《》\"'"
_SMALL = re.compile(r"^(?:[a-z]{1,3}\s+)+|(?:\s+[a-z]{1,4})+$")  # articles before a phrase, prepositions after it
_LONGEST = 40
_SHORTEST = 3, 5  # letters of a phrase that has CJK ones, and of one that has none


def wishes(frame: Frame, text: str, sections: Sequence[SectionRef]) -> Mapping[int, tuple[str, ...]]:
    """For the references that something is asked of, by their place: the phrases that name it, as printed."""
    found: dict[int, list[str]] = {}
    for word in frame.words.concepts("wish", text) if sections else ():
        at = _asked(text, sections, word) if word.concept == "wish-hold" else -1
        phrase = _named(frame, text, sections, word) if at >= 0 else ""
        if phrase:
            found.setdefault(at, []).append(phrase)
    return {at: tuple(phrases) for at, phrases in found.items()}


def _asked(text: str, sections: Sequence[SectionRef], word: Word) -> int:
    """Which reference a wish is for: the last before it in the sentence, else the first after it in the clause."""
    before = [at for at, ref in enumerate(sections) if ref.end <= word.start]
    if before and not _END.search(text, sections[before[-1]].end, word.start):
        return before[-1]
    after = next((at for at, ref in enumerate(sections) if ref.start >= word.end), -1)
    return after if after >= 0 and not _STOP.search(text, word.end, sections[after].start) else -1


def _named(frame: Frame, text: str, sections: Sequence[SectionRef], word: Word) -> str:
    """What is wished for: what follows the word up to a stop or reference, else what stands before it."""
    first = max((ref.end for ref in sections if ref.end <= word.start), default=0)
    last = min((ref.start for ref in sections if ref.start >= word.end), default=len(text))
    stop = _STOP.search(text, word.end, last)
    ahead = text[word.end : stop.start() if stop else last]
    behind = _STOP.split(_ASIDE.sub("", text[first : word.start]))[-1]
    return _phrase(frame, ahead) or _phrase(frame, behind)


def _phrase(frame: Frame, stretch: str) -> str:
    """The bare name of a thing, "" for what is too short or long to be one, or has figures in it."""
    bare, whole = stretch.strip(_EDGES), ""
    while bare != whole:
        whole = bare
        for word in frame.words.concepts("wish", whole):
            if word.start == 0:
                bare = whole[word.end :]
            elif word.end == len(whole):
                bare = whole[: word.start]
        bare = _SMALL.sub("", bare.strip(_EDGES)).strip(_EDGES)
    shortest = _SHORTEST[bare.isascii()]
    return bare if shortest <= len(bare) <= _LONGEST and not any(char.isdigit() for char in bare) else ""
