"""Head, doubts, identifiers and boundary of a brief."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from kbgraph.ask.brief.rows import CITABLE, Row, by, number, rows, word
from kbgraph.ask.brief.standing import LOW, ORDER
from kbgraph.model.brief import BriefItem, CitableId, Compared, Reading, RoundRef
from kbgraph.model.finding import Finding, Report
from kbgraph.model.keys import iris_of, key_of
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.query import SavedQuery, Table

_UNSEEN = {"code", "comment", "image"}


def readings(answers: Mapping[str, Table]) -> tuple[Reading, ...]:
    """Every material the manifest names: read, changed since, or missing."""
    out = []
    own = by((r for r in rows(answers, "brief-materials") if not r["compared"]), "path")
    for (path,), group in sorted(own.items()):
        row = group[0]
        sha, expected = word(row["sha"]), word(row["expected"])
        state = "missing" if not sha else "changed" if expected and expected != sha else "read"
        ignored = tuple(_passed_over(reason) for reason in sorted({word(r["ignored"]) for r in group} - {""}))
        out.append(Reading(path, state, number(row["lines"]), number(row["understood"]), ignored))
    return tuple(out)


def _passed_over(printed: str) -> tuple[str, int]:
    """Reason and count of `definition twice: 2`."""
    reason, _, count = printed.partition(": ")
    return f"ignored-{reason.replace(' ', '-')}", int(count) if count.isdigit() else 0


def compared(answers: Mapping[str, Table]) -> tuple[Compared, ...]:
    """The documents and earlier briefs that the manifest names for comparison, as far as they were read."""
    found = {
        Compared(word(r["path"]), number(r["lines"]), word(r["updated"]), word(r["kind"]))
        for r in rows(answers, "brief-materials")
        if r["compared"] and r["sha"]
    }
    return tuple(sorted(found))


def earlier(answers: Mapping[str, Table], manifest: str, created: str) -> tuple[RoundRef, ...]:
    """Rounds of the same topic whose manifest is older, oldest first."""
    refs = {
        word(r["id"]): RoundRef(word(r["id"]), word(r["created"]), word(r["path"]), word(r["brief"]))
        for r in rows(answers, "brief-round")
        if word(r["path"]) != manifest and word(r["created"]) < created
    }
    return tuple(sorted(refs.values(), key=lambda r: (r.created, r.path)))


def counts(items: Iterable[BriefItem]) -> tuple[tuple[str, int], ...]:
    """How many items have each standing, in the order of the brief."""
    found = Counter(i.standing for i in items)
    return tuple((name, found[name]) for name in ORDER if found[name])


def doubts(
    report: Report, queries: Mapping[str, SavedQuery], tonight: Collection[str]
) -> tuple[tuple[str, tuple[Finding, ...]], ...]:
    """Findings of the checks that feed part 4, by check: what tonight's materials bring goes first, then the worst."""
    names = {name for name, query in queries.items() if query.brief == "doubts"}
    by_check: dict[str, list[Finding]] = {}
    for finding in report.findings:
        if finding.check in names and finding.state != "waived":
            by_check.setdefault(finding.check, []).append(finding)
    for found in by_check.values():
        found.sort(key=lambda f: f.path not in tonight)
    weight = {"error": 0, "warning": 1, "info": 2}
    ranked = sorted(by_check.items(), key=lambda of: (of[1][0].path not in tonight, weight[of[1][0].severity], of[0]))
    return tuple((name, tuple(found)) for name, found in ranked)


def _weak(level: str, lexicon: Lexicon) -> bool:
    strong = lexicon.by_name.get("level-abstract-page")
    concept = lexicon.by_name.get(level)
    return concept is not None and strong is not None and concept.rank < strong.rank


def _words(entries: Sequence[Row], item: BriefItem | None, lexicon: Lexicon, lists: bool) -> tuple[str, ...]:
    """How an identifier stands: in the list or not, what its item is, and whether the evidence is weak."""
    out = ["in-list" if entries else "not-listed"] if lists else []
    if entries and not any(number(r["cited"]) or r["disposition"] for r in entries):
        out.append("orphan")
    if item is None:
        return (*out, "named-only")
    out.append(item.standing)
    if item.standing not in LOW and (not item.level or _weak(item.level, lexicon)):
        out.append("weak")
    return tuple(out)


def identifiers(
    answers: Mapping[str, Table], items: Sequence[BriefItem], lexicon: Lexicon, report: Report
) -> tuple[tuple[CitableId, ...], tuple[CitableId, ...]]:
    """Identifiers that tonight's materials name: the citable ones, and pages and repositories that are items."""
    listed = by(rows(answers, "brief-listed"), "iri")
    titles = {word(r["iri"]): word(r["title"]) for r in reversed(rows(answers, "brief-titles"))}
    of = {key: item for item in reversed(items) for key in item.keys}
    wrong = {f.key for f in report.findings if f.check == "malformed-identifier"}
    citable, others = [], []
    for iri, (path, line) in _named(answers, items).items():
        key = key_of(iri)
        item = of.get(key)
        if key.startswith(CITABLE):
            title = titles.get(iri) or (item.title if item else "")
            words = _words(listed.get((iri,), []), item, lexicon, bool(listed))
            citable.append(CitableId(key, title, (*words, "malformed") if key in wrong else words, path, line))
        elif item is not None:
            others.append(CitableId(key, item.title, (item.standing,), path, line, False))
    return tuple(sorted(citable, key=_weight)), tuple(sorted(others, key=_weight))


def _named(answers: Mapping[str, Table], items: Sequence[BriefItem]) -> dict[str, tuple[str, int]]:
    """Identifiers with their first places; a card is about its work though no sentence of it names it."""
    first: dict[str, tuple[str, int]] = {}
    for row in rows(answers, "brief-mentions"):
        if word(row["place"]) not in _UNSEEN:
            first.setdefault(word(row["iri"]), (word(row["path"]), number(row["line"])))
    keys = {key_of(iri) for iri in first}
    for item in items:
        for key in item.keys:
            if key not in keys:
                first[next(iter(iris_of(key)), key)] = (item.sources[0].path, item.sources[0].line)
    return first


def _weight(one: CitableId) -> tuple[int, str]:
    """What tonight brings goes before what was put aside, and that before what is only named."""
    standing = next((ORDER.index(word) for word in one.standing if word in ORDER), len(ORDER))
    return standing, one.key


def problems(answers: Mapping[str, Table]) -> tuple[tuple[str, str, int], ...]:
    """Reading problems of the round's files: code and place."""
    found = rows(answers, "brief-problems")
    return tuple(sorted({(word(r["code"]), word(r["path"]), number(r["line"])) for r in found}))


def language(answers: Mapping[str, Table]) -> str:
    """The language of most of the round's files, "" when there are none."""
    found = Counter(word(r["lang"]) for r in rows(answers, "brief-materials") if r["lang"])
    return max(sorted(found), key=lambda name: found[name], default="")
