"""Bring the graph up to date with the folder: look, read what changed, publish one new state, note it in the cache."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kbgraph.model.settings import Skipped
from kbgraph.model.sync import SyncReport
from kbgraph.store.versions import Lifted, Version
from kbgraph.workspace.files import odd_names
from kbgraph.workspace.holdings import Holdings, writable
from kbgraph.workspace.looking import Found, Look, look_at
from kbgraph.workspace.publishing import Derive, publish, rebuild

BATCH = 200  # files whose facts are kept in one transaction

Progress = Callable[[int, int], None]


def silent(_done: int, _total: int) -> None:
    """Show no progress."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a sync is to be done."""

    full: bool = False  # read every file again
    workers: int | None = None
    wait: float = 2.0  # seconds for another writer
    progress: Progress = silent


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
        found = Found({}, {}, [], list(look.gone))
        facts = read(holdings, look, options, found)
        if options.full or holdings.store.mark != look.engine:
            rebuild(holdings, look, found, derive, facts)
        else:
            deque(facts, 0)
            if found.changed or found.gone or look.stale:
                publish(holdings, look, found, derive)
        if found.touched:
            holdings.cache.touch(found.touched)
        return report(holdings, look, found)


def read(holdings: Holdings, look: Look, options: Options, found: Found) -> Iterator[tuple[Version, Lifted | None]]:
    """Read and lift what has to be, keep it at once, and note in `found` what that has shown; None was kept before."""
    if not look.tasks:
        return
    from kbgraph.workspace.lifting import Lifter  # noqa: PLC0415  (most syncs read nothing)
    from kbgraph.workspace.pool import lift_all  # noqa: PLC0415

    kept = {} if options.full else holdings.cache.kept(look.tasks, look.engine)
    tasks = [(path, kept.get(path, ())) for path in look.tasks]
    lifter = Lifter(holdings.root, holdings.settings, holdings.compact("lexicon"))
    lifter.lexicon  # noqa: B018  (wrong words in kbgraph.toml are told now, not as a fault of every file)
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
        equal = old is not None and old.sha == seen.sha and look.state.engine == look.engine and not options.full
        (found.touched if equal else found.changed)[path] = seen
        if len(batch) >= BATCH:
            holdings.cache.keep(batch, look.engine)
            batch.clear()
        yield Version(path, seen.sha, look.engine), lifted
    if batch:
        holdings.cache.keep(batch, look.engine)


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
