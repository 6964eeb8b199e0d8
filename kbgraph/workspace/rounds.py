"""Rounds and their manifests as tables: what a round was given, what came since, how two rounds differ."""

from __future__ import annotations

import datetime as dt
import os
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import PurePosixPath

from kbgraph.errors import UsageError
from kbgraph.model.lexicon import fold
from kbgraph.model.query import Cell, Table
from kbgraph.model.settings import Skipped
from kbgraph.model.sync import Round
from kbgraph.workspace.files import read_file
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.manifests import Member, locate, meant, read_manifest, within
from kbgraph.workspace.status import called

Query = Callable[[str], Table]

COMPARED = {"KnowledgeDoc": 0, "Queue": 1, "Brief": 2}  # what a round is compared with, in this order
_CARDS = {"PaperCard": "paper_card", "RepoCard": "repo_card", "Guide": "guide", "Report": "report"}


def table(columns: str, rows: Iterable[tuple[Cell, ...]]) -> Table:
    """A Table of plain columns, named in one text."""
    told = tuple(rows)
    return Table(tuple(columns.split()), told, len(told))


def resolve(rounds: Iterable[Round], start: str) -> Round:
    """The round that an id, how it begins, or its manifest's file means; UsageError when it is none, or several."""
    every = list(rounds)
    found = meant(start, ((r, {r.id, r.manifest, PurePosixPath(r.manifest).stem}) for r in every))
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"several rounds are meant by `{start}`", f"they are {', '.join(r.id for r in found)}")
    near = get_close_matches(start, [r.id for r in every], 1, 0.3)
    raise UsageError(
        f"there is no round `{start}`", f"did you mean `{near[0]}`?" if near else "`kbgraph rounds` lists them"
    )


def given(holdings: Holdings, one: Round) -> Table:
    """The files that a round was given: hash then and now, and what became of them."""
    manifest, _ = read_manifest(holdings, holdings.root / one.manifest)
    then = {v.path: v.sha for v in holdings.cache.as_of(one.id)} if one.recorded else {}
    now = {path: seen.sha for path, seen in holdings.cache.files().items()}
    rows = [(m.path, _use(m), *_fate(m.sha or then.get(m.path, ""), now.get(m.path, ""))) for m in manifest.members]
    return table("path use then now state", rows)


def _use(member: Member) -> str:
    return "compared" if member.compared else member.kind or "material"


def _fate(then: str, now: str) -> tuple[str, str, str]:
    state = "gone" if not now else "unknown then" if not then else "as then" if then == now else "changed"
    return then[:12], now[:12], state


def compared(holdings: Holdings, first: Round, second: Round) -> Table:
    """Files that differ between the corpus as of one round and as of another."""
    for one in (first, second):
        if not one.recorded:
            raise UsageError(f"round {one.id} is not recorded", "it is recorded when its manifest is synced")
    then, now = ({v.path: v.sha for v in holdings.cache.as_of(one.id)} for one in (first, second))
    rows = []
    for path in sorted(then.keys() | now.keys()):
        if then.get(path) != now.get(path):
            state = "added" if path not in then else "removed" if path not in now else "changed"
            rows.append((path, then.get(path, "")[:12], now.get(path, "")[:12], state))
    return table("path first second state", rows)


def held_against(holdings: Holdings, which: str, troubled: bool) -> Table:
    """The files that a manifest names with their state in the folder; only those with trouble when `troubled`."""
    manifest, _ = read_manifest(holdings, locate(holdings, which))
    rows = [(m.path, _use(m), m.line, _state(holdings, m)) for m in manifest.members]
    return table("path use line state", (row for row in rows if not (troubled and row[3] == "as stated")))


def _state(holdings: Holdings, member: Member) -> str:
    path = within(holdings.root, member.path)
    if isinstance(path, Skipped):
        return path.reason
    found = read_file(holdings.root, path)
    if isinstance(found, Skipped):
        return found.reason
    same = not member.sha or member.sha == found[1].sha
    return "as stated" if same else f"changed (sha256 is {found[1].sha[:12]}…)"


