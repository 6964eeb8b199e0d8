"""Evidence levels: what a sentence, a section's head or a file's head declares."""

from __future__ import annotations

import re

from kbgraph.lift.frame import Frame

_SENTENCE = re.compile(r"[^。！？!?\n]+")
_ASIDE = re.compile(r"[(（\[【][^()（）\[\]【】]*[)）\]】]")
_OPEN, _CLOSE = ("(", "（"), (")", "）")
_FIGURE = re.compile(r"\d")
_NONE = ("level-none",)  # its words are everyday words: "not stated" of something else
_WHOLE = ("quantifier-all", "quantifier-always")


def stated(frame: Frame, text: str, anywhere: bool = False) -> tuple[str, ...]:
    """Levels that stand as a mark in a text, or anywhere in it, each once, in order."""
    return tuple(dict.fromkeys(word.concept for word in frame.words.levels(text, anywhere)))


def declared(frame: Frame, text: str) -> tuple[tuple[str, ...], str]:
    """The one level that a text declares for all that follows, and the sentence that does; a legend declares none."""
    for found in _SENTENCE.finditer(text):
        sentence = found.group().strip()
        if not (sentence[:1] in _OPEN and sentence[-1:] in _CLOSE):
            sentence = _ASIDE.sub(" ", sentence)  # what a bracket says is said of its own sentence
        words = frame.words.levels(sentence, anywhere=True)
        named = tuple(dict.fromkeys(word.concept for word in words))
        if len(named) == 1 and (_labelled(frame, sentence) or (named != _NONE and _for_all(frame, sentence))):
            return named, sentence
    return (), ""


def _labelled(frame: Frame, sentence: str) -> bool:
    """Whether the level stands after `evidence level:` rather than in a remark on something."""
    found = frame.words.matcher("role", "field").find(sentence)
    ends = [h.end for h in found if any(c.name in ("role-evidence", "field-level") for c in h.concepts)]
    return any(sentence[end:].lstrip(" *_")[:1] in (":", "：") for end in ends)


def _for_all(frame: Frame, sentence: str) -> bool:
    """Whether a sentence speaks of everything and is no measured statement itself."""
    if _FIGURE.search(sentence):
        return False
    return any(word.concept in _WHOLE for word in frame.words.stance(sentence).quantifiers)
