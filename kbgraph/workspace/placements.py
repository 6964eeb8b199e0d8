"""Where an item of a brief may belong when no source says it: sections of the compared documents, by its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kbgraph import resources
from kbgraph.ask.brief import rows, word
from kbgraph.model.brief import Brief, BriefItem, Placed
from kbgraph.model.query import Cell, Table
from kbgraph.relate import Held, Outline, Reader, Section, make_lexis, outline
from kbgraph.workspace.holdings import Holdings

SHOWN = 3  # sections, where none is sure
LIKELY = 0.5  # how probable the first must be that any is named: below, an item belongs as well to another topic
# Sections that take no news: lists, tasks and what is left open.
_NO_TARGET = (
    "section-citation-list", "section-further-reading", "section-head", "section-open-questions",
    "section-open-trends", "section-related", "section-tasks",
)  # fmt: skip

_Row = Mapping[str, Cell]
_Key = tuple[str, str]  # path of a document, number of a section


def placed(made: Brief, answers: Mapping[str, Table], holdings: Holdings) -> Brief:
    """The brief with the likely sections of each new item for which no source names one."""
    documents = {one.path for one in made.compared if one.kind == "KnowledgeDoc"}
    told = [r for r in rows(answers, "brief-sections") if word(r["path"]) in documents]
    sections = {(word(r["path"]), word(r["number"])): r for r in told}
    if not sections or all(map(_advised, made.items)):
        return made
    known = _outline(sections, rows(answers, "brief-known"), holdings)
    return replace(made, items=tuple(i if _advised(i) else _with_places(i, known, sections) for i in made.items))


def _advised(item: BriefItem) -> bool:
    return any(advice.number for advice in item.advice)


def _outline(sections: Mapping[_Key, _Row], said: Sequence[_Row], holdings: Holdings) -> Outline:
    texts = sorted({(word(r["path"]), word(r["number"]), word(r["text"])) for r in said})
    held = [Held(_name(path, number), text) for path, number, text in texts if (path, number) in sections]
    full = {one.section for one in held}
    named = [
        Section(_name(*key), tuple(_titles(key, sections)))
        for key, row in sections.items()
        if word(row["part"]) not in _NO_TARGET and (_name(*key) in full or not _divided(key, sections))
    ]
    lexis = make_lexis(holdings.lexicon, resources.glosses(holdings.compact("glosses")))
    return outline(named, held, Reader(lexis.glosses, lexis.small))


def _name(path: str, number: str) -> str:
    return f"{path}§{number}"


def _divided(key: _Key, sections: Mapping[_Key, _Row]) -> bool:
    """Whether a section has sections of its own: what stands under its heading alone is no place."""
    return any(path == key[0] and number.startswith(f"{key[1]}.") for path, number in sections)


def _titles(key: _Key, sections: Mapping[_Key, _Row]) -> Iterator[str]:
    """The headings from the chapter down to the section."""
    path, parts = key[0], key[1].split(".")
    for depth in range(1, len(parts) + 1):
        row = sections.get((path, ".".join(parts[:depth])))
        if row is not None:
            yield word(row["title"])


def _with_places(item: BriefItem, known: Outline, sections: Mapping[_Key, _Row]) -> BriefItem:
    found = known.place("\n".join([item.title, *(point.text for point in item.points)]), SHOWN)
    if found.sure < LIKELY:
        return item
    places = found.places[: SHOWN if found.abstains else 1]
    named = (_placed(place.section, place.words, sections) for place in places if place.words)
    return replace(item, places=tuple(named), place_sure=not found.abstains)


def _placed(name: str, words: tuple[str, ...], sections: Mapping[_Key, _Row]) -> Placed:
    path, _, number = name.rpartition("§")
    return Placed(path, number, word(sections[path, number]["title"]), words)
