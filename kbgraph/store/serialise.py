"""Quads as Turtle, TriG and JSON-LD texts that every reader takes: plain text work, no engine.

IRIs of vocabularies are shortened only where the local name needs no escape; IRIs made from a corpus's names never are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from kbgraph.model.facts import Term
from kbgraph.model.ntriples import parts
from kbgraph.model.prefixes import PREFIXES

TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_SHORT = {namespace: prefix for prefix, namespace in PREFIXES.items()}
_NAMED = re.compile(r"<(.*[/#])([A-Za-z][A-Za-z0-9_-]*)>")
_TYPED = re.compile(r"(\".*\")\^\^(<[^<>]*>)", re.DOTALL)

Triple = tuple[Term, Term, Term]


def short(term: str) -> str:
    """A term for Turtle: vocabulary IRIs as prefixed names, all else as it is."""
    if term.startswith("<"):
        match = _NAMED.fullmatch(term)
        prefix = _SHORT.get(match.group(1)) if match else None
        return f"{prefix}:{match.group(2)}" if match and prefix else term
    typed = _TYPED.fullmatch(term)
    return f"{typed.group(1)}^^{short(typed.group(2))}" if typed else term


def _prologue() -> str:
    return "".join(f"@prefix {prefix}: <{namespace}> .\n" for prefix, namespace in PREFIXES.items())


def _statements(triples: Iterable[Triple], indent: str) -> Iterator[str]:
    """One block a subject, one line a predicate; `triples` come sorted."""
    for subject, of_subject in groupby(triples, key=lambda t: t[0]):
        lines = []
        for predicate, of_predicate in groupby(of_subject, key=lambda t: t[1]):
            verb = "a" if predicate == TYPE else short(predicate)
            lines.append(f"{verb} {' , '.join(short(o) for _, _, o in of_predicate)}")
        yield f"{indent}{short(subject)} {f' ;{chr(10)}{indent}    '.join(lines)} .\n"


def turtle(triples: Iterable[Triple]) -> Iterator[str]:
    """Turtle, in pieces, from sorted triples."""
    yield _prologue()
    for statement in _statements(triples, ""):
        yield "\n" + statement


def trig(graphs: Iterable[tuple[Term, Iterable[Triple]]]) -> Iterator[str]:
    """TriG, in pieces, from graphs with sorted triples."""
    yield _prologue()
    for name, triples in graphs:
        yield f"\n{name} {{\n"
        yield from _statements(triples, "  ")
        yield "}\n"


def jsonld(graphs: Iterable[tuple[Term, Iterable[Triple]]]) -> Iterator[str]:
    """JSON-LD in expanded form, in pieces, one node a line; it names no context, so nobody has to fetch one."""
    yield "["
    between = "\n"
    for name, triples in graphs:
        yield f'{between}{{"@id": {_json(parts(name).value)}, "@graph": ['
        yield ",\n".join(_json(_node(subject, of)) for subject, of in groupby(triples, key=lambda t: t[0]))
        yield "]}"
        between = ",\n"
    yield "\n]\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _node(subject: Term, triples: Iterable[Triple]) -> dict[str, object]:
    node: dict[str, object] = {"@id": parts(subject).value}
    for predicate, of in groupby(triples, key=lambda t: t[1]):
        values = [_value(o) for _, _, o in of]
        if predicate == TYPE:
            node["@type"] = [value["@id"] for value in values]
        else:
            node[parts(predicate).value] = values
    return node


def _value(term: Term) -> dict[str, str]:
    kind, value, lang, datatype = parts(term)
    if kind == "iri":
        return {"@id": value}
    if lang:
        return {"@value": value, "@language": lang}
    return {"@value": value, "@type": datatype} if not datatype.endswith("#string") else {"@value": value}
