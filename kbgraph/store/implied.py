"""The types that no file's facts state, since a property tells them: for readers who know nothing of that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from kbgraph.model.facts import Term
from kbgraph.store import Quad, Store
from kbgraph.vocab import IMPLIED, RDF_TYPE

Match = Callable[[Term | None, Term | None, Term | None, Term | None], Iterator[Quad]]
TYPE = Term(RDF_TYPE)
_BY_SUBJECT = {Term(verb): Term(f"<{name}>") for name, verb in IMPLIED.items() if verb.startswith("<")}
_BY_OBJECT = {Term(verb[1:]): Term(f"<{name}>") for name, verb in IMPLIED.items() if verb.startswith("^")}


def types(match: Match, s: Term | None, o: Term | None, g: Term | None) -> Iterator[Quad]:
    """Quads `s rdf:type o g` that are implied, in no order; what is told twice comes twice."""
    for verb, name in _BY_SUBJECT.items():
        if o in (None, name):
            yield from ((subject, TYPE, name, graph) for subject, _, _, graph in match(s, verb, None, g))
    for verb, name in _BY_OBJECT.items():
        if o in (None, name):
            yield from ((thing, TYPE, name, graph) for _, _, thing, graph in match(None, verb, s, g))


def whole(store: Store) -> Iterator[str]:
    """All quads with the implied ones as sorted N-Quads lines, without line ends."""
    told = {(thing, graph) for verb in _BY_OBJECT for _, _, thing, graph in store.match(None, verb, None, None)}
    for subject, lines in groupby(store.dump(), key=_subject):
        own = list(lines)
        yield from sorted({*own, *_lines(Term(subject), own, told)})


def _subject(line: str) -> str:
    return line.partition(" ")[0]


def _lines(subject: Term, own: Iterable[str], told: set[tuple[Term, Term]]) -> Iterator[str]:
    for line in own:
        verb = Term(line.split(" ", 2)[1])
        graph = Term(line[line.rindex(" <") + 1 : -2])
        if verb in _BY_SUBJECT:
            yield f"{subject} {TYPE} {_BY_SUBJECT[verb]} {graph} ."
        if (subject, graph) in told:
            yield from (f"{subject} {TYPE} {name} {graph} ." for name in _BY_OBJECT.values())
