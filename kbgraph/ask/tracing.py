"""Statements put in the order in which one was taken from the other, and the sources that count as independent."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from kbgraph.model.keys import key_of
from kbgraph.model.trace import Chain, Counted, Hop, Loss, Passage, Standing, Tie

# How far a kind of material is from the primary source.
TIERS = {"KnowledgeDoc": 4, "Note": 4, "Queue": 4, "Brief": 3, "Report": 2, "Guide": 1, "PaperCard": 1, "RepoCard": 1}
_CARDS = 1
_DERIVED = 3  # from here on materials retell others
_SIDE = frozenset(
    {
        "role-relation",
        "role-advice",
        "role-handling",
        "role-next-steps",
        "role-verdict",
        "role-action",
        "role-reason",
        "role-cross-reference",
        "role-cautions",
    }
)  # fmt: skip  (parts of an item that speak of the corpus, or doubt)
_RETOLD, _PARTY, _RERUN = "level-second-hand", "level-self-reported", "level-rerun-here"
_RETELLINGS = 2  # hops from which nobody saw the primary source


class Teller(NamedTuple):
    """A passage that tells what is asked, and how that is known."""

    passage: Passage
    tie: Tie


Losses = Callable[[Passage, Passage], tuple[Loss, ...]]


def speaks(passage: Passage) -> bool:
    """Whether a passage states something, and is no advice, doubt or remark about the corpus."""
    return passage.part not in _SIDE and not passage.stance


def tier(passage: Passage) -> int:
    """How far its material is from the primary source."""
    return TIERS.get(passage.kind, 0)


@dataclass(frozen=True, slots=True)
class Ground:
    """What a chain is made of: who tells the statement, which files each passage names, what works are called."""

    asked: Passage
    tellers: Sequence[Teller]
    named: Mapping[str, Collection[str]]  # evidence line -> paths
    titles: Mapping[str, str]  # IRI -> title
    ranks: Mapping[str, int]  # evidence level -> how strong it is
    held: int  # the strongest at which any source speaks of the work
    losses: Losses

    def names(self, passage: Passage) -> frozenset[str]:
        """Paths that a passage names as its source, itself left out."""
        return frozenset(self.named.get(passage.evidence, ())) - {passage.path}


def chain(ground: Ground) -> Chain:
    """The chain of a statement."""
    asked = ground.asked
    named = ground.names(asked)
    early = [t for t in ground.tellers if t.passage.path in named or _before(t.passage, asked)]
    early = early or [
        t for t in ground.tellers if tier(t.passage) < tier(asked)
    ]  # the document may have no honest date
    late = tuple(t.passage for t in ground.tellers if t not in early)
    hops = tuple(_Walk(ground, early).hops())
    return Chain(asked, hops, tuple(_counted(ground)), late)


def _before(passage: Passage, asked: Passage) -> bool:
    """Whether the statement asked for may have been taken from a passage."""
    if tier(passage) >= tier(asked):
        return False
    return tier(passage) == _CARDS or not (passage.day and asked.day) or passage.day <= asked.day


class _Walk:
    """One way through the tellers, from the statement back; each is told in full once."""

    def __init__(self, ground: Ground, tellers: Sequence[Teller]) -> None:
        self._ground = ground
        self._by_path: dict[str, list[Teller]] = {}
        for one in tellers:
            self._by_path.setdefault(one.passage.path, []).append(one)
        self._seen: set[str] = set()

    def hops(self) -> Iterator[Hop]:
        asked = self._ground.asked
        claimed = {path for each in self._by_path.values() for one in each for path in self._ground.names(one.passage)}
        direct = self._ground.names(asked)
        first = [p for p in self._by_path if p in direct or p not in claimed]
        yield from self._behind(first, asked, 1, (asked.path,))
        missing = direct - self._by_path.keys()
        yield from (Hop(1, "named", key=path) for path in sorted(missing))
        if not first:
            yield from self._primary(asked, 1)

    def _order(self, path: str) -> tuple[int, str, str]:
        passage = self._by_path[path][0].passage
        return -tier(passage), passage.day, path

    def _behind(self, paths: Sequence[str], of: Passage, depth: int, passed: tuple[str, ...]) -> Iterator[Hop]:
        """What a passage may have been taken from, with what it lost of each."""
        sources = [one for path in sorted(paths, key=self._order) for one in self._by_path[path]]
        lost = [self._ground.losses(one.passage, of) for one in sources]
        # A level that one source has is not inflated, and of an item with several sources it is that of one of them.
        level = self._inflated(of, lost) if depth == 1 else len(self._ground.names(of)) == 1
        for one, each in zip(sources, lost, strict=True):
            told = tuple(loss for loss in each if level or loss.kind != "level")
            tie: Tie = "named" if one.passage.path in self._ground.names(of) else one.tie
            yield from self._back(Hop(depth, tie, one.passage, told), passed)

    def _inflated(self, of: Passage, lost: Sequence[Sequence[Loss]]) -> bool:
        """Whether all that was said of the work has a lower level, later things too."""
        stated = self._ground.ranks.get(of.level, 0)
        return all(any(loss.kind == "level" for loss in each) for each in lost) and not 0 < stated <= self._ground.held

    def _back(self, hop: Hop, passed: tuple[str, ...]) -> Iterator[Hop]:
        passage, depth = hop.passage, hop.depth
        assert passage is not None
        again = passage.evidence in self._seen
        self._seen.add(passage.evidence)
        yield hop._replace(again=again)
        if again:
            return
        named = self._ground.names(passage)
        behind = [path for path in sorted(named) if path in self._by_path and path not in passed]
        yield from self._behind(behind, passage, depth + 1, (*passed, passage.path))
        loops = sorted(named & set(passed))
        yield from (Hop(depth + 1, "named", key=path, circular=True) for path in loops)
        if not behind and not loops:
            yield from self._primary(passage, depth + 1)

    def _primary(self, passage: Passage, depth: int) -> Iterator[Hop]:
        """The works or pages that a passage tells of; of a retelling only the page that retells is known."""
        if passage.level == _RERUN:
            return
        about = [s for s in passage.subjects if s in self._ground.asked.subjects] or list(passage.subjects)
        for subject in about:
            yield Hop(depth, "primary", key=key_of(subject), title=self._ground.titles.get(subject, ""))
        if not about or _retold(passage):
            yield Hop(depth + bool(about), "unnamed")


def _retold(passage: Passage) -> bool:
    return passage.level == _RETOLD or passage.hops >= _RETELLINGS


def _counted(ground: Ground) -> Iterator[Counted]:
    """Every material that tells the statement, those that count before those that are like them."""
    tellers = [t.passage for t in ground.tellers if tier(t.passage) < _DERIVED and t.passage.path != ground.asked.path]
    known = {passage.path for passage in tellers} | {ground.asked.path}
    found: dict[str, Counted] = {}
    roots: dict[str, str] = {}
    texts: dict[str, str] = {}
    for passage in sorted(tellers, key=lambda p: (_retold(p), -ground.ranks.get(p.level, 0), p.day, p.path)):
        if passage.path in found:
            continue
        standing, of = _standing(ground, passage, known, roots, texts)
        found[passage.path] = Counted(passage.path, passage.line, passage.agent, standing, of, passage.level)
    yield from sorted(found.values(), key=lambda one: (one.standing != "counts", one.of, one.path))


def _standing(
    ground: Ground, passage: Passage, known: Collection[str], roots: dict[str, str], texts: dict[str, str]
) -> tuple[Standing, str]:
    taken = sorted(ground.names(passage) & set(known))
    if taken:
        return "derived", taken[0]
    if _retold(passage):
        return "retelling", _root(ground, passage)
    root = _root(ground, passage)
    twin = texts.setdefault(passage.text, passage.path)
    if twin != passage.path and root in roots:
        return "same-text", twin
    if root in roots:
        return ("measured-party" if passage.level == _PARTY else "same-source"), root
    roots[root] = passage.path
    return "counts", root


def _root(ground: Ground, passage: Passage) -> str:
    """What a passage rests on: the work or page that it tells of, or its own measurement."""
    if passage.level == _RERUN:
        return passage.path
    shared = [s for s in passage.subjects if s in ground.asked.subjects] or list(passage.subjects)
    if not shared:
        return passage.path
    return _party(min(shared)) if passage.level == _PARTY else key_of(min(shared))


def _party(iri: str) -> str:
    """Who speaks for itself: the owner of a repository, the host of a page, else the work."""
    key = key_of(iri)
    if key == iri:
        return urlsplit(iri).hostname or iri
    return key.partition("/")[0] if iri.endswith(f"/{key}") else key
