"""The saved queries of a workspace: shipped ones, and the corpus's own, which replace shipped ones of the same name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from kbgraph import resources, vocab
from kbgraph.ask.implied import unseen
from kbgraph.ask.names import FOLDERS, unknown, untagged, with_prefixes
from kbgraph.ask.packed import packed, unpacked
from kbgraph.ask.safety import check_safe
from kbgraph.ask.tokens import code, tokenise
from kbgraph.ask.waivers import BUILT_IN
from kbgraph.errors import HeaderError, QueryError, UsageError
from kbgraph.model.query import QueryKind, SavedQuery
from kbgraph.store.compact import keep, kept

_KINDS: dict[str, QueryKind] = {folder: kind for kind, folder in FOLDERS.items()}
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_SPARQL = re.compile(r"[{<\n]|\.rq$")  # what a text has that is no mistyped name
_KB = "<https://w3id.org/kbgraph/ns#"


class Source(NamedTuple):
    """The text of a saved query, not parsed yet."""

    kind: QueryKind
    name: str
    text: str
    origin: str
    note: str = ""


def _terms() -> frozenset[str]:
    own = (str(value) for value in vars(vocab).values() if isinstance(value, str))
    return frozenset(value[len(_KB) : -1] for value in own if value.startswith(_KB))


class Saved:
    """All saved queries by name, each parsed when it is first asked for."""

    def __init__(self, root: Path, is_graph: Callable[[str], bool], compact: Path | None = None) -> None:
        self._root = root
        self._is_graph = is_graph
        self._compact = compact
        self._parsed: dict[str, SavedQuery] = {}

    @cached_property
    def sources(self) -> dict[str, Source]:
        """Every query's text by name; those of the corpus stand for shipped ones of the same name, and say so."""
        shipped = (q for q in resources.queries() if q.folder in _KINDS)  # faults are no questions: see selftest
        found = {q.name: Source(_KINDS[q.folder], q.name, q.text, "shipped") for q in shipped}
        for own in self._own():
            twin = found.get(own.name)
            if twin is not None and twin.origin != "shipped":
                raise HeaderError(f"{own.origin} and {twin.origin} have one name", "rename one of both")
            note = "replaces the shipped query of the same name" if own.name in found else ""
            found[own.name] = own._replace(note=note)
        return dict(sorted(found.items()))

    def _own(self) -> Iterator[Source]:
        for folder, kind in _KINDS.items():
            for path in sorted((self._root / "queries" / folder).glob("*.rq")):
                origin = path.relative_to(self._root).as_posix()
                try:
                    yield Source(kind, path.stem, path.read_text("utf-8"), origin)
                except (OSError, UnicodeDecodeError) as error:
                    raise HeaderError(
                        f"{origin} cannot be read: {error}", "save it as UTF-8, or take it away"
                    ) from error

    @cached_property
    def known_terms(self) -> frozenset[str]:
        """Local names of the ontology's terms."""
        return _terms()

    def get(self, name: str) -> SavedQuery:
        """The saved query of this name; UsageError offers the nearest, HeaderError what is wrong with its file."""
        if name not in self._parsed:
            source = self.sources.get(name)
            if source is None:
                raise UsageError(f"there is no query `{name}`", nearest(name, self.sources))
            ready = self._ready.get(name)
            self._parsed[name] = unpacked(ready) if ready is not None else self._parse(source)
        return self._parsed[name]

    def _parse(self, source: Source) -> SavedQuery:
        from kbgraph.ask.header import parse_query  # noqa: PLC0415  (a warm start does without pydantic and YAML)

        query = parse_query(source.text, source.name, source.kind, source.origin, self.known_terms)
        return replace(query, note=source.note) if source.note else query

    @cached_property
    def _stamp(self) -> bytes:
        """What decides how the queries are read: their texts and the code that reads them."""
        return repr((resources.code_digest("ask"), tuple(self.sources.values()))).encode("utf-8", "surrogatepass")

    @cached_property
    def _ready(self) -> dict[str, tuple[Any, ...]]:
        """The queries as an earlier start has read them, by name; none when anything has changed since."""
        found = kept(self._compact, self._stamp)
        return found if isinstance(found, dict) and found.keys() >= self.sources.keys() else {}

    def all(self, *kinds: QueryKind) -> tuple[SavedQuery, ...]:
        """All queries of these kinds, by name; of every kind when none is given."""
        if self._compact is not None and not self._ready:
            self._ready.update((name, packed(self.get(name))) for name in self.sources)
            keep(self._compact, self._stamp, self._ready)
        own = [self.get(s.name) for s in self.sources.values() if not kinds or s.kind in kinds]
        built_in = BUILT_IN if not kinds or "check" in kinds else ()
        return tuple(sorted((*own, *built_in), key=lambda query: query.name))

    def named(self, what: str) -> SavedQuery:
        """The query that `what` means: a saved name, a file that ends in `.rq`, or SPARQL itself, held to be unsafe."""
        if _NAME.fullmatch(what) or not _SPARQL.search(what):
            return self.get(what)
        name, text = what, what
        if what.endswith(".rq") and "\n" not in what:
            try:
                text = Path(what).read_text("utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise UsageError(f"{what} cannot be read: {error}", "give a saved name, a file, or SPARQL") from error
        else:
            name = "query"
        check_safe(text, self._is_graph)
        for danger in unknown(code(tokenise(with_prefixes(text))), ()):
            raise QueryError(f"line {danger.line}: {danger.message}", danger.mend)
        from kbgraph.ask.header import adhoc  # noqa: PLC0415  (saved queries are mostly read already)

        return adhoc(text, name)


def hints(text: str) -> list[str]:
    """What may be why a query finds nothing."""
    live = code(tokenise(with_prefixes(text)))
    told = [f"line {d.line}: {d.message}: {d.mend}" for d in (*unknown(live, _terms()), *untagged(live))]
    return told + [f"no rdf:type states {name}: ask for it as `?x a {name}`" for name in unseen(with_prefixes(text))]


def nearest(word: str, known: Iterable[str]) -> str:
    """A mend that offers the nearest of the known words."""
    near = get_close_matches(word, list(known), 3, 0.5)
    return f"did you mean {', '.join(f'`{one}`' for one in near)}?" if near else "`kbgraph queries` lists them"
