"""The state of a graph that many look at, and the next one when it is whole."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from kbgraph.errors import BusyError
from kbgraph.model.sync import SyncReport
from kbgraph.store.disk import Disk
from kbgraph.store.oxigraph.wire import Wire
from kbgraph.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Limits:
    """What one question may take: seconds, rows, bytes of its answer; and how many are worked on at once."""

    seconds: float = 10.0
    rows: int = 10_000
    bytes: int = 4 << 20
    at_once: int = 4


@dataclass(slots=True)
class State:
    """One state of the graph, with who is looking at it; it ends when it is old and nobody looks any more."""

    workspace: Workspace
    name: str
    wire: Wire
    own: bool  # whether the workspace ends with it
    lookers: int = 0
    old: bool = False

    @property
    def folder(self) -> Path | None:
        """Where the state lies that its workspace reads; another one once that was swept away."""
        store = self.workspace.store
        return store.folder if isinstance(store, Disk) else None

    def end(self) -> None:
        """Let go of files and processes."""
        self.wire.close()
        if self.own:
            self.workspace.close()


@dataclass(slots=True)
class Standing:
    """What the servers know: the graph of now, the limits, and what brings it up to date."""

    writer: Workspace  # brings the graph up to date, and answers nothing
    limits: Limits = field(default_factory=Limits)
    trouble: str = ""  # what went wrong when it was brought up to date last
    _state: State | None = None
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _opening: threading.Lock = field(default_factory=threading.Lock)  # else two at once would open two, and keep one
    _checking: threading.Lock = field(default_factory=threading.Lock)
    _writing: threading.Lock = field(default_factory=threading.Lock)

    # -- the state that all see

    @contextmanager
    def looking(self) -> Iterator[State]:
        """The newest whole state, which stays as it is for the block."""
        with self._turn:
            state = self._state or self._begun()
            state.lookers += 1
        try:
            yield state
        finally:
            with self._turn:
                state.lookers -= 1
                over = state.old and not state.lookers
            if over:
                state.end()

    def _begun(self) -> State:
        self._state = self._opened()
        return self._state

    def _opened(self) -> State:
        store = self.writer.store
        held = self.writer.folder
        if held is None:  # in memory: one store, which itself shows no half of a change
            return State(self.writer, store.name, Wire(store, self.limits.at_once), own=False)
        workspace = Workspace.open(self.writer.root, held)
        return State(workspace, workspace.store.name, Wire(workspace.store, self.limits.at_once), own=True)

    def turn(self) -> bool:
        """Show the state that was published last, by whichever process; whether it is another one."""
        with self._opening:
            before = self._state
            if before is None or (before.own and self.writer.store.name == before.name):
                return False
            after = self._opened()
            with self._turn:
                self._state, before.old = after, True
                over = not before.lookers
        if over:
            before.end()
        return True

    def shown(self, state: State) -> bool:
        """Whether this is still the state that all see."""
        return self._state is state

    def sync(self) -> SyncReport | None:
        """Bring the graph up to date and show it; None while another process is at it."""
        report = None
        with self._writing, suppress(BusyError):
            report = self.writer.sync(wait=0.2)
        memory = self.writer.folder is None
        if not memory or (report is not None and not report.nothing_new):
            self.turn()
        return report

    def check(self) -> None:
        """Run all checks on the state of now, and show what they found."""
        if self.writer.folder is None:
            with self._checking, self._writing:
                self.writer.check()
            return
        with self._checking, Workspace.open(self.writer.root, self.writer.folder) as checker, suppress(BusyError):
            checker.check()
        self.turn()

    def close(self) -> None:
        """Let go of everything."""
        with self._turn:
            if self._state is not None:
                self._state.end()
            self._state = None
        self.writer.close()
