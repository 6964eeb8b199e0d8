"""Bring the graph up to date with the folder: look, read what changed, publish one new state, note it in the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from kbgraph import resources
from kbgraph.errors import BrokenError
from kbgraph.model.facts import Facts, Term
from kbgraph.model.settings import Entry, Skipped
from kbgraph.model.sync import SyncReport
from kbgraph.store import Store
from kbgraph.store.versions import Lifted, Seen, State, Version, unpack
from kbgraph.workspace.files import Scan, odd_names, same, scan
from kbgraph.workspace.holdings import Holdings, writable
from kbgraph.workspace.keys import engine, rounds_in

MANY = 300  # from this many changes on, and from a third of all files, loading everything in bulk is faster
BATCH = 200  # files whose facts are kept in one transaction

Progress = Callable[[int, int], None]
Derive = Callable[[Store], Iterable[Facts]]


def silent(_done: int, _total: int) -> None:
    """Show no progress."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a sync is to be done."""

    full: bool = False  # read every file again
    workers: int | None = None
    wait: float = 2.0  # seconds for another writer
    progress: Progress = silent


@dataclass(frozen=True, slots=True)
class Look:
    """Folder and cache side by side: what has to be read, what is gone."""

    scan: Scan
    known: Mapping[str, Seen]
    state: State
    engine: str
    derive: str
    tasks: tuple[str, ...]
    gone: tuple[str, ...]
    stale: bool  # the graph is not the one that the cache speaks of, or was made otherwise

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do at all."""
        return not (self.tasks or self.gone or self.stale)


@dataclass(slots=True)
class Found:
    """What reading the tasks has shown."""

    changed: dict[str, Seen]
    touched: dict[str, Seen]
    skipped: list[Skipped]
    gone: list[str]


def sync(holdings: Holdings, derive: Derive, options: Options) -> SyncReport:
    """Bring the graph up to date; BusyError when another process is at it, BrokenError when nothing can be read."""
    holdings.store.refresh()
    look = look_at(holdings, options.full)
    if look.idle:
        return report(holdings, look, Found({}, {}, [], []))
    if not writable(holdings):
        holdings.into_memory(f"{holdings.folder} cannot be written: this graph is kept in memory, and gone afterwards")
    with holdings.store.writing(options.wait):
        if holdings.cache.state() != look.state:  # another process was at it meanwhile
            look = look_at(holdings, options.full)
        found = read(holdings, look, options)
        if found.touched:
            holdings.cache.touch(found.touched)
        if found.changed or found.gone or look.stale:
            publish(holdings, look, found, derive, options.full)
        return report(holdings, look, found)


def look_at(holdings: Holdings, full: bool) -> Look:
    """Folder and cache side by side, by names and stamps alone."""
    state, known = holdings.cache.state(), holdings.cache.files()
    seen = scan(holdings.root, holdings.settings.ignore)
    key, queries = engine(holdings.settings), derive_digest(holdings)
    every = full or state.engine != key
    entries = seen.listing.entries
    listed = {entry.path for entry in entries}
    gone = tuple(path for path in known if path not in listed)
    stale = full or (state.generation, state.engine, state.derive) != (holdings.store.name, key, queries)
    stale = stale or holdings.store.mark != key
    kept = holdings.cache.kept(known, key) if stale else None  # loading everything needs the facts of everything

    def due(entry: Entry) -> bool:
        old = known.get(entry.path)
        lost = old is not None and kept is not None and old.sha not in kept.get(entry.path, ())
        return every or old is None or not same(entry, old) or lost

    tasks = tuple(entry.path for entry in entries if due(entry))
    return Look(seen, known, state, key, queries, tasks, gone, stale)


def derive_digest(holdings: Holdings) -> str:
    """Digest of all derive queries, the corpus's own among them; "" when there are none."""
    shipped = [f"{query.name}\0{query.text}".encode() for query in resources.queries("derive")]
    files = sorted((holdings.root / "queries" / "derive").glob("*.rq"))
    own = [path.name.encode("utf-8", "surrogateescape") + b"\0" + path.read_bytes() for path in files]
    return blake2b(b"\0".join((*shipped, b"", *own)), digest_size=8).hexdigest() if shipped or own else ""


