"""What earlier runs of a check found, so that a finding is new, still there or back.

A run is compared with the last one on another state of the graph: the same graph gives the same answer however often it
is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kbgraph.model.finding import Report


class Memory(NamedTuple):
    """Fingerprints of one check: found on the state `seq`, found on the one before, found earlier and gone since."""

    seq: int
    now: frozenset[str]
    before: frozenset[str]
    gone: frozenset[str]

    def on(self, seq: int) -> Memory:
        """What to compare a run on this state with."""
        return self if seq == self.seq else Memory(seq, frozenset(), self.now, (self.gone | self.before) - self.now)


History = Mapping[str, Memory]  # check -> memory


def last(history: History, seq: int) -> dict[str, str]:
    """Fingerprints of the state before this one -> their check."""
    return {print_: check for check, memory in history.items() for print_ in memory.on(seq).before}


def gone(history: History, seq: int) -> frozenset[str]:
    """Fingerprints that were there once and not on the state before this one."""
    return frozenset(print_ for memory in history.values() for print_ in memory.on(seq).gone)


def remembered(history: History, report: Report, seq: int) -> dict[str, Memory]:
    """The history with this run in it; checks that did not run, or broke, stay as they are."""
    out = dict(history)
    for result in report.checks:
        if result.outcome in ("clean", "findings"):
            now = frozenset(f.fingerprint for f in report.findings if f.check == result.check)
            old = history.get(result.check, Memory(seq, frozenset(), frozenset(), frozenset())).on(seq)
            out[result.check] = old._replace(now=now)
    return out


def plain(history: History) -> dict[str, list[object]]:
    """The history as JSON can hold it."""
    return {check: [m.seq, *(sorted(part) for part in m[1:])] for check, m in sorted(history.items())}


def recalled(value: object) -> dict[str, Memory]:
    """The history from what `plain` made; nothing when it is damaged."""
    try:
        return {str(check): _memory(parts) for check, parts in value.items()} if isinstance(value, dict) else {}
    except (TypeError, ValueError):
        return {}


def _memory(parts: list[object]) -> Memory:
    seq, now, before, lost = parts
    if not isinstance(seq, int) or not all(isinstance(p, list) for p in (now, before, lost)):
        raise TypeError
    return Memory(seq, *(frozenset(map(str, p)) for p in (now, before, lost) if isinstance(p, list)))
