"""What a word means here: a query's page, a finding by its fingerprint, a term of the ontology."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Protocol

from kbgraph import resources
from kbgraph.ask.catalogue import page
from kbgraph.ask.decisions import row as decision
from kbgraph.ask.explain import Said, named, term_page, terms
from kbgraph.ask.waivers import paste
from kbgraph.errors import UsageError
from kbgraph.model.finding import Finding, Report
from kbgraph.model.prefixes import NS
from kbgraph.model.query import Both, Cell, SavedQuery, Table
from kbgraph.render import render
from kbgraph.render.words import said, word
from kbgraph.workspace.saved import Saved, nearest

HISTORY = "finding-history"
_PRINT = re.compile(r"[0-9a-f]{6,16}")


class Asked(Protocol):
    """As much of a workspace as an explanation asks."""

    def query(self, what: str, /, **params: object) -> Table:
        """A saved query's rows."""

    def check(self, names: Iterable[str] = ()) -> Report:
        """The findings of the checks named, of all when none is."""


@cache
def ontology() -> Mapping[str, Said]:
    """All terms by local name."""
    from kbgraph.store.oxigraph import parse_turtle  # noqa: PLC0415  (only when a term is asked for)

    files = (resources.ontology(name).decode("utf-8") for name in ("kbgraph.ttl", "lexicon.ttl"))
    return terms(triple for text in files for triple in parse_turtle(text))


def labels() -> Mapping[str, Both]:
    """What classes and other terms are called, by local name; classes of other vocabularies that this one uses too."""
    from kbgraph.store.oxigraph import parse_turtle  # noqa: PLC0415  (only when a term is asked for)

    return named(parse_turtle(resources.ontology("kbgraph.ttl").decode("utf-8")))


def explain(saved: Saved, what: str, lang: str, asked: Asked) -> str:
    """The page of a query, finding or term; UsageError offers the nearest name."""
    queries = {query.name: query for query in saved.all()}
    if what in queries:
        return page(queries[what])
    if _PRINT.fullmatch(what):
        told = _findings(saved, what, lang, asked)
        if told:
            return "\n".join(told)
    name = what.removeprefix(NS).removeprefix("kb:")
    known = ontology()
    if name in known:
        return term_page(name, known[name])
    if _PRINT.fullmatch(what):
        raise UsageError(f"no finding has the fingerprint {what}", "`kbgraph check --format json` lists them")
    mend = nearest(what, [*queries, *known])
    raise UsageError(f"nothing here is called `{what}`", mend)


def _findings(saved: Saved, start: str, lang: str, asked: Asked) -> list[str]:
    """A page for each finding whose fingerprint begins so: what it says now, when it came and went."""
    known = sorted({str(check) for check in asked.query(HISTORY, fingerprint=start).column("check")})
    every = {query.name: query for query in saved.all("check")}
    report = asked.check([name for name in known if name in every])  # no name at all: any check may have found it
    history: dict[str, list[dict[str, Cell]]] = defaultdict(list)
    for row in asked.query(HISTORY, fingerprint=start):
        history[str(row["fingerprint"])].append(row)
    now = {f.fingerprint: f for f in report.findings if f.fingerprint.startswith(start)}
    told = [_finding(every[f.check], f, lang) + _past(history.get(p, ()), lang) for p, f in now.items()]
    return told + [_gone(rows[0], lang) + _past(rows, lang) for p, rows in history.items() if p not in now]


def _finding(query: SavedQuery, finding: Finding, lang: str) -> str:
    why = said(query.why, lang)
    told = (paste(query, finding), decision(finding))
    return "\n\n".join((f"{render(finding, 'text', lang)}\n{why}", *filter(None, told))) + "\n"


def _gone(row: Mapping[str, Cell], lang: str) -> str:
    """What is remembered of a finding that is there no more."""
    return f"{row['path']}:{row['line']}: {row['check']} {row['messageZh' if lang == 'zh' else 'message']}\n"


def _past(rows: Iterable[Mapping[str, Cell]], lang: str) -> str:
    """When a finding came and went, a line each."""
    return "".join(f"\n- {row['time']} {word(str(row['change']), lang)}" for row in rows) + "\n" if rows else ""
