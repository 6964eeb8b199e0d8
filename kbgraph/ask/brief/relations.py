"""What ties an item to the compared documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kbgraph.ask.brief.group import Group
from kbgraph.ask.brief.index import Index
from kbgraph.ask.brief.rows import CITABLE, Row, number, word
from kbgraph.model.brief import Advice, Relation
from kbgraph.model.keys import key_of

_SHOWN = 3  # statements of the documents quoted beside an item


def relations(group: Group, mine: set[str], advice: Sequence[Advice], src: Index) -> tuple[Relation, ...]:
    """Entries, statements and places of the documents about the item's subjects; `mine`: keys of the item's texts."""
    out = [r for s in group.subjects for r in _about(s, mine, src)]
    if not any(r.kind in ("beside", "repeats", "cited") for r in out):
        out += _unsaid(advice, src)
    return tuple(dict.fromkeys(out))


def _unsaid(advice: Iterable[Advice], src: Index) -> list[Relation]:
    """How much the section that the item is advised for holds; nothing of it is about the item."""
    known = next((a for a in advice if a.known and a.number), None)
    if known is None:
        return []
    held = len(src.statements_in(known.document, known.number))
    return [Relation("section", known.document, held, known.number, known.title)]


def _about(subject: str, mine: set[str], src: Index) -> list[Relation]:
    key, listed = key_of(subject), src.known.listed.get((subject,), [])
    out = [_place("listed" if number(r["cited"]) else "uncited", r, key) for r in listed]
    if src.known.listed and not listed and key.startswith(CITABLE):
        out.append(Relation("unlisted", "", 0, text=key))
    said = {(word(r["path"]), number(r["line"]), word(r["textKey"])): r for r in src.said.get((subject,), [])}
    for row in list(said.values())[:_SHOWN]:
        kind = "repeats" if word(row["textKey"]) in mine else "beside"
        out.append(_place(kind, row, word(row["text"]), word(row["number"])))
    if len(said) > _SHOWN:
        out.append(Relation("more", "", len(said) - _SHOWN, text=key))
    if not said and not listed:
        cited = {(word(r["path"]), number(r["line"])): r for r in src.known.cited.get((subject,), [])}
        out += [_place("cited", r, key, word(r["number"])) for r in list(cited.values())[:_SHOWN]]
    return out


def _place(kind: str, row: Row, text: str, section: str = "") -> Relation:
    return Relation(kind, word(row["path"]), number(row["line"]), section, text=text)
