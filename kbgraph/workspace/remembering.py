"""What the runs of checks found, kept in the graph itself: read when checks begin, revised when they have run."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from kbgraph.ask import memory
from kbgraph.ask.history import History, Known, Run, remembered
from kbgraph.errors import BusyError, StoreError
from kbgraph.model import graphs
from kbgraph.model.facts import iri, segment
from kbgraph.model.finding import Report
from kbgraph.store.compact import keep, kept
from kbgraph.store.versions import State
from kbgraph.workspace.holdings import Holdings, writable

READY = "findings"
UNKEPT = "what was found is not remembered"


def recall(holdings: Holdings) -> History:
    """What earlier runs found; nothing for a graph that is only passing."""
    if holdings.passing:
        return History()
    base = holdings.settings.base
    graph = graphs.findings(base)
    edition = f"SELECT ?edition WHERE {{ GRAPH {graph} {{ {graph} kb:fingerprint ?edition }} }}"
    told = holdings.store.select(f"PREFIX kb: <https://w3id.org/kbgraph/ns#> {edition}").rows
    if not told:
        return History()
    ready = kept(holdings.compact(READY), str(told[0][0]).encode())
    if ready is not None:  # the graph holds the same, and takes a second to be read where thousands were found
        findings, runs = ready
        return History({one[0]: Known(*one) for one in findings}, tuple(Run(*run) for run in runs))
    return memory.recalled(holdings.store.match(g=graph))


def keep_run(
    holdings: Holdings, history: History, report: Report, checks: Collection[str], at: tuple[State, dt.datetime]
) -> None:
    """Put into the graph what this run `at` a state and time has shown, and nothing else; says so where it cannot."""
    if holdings.passing:
        return
    state, now = at
    run = history.run(str(state.seq))
    told = Run(run, str(state.seq), now.isoformat(timespec="seconds"), _came(holdings, history, state))
    new = remembered(history, report, next((one for one in history.runs if one.number == run), told), checks)
    if new == history:
        return
    if not writable(holdings):
        holdings.notes.append(f"{holdings.folder} cannot be written: {UNKEPT}")
        return
    try:
        _write(holdings, history, new, state)
    except (BusyError, StoreError) as error:
        holdings.notes.append(f"{error.message}: {UNKEPT}")


def _came(holdings: Holdings, history: History, state: State) -> tuple[str, ...]:
    """The rounds that came in since the run before, by their names in the graph."""
    before = max(
        (int(run.state) for run in history.runs if run.state.isdigit() and int(run.state) < state.seq), default=0
    )
    came = (name for name, seq in holdings.cache.rounds().items() if before < seq <= state.seq)
    return tuple(sorted(iri(f"{holdings.settings.base}round/{segment(name)}") for name in came))


def _write(holdings: Holdings, old: History, new: History, state: State) -> None:
    base, store = holdings.settings.base, holdings.store
    with store.writing():
        if holdings.cache.state() != state:
            raise BusyError("another process has changed the graph meanwhile", "run the checks again")
        store.revise(graphs.findings(base), *memory.difference(old, new, base))
        holdings.cache.published(store.name)
    plain = ([tuple(one) for one in new.findings.values()], [tuple(run) for run in new.runs])
    keep(holdings.compact(READY), memory.edition(new).encode(), plain)
