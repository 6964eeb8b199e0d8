"""Where a report or brief comes from: its report kind, the manifest that it consumed, what it compares with."""

from __future__ import annotations

import re

from kbgraph import vocab as v
from kbgraph.lift.frame import Frame, Said, concept
from kbgraph.lift.naming import stem
from kbgraph.lift.scan import refs
from kbgraph.lift.scan.found import FileRef
from kbgraph.model.facts import text
from kbgraph.model.lexicon import fold

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)


def tell_report_kind(frame: Frame) -> None:
    """Tell the report kind that the file's name ends in, else the one that its title names."""
    known = frame.words.matcher("report")
    name = re.split(r"[-_. ]", fold(stem(frame.document.path)))
    ends = ("-".join(name[i:]) for i in range(len(name)))
    concepts = next((c for end in ends if (c := known.get(end))), ())
    kind = concepts[0].name if concepts else frame.words.best("report", frame.document.title)
    if kind:
        frame.tell(frame.me, v.KB_REPORT_KIND, concept(kind))


def tell_origin(frame: Frame) -> None:
    """Tell the manifest, the compared documents and the materials that a brief's head names."""
    tops = refs.tops_of(frame.settings.globs)
    guard = next((glob for glob, kind in frame.settings.globs if kind == "manifest"), "")
    folder = guard.partition("*")[0]
    named: list[str] = []
    for said in frame.said:
        paths = [ref.path for ref in _files(frame, said, tops) if ref.path]
        named += [path for path in paths if folder and path.startswith(folder)]
        if said.concept == "field-manifest" and not named:
            named += [guard.replace("*", uuid) for uuid in _UUID.findall(said.value)[:1]]
    frame.out += (f"{frame.me} {v.KB_NAMES_MANIFEST} {text(path)}" for path in dict.fromkeys(named[:1]))
    compared = [path for said in frame.said for path in _compared(frame, said, tops) if path not in named]
    frame.out += (f"{frame.me} {v.KB_COMPARES_PATH} {text(path)}" for path in dict.fromkeys(compared))
    listed = [ref.path for said in frame.said if said.concept == "field-materials" for ref in _files(frame, said, tops)]
    given = dict.fromkeys(path for path in listed if path and path not in (*named, *compared))
    frame.out += (f"{frame.me} {v.KB_LISTS_PATH} {text(path)}" for path in given)


def _files(frame: Frame, said: Said, tops: frozenset[str]) -> tuple[FileRef, ...]:
    return refs.find_file_refs(said.value, (), frame.document.path, tops)


def _compared(frame: Frame, said: Said, tops: frozenset[str]) -> list[str]:
    """Paths after the word for comparing: as a field of its own, or inside the value of another."""
    found = _files(frame, said, tops)
    start = 0 if said.concept == "field-compared" else _word_end(frame, said.value)
    return [ref.path for ref in found if ref.path and start >= 0 and ref.start >= start]


def _word_end(frame: Frame, value: str) -> int:
    """End of the last word for comparing that a path may follow, -1 when there is none."""
    hits = frame.words.matcher("field").find(value)
    ends = [hit.end for hit in hits if any(c.name == "field-compared" for c in hit.concepts)]
    return ends[-1] if ends else -1
