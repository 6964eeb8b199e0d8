"""A trace as lines: how deep each stands, where it is, and what it says; formats only set them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kbgraph.model.query import Both
from kbgraph.model.trace import Chain, Counted, Hop, Loss, Passage, Trace
from kbgraph.render.words import said, word


class Line(NamedTuple):
    """One line of a trace: `head` tells what it is, `place` is `path:line`, `quote` the words of a material."""

    depth: int
    head: str = ""
    place: str = ""
    told: str = ""
    quote: str = ""


def lines(chain: Chain, labels: Mapping[str, Both], lang: str) -> Iterator[Line]:
    """The statement asked for, the hops behind it, the sources that count, and where else it is said."""
    yield Line(0, "", _at(chain.asked), _who(chain.asked, labels, lang), chain.asked.printed)
    if not any(hop.passage for hop in chain.hops):
        yield Line(1, word("trace-nobody", lang))
    for hop in chain.hops:
        yield from _hop(hop, labels, lang)
    yield Line(0, f"{word('trace-independent', lang)}{word('colon', lang)}{chain.independent}")
    for one in chain.sources:
        told = " · ".join(filter(None, (one.agent, _counted(one, labels, lang))))
        yield Line(1, "", f"{one.path}:{one.line}", told)
    for passage in chain.later:
        yield Line(0, word("trace-later", lang), _at(passage), _who(passage, labels, lang), passage.printed)


def title(product: Trace, lang: str) -> str:
    """The heading of a trace."""
    return f"{word('trace', lang)}{word('colon', lang)}{product.what}"


def _hop(hop: Hop, labels: Mapping[str, Both], lang: str) -> Iterator[Line]:
    if hop.passage is None:
        yield Line(hop.depth, word(_end(hop), lang), "", " ".join(filter(None, (hop.key, _title(hop)))))
        return
    told = word("trace-again", lang) if hop.again else _who(hop.passage, labels, lang)
    yield Line(hop.depth, word(f"trace-{hop.tie}", lang), _at(hop.passage), told, hop.passage.printed)
    if hop.losses:
        lost = word("semicolon", lang).join(_loss(loss, labels, lang) for loss in hop.losses)
        yield Line(hop.depth + 1, f"{word('trace-lost', lang)}{word('colon', lang)}{lost}")


def _end(hop: Hop) -> str:
    if hop.circular:
        return "trace-circular"
    return "trace-file" if hop.tie == "named" else f"trace-{hop.tie}"


def _title(hop: Hop) -> str:
    return "" if hop.title == hop.key else hop.title


def _at(passage: Passage) -> str:
    return f"{passage.path}:{passage.line}"


def _who(passage: Passage, labels: Mapping[str, Both], lang: str) -> str:
    """Kind of material, agent, day, evidence level."""
    level = _label(passage.level, labels, lang) if passage.level else word("trace-no-level", lang)
    return " · ".join(filter(None, (_label(passage.kind, labels, lang), passage.agent, passage.day, level)))


def _loss(loss: Loss, labels: Mapping[str, Both], lang: str) -> str:
    kind = _label(loss.aspect, labels, lang) if loss.aspect else ""
    name = word(f"lost-{loss.kind}", lang) + (word("aside", lang).format(kind) if kind else "")
    there, here = loss.there, loss.here
    if loss.kind == "level":
        there, here = _label(there, labels, lang), _label(here, labels, lang) or word("trace-no-level", lang)
    if not there:
        return word("lost-added", lang) + word("quoted", lang).format(here)
    quoted = [word("quoted", lang).format(text) for text in (there, here) if text]
    return name + " →".join(quoted)


def _counted(one: Counted, labels: Mapping[str, Both], lang: str) -> str:
    told = word(f"source-{one.standing}", lang).format(of=one.of)
    party = one.level == "level-self-reported" and one.standing == "counts"
    return f"{told} · {_label(one.level, labels, lang)}" if party else told


def _label(name: str, labels: Mapping[str, Both], lang: str) -> str:
    return said(labels[name], lang) if name in labels else name
