"""One new state of the graph from what was read: built anew while it is being read, or changed file by file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from kbgraph.errors import BrokenError, StoreError
from kbgraph.model import graphs
from kbgraph.model.facts import Facts, Term, make_facts
from kbgraph.store import Store
from kbgraph.store.versions import Lifted, State, Version, unpack
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.keys import rounds_in
from kbgraph.workspace.looking import Found, Look

MANY = 300  # from this many changes on, and from a third of all files, loading everything in bulk is faster

Derive = Callable[[Store], Iterable[Facts]]
Read = Iterator[tuple[Version, Lifted | None]]  # what is read, one file after the other


def rebuild(holdings: Holdings, look: Look, found: Found, derive: Derive, read: Read) -> None:
    """Make the whole graph anew: it is loaded while files are still being lifted, since both take their time."""
    kept = remembered(holdings)
    with holdings.store.draft(fresh=True, mark=look.engine) as draft:
        draft.load(chain(_streamed(holdings, look, found, read), kept))
        derived = _derived(draft, look, derive, len(_wanted(look, found)))
    _commit(holdings, look, found, derived)


def remembered(holdings: Holdings) -> tuple[Facts, ...]:
    """The graph of findings, which no file can give again; none when the store cannot be read any more."""
    graph = graphs.findings(holdings.settings.base)
    try:
        triples = [f"{s} {p} {o}" for s, p, o, _ in holdings.store.match(g=graph)]
    except StoreError:
        triples = []
    return (make_facts(graph, triples),) if triples else ()


def _streamed(holdings: Holdings, look: Look, found: Found, read: Read) -> Iterator[Facts]:
    """Facts of what is being read, then of all else that is known."""
    cache = holdings.cache
    for version, lifted in read:
        yield from (unpack(lifted.data),) if lifted else cache.facts([version])
    done = found.changed.keys() | found.touched.keys()
    rest = {path: sha for path, sha in _wanted(look, found).items() if path not in done}
    yield from cache.facts(versions(rest, look.engine))


def publish(holdings: Holdings, look: Look, found: Found, derive: Derive) -> None:
    """Replace what has changed, or load everything where that is faster."""
    wanted, cache = _wanted(look, found), holdings.cache
    steps = difference(holdings, look, found, wanted)
    kept = remembered(holdings) if steps is None else ()
    with holdings.store.draft(fresh=steps is None, mark=look.engine) as draft:
        if steps is None:
            draft.load(chain(cache.facts(versions(wanted, look.engine)), kept))
        else:
            draft.replace(cache.facts(versions(steps[0], look.engine)), steps[1])
        derived = _derived(draft, look, derive, len(wanted))
    _commit(holdings, look, found, derived)


def _wanted(look: Look, found: Found) -> dict[str, str]:
    """Every file that the graph is to hold, with its hash."""
    gone = set(found.gone)
    wanted = {path: seen.sha for path, seen in look.known.items() if path not in gone}
    wanted.update((path, seen.sha) for path, seen in found.changed.items())
    return wanted


def _derived(draft: Store, look: Look, derive: Derive, wanted: int) -> tuple[Facts, ...]:
    """What the derive queries give, put down; BrokenError when the files gave nothing at all."""
    if wanted and next(iter(draft.match()), None) is None:
        number = f"{wanted} document{'s' * (wanted > 1)}"
        raise BrokenError(f"0 statements from {number}", "is this the right folder? If it is, report this")
    derived = tuple(fact for fact in derive(draft) if fact.triples) if look.derive else ()
    if derived:
        draft.replace(derived)
    return derived


def _commit(holdings: Holdings, look: Look, found: Found, derived: tuple[Facts, ...]) -> None:
    """Note what the graph now holds; a kill before this is mended by the next run."""
    graphs = tuple(fact.graph for fact in derived)
    state = State(holdings.store.name, look.engine, look.derive, graphs, look.state.seq)
    holdings.cache.commit(state, found.changed, set(found.gone), rounds(holdings, look, found))


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
        # Relations are of the claims as they were; they are found again when somebody asks.
        gone = [
            *map(holdings.graph, found.gone),
            *map(Term, look.state.derived),
            graphs.relations(holdings.settings.base),
            graphs.texts(holdings.settings.base),
        ]
    else:  # the graph is another than the cache remembers: a run was ended between the two, or the cache is new
        have = store.graphs()
        files = {holdings.graph(path) for path in wanted}
        new = {path: sha for path, sha in wanted.items() if have.get(holdings.graph(path)) != sha}
        gone = [graph for graph in have if graph not in files and graph != graphs.findings(holdings.settings.base)]
    return None if len(new) + len(gone) > max(MANY, len(wanted) // 3) else (new, gone)


def rounds(holdings: Holdings, look: Look, found: Found) -> list[str]:
    """Ids of the rounds whose manifests are new or changed."""
    ids: list[str] = []
    for path, seen in sorted(found.changed.items()):
        lifted = holdings.cache.lifted(Version(path, seen.sha, look.engine)) if path.endswith(".json") else None
        ids += rounds_in(unpack(lifted.data).triples) if lifted else ()
    return ids
