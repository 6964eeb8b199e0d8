"""Tonight's brief: the graph of one manifest, its checks and its views."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from difflib import get_close_matches
from hashlib import sha256
from pathlib import PurePosixPath

from kbgraph import vocab as v
from kbgraph.ask.brief import VIEWS, build
from kbgraph.ask.report import Circumstances
from kbgraph.errors import UsageError
from kbgraph.lift import kind_of
from kbgraph.model.brief import Brief
from kbgraph.model.facts import Facts
from kbgraph.model.finding import Report
from kbgraph.model.lexicon import fold
from kbgraph.model.patch import Patch
from kbgraph.model.query import Both, Table
from kbgraph.store import Store
from kbgraph.store.versions import Lifted, unpack
from kbgraph.workspace.checking import RELATIONS, TEXTS, at_once, beside, together, waivers
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.lifting import Lifter
from kbgraph.workspace.listing import listing
from kbgraph.workspace.manifests import (
    Manifest,
    Member,
    Reader,
    gathered,
    locate,
    manifest_files,
    paths,
    read_manifest,
    stated,
)
from kbgraph.workspace.patching import patched
from kbgraph.workspace.placements import placed
from kbgraph.workspace.publishing import Derive
from kbgraph.workspace.rules import rules
from kbgraph.workspace.saved import Saved

# Files that a brief is held against, never its news.
_BASELINE = ("knowledge", "queue", "manifest", "bibliography", "decisions")
_TOLD = 8  # topics named in a message
EVERYTHING = "every-file.json"  # stands for a manifest where a corpus has none

Chosen = tuple[Manifest, Lifted]


def brief(
    holdings: Holdings, saved: Saved, derive: Derive, labels: Mapping[str, Both], *, topic: str, manifest: str = ""
) -> Brief:
    """The brief of a manifest, else of the newest one of the topic, else of every file where there are no manifests."""
    return _made(holdings, saved, derive, labels, topic=topic, manifest=manifest)[0]


def patch(
    holdings: Holdings, saved: Saved, derive: Derive, labels: Mapping[str, Both], *, topic: str, manifest: str = ""
) -> Patch:
    """What the merge actions of the same brief come to in the documents."""
    return patched(*_made(holdings, saved, derive, labels, topic=topic, manifest=manifest), holdings)


def _made(
    holdings: Holdings, saved: Saved, derive: Derive, labels: Mapping[str, Both], *, topic: str, manifest: str
) -> tuple[Brief, Mapping[str, Table]]:
    """A brief, and the answers that it was made from."""
    files = paths(holdings)
    every = _all(holdings, files)
    topic = topic.strip()
    chosen, own = _chosen(holdings, files, every, topic, manifest)
    topic = topic or chosen.topic
    chosen, assumed = _compared(holdings, files, chosen, topic)
    beside = [unpack(one.data) for m, one in every if m.path != chosen.path and fold(m.topic) == fold(topic)]

    def listed(facts: Sequence[Facts]) -> list[Facts]:
        return [*beside, listing(holdings, files, chosen, assumed, [*beside, *facts])]

    store, _ = gathered(holdings, chosen, own, derive, listed)
    try:
        if chosen.path == EVERYTHING and topic:
            _is_topic(topic, _topics(holdings, store, files), "no file has the topic", "the topics here are")
        made, answers = _asked(holdings, saved, store, chosen, labels)
        return replace(made, topic=topic, name=holdings.settings.name), answers
    finally:
        store.close()


def _all(holdings: Holdings, files: Iterable[str]) -> list[Chosen]:
    """Every manifest of the folder that can be read; a broken one keeps no brief from its work."""
    found: list[Chosen] = []
    reader = Reader(holdings)
    for file in manifest_files(holdings, files):
        with suppress(UsageError):
            found.append(reader.read(file))
    return found


def _chosen(holdings: Holdings, files: Iterable[str], every: list[Chosen], topic: str, manifest: str) -> Chosen:
    if manifest:
        named, lifted = read_manifest(holdings, locate(holdings, manifest))
        if topic and named.topic:
            _is_topic(topic, [named.topic], f"{named.path} does not have the topic", "its topic is")
        return named, lifted
    if not every:
        return _everything(holdings, files, topic)
    fitting = [one for one in every if not topic or fold(one[0].topic) == fold(topic)]
    if not fitting:
        _is_topic(topic, [m.topic for m, _ in every], "no manifest has the topic", "topics with a manifest:")
    return max(fitting, key=lambda one: (one[0].created, one[0].path))


def _is_topic(topic: str, topics: Iterable[str], wrong: str, told: str) -> None:
    """UsageError, with the nearest, for a topic that is none of these."""
    known = sorted({one for one in topics if one})
    if fold(topic) in map(fold, known):
        return
    near = get_close_matches(topic, known, 1)
    listed = f"{told} {', '.join(f'`{one}`' for one in known[:_TOLD])}{' …' if len(known) > _TOLD else ''}"
    mend = f"did you mean `{near[0]}`?" if near else listed if known else "leave it out: no file here has a topic"
    raise UsageError(f"{wrong} `{topic}`", mend)


def _topics(holdings: Holdings, store: Store, files: Iterable[str]) -> list[str]:
    """Topics of a corpus without manifests: its settings', those that files state, the names of its documents."""
    own = holdings.graph(EVERYTHING)
    asked = f"SELECT DISTINCT ?topic WHERE {{ GRAPH ?file {{ ?file {v.KB_TOPIC} ?topic }} FILTER(?file != {own}) }}"
    told = [str(row["topic"]) for row in store.select(asked)]
    documents = [PurePosixPath(file).stem for file in files if kind_of(file, holdings.settings) == "knowledge"]
    return [*holdings.settings.topics, *told, *documents]


