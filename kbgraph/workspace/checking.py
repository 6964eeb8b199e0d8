"""A run of checks over a workspace: which ones, how severe, what is waived, what the runs before had found."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from difflib import get_close_matches
from pathlib import Path

from kbgraph.ask.report import Circumstances, check_report
from kbgraph.ask.run import run
from kbgraph.ask.waivers import Waiver, commented
from kbgraph.errors import ConfigError, UsageError
from kbgraph.model.finding import Report
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.query import SavedQuery, Table
from kbgraph.model.settings import CheckSetting
from kbgraph.store import Store
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.remembering import keep_run, recall
from kbgraph.workspace.rules import Rules, rules
from kbgraph.workspace.saved import Saved, nearest

RELATIONS = "relations"  # the tag of checks that need them
TEXTS = "texts"  # the tag of checks that need quotations and numbers looked up in the texts of sources
COMMENTS = "waivers"  # the view that tells them
AT_ONCE = 4  # checks under way; how many run is the store's business
FEW = 4  # checks that are not worth another process


def check(
    holdings: Holdings,
    saved: Saved,
    lexicon: Lexicon,
    *,
    names: Collection[str] = (),
    tags: Collection[str] = (),
    profile: Iterable[CheckSetting] = (),
) -> Report:
    """The outcomes and findings of the checks named or tagged, of all when none is."""
    queries = chosen(saved, names, tags)
    set_ = rules(saved, (*holdings.settings.checks, *profile))
    blind = _blind(holdings, saved, lexicon, queries, set_)  # first: it may change the graph
    state, history = holdings.cache.state(), recall(holdings)
    now = dt.datetime.now().astimezone()
    known = Circumstances(
        lexicon=lexicon,
        severities=set_.severities,
        params=set_.params,
        at_most=set_.at_most,
        waivers=(*waivers(holdings.root, holdings.settings.waivers), *beside(holdings.store, saved)),
        waiver_file=holdings.settings.waivers,
        today=now.date(),
        history=history,
        run=history.run(str(state.seq)),
        files=holdings.files(),
        blind=blind,
        whole=not names and not tags,
    )
    report = at_once(queries, holdings.store, known)
    every = [query.name for query in saved.all("check")]
    keep_run(holdings, history, report, every, (state, now))
    return report


def _blind(
    holdings: Holdings, saved: Saved, lexicon: Lexicon, queries: Iterable[SavedQuery], set_: Rules
) -> dict[str, str]:
    """Checks that need what is computed, with the reason where that cannot be had; it is brought up to date."""
    needing = [q for q in queries if set_.severities.get(q.name) != "off"]
    return {
        **_without(RELATIONS, needing, lambda: _related(holdings, saved, lexicon)),
        **_without(TEXTS, needing, lambda: _held(holdings, saved)),
    }


def _without(tag: str, queries: Iterable[SavedQuery], bring: Callable[[], str]) -> dict[str, str]:
    """The checks with a tag and why they cannot look, once what they need was to be brought up to date."""
    names = [query.name for query in queries if tag in query.tags]
    reason = bring() if names else ""
    return dict.fromkeys(names, reason) if reason else {}


def _related(holdings: Holdings, saved: Saved, lexicon: Lexicon) -> str:
    from kbgraph.workspace.relating import related  # noqa: PLC0415  (dictionaries and all: only where it is needed)

    return related(holdings, saved, lexicon)


def _held(holdings: Holdings, saved: Saved) -> str:
    from kbgraph.workspace.holding import held  # noqa: PLC0415  (only where a check needs it)

    return held(holdings, saved)


def beside(store: Store, saved: Saved) -> tuple[Waiver, ...]:
    """The waivers that stand as comments in the files."""
    return commented(run(saved.get(COMMENTS), store.select))


def at_once(queries: Collection[SavedQuery], store: Store, known: Circumstances) -> Report:
    """A report of checks that run side by side, as far as the store lets them."""
    if len(queries) < FEW:
        return check_report(queries, store.select, known)
    store.ready()
    # A long text mostly takes long: begun last, it would keep one core busy while the others have nothing left.
    longest_first = sorted(queries, key=lambda query: len(query.text), reverse=True)
    with ThreadPoolExecutor(AT_ONCE) as pool:  # each only waits for a process of the store
        return check_report(longest_first, store.select, known, pool.map)


def together(asked: Mapping[str, tuple[SavedQuery, Mapping[str, str]]], store: Store) -> dict[str, Table]:
    """The answers of several saved queries with their parameters, asked side by side."""
    store.ready()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        tables = pool.map(lambda one: run(one[0], store.select, one[1]), asked.values())
        return dict(zip(asked, tables, strict=True))


def chosen(saved: Saved, names: Collection[str], tags: Collection[str]) -> tuple[SavedQuery, ...]:
    """The checks with these names or tags; UsageError for what is no check or a tag that none has."""
    every = {query.name: query for query in saved.all("check")}
    for name in names:
        if name not in every:
            other = saved.sources.get(name)
            told = f"it is a {other.kind}: `kbgraph query {name}`" if other else nearest(name, every)
            raise UsageError(f"there is no check `{name}`", told)
    known = {tag for query in every.values() for tag in query.tags}
    for tag in tags:
        if tag not in known:
            near = get_close_matches(tag, sorted(known), 1)
            raise UsageError(f"no check has the tag `{tag}`", f"did you mean `{near[0]}`?" if near else _list(known))
    if not names and not tags:
        return tuple(every.values())
    return tuple(q for q in every.values() if q.name in names or set(q.tags) & set(tags))


def _list(words: Iterable[str]) -> str:
    return f"there are {', '.join(sorted(words))}"


def waivers(root: Path, name: str) -> tuple[Waiver, ...]:
    """The waivers of the corpus; ConfigError says what is wrong with their file."""
    try:
        text = (root / name).read_text("utf-8")
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{name} cannot be read: {error}", "save it as UTF-8, or take it away") from error
    from kbgraph.ask.waiver_file import parse_waivers  # noqa: PLC0415  (pydantic only where there is a file)

    return parse_waivers(text, name)
