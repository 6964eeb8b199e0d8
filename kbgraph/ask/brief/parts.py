"""Head, doubts, identifiers, actions, follow-ups and boundary of a brief."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from kbgraph.ask.brief.rows import Row, by, number, rows, word
from kbgraph.ask.brief.standing import LOW, ORDER
from kbgraph.model.brief import Action, BriefItem, CitableId, Compared, FollowUp, Reading, RoundRef, Source, Statement
from kbgraph.model.finding import Finding, Report
from kbgraph.model.keys import key_of
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.query import SavedQuery, Table

_CITABLE = ("arXiv:", "doi:", "ISBN ", "PMID ")
_UNSEEN = {"code", "comment", "image"}
_LABEL = re.compile(r"[A-Za-z]+-?\d+")


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


def doubts(report: Report, queries: Mapping[str, SavedQuery]) -> tuple[tuple[str, tuple[Finding, ...]], ...]:
    """Findings of the checks that feed part 4, by check, worst first."""
    names = {name for name, query in queries.items() if query.brief == "doubts"}
    feeding = [f for f in report.findings if f.check in names and f.state != "waived"]
    order = {"error": 0, "warning": 1, "info": 2}
    ranked = sorted({(order[f.severity], f.check) for f in feeding})
    return tuple((name, tuple(f for f in feeding if f.check == name)) for _, name in ranked)


def _weak(level: str, lexicon: Lexicon) -> bool:
    strong = lexicon.by_name.get("level-abstract-page")
    concept = lexicon.by_name.get(level)
    return concept is not None and strong is not None and concept.rank < strong.rank


def _words(entries: Sequence[Row], item: BriefItem | None, lexicon: Lexicon) -> tuple[str, ...]:
    """How an identifier stands: in the list or not, what its item is, and whether the evidence is weak."""
    out = ["in-list" if entries else "not-listed"]
    if entries and not any(number(r["cited"]) or r["disposition"] for r in entries):
        out.append("orphan")
    if item is None:
        return (*out, "named-only")
    out.append(item.standing)
    if item.standing not in LOW and (not item.level or _weak(item.level, lexicon)):
        out.append("weak")
    return tuple(out)


def identifiers(
    answers: Mapping[str, Table], items: Sequence[BriefItem], lexicon: Lexicon
) -> tuple[tuple[CitableId, ...], tuple[CitableId, ...]]:
    """Identifiers that tonight's materials name: the citable ones, and pages and repositories that are items."""
    listed = by(rows(answers, "brief-listed"), "iri")
    titles = {word(r["iri"]): word(r["title"]) for r in reversed(rows(answers, "brief-titles"))}
    of = {key: item for item in reversed(items) for key in item.keys}
    first: dict[str, tuple[str, int]] = {}
    for row in rows(answers, "brief-mentions"):
        if word(row["place"]) not in _UNSEEN:
            first.setdefault(word(row["iri"]), (word(row["path"]), number(row["line"])))
    citable, others = [], []
    for iri, (path, line) in first.items():
        key = key_of(iri)
        item = of.get(key)
        if key.startswith(_CITABLE):
            title = titles.get(iri) or (item.title if item else "")
            citable.append(CitableId(key, title, _words(listed.get((iri,), []), item, lexicon), path, line))
        elif item is not None:
            others.append(CitableId(key, item.title, (item.standing,), path, line, False))
    return tuple(sorted(citable)), tuple(sorted(others))


def actions(items: Sequence[BriefItem], lexicon: Lexicon) -> tuple[Action, ...]:
    """One action per section and kind: revisions first, then by strength of evidence, then by section."""
    found: dict[tuple[str, str], list[BriefItem]] = {}
    for item in items:
        for advice in item.advice:
            if advice.number and advice.known:
                found.setdefault((advice.number, advice.action or _default(item)), []).append(item)
    made = [_action(number, action, of, lexicon) for (number, action), of in found.items()]
    made.sort(key=lambda pair: pair[0])
    return tuple(a._replace(priority=n) for n, (_, a) in enumerate(made, 1))


def _default(item: BriefItem) -> str:
    return "action-revise" if item.standing == "revision" else "action-add"


