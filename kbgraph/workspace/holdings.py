"""What a workspace holds open: settings, graph and cache, and where they are kept."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from kbgraph import config, resources
from kbgraph.errors import StoreError, UsageError
from kbgraph.model.facts import Term, iri, segment
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.settings import Settings
from kbgraph.store import Store, open_store
from kbgraph.store.cache import Cache
from kbgraph.store.sqlite import DamagedError

if TYPE_CHECKING:
    from kbgraph.ask.findings import Files

IN_MEMORY = ("memory:", "rdflib:")
_OWN = frozenset(("store", "cache.db", "cache.db-wal", "cache.db-shm", ".gitignore"))


@dataclass(slots=True)
class Holdings:
    """One corpus with its graph and cache; `folder` is None when both live in memory."""

    root: Path
    settings: Settings
    store: Store
    cache: Cache
    folder: Path | None
    notes: list[str] = field(default_factory=list)
    passing: bool = False  # the graph of one round, asked once: nothing of it is remembered
    met: dict[str, str] = field(default_factory=dict)  # what the files of that round are known by
    _lexicon: Lexicon | None = None

    @property
    def lexicon(self) -> Lexicon:
        """The words of the ontology and the corpus's own, loaded when first needed."""
        if self._lexicon is None:
            self._lexicon = resources.lexicon(self.settings, self.compact("lexicon"))
        return self._lexicon

    def compact(self, name: str) -> Path | None:
        """The file that keeps something ready for the next start."""
        return self.folder and self.folder / f"{name}.bin"

    def graph(self, path: str) -> Term:
        """The name of a file's graph."""
        return iri(self.settings.base + segment(path))

    def files(self) -> Files:
        """What the files are known by: those of the round that is passing, else all of the corpus."""
        from kbgraph.ask.findings import Files  # noqa: PLC0415  (a sync needs none)

        passing = self.met if self.passing else {}
        return Files(passing or self.cache.identities(), self.settings.base)

    def derived(self, query: str) -> Term:
        """The name of the graph that holds a derive query's result."""
        return iri(f"{self.settings.base}derived/{segment(query)}")

    def into_memory(self, why: str) -> None:
        """Go on in memory, for this process alone."""
        self.close()
        self.store, self.cache, self.folder = open_store("memory:"), Cache(None), None
        self.notes.append(why)

    def close(self) -> None:
        """Let go of everything."""
        self.store.close()
        self.cache.close()


def hold(root: Path, store: str | Path | None) -> Holdings:
    """Open what is kept of a corpus, made when missing; in memory when nothing can be kept."""
    if not root.is_dir():
        raise UsageError(f"{root} is no folder", "name the folder that holds the notes, with --kb")
    if store in IN_MEMORY:
        return Holdings(root, config.load(root), open_store(str(store)), Cache(None), None)
    folder = _folder(root, store)
    try:
        _prepare(folder)
    except OSError as error:
        if store is not None:
            raise StoreError(
                f"{folder} cannot be made: {error.strerror}", "choose another place with --store"
            ) from error
        if not (folder / "cache.db").is_file():
            note = f"{folder} cannot be written ({error.strerror}): this graph is kept in memory, and gone afterwards"
            return Holdings(root, config.load(root), open_store("memory:"), Cache(None), None, [note])
    notes: list[str] = []
    settings = config.load(root, folder / "settings.bin")
    return Holdings(root, settings, open_store(folder / "store"), _cache(folder / "cache.db", notes), folder, notes)


def _folder(root: Path, store: str | Path | None) -> Path:
    if store is None:
        return root / config.STATE
    text = str(store)
    if text.endswith(":") and len(text) > 2:
        near = get_close_matches(text, IN_MEMORY, 1, 0.3)
        raise UsageError(
            f"`{text}` is no store", f"did you mean `{near[0] if near else 'memory:'}`? Else give a folder."
        )
    if "://" in text:
        raise UsageError(f"`{text}`: a graph on a server cannot be brought up to date", "give a folder, or `memory:`")
    folder = Path(store)
    held = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if held and not held & _OWN:
        raise UsageError(f"{folder} holds other things", "give a folder of its own for the graph")
    return folder


def _prepare(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("# written by kbgraph: everything here can be made again\n*\n", encoding="utf-8")
    if not os.access(folder, os.W_OK):
        raise PermissionError(13, "Permission denied")


def _cache(file: Path, notes: list[str]) -> Cache:
    try:
        return Cache(file)
    except DamagedError as error:
        notes.append(f"{error.message}; it is made anew, and the graph stays as it was until then")
        return Cache.renewed(file)


def writable(holdings: Holdings) -> bool:
    """Whether what changes can be kept."""
    return holdings.folder is None or os.access(holdings.folder, os.W_OK)
