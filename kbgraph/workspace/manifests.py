"""Manifests: the files that one round of work may read, as the folder's JSON files state them."""

from __future__ import annotations

import os
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeVar

from kbgraph import vocab as v
from kbgraph.errors import StoreError, UsageError
from kbgraph.lift import kind_of
from kbgraph.model.facts import Facts
from kbgraph.model.ntriples import parts
from kbgraph.model.settings import Skipped
from kbgraph.model.sync import SyncReport
from kbgraph.store import Store, open_store
from kbgraph.store.versions import Lifted, Seen, Version, identities, unpack
from kbgraph.workspace.files import raw_path, read_file, scan
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.keys import engine
from kbgraph.workspace.lifting import Lifter
from kbgraph.workspace.publishing import Derive

Got = TypeVar("Got")
Beside = Callable[[Sequence[Facts]], Iterable[Facts]]


class Member(NamedTuple):
    """One file that a manifest names: to be read, or only to be compared with."""

    path: str
    sha: str
    kind: str
    compared: bool
    line: int


class Manifest(NamedTuple):
    """What a manifest's file says."""

    path: str
    id: str
    topic: str
    created: str
    members: tuple[Member, ...]


_OF_MANIFESTS = frozenset((
    v.DCTERMS_CREATED, v.DCTERMS_IDENTIFIER, v.KB_COMPARED, v.KB_EXPECTED_SHA256, v.KB_LINE, v.KB_MATERIAL_KIND,
    v.KB_TARGET_PATH, v.KB_TOPIC,
))  # fmt: skip


def stated(facts: Facts, path: str) -> Manifest:
    """The manifest that these facts of a file at `path` tell of."""
    said: dict[str, dict[str, str]] = defaultdict(dict)
    for triple in facts.triples:
        s, p, o = triple.split(" ", 2)
        if p in _OF_MANIFESTS:
            said[s].setdefault(p, parts(o).value)
    me = said[facts.graph]
    entries = (of for of in said.values() if v.KB_TARGET_PATH in of and v.KB_LINE in of)
    members = (
        Member(
            of[v.KB_TARGET_PATH], of.get(v.KB_EXPECTED_SHA256, "").lower(), of.get(v.KB_MATERIAL_KIND, ""),
            of.get(v.KB_COMPARED) == "true", int(of[v.KB_LINE]),
        )
        for of in entries
    )  # fmt: skip
    name, topic, created = (me.get(p, "") for p in (v.DCTERMS_IDENTIFIER, v.KB_TOPIC, v.DCTERMS_CREATED))
    return Manifest(path, name, topic, created, tuple(sorted(members, key=lambda m: (m.compared, m.line, m.path))))


def meant(what: str, named: Iterable[tuple[Got, Collection[str]]]) -> list[Got]:
    """The things of which one name is `what`; when none is, those of which a name begins so."""
    every = list(named)
    exact = [thing for thing, names in every if what in names]
    return exact or [thing for thing, names in every if what and any(name.startswith(what) for name in names)]


def locate(holdings: Holdings, what: str) -> Path:
    """The file of a manifest given by path, from here or from the corpus, or by how its round's id begins."""
    for file in (Path(what), holdings.root / what):
        if file.is_file():
            return file
    files, reader = manifest_files(holdings), Reader(holdings)
    named: list[tuple[Path, set[str]]] = []
    for file in files:
        with suppress(UsageError):  # one that is broken is not the one that is asked for
            named.append((file, {file.stem, reader.read(file)[0].id}))
    found = meant(what, named)
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"several manifests are meant by `{what}`", f"they are {', '.join(f.name for f in found)}")
    known = [file.stem for file in files]
    near = get_close_matches(what, known, 1, 0.3)
    mend = f"did you mean `{near[0]}`?" if near else "give the path of a manifest, or a round's id"
    raise UsageError(f"there is no manifest `{what}`", mend)


def paths(holdings: Holdings) -> list[str]:
    """The paths of all files of the corpus that are read."""
    return [entry.path for entry in scan(holdings.root, holdings.settings.ignore).listing.entries]


def manifest_files(holdings: Holdings, among: Iterable[str] | None = None) -> list[Path]:
    """All files of the corpus that are manifests by their place."""
    known = paths(holdings) if among is None else among
    return [holdings.root / path for path in known if kind_of(path, holdings.settings) == "manifest"]


def read_manifest(holdings: Holdings, file: Path) -> tuple[Manifest, Lifted]:
    """A manifest with what its file says; UsageError when it is none."""
    return Reader(holdings).read(file)


class Reader:
    """Reads manifests: what the cache knows of a file's bytes is not lifted again."""

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        self._key = engine(holdings.settings)
        self._usual = Lifter(holdings.root, holdings.settings, holdings.compact("lexicon"))

    def read(self, file: Path) -> tuple[Manifest, Lifted]:
        """A manifest with what its file says; UsageError when it is none."""
        path = _inner(self._holdings.root, file)
        found = read_file(file.parent, file.name)
        if isinstance(found, Skipped):
            raise UsageError(f"the manifest {file} {found.reason}", "give the path of a manifest, or a round's id")
        lifted = self._lifted(path, *found)
        manifest = stated(unpack(lifted.data), path)
        if not manifest.members:
            mend = 'a manifest is JSON: {"id": …, "topic": …, "materials": [{"path": …}], "compare": [path]}'
            raise UsageError(f"{file} names no materials", mend)
        return manifest, lifted

    def _lifted(self, path: str, data: bytes, seen: Seen) -> Lifted:
        holdings = self._holdings
        if kind_of(path, holdings.settings) != "manifest":  # a file that only the caller calls a manifest
            settings = replace(holdings.settings, globs=((path, "manifest"), *holdings.settings.globs))
            return Lifter(holdings.root, settings, holdings.compact("lexicon")).lifted(path, data, seen.sha)
        kept = holdings.cache.lifted(Version(path, seen.sha, self._key))
        return kept or self._usual.lifted(path, data, seen.sha)