def _everything(holdings: Holdings, files: Iterable[str], topic: str) -> Chosen:
    """A manifest of all files, for a corpus without manifests."""
    kinds = {path: kind_of(path, holdings.settings) for path in files}
    told = {
        "id": "",
        "topic": topic,
        "materials": [{"path": path} for path, kind in kinds.items() if kind not in _BASELINE],
        "compare": [path for path, kind in kinds.items() if kind in ("knowledge", "queue")],
    }
    data = json.dumps(told, ensure_ascii=False, indent=1).encode("utf-8", "surrogateescape")
    settings = replace(holdings.settings, globs=((EVERYTHING, "manifest"), *holdings.settings.globs))
    lifter = Lifter(holdings.root, settings, holdings.compact("lexicon"))
    lifted = lifter.lifted(EVERYTHING, data, sha256(data).hexdigest())
    return stated(unpack(lifted.data), EVERYTHING), lifted


def _compared(holdings: Holdings, files: Iterable[str], manifest: Manifest, topic: str) -> tuple[Manifest, list[str]]:
    """The manifest with what to compare with, where it does not say: the topic's documents, queue and briefs."""
    if any(member.compared for member in manifest.members):
        return manifest, []
    given = {member.path for member in manifest.members}
    wanted = [path for path in files if path not in given and _is_baseline(holdings, path, topic)]
    members = (Member(path, "", "", compared=True, line=1) for path in wanted)
    return manifest._replace(members=(*manifest.members, *members)), wanted


def _is_baseline(holdings: Holdings, path: str, topic: str) -> bool:
    kind, stem = kind_of(path, holdings.settings), fold(PurePosixPath(path).stem)
    return kind == "queue" or (kind in ("knowledge", "brief") and fold(topic) in stem)


def _asked(
    holdings: Holdings, saved: Saved, store: Store, manifest: Manifest, labels: Mapping[str, Both]
) -> tuple[Brief, Mapping[str, Table]]:
    read = {member.path for member in manifest.members} | {manifest.path}
    report = _report(holdings, saved, store, manifest)
    report = replace(report, findings=tuple(f for f in report.findings if f.path in read))
    answers = together({name: (saved.get(name), {"manifest": manifest.path}) for name in VIEWS}, store)
    queries = {query.name: query for query in saved.all("check")}
    made = build(answers, report, queries, holdings.lexicon, topic=manifest.topic, manifest=manifest.path)
    told = replace(
        placed(made, answers, holdings),
        labels=_used(made, {**labels, **{name: query.title for name, query in queries.items()}}),
        manifest="" if manifest.path == EVERYTHING else manifest.path,
    )
    return told, answers


def _report(holdings: Holdings, saved: Saved, store: Store, manifest: Manifest) -> Report:
    """Findings on the round's files; waivers expire by the manifest's date, so that a brief reads the same tomorrow."""
    day = dt.date.min
    with suppress(ValueError):
        day = dt.date.fromisoformat(manifest.created[:10])
    set_ = rules(saved, holdings.settings.checks)
    known = Circumstances(
        lexicon=holdings.lexicon,
        severities=set_.severities,
        params=set_.params,
        waivers=(*waivers(holdings.root, holdings.settings.waivers), *beside(store, saved)),
        waiver_file=holdings.settings.waivers,
        today=day,
        files=replace(holdings, passing=True).files(),
    )
    # Nobody has looked how the claims of a round stand to one another: checks that ask so have nothing to say.
    wanted = [query for query in saved.all("check") if not {RELATIONS, TEXTS} & set(query.tags)]
    return at_once(wanted, store, known)


def _used(value: object, known: Mapping[str, Both]) -> dict[str, Both]:
    """The labels of names that stand in the brief."""
    todo, used = [value], set()
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            used.add(one)
        elif isinstance(one, tuple):
            todo += one
        elif is_dataclass(one):
            todo += [getattr(one, part.name) for part in fields(one)]
    return {name: known[name] for name in sorted(used & known.keys())}
