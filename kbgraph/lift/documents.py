"""The knowledge document that a section reference names by topic: `inference §6.1`, `§6.1 of inference`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from kbgraph.lift.frame import Frame
from kbgraph.lift.scan import refs
from kbgraph.lift.scan.found import SectionRef
from kbgraph.model.lexicon import fold
from kbgraph.model.text import Mark

_NEAR = 60  # characters before a reference in which the name stands
_JOINED = re.compile(r"\s?(?:[/、,，~～–—-]|[^\W\d_]{1,3})?\s?")


class Documents:
    """The names that one file may call knowledge documents by: configured topics, its own, files that it names."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._folded = {fold(name): name for name in (*frame.settings.topics, *frame.topics, *_named(frame)) if name}
        self._marks: tuple[re.Pattern[str], re.Pattern[str]] | None = None

    def sections(self, text: str, marks: tuple[Mark, ...] = ()) -> Iterator[SectionRef]:
        """References to sections, each with the document that is named beside it, be it only by its topic."""
        last: SectionRef | None = None
        for ref in refs.find_section_refs(text, self.frame.lexicon, marks):
            name = self._beside(text, ref, last) if self._folded and not ref.document else ""
            last = ref._replace(document=name, of_work=False) if name else ref
            yield last

    def topic(self, name: str) -> str:
        """The topic that a printed name stands for, "" when it is no known one."""
        return fold(name) if fold(name) in self._folded else ""

    def _beside(self, text: str, ref: SectionRef, last: SectionRef | None) -> str:
        before, after = self._marks = self._marks or self._patterns()
        near = before.search(text[max(0, ref.start - _NEAR) : ref.start]) or after.match(text, ref.end)
        if near:
            return next(filter(None, near.groups()), "")
        joined = last and self.topic(last.document) and _JOINED.fullmatch(text, last.end, max(last.end, ref.start))
        return last.document if last and joined else ""

    def _patterns(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        names = "|".join(re.escape(name) for name in sorted({*self._folded, *self._folded.values()}, key=_longest))
        scheme = self.frame.lexicon.schemes.get("document-word", ())
        of = "|".join(re.escape(x) for c in scheme if c.name == "document-word-of" for x in c.labels) or "(?!)"
        return (
            re.compile(rf"(?<![\w/-])({names})[》」”\"`]?\s?(?:(?:{of})\s?)?[（(]?$", re.IGNORECASE),
            re.compile(rf"\s?(?:[（(]\s?|(?:{of})\s)[《「“\"`]?({names})(?![\w/-])", re.IGNORECASE),
        )


def _longest(name: str) -> tuple[int, str]:
    return -len(name), name


def _named(frame: Frame) -> Iterable[str]:
    """Names of the knowledge documents whose paths stand in the file."""
    pattern = _below(frame.settings.globs)
    if pattern is None:
        return ()
    return {m[1] for block in frame.document.blocks if ".m" in block.text for m in pattern.finditer(block.text)}


@lru_cache(maxsize=16)
def _below(globs: tuple[tuple[str, str], ...]) -> re.Pattern[str] | None:
    """Paths of knowledge documents; None without a folder for them."""
    folders = {glob.partition("*")[0] for glob, kind in globs if kind == "knowledge" and "*" in glob}
    paths = "|".join(re.escape(folder) for folder in sorted(folders) if folder)
    return re.compile(rf"(?:{paths})([\w-]+)\.(?:md|markdown)") if paths else None