def _inner(root: Path, file: Path) -> str:
    """A file's path within the corpus, its bare name when it stands elsewhere."""
    try:
        return file.absolute().relative_to(root.absolute()).as_posix()
    except ValueError:
        return file.name


def narrow(holdings: Holdings, what: str, derive: Derive) -> tuple[Store, SyncReport]:
    """A graph in memory of one manifest, its materials and what it compares them with; nothing else is opened."""
    return gathered(holdings, *read_manifest(holdings, locate(holdings, what)), derive)


def gathered(
    holdings: Holdings, manifest: Manifest, own: Lifted, derive: Derive, beside: Beside = lambda _: ()
) -> tuple[Store, SyncReport]:
    """A graph in memory of a manifest's files, and of what `beside` adds to their facts."""
    lifted, skipped, odd = {manifest.path: own}, [], []
    key = engine(holdings.settings)
    lifter = Lifter(holdings.root, holdings.settings, holdings.compact("lexicon"))
    for member in manifest.members:
        found = take(holdings, lifter, member, key)
        if isinstance(found, Skipped):
            skipped.append(found)
            continue
        lifted.setdefault(found.path, found)
        if member.sha and member.sha != found.sha:
            odd.append(Skipped(member.path, f"changed since the manifest was written (now sha256 {found.sha[:12]}…)"))
    store = open_store("memory:")
    with store.draft(fresh=True) as draft:
        facts = [unpack(one.data) for _, one in sorted(lifted.items())]
        draft.load((*facts, *beside(facts)))
        draft.replace(tuple(fact for fact in derive(draft) if fact.triples))
    holdings.met = identities(lifted.values())
    record(holdings, manifest, lifted.values(), key)
    return store, counted(lifted.values(), skipped, odd)


def take(holdings: Holdings, lifter: Lifter, member: Member, key: str) -> Lifted | Skipped:
    """What a member of a manifest says, or why it is not read."""
    path = within(holdings.root, member.path)
    if isinstance(path, Skipped):
        return path
    kept = holdings.cache.kept([path], key).get(path, ())
    _, seen, lifted, reason = lifter.outcome(path, kept)
    if seen is None:
        return Skipped(member.path, reason)
    found = lifted or holdings.cache.lifted(Version(path, seen.sha, key))
    assert found is not None, "it was among those kept"
    if lifted is not None:
        with suppress(StoreError):  # what cannot be kept is read again next time
            holdings.cache.keep([lifted], key)
    return found


def within(root: Path, path: str) -> str | Skipped:
    """A member's path as the file system spells it, or why it is not followed."""
    steps = path.split("/")
    if not path or path.startswith("/") or ".." in steps or "\0" in path:
        return Skipped(path, "leads out of the corpus")
    home = os.path.realpath(os.fsencode(root))
    for form in dict.fromkeys((path, *(unicodedata.normalize(f, path) for f in ("NFC", "NFD")))):
        file = raw_path(root, form)
        if os.path.lexists(file):
            inside = os.path.realpath(file).startswith(home + os.sep.encode())
            return PurePosixPath(form).as_posix() if inside else Skipped(path, "link that leads out of the corpus")
    return Skipped(path, "named by the manifest, and missing")


def record(holdings: Holdings, manifest: Manifest, lifted: Iterable[Lifted], key: str) -> None:
    """Note which version of each file the round was given, so that it can be asked for later."""
    usual = kind_of(manifest.path, holdings.settings) == "manifest"
    given = [one for one in lifted if usual or one.path != manifest.path]
    with suppress(StoreError):  # in a folder that cannot be written, rounds leave no trace
        holdings.cache.keep([one for one in given if one.path == manifest.path], key)
        holdings.cache.consume(manifest.id, [Version(one.path, one.sha, key) for one in given])


def counted(lifted: Iterable[Lifted], skipped: Iterable[Skipped], odd: Iterable[Skipped]) -> SyncReport:
    """The report of a graph that was made from scratch of these files."""
    all_of = sorted(lifted, key=lambda one: one.path)
    ignored: Counter[str] = Counter()
    for one in all_of:
        ignored.update(dict(one.ignored))
    return SyncReport(
        added=tuple(one.path for one in all_of),
        skipped=tuple(sorted(skipped, key=lambda one: one.path)),
        odd=tuple(sorted(odd, key=lambda one: one.path)),
        documents=len(all_of),
        statements=sum(one.statements for one in all_of),
        lines=sum(one.lines for one in all_of),
        understood=sum(one.understood for one in all_of),
        ignored=tuple(sorted(ignored.items())),
    )