def read(holdings: Holdings, look: Look, options: Options) -> Found:
    """Read and lift what has to be; what is lifted is kept at once, so that an ended run has not worked for nothing."""
    if not look.tasks:
        return Found({}, {}, [], list(look.gone))
    from kbgraph.workspace.lifting import Lifter  # noqa: PLC0415  (most syncs read nothing)
    from kbgraph.workspace.pool import lift_all  # noqa: PLC0415

    full = options.full
    kept = {} if full else holdings.cache.kept(look.tasks, look.engine)
    tasks = [(path, kept.get(path, ())) for path in look.tasks]
    lifter = Lifter(holdings.root, holdings.settings, holdings.compact("lexicon"))
    lifter.lexicon  # noqa: B018  (wrong words in kbgraph.toml are told now, not as a fault of every file)
    found = Found({}, {}, [], list(look.gone))
    batch: list[Lifted] = []
    for number, (path, seen, lifted, reason) in enumerate(lift_all(lifter, tasks, options.workers), 1):
        options.progress(number, len(tasks))
        if seen is None:
            found.skipped.append(Skipped(path, reason))
            found.gone += [path] if path in look.known else []
            continue
        if lifted is not None:
            batch.append(lifted)
        old = look.known.get(path)
        equal = old is not None and old.sha == seen.sha and look.state.engine == look.engine and not full
        (found.touched if equal else found.changed)[path] = seen
        if len(batch) >= BATCH:
            holdings.cache.keep(batch, look.engine)
            batch.clear()
    if batch:
        holdings.cache.keep(batch, look.engine)
    return found


def publish(holdings: Holdings, look: Look, found: Found, derive: Derive, full: bool) -> None:
    """Make one new state of the graph, then note what it holds; a kill between the two is mended by the next run."""
    store, cache = holdings.store, holdings.cache
    gone = set(found.gone)
    wanted = {path: seen.sha for path, seen in look.known.items() if path not in gone}
    wanted.update((path, seen.sha) for path, seen in found.changed.items())
    steps = None if full else difference(holdings, look, found, wanted)
    with store.draft(fresh=steps is None, mark=look.engine) as draft:
        if steps is None:
            draft.load(cache.facts(versions(wanted, look.engine)))
        else:
            draft.replace(cache.facts(versions(steps[0], look.engine)), steps[1])
        if wanted and next(iter(draft.match()), None) is None:
            number = f"{len(wanted)} document{'s' * (len(wanted) > 1)}"
            raise BrokenError(f"0 statements from {number}", "is this the right folder? If it is, report this")
        derived = tuple(fact for fact in derive(draft) if fact.triples) if look.derive else ()
        if derived:
            draft.replace(derived)
    state = State(store.name, look.engine, look.derive, tuple(fact.graph for fact in derived), look.state.seq)
    cache.commit(state, found.changed, gone, rounds(holdings, look, found))


def versions(wanted: Mapping[str, str], key: str) -> Iterator[Version]:
    """The versions of these files (path -> hash), by path."""
    return (Version(path, sha, key) for path, sha in sorted(wanted.items()))


def difference(
    holdings: Holdings, look: Look, found: Found, wanted: Mapping[str, str]
) -> tuple[dict[str, str], list[Term]] | None:
    """Files to replace (path -> hash) and graphs to drop; None when loading everything is right or faster."""
    store = holdings.store
    if store.mark != look.engine:
        return None
    if store.name == look.state.generation and look.state.engine == look.engine:
        new = {path: wanted[path] for path in found.changed}
        gone = [*map(holdings.graph, found.gone), *map(Term, look.state.derived)]
    else:  # the graph is another than the cache remembers: a run was ended between the two, or the cache is new
        have = store.graphs()
        graphs = {holdings.graph(path) for path in wanted}
        new = {path: sha for path, sha in wanted.items() if have.get(holdings.graph(path)) != sha}
        gone = [graph for graph in have if graph not in graphs]
    return None if len(new) + len(gone) > max(MANY, len(wanted) // 3) else (new, gone)


def rounds(holdings: Holdings, look: Look, found: Found) -> list[str]:
    """Ids of the rounds whose manifests are new or changed."""
    ids: list[str] = []
    for path, seen in sorted(found.changed.items()):
        lifted = holdings.cache.lifted(Version(path, seen.sha, look.engine)) if path.endswith(".json") else None
        ids += rounds_in(unpack(lifted.data).triples) if lifted else ()
    return ids


def report(holdings: Holdings, look: Look, found: Found) -> SyncReport:
    """What a sync did, with counts over the whole graph."""
    covered = holdings.cache.coverage()
    new = [path for path in found.changed if path not in look.known]
    changed = [path for path in found.changed if path in look.known and found.changed[path].sha != look.known[path].sha]
    listing = look.scan.listing
    return SyncReport(
        added=tuple(sorted(new)),
        changed=tuple(sorted(changed)),
        removed=tuple(sorted(found.gone)),
        unchanged=covered.documents - len(new) - len(changed),
        skipped=tuple(sorted({*listing.skipped, *found.skipped}, key=lambda s: (s.path, s.reason))),
        odd=odd_names(entry.path for entry in listing.entries),
        others=look.scan.others,
        notes=tuple(holdings.notes),
        documents=covered.documents,
        statements=covered.statements,
        lines=covered.lines,
        understood=covered.understood,
        ignored=covered.ignored,
    )
