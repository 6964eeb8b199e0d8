"""What a word means here: a query's page, a finding by its fingerprint, a term of the ontology."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from kbgraph import resources
from kbgraph.ask.catalogue import page
from kbgraph.ask.explain import Said, named, term_page, terms
from kbgraph.ask.waivers import paste
from kbgraph.errors import UsageError
from kbgraph.model.finding import Finding, Report
from kbgraph.model.prefixes import NS
from kbgraph.model.query import Both
from kbgraph.render import render
from kbgraph.workspace.saved import Saved, nearest

_PRINT = re.compile(r"[0-9a-f]{6,16}")


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


def explain(saved: Saved, what: str, lang: str, report: Callable[[], Report]) -> str:
    """The page of a query, finding or term; UsageError offers the nearest name."""
    queries = {query.name: query for query in saved.all()}
    if what in queries:
        return page(queries[what])
    if _PRINT.fullmatch(what):
        found = [f for f in report().findings if f.fingerprint.startswith(what)]
        if found:
            return "\n".join(_finding(saved, finding, lang) for finding in found)
    name = what.removeprefix(NS).removeprefix("kb:")
    known = ontology()
    if name in known:
        return term_page(name, known[name])
    if _PRINT.fullmatch(what):
        raise UsageError(f"no finding has the fingerprint {what}", "`kbgraph check --format json` lists them")
    mend = nearest(what, [*queries, *known])
    raise UsageError(f"nothing here is called `{what}`", mend)


def _finding(saved: Saved, finding: Finding, lang: str) -> str:
    query = next(query for query in saved.all("check") if query.name == finding.check)
    why = query.why.get(lang) or query.why.get("en", "")
    return f"{render(finding, 'text', lang)}\n{why}\n\n{paste(query, finding)}\n"