def since_last(holdings: Holdings, query: Query, topic: str) -> tuple[list[dict[str, str]], list[str]]:
    """Materials of a topic that no round was given in their present state, and the files to compare them with."""
    known = _named(holdings, query)
    materials: dict[str, dict[str, str]] = {}
    compared: dict[tuple[str, str], set[str]] = defaultdict(set)
    topics: dict[str, set[str]] = defaultdict(set)
    for row in query("round-materials"):
        path, sha, kind = str(row["path"]), str(row["sha256"]), str(row["kind"]).rpartition("#")[2]
        topics[path].add(fold(str(row["topic"] or "")))
        if kind in COMPARED:
            compared[path, kind] = topics[path]
        elif path not in known or (known[path] and sha not in known[path]):
            told = str(row["report"]).rpartition("#report-")[2] if row["report"] else _CARDS[kind]
            materials[path] = {"path": path, "kind": told, "sha256": sha}
    wanted = {fold(topic), ""}
    chosen = [one for path, one in materials.items() if topics[path] & wanted]
    return chosen, _to_compare(compared, fold(topic))


def _named(holdings: Holdings, query: Query) -> Mapping[str, set[str]]:
    """Path -> hashes under which rounds were given it; empty where no manifest and no record tells the hash."""
    recorded = holdings.cache.rounds()
    versions = {name: {v.path: v.sha for v in holdings.cache.as_of(name)} for name in recorded}
    known: dict[str, set[str]] = defaultdict(set)
    for row in query("round-entries"):
        path, sha = str(row["path"]), row["sha256"]
        stated = str(sha).lower() if sha else versions.get(called(holdings, row["round"]), {}).get(path, "")
        known[path] |= {stated} - {""}
    return known


def _to_compare(held: Mapping[tuple[str, str], set[str]], topic: str) -> list[str]:
    """Knowledge documents of the topic, the queues, and earlier briefs of the topic."""
    found = []
    for (path, kind), topics in sorted(held.items(), key=lambda row: (COMPARED[row[0][1]], row[0][0])):
        stem = fold(os.path.splitext(os.path.basename(path))[0])  # noqa: PTH119, PTH122  (names, no files)
        told = topics - {""}
        if kind == "Queue" or topic in told or (not told and (kind == "Brief" or topic in stem)):
            found.append(path)
    return found


class Tables:
    """Tables about the rounds of one workspace."""

    def __init__(self, holdings: Holdings, query: Query, rounds: Callable[[], tuple[Round, ...]]) -> None:
        self._held = holdings
        self._query = query
        self._rounds = rounds

    def rounds(self) -> Table:
        """All rounds, oldest first."""
        columns = "round topic created materials recorded manifest"
        return table(columns, ((r.id, r.topic, r.created, r.materials, r.recorded, r.manifest) for r in self._rounds()))

    def round(self, start: str) -> Table:
        """The files that a round (its id, or how it begins) was given, then and now."""
        return given(self._held, resolve(self._rounds(), start))

    def compared(self, first: str, second: str) -> Table:
        """The files that differ between the corpus as of two rounds."""
        known = self._rounds()
        return compared(self._held, resolve(known, first), resolve(known, second))

    def manifest(self, which: str, troubled: bool = False) -> Table:
        """The files that a manifest (its path, or its round's id) names, with their state; `troubled` ones alone."""
        return held_against(self._held, which, troubled)

    def new_manifest(self, topic: str, name: str | None = None, created: str | None = None) -> dict[str, object]:
        """A manifest of what came for a topic since the last round, to be written as JSON."""
        materials, compare = since_last(self._held, self._query, topic)
        return {
            "id": name or str(uuid.uuid4()),
            "topic": topic,
            "created": created or dt.datetime.now().astimezone().strftime("%Y-%m-%dT%H%M"),
            "materials": materials,
            "compare": compare,
        }