def _action(
    target: str, action: str, of: Sequence[BriefItem], lexicon: Lexicon
) -> tuple[tuple[int, int, list[int]], Action]:
    advice = next(a for a in of[0].advice if a.number == target)
    ranks = [lexicon.by_name[i.level].rank for i in of if i.level in lexicon.by_name]
    unique = tuple(dict.fromkeys(i.number for i in of))
    made = Action(
        0, target, advice.title, action, unique, tuple(dict.fromkeys(i.title for i in of)),
        max((i.level for i in of), key=lambda n: lexicon.by_name[n].rank if n in lexicon.by_name else -1),
        advice.path, advice.line,
    )  # fmt: skip
    order = 0 if action == "action-revise" else 2 if action in ("action-cross-reference", "action-note") else 1
    return (order, -max(ranks, default=0), [int(n) for n in re.findall(r"\d+", target)]), made


def follow_ups(answers: Mapping[str, Table], items: Sequence[BriefItem]) -> tuple[FollowUp, ...]:
    """Tasks of the compared briefs; taken up where something read later names the label or the subject."""
    tasks = list(by(rows(answers, "brief-tasks"), "date", "path", "line", "task").values())
    labels = {word(group[0]["number"]) for group in tasks} - {""}
    told = [(word(g[0]["date"]), g[0]) for g in tasks if _is_status(g[0], labels)]
    said = [*told, *_said_later(answers)]
    of = {key: item for item in reversed(items) for key in item.keys}
    return tuple(_follow_up(group, said, of) for group in tasks if not _is_status(group[0], labels))


def next_steps(answers: Mapping[str, Table]) -> tuple[Statement, ...]:
    """What tonight's materials leave to be done."""
    tasks = (r for r in rows(answers, "brief-items") if word(r["part"]) == "section-follow-ups")
    return tuple(dict.fromkeys(Statement(word(r["title"]), word(r["path"]), number(r["line"])) for r in tasks))


def _said_later(answers: Mapping[str, Table]) -> list[tuple[str, Row]]:
    """Statements of the compared briefs and of tonight, with the brief's date; tonight is after all of them."""
    dates = {word(r["path"]): word(r["date"]) for r in rows(answers, "brief-materials")}
    briefs = (r for r in rows(answers, "brief-known") if word(r["kind"]) == "Brief")
    return [*((dates.get(word(r["path"]), ""), r) for r in briefs), *(("~", r) for r in rows(answers, "brief-lines"))]


def _is_status(row: Row, labels: Iterable[str]) -> bool:
    """True for a line that only tells how earlier tasks stand."""
    return not row["number"] and any(_names(row, label) for label in labels)


def _follow_up(group: Sequence[Row], said: Sequence[tuple[str, Row]], of: Mapping[str, BriefItem]) -> FollowUp:
    row = group[0]
    label, path, date = (word(row[name]) for name in ("number", "path", "date"))
    text = " ".join(dict.fromkeys(word(r["text"]) or word(r["title"]) for r in group))
    about = (of.get(key_of(word(r["about"]))) for r in group if r["about"])
    hits = [
        Source(word(r["path"]), number(r["line"]), number(r["line"]))
        for day, r in said
        if day > date and _names(r, label)
    ]
    hits += [s for item in about if item for s in item.sources]
    return FollowUp(label, text, path, number(row["line"]), date, tuple(dict.fromkeys(hits)))


def _names(row: Row, label: str) -> bool:
    """True when the line writes the label of a task, such as F2."""
    if not _LABEL.fullmatch(label):
        return False
    said = f"{word(row.get('title'))} {word(row['text'])}"
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(label)}(?![A-Za-z0-9])", said) is not None


def problems(answers: Mapping[str, Table]) -> tuple[tuple[str, int], ...]:
    """Reading problems of the round's files by code."""
    return tuple(sorted(Counter(word(r["code"]) for r in rows(answers, "brief-problems")).items()))


def language(answers: Mapping[str, Table]) -> str:
    """The language of most of the round's files, "" when there are none."""
    found = Counter(word(r["lang"]) for r in rows(answers, "brief-materials") if r["lang"])
    return max(sorted(found), key=lambda name: found[name], default="")
