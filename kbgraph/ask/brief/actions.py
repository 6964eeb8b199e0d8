"""What to do in which section of the documents, and which items ask for it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbgraph.ask.brief.index import Index
from kbgraph.model.brief import Action, Advice, BriefItem, Ground

_LATER = ("action-cross-reference", "action-note", "action-verify", "action-none")
_Asked = dict[int, tuple[BriefItem, list[Advice]]]


def actions(items: Sequence[BriefItem], src: Index) -> tuple[Action, ...]:
    """One action per section and kind: revisions first, then by strength of evidence, then by section."""
    found: dict[tuple[str, str, str], _Asked] = {}
    for item in items:
        for advice in item.advice:
            if advice.number and advice.known:
                key = advice.document, advice.number, advice.action or _default(item)
                found.setdefault(key, {}).setdefault(item.number, (item, []))[1].append(advice)
    made = sorted((_ranked(*key, asked, src) for key, asked in found.items()), key=lambda pair: pair[0])
    return tuple(a._replace(priority=n) for n, (_, a) in enumerate(made, 1))


def _default(item: BriefItem) -> str:
    return "action-revise" if item.standing == "revision" else "action-add"


def _ranked(
    document: str, target: str, action: str, asked: _Asked, src: Index
) -> tuple[tuple[int, int, list[int], str], Action]:
    grounds = tuple(
        Ground(item.number, item.title, item.level, tuple(dict.fromkeys((a.path, a.line) for a in advice)))
        for item, advice in asked.values()
    )
    title = next(a.title for _, advice in asked.values() for a in advice)
    weight = 0 if action == "action-revise" else 2 if action in _LATER else 1
    strength = max(src.rank(g.level) for g in grounds)
    section = [int(n) for n in re.findall(r"\d+", target)]
    return (weight, -strength, section, document), Action(0, document, target, title, action, grounds)
