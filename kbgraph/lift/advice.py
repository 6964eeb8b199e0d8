"""Advice as recommendations: what to do in which section, from which item."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kbgraph import vocab as v
from kbgraph.lift.crossrefs import target_key
from kbgraph.lift.documents import Documents
from kbgraph.lift.frame import Frame, Passage, concept
from kbgraph.lift.heads import role_above
from kbgraph.lift.origins import Origins
from kbgraph.lift.scan.sentences import sentences
from kbgraph.model.facts import Term, integer, text

_ADVICE = ("role-advice", "role-action", "role-handling")
_NUMBERED = re.compile(r"(?:(?:^|[；;。.]\s*|\n)(\d{1,2})[.．、)）]\s*(?=\D))|([①-⑳])\s*")
_STOP = re.compile(r"[，；。（）()]|[,;.](?=\s|$)")
_ASIDE = re.compile(r"\s*(?:[「『“《][^「」『』“”《》]*[」』”》]\s*)?[（(]([^（）()]*)[)）]")
_REACH = 40  # characters around a reference in which its action stands
_EDGES = " \t\n，,；;、。.（）()"


class Piece:
    """One piece of advice: a stretch of a passage, its rank in a list of actions, the item that it comes from."""

    def __init__(self, passage: Passage, start: int, end: int, priority: int = 0, advice: int = -1) -> None:
        self.passage = passage
        self.start = start
        self.text = passage.text[start:end].strip()
        self.priority = priority
        self.advice = advice


def tell_advice(frame: Frame) -> None:
    """Tell all recommendations; those of items first, so that lists of actions can be traced to them."""
    merging, of_section, documents = [], dict[str, Term](), Documents(frame)
    for passage in frame.passages:
        if passage.place not in ("body", "table"):
            continue
        role = role_above(frame, passage.section)
        if role == "section-merge-actions" and passage.item < 0:
            merging.append(passage)
        elif passage.role in _ADVICE:
            _tell_piece(frame, documents, Piece(passage, 0, len(passage.text)), of_section)
        elif (passage.item >= 0 and "§" in passage.text) or passage.role == "role-relation":
            for start, end in sentences(passage.text, passage.marks):
                advice = _advises(frame, passage.text[start:end])
                if advice >= 0:
                    _tell_piece(frame, documents, Piece(passage, start, end, 0, advice), of_section)
    for piece in _actions([passage for passage in merging if not _asks_later(frame, passage)]):
        _tell_piece(frame, documents, piece, of_section)


def _advises(frame: Frame, sentence: str) -> int:
    """Where a sentence begins to advise, -1 when it does not."""
    found = (word.start for word in frame.words.concepts("role", sentence) if word.concept == "role-advice")
    return next(found, -1)


def _asks_later(frame: Frame, passage: Passage) -> bool:
    """Whether a list point among actions hands work on to a later round instead."""
    lead = _NUMBERED.split(passage.text, 1)[0]
    return any(word.concept == "counted-follow-ups" for word in frame.words.concepts("counted", lead))


def _actions(merging: list[Passage]) -> Iterator[Piece]:
    """Numbered actions, each list point one or several `；2. …` in one."""
    rank = 0
    for passage in merging:
        marks = list(_NUMBERED.finditer(passage.text))
        starts = [m.end() for m in marks]
        if not starts or marks[0].start() > 0:
            starts.insert(0, 0)
        ends = [*(m.start() for m in marks if m.start() > 0), len(passage.text)]
        for start, end in zip(starts, ends, strict=False):
            if passage.text[start:end].strip():
                rank += 1
                yield Piece(passage, start, end, rank)


def _tell_piece(frame: Frame, documents: Documents, piece: Piece, of_section: dict[str, Term]) -> None:
    targets = [ref for ref in documents.sections(piece.text) if not ref.of_work]
    if piece.advice >= 0:
        # In running text only the sections after `建议归入` are meant; without any, the last before it.
        targets = [ref for ref in targets if ref.start >= piece.advice] or targets[-1:]
    held = frame.items[piece.passage.item].node if piece.passage.item >= 0 else None
    if not targets:
        action = frame.words.best("action", piece.text) if held else ""
        if action:
            _tell(frame, piece, None, action, held)
        return
    origins = Origins(frame, piece.text, targets, of_section)
    told: set[str] = set()
    for at, ref in enumerate(targets):
        if ref.number not in told:
            told.add(ref.number)
            action = _action_of(frame, origins, at) or "action-add"
            _tell(frame, piece, (ref.number, target_key(frame, ref, documents)), action, held or origins.of(at))
            if held:
                of_section.setdefault(ref.number, held)


def _action_of(frame: Frame, origins: Origins, at: int) -> str:
    """The action for one reference: in a bracket after it, in its clause, else in a clause of its own beside it."""
    first, last = origins.group(at)
    (before, _), (_, after) = origins.beside(first), origins.beside(last)
    aside = _ASIDE.match(after)
    if aside:
        return _action(frame, aside[1], 0) or _action(frame, _STOP.split(before)[-1][-_REACH:], -1)
    head, *others = _STOP.split(after)
    own = _action(frame, head[:_REACH], 0) or _action(frame, _STOP.split(before)[-1][-_REACH:], -1)
    if own:
        return own
    # What stands between two stops belongs to the reference before it; what runs on to the next one to that.
    whole = others if last + 1 == len(origins.targets) else others[:-1]
    found = _action(frame, "，".join(whole)[:_REACH], 0)
    return found or (_action(frame, before[-_REACH:], -1) if first == 0 else "")


def _action(frame: Frame, text: str, nearest: int) -> str:
    """The action that stands nearest to a reference; a single letter counts only right beside it."""
    bare = text.strip(_EDGES)
    found = [
        word.concept
        for word in frame.words.concepts("action", bare)
        if len(word.printed) > 1 or (word.start == 0 if nearest == 0 else word.end == len(bare))
    ]
    return found[nearest] if found else ""


def _tell(frame: Frame, piece: Piece, target: tuple[str, str] | None, action: str, item: Term | None) -> None:
    node, out = frame.node("a"), frame.out
    out += (
        f"{node} {v.RDF_TYPE} {v.KB_RECOMMENDATION}",
        f"{node} {v.KB_ACTION} {concept(action)}",
        f"{node} {v.KB_AS_PRINTED} {text(piece.text)}",
        f"{node} {v.KB_LINE} {integer(piece.passage.line_at(piece.start))}",
    )
    if target:
        frame.tell(node, v.KB_TARGET_NUMBER, text(target[0]))
        frame.tell(node, v.KB_TARGET_KEY, text(target[1]))
    if piece.priority:
        frame.tell(node, v.KB_PRIORITY, integer(piece.priority))
    if item:
        frame.tell(node, v.KB_FROM_ITEM, item)
