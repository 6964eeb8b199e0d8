"""A folder that is watched: what is saved there is shown as soon as it is read."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from kbgraph import config
from kbgraph.errors import KbgraphError

if TYPE_CHECKING:
    from kbgraph.workspace.serving import Standing

PAUSE = 0.25  # seconds between two looks where nothing tells of changes
SETTLED = 50  # milliseconds without a further change, then they are told
LOOK = 10.0  # seconds between two looks where nothing was told
QUIET = 2.0  # seconds without a change, then the checks run


def looks(root: Path, over: threading.Event) -> Iterator[bool]:
    """Again and again, whether the folder is to be looked at: when it has changed, and now and then without notice."""
    due = 0.0  # at once: something may have changed before the watching began; later: a network may tell of nothing
    for changed in _changes(root, over):
        now = time.monotonic()
        yield changed or now >= due
        due = now + LOOK if changed or now >= due else due


def _changes(root: Path, over: threading.Event) -> Iterator[bool]:
    """Whether something may have changed: at once when it has, and after a while in any case."""
    try:
        yield from _told(root, over)
    except (ModuleNotFoundError, OSError):  # not installed; or the system watches no more files
        while not over.wait(PAUSE):
            yield True


def _told(root: Path, over: threading.Event) -> Iterator[bool]:
    """What the system tells of, without what this package itself writes."""
    from watchfiles import watch  # noqa: PLC0415  (comes with the extra `serve`)

    own = f"{root / config.STATE}"
    seen = watch(
        root, watch_filter=lambda _, path: not path.startswith(own), debounce=200, step=SETTLED, stop_event=over,
        rust_timeout=int(PAUSE * 1000), yield_on_timeout=True, raise_interrupt=True,
    )  # fmt: skip
    for found in seen:
        yield bool(found)


def follow(site: Standing, over: threading.Event, watch: bool) -> None:
    """Keep a site up to date until it is over, by its folder and by what other processes publish; then run checks."""
    due = time.monotonic() if watch else None  # when the checks are to run
    behind = False  # another process was at the graph
    checks = threading.Thread()  # those that are running: never two at once
    if watch:
        site.writer.warm()
    for look in looks(site.writer.root, over):
        try:
            report = site.sync() if watch and (look or behind) else None
            behind = watch and report is None and (look or behind)
            site.turn()
            site.trouble = "" if report is not None else site.trouble
            if report is not None and not report.nothing_new:
                due = time.monotonic() + QUIET
            if due is not None and time.monotonic() >= due and not checks.is_alive():
                due, checks = None, threading.Thread(target=_checked, args=(site,), daemon=True)
                checks.start()
        except Exception as error:  # noqa: BLE001  (a watcher that dies tells nobody that the pages grow old)
            site.trouble = told(error)


def _checked(site: Standing) -> None:
    try:
        site.check()
    except Exception as error:  # noqa: BLE001  (nobody waits for this thread)
        site.trouble = told(error)


def told(error: Exception) -> str:
    """What people are told of an error: its own words, and its name where only a fault in kbgraph explains it."""
    return str(error) if isinstance(error, (KbgraphError, OSError)) else f"{type(error).__name__}: {error}"
