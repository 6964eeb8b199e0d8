"""Relations of the graph's claims: found when a check needs them, kept in a graph of their own until a file changes."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from hashlib import blake2b

from kbgraph import resources
from kbgraph import vocab as v
from kbgraph.ask.run import run
from kbgraph.model import graphs
from kbgraph.model.facts import Term, decimal, iri, text
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.prefixes import NS
from kbgraph.model.query import Cell, Table
from kbgraph.relate import Claim, Lexis, Relation, lost, make_lexis, relate
from kbgraph.store.compact import keep, kept
from kbgraph.workspace.deriving import edition, put, statements, triples
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.saved import Saved

READY = "relations"  # the file that keeps them for the next run
CLAIMS = "claims-to-relate"
NUMBERS = "shared-numbers"
DECISIONS = "decisions"
MOST = 3000  # claims: more take minutes
PROBABLE = 0.15  # score from which two claims may well say the same
_NOTHING = "∅"  # where one side has no words for it
_DIRECT = {
    "same-meaning": v.KB_SAME_MEANING_AS, "other-rounding": v.KB_SAME_MEANING_AS,
    "conflicting-wording": v.KB_CONFLICTS_WITH, "conflicting-quantity": v.KB_CONFLICTS_WITH,
}  # fmt: skip


def related(holdings: Holdings, saved: Saved, lexicon: Lexicon) -> str:
    """Bring the relations up to date; gives the reason where that cannot be done."""
    count = statements(holdings)
    if count > MOST:
        return f"relations of {count:,} claims are not looked for: more than {MOST:,}"
    views = (saved.get(view) for view in (CLAIMS, NUMBERS, DECISIONS))
    table, numbers, decisions = (run(view, holdings.store.select, whole=True) for view in views)
    stamp = _stamp((table, numbers, decisions), lexicon)
    graph = graphs.relations(holdings.settings.base)
    own = edition(graph, stamp)
    if own in triples(holdings, graph):
        return ""
    found = kept(holdings.compact(READY), stamp.encode())
    if found is None:
        lexis = make_lexis(lexicon, resources.glosses(holdings.compact("glosses")))
        base = holdings.settings.base
        decided = {frozenset((str(row["first"]), str(row["second"]))) for row in decisions}
        told = [_told(one, base) for one in relate(_claims(table), lexis) if frozenset(one[:2]) not in decided]
        told += [_agreed(row) for row in decisions]
        told += [_lost(one, base) for one in _dropped(numbers, lexis)]
        found = sorted({triple for one in told for triple in one})
        keep(holdings.compact(READY), stamp.encode(), found)
    return put(holdings, graph, [own, *found], "relations")


def _stamp(tables: Iterable[Table], lexicon: Lexicon) -> str:
    """A hash of all that the relations depend on."""
    told = repr((resources.code_digest("relate"), lexicon.digest, [table.rows for table in tables]))
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _claims(table: Table) -> Iterator[Claim]:
    for row in table.dicts():
        subjects, conditions = (str(row[name] or "") for name in ("subjects", "conditions"))
        about, given = frozenset(subjects.split()), frozenset(filter(None, conditions.split(" | ")))
        yield Claim(str(row["claim"]), str(row["text"]), about, given, str(row["day"] or ""))


def _agreed(row: Mapping[str, Cell]) -> Iterator[str]:
    """What a person has found to say the same, as far as it is not the same text at two places."""
    if str(row["verdict"]).endswith("#decision-same") and row["first"] != row["second"]:
        yield f"{iri(str(row['first']))} {v.KB_SAME_MEANING_AS} {iri(str(row['second']))}"


def _told(one: Relation, base: str) -> Iterable[str]:
    """A relation as facts; of what is not sure only what may well be the same is told, and marked."""
    probable = one.kind == "same-meaning" and one.score >= PROBABLE
    if one.kind == "differs" or not (one.sure or probable):
        return
    me = yield from _node(one.a, one.b, one.kind, base)
    if not one.sure:
        yield f"{me} {v.KB_CONFIDENCE} {text('low')}"
    yield f"{me} {v.KB_SCORE} {decimal(str(round(one.score, 3)))}"
    for difference in one.why:
        yield f"{me} {v.KB_WHY} {text(' ↔ '.join((difference.a or _NOTHING, difference.b or _NOTHING)))}"
    if one.sure and one.kind in _DIRECT:
        yield f"{iri(one.a)} {_DIRECT[one.kind]} {iri(one.b)}"


def _node(first: str, second: str, kind: str, base: str) -> Generator[str, None, Term]:
    """The node of a relation of one kind between two claims, told."""
    name = blake2b(f"{first} {second} {kind}".encode(), digest_size=8).hexdigest()
    me = iri(f"{base}relation/{name}")
    yield f"{me} {v.RDF_TYPE} {v.KB_RELATION}"
    yield f"{me} {v.KB_FIRST} {iri(first)}"
    yield f"{me} {v.KB_SECOND} {iri(second)}"
    yield f"{me} {v.KB_RELATION_KIND} <{NS}relation-{kind}>"
    return me


def _dropped(numbers: Table, lexis: Lexis) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Claims of documents, the sources of their numbers, and the conditions lost on the way."""
    given: dict[tuple[str, str, str], list[str]] = {}
    for row in numbers.dicts():
        key = (str(row["claim"]), str(row["source"]), str(row["text"]))
        given.setdefault(key, []).append(str(row["condition"]))
    for (claim, source, text_), conditions in given.items():
        if gone := lost(text_, conditions, lexis):
            yield claim, source, gone


def _lost(one: tuple[str, str, tuple[str, ...]], base: str) -> Iterator[str]:
    me = yield from _node(one[0], one[1], "condition-dropped", base)
    yield from (f"{me} {v.KB_WHY} {text(condition)}" for condition in one[2])
