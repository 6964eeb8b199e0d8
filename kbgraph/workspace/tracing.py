"""What was asked for as statements of the graph, each traced back to its primary source."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from kbgraph import resources
from kbgraph.ask.meant import NEAR, by_subject, close, first, holds, place
from kbgraph.ask.tracing import Ground, Teller, chain, speaks, tier
from kbgraph.errors import UsageError
from kbgraph.model.query import Both, Cell, Table
from kbgraph.model.trace import Chain, Loss, Passage, Tie, Trace
from kbgraph.relate import Lexis, make_lexis
from kbgraph.relate.told import Told, figures, losses, told
from kbgraph.workspace.drawings import spoken
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.relating import related
from kbgraph.workspace.saved import Saved

Query = Callable[..., Table]

_PLACE = re.compile(r"(.+):([0-9]{1,9})")
_APART = "decision-different"
_FIGURES = 2  # numbers that a statement about another thing must have in common
_MATTER = 0.8  # ... and share of the matter, the smaller the more numbers there are
_SEVERAL = 8  # places told where a word means several things
_SAME: dict[str, Tie] = {
    "decision-same": "same-meaning", "relation-same-meaning": "same-meaning", "relation-other-rounding": "same-meaning",
    "relation-conflicting-quantity": "matter", "relation-conflicting-wording": "matter",
    "relation-superseded": "matter", "relation-condition-dropped": "matter",
}  # fmt: skip
MEND = "give an id, the IRI of a claim, a place such as notes/a.md:12, or words or a number of a statement"


class Tracer:
    """Asks one graph; what was asked before in a trace is not asked again."""

    def __init__(self, holdings: Holdings, query: Query) -> None:
        self._held = holdings
        self._query = query
        self._kept: dict[str, list[Passage]] = {}
        self._titles: dict[str, str] = {}
        self._ranks = {c.name: c.rank for c in holdings.lexicon.schemes.get("level", ())}
        self._lexis: Lexis | None = None

    @property
    def lexis(self) -> Lexis:
        """Words and dictionary, loaded when first needed."""
        if self._lexis is None:
            self._lexis = make_lexis(self._held.lexicon, resources.glosses(self._held.compact("glosses")))
        return self._lexis

    def passages(self, node: str) -> list[Passage]:
        """All statements of a claim, at an evidence line, or about a work."""
        if node not in self._kept:
            self._kept[node] = [_passage(row) for row in self._query("passages", node=node)]
        return self._kept[node]

    # -- what is meant

    def asked(self, what: str) -> list[Passage]:
        """The statements that are meant; UsageError where there is none, or where they are about several things."""
        at = _PLACE.fullmatch(what)
        if at and (found := self._at(at[1], int(at[2]))):
            return found
        for node in spoken(what):
            if passages := self.passages(node):
                return _furthest([p for p in passages if speaks(p)] or passages)
        return self._words(what)

    def _at(self, path: str, line: int) -> list[Passage]:
        rows = list(self._query("statements-of-file", file=path))
        here = [row for row in rows if row["line"] == line]
        if rows and not here:
            near = sorted({int(str(row["line"])) for row in rows}, key=lambda n: (abs(n - line), n))[:NEAR]
            told = ", ".join(f"{path}:{n}" for n in sorted(near))
            raise UsageError(f"no statement stands at {path}:{line}", f"the nearest stand at {told}")
        return [p for row in here for p in self.passages(str(row["evidence"]))]

    def _words(self, what: str) -> list[Passage]:
        rows = [row for row in self._query("find-statements", words=what) if holds(str(row["text"]), what)]
        if not rows:
            raise UsageError(f"no statement says `{what}`", self._nearest(what))
        groups = by_subject(rows)
        if len(groups) > 1:
            told = "\n  ".join(place(first(group)) for group in groups[:_SEVERAL])
            more = f"\n  … and {len(groups) - _SEVERAL} more" if len(groups) > _SEVERAL else ""
            raise UsageError(f"`{what}` is said of {len(groups)} things", f"name one by its place:\n  {told}{more}")
        return _furthest([p for row in groups[0] for p in self.passages(str(row["evidence"]))])

    def _nearest(self, what: str) -> str:
        """The statements that are most like what was asked for, and what may be asked for at all."""
        texts = {str(row["text"]): row for row in self._query("find-statements")}
        near = close(what, texts)
        return "the nearest are:\n  " + "\n  ".join(place(texts[text]) for text in near) if near else MEND

    # -- who tells it

    def ground(self, asked: Passage) -> Ground:
        """All that a chain of one statement is made of."""
        tied, apart = self._tied(asked)
        nodes = [*tied, *asked.subjects]
        named = self._named(asked, nodes)
        closest = [node for path in sorted(named[asked.evidence]) for node in self._closest(path, asked)]
        named |= self._named(asked, closest, named[asked.evidence])
        every = {p.evidence: p for node in (*nodes, *closest) for p in self.passages(node)}
        others = [p for p in every.values() if p.path != asked.path and p.claim not in apart]
        tellers = [self._teller(p, asked, tied, named[asked.evidence]) for p in others]
        if not any(tellers):
            tellers = self._elsewhere(asked)
        sources = [p.level for p in every.values() if tier(p) < tier(asked) and set(p.subjects) & set(asked.subjects)]
        held = max((self._ranks.get(level, 0) for level in sources), default=0)
        best = _best([t for t in tellers if t])
        titles = {s: self._title(s) for p in (asked, *(t.passage for t in best)) for s in p.subjects}

        def lost(source: Passage, teller: Passage) -> tuple[Loss, ...]:
            beside = [p.text for p in every.values() if p.path == source.path and p.item == source.item]
            return losses(source, teller, self.lexis, beside)

        return Ground(asked, best, named, titles, self._ranks, held, lost)

    def _tied(self, asked: Passage) -> tuple[dict[str, Tie], set[str]]:
        """Claims that are known to say the same or to speak of the same, and those that a person took apart."""
        tied: dict[str, Tie] = {asked.claim: "same-text"}
        apart: set[str] = set()
        for row in self._query("related-claims", claim=asked.claim):
            kind = str(row["kind"]).rpartition("#")[2]
            if kind == _APART:
                apart.add(str(row["other"]))
            elif kind in _SAME and not row["low"]:
                tied.setdefault(str(row["other"]), _SAME[kind])
        return tied, apart

    def _elsewhere(self, asked: Passage) -> list[tuple[Teller, Told] | None]:
        """Statements with the numbers of one of which nobody speaks by its subject: they may name it otherwise."""
        found: dict[str, tuple[Teller, Told]] = {}
        for figure in figures(asked.text, self.lexis)[:_FIGURES]:
            for row in self._query("find-statements", words=figure):
                how = told(asked.text, str(row["text"]), self.lexis)
                if row["path"] != asked.path and how.numbers >= _FIGURES and how.share * how.numbers >= _MATTER:
                    passage = self.passages(str(row["evidence"]))[0]
                    found[passage.evidence] = Teller(passage, "matter"), how
        return list(found.values())

    def _named(self, asked: Passage, nodes: Iterable[str], back: Collection[str] = ()) -> dict[str, set[str]]:
        """Files that statements name; of the files in `back`, sections they refer to: they may have taken it there."""
        found: dict[str, set[str]] = defaultdict(set)
        for node in nodes:
            for row in self._query("named-sources", node=node):
                found[str(row["evidence"])].add(str(row["named"]))
        for path in back:
            lines = {row["line"] for row in self._query("references-back", file=path, to=asked.path)}
            for passage in (p for node in nodes for p in self.passages(node) if p.path == path and p.line in lines):
                found[passage.evidence].add(asked.path)
        return found

    def _closest(self, path: str, asked: Passage) -> list[str]:
        """Statements of a file that tell what is asked."""
        rows = list(self._query("statements-of-file", file=path))
        return [str(row["evidence"]) for row in rows if told(asked.text, str(row["text"]), self.lexis).enough]

    def _teller(
        self, passage: Passage, asked: Passage, tied: Mapping[str, Tie], named: Collection[str]
    ) -> tuple[Teller, Told] | None:
        shared = [self._title(s) for s in passage.subjects if s in asked.subjects]
        how = told(asked.text, passage.text, self.lexis, " ".join(shared))
        if passage.claim in tied:
            return Teller(passage, tied[passage.claim]), how
        about = bool(set(passage.subjects) & set(asked.subjects)) or passage.path in named
        return (Teller(passage, "matter"), how) if about and speaks(passage) and how.enough else None

    def _title(self, node: str) -> str:
        if node not in self._titles:
            self._titles[node] = next((str(row["label"] or "") for row in self._query("describe", node=node)), "")
        return self._titles[node]


def trace(holdings: Holdings, saved: Saved, query: Query, labels: Mapping[str, Both], what: str) -> Trace:
    """Each statement that is meant, with the hops behind it; relations are brought up to date first."""
    what = what.strip()
    if not what:
        raise UsageError("nothing is named to be traced", MEND)
    note = related(holdings, saved, holdings.lexicon)
    if note:
        holdings.notes.append(note)
    tracer = Tracer(holdings, query)
    chains = tuple(chain(tracer.ground(one)) for one in tracer.asked(what))
    return Trace(what, chains, {name: labels[name] for name in sorted(_words(chains) & labels.keys())})


def _words(chains: Iterable[Chain]) -> set[str]:
    """Concepts and classes that a trace speaks of."""
    found: set[str] = set()
    for one in chains:
        passages = [one.asked, *(hop.passage for hop in one.hops if hop.passage), *one.later]
        found |= {name for p in passages for name in (p.kind, p.level)} | {source.level for source in one.sources}
        found |= {name for hop in one.hops for loss in hop.losses for name in loss}
    return found


def _passage(row: Mapping[str, Cell]) -> Passage:
    def local(name: str) -> str:
        return re.split(r"[#/]", str(row[name] or ""))[-1]

    def listed(name: str, mark: str) -> tuple[str, ...]:
        return tuple(filter(None, sorted(str(row[name] or "").split(mark))))

    return Passage(
        evidence=str(row["evidence"]), claim=str(row["claim"]), path=str(row["path"]), line=int(str(row["line"])),
        printed=str(row["printed"]), text=str(row["text"]), kind=local("kind"), agent=str(row["agent"] or ""),
        day=str(row["day"] or ""), item=str(row["item"] or ""), part=local("part"), level=local("level"),
        hops=int(str(row["hops"] or 0)), stance=local("stance"), hedge=str(row["hedge"] or ""),
        conditions=listed("conditions", "\x1f"), subjects=listed("subjects", " "), position=int(str(row["position"])),
    )  # fmt: skip


def _furthest(passages: Sequence[Passage]) -> list[Passage]:
    """The statements that are furthest from the primary source: what a reader meets, and asks about."""
    top = max(map(tier, passages))
    return list({p.evidence: p for p in passages if tier(p) == top}.values())


def _best(found: Iterable[tuple[Teller, Told]]) -> list[Teller]:
    """Of each item of each material the passage that tells most of what is asked."""
    best: dict[tuple[str, str], tuple[Teller, Told]] = {}
    for teller, how in found:
        key = teller.passage.path, teller.passage.item
        if key not in best or (how.numbers, how.share) > (best[key][1].numbers, best[key][1].share):
            best[key] = teller, how
    return [teller for teller, _ in best.values()]
