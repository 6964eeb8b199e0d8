"""The types that no file's facts state, since a property tells them: for readers who know nothing of that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Protocol

from kbgraph.model.facts import Term
from kbgraph.store import Quad
from kbgraph.vocab import IMPLIED, RDF_TYPE


class Dumping(Protocol):
    """As much of a store as is told whole."""

    def dump(self) -> Iterator[str]:
        """All quads as sorted N-Quads lines."""


Match = Callable[[Term | None, Term | None, Term | None, Term | None], Iterator[Quad]]
TYPE = Term(RDF_TYPE)
_BY_VERB: dict[Term, list[Term]] = {}
for _name, _verb in IMPLIED.items():
    _BY_VERB.setdefault(Term(_verb), []).append(Term(f"<{_name}>"))


def types(match: Match, s: Term | None, o: Term | None, g: Term | None) -> Iterator[Quad]:
    """Quads `s rdf:type o g` that are implied, in no order; what is told twice comes twice."""
    for verb, names in _BY_VERB.items():
        wanted = [name for name in names if o in (None, name)]
        for subject, _, _, graph in match(s, verb, None, g) if wanted else ():
            yield from ((subject, TYPE, name, graph) for name in wanted)


def whole(store: Dumping) -> Iterator[str]:
    """All quads with the implied ones as sorted N-Quads lines, without line ends."""
    for _, lines in groupby(store.dump(), key=lambda line: line.partition(" ")[0]):
        own = list(lines)
        yield from sorted({*own, *_implied(own)})


def _implied(own: list[str]) -> Iterator[str]:
    for line in own:
        subject, verb, _ = line.split(" ", 2)
        for name in _BY_VERB.get(Term(verb), ()):
            yield f"{subject} {TYPE} {name} {line[line.rindex(' <') + 1 :]}"
