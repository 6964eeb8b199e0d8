"""What does not fit among the graph's cards: found when a check needs it, kept until a file changes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

from kbgraph import resources
from kbgraph import vocab as v
from kbgraph.ask.run import run
from kbgraph.model import graphs
from kbgraph.model.facts import Term, decimal, integer, iri, text
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.query import Cell, Table
from kbgraph.relate.lexis import make
from kbgraph.relate.misfit import MANY, Leaf, Misfit, Paragraph, misfits
from kbgraph.relate.misfit_words import Told
from kbgraph.relate.place_text import Reader
from kbgraph.store.compact import keep, kept
from kbgraph.workspace.deriving import edition, put, statements, triples
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.saved import Saved

READY = "misfits"  # the file that keeps them for the next run
CARDS, TEXTS, NAMED = "cards-to-judge", "texts-to-judge", "works-named-in-cards"
MOST = 12_000  # statements: more take long
_CLASSES = {"card": v.KB_OFF_TOPIC_CARD, "paragraph": v.KB_FOREIGN_PARAGRAPH, "title": v.KB_ALIEN_TITLE}
_TEXTS = {"paragraph": v.KB_FOREIGN_TEXT, "title": v.KB_TITLE_TEXT}
_NAME = re.compile(r"[\w.-]*[^\W\d_][\w.-]*")
_SHORT = 4  # letters: a shorter name is a word like any other

Row = Mapping[str, Cell]


class Blind(NamedTuple):
    """Why what does not fit cannot be told: nothing of it, or nothing that takes many cards; empty where it can."""

    whole: str = ""
    among: str = ""


def judged(holdings: Holdings, saved: Saved, lexicon: Lexicon) -> Blind:
    """Bring what does not fit up to date; gives the reasons where that cannot be done."""
    count = statements(holdings)
    if count > MOST:
        return Blind(f"what does not fit among {count:,} statements is not looked for: more than {MOST:,}")
    graph, stamp = graphs.misfits(holdings.settings.base), _stamp(holdings, saved, lexicon)
    own, held = edition(graph, stamp), triples(holdings, graph)
    if own in held:
        return Blind(among=_few(held, graph))
    found = kept(holdings.compact(READY), stamp.encode())
    if found is None:
        found = sorted(_found(holdings, saved, lexicon))
        keep(holdings.compact(READY), stamp.encode(), found)
    return Blind(put(holdings, graph, [own, *found], "misfits"), _few(found, graph))


def _stamp(holdings: Holdings, saved: Saved, lexicon: Lexicon) -> str:
    """A hash of all that it depends on: the files as they are, how they were read, and how they are judged."""
    files = sorted((graph, sha) for graph, sha in holdings.store.graphs().items() if sha)
    asked = [saved.get(view).text for view in (CARDS, TEXTS, NAMED)]
    told = repr((resources.code_digest("relate"), lexicon.digest, holdings.store.mark, asked, files))
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _found(holdings: Holdings, saved: Saved, lexicon: Lexicon) -> Iterator[str]:
    cards, texts, named = (run(saved.get(view), holdings.store.select, whole=True) for view in (CARDS, TEXTS, NAMED))
    lexis = make(lexicon, resources.glosses(holdings.compact("glosses")))
    told = (Told(str(row["file"]), _split(row["about"], " "), str(row["text"])) for row in texts.dicts())
    found = misfits(leaves(cards, texts, named), told, Reader(lexis.glosses, lexis.small))
    base = holdings.settings.base
    yield f"{graphs.misfits(base)} {v.KB_COMPARED_CARDS} {integer(found.cards)}"
    for one in found.misfits:
        yield from _told(one, base)


# -- from rows to cards


def leaves(cards: Table, texts: Table, named: Table) -> Iterator[Leaf]:
    """The cards with their paragraphs; a line that names another work, by its id or its name, says so."""
    rows = cards.dicts()
    names = {str(row["card"]): _name(row) for row in rows}
    lines = {(str(row["card"]), row["line"]) for row in named.dicts()}
    held = defaultdict(list)
    for row in texts.dicts():
        if str(row["file"]) in names:
            held[str(row["file"])].append(row)
    for row in rows:
        card = str(row["card"])
        others = {name for key, name in names.items() if name and key != card} - {names[card]}
        paragraphs = [_paragraph(part) for part in _parts(held[card])]
        marked = (one._replace(names=_names(one, others, card, lines)) for one in paragraphs)
        title = "" if str(row["named"]) == "true" else str(row["title"] or "")
        yield Leaf(card, _split(row["about"], " "), tuple(sorted(_split(row["topics"], " | "))), title, tuple(marked))


def _split(value: Cell, by: str) -> frozenset[str]:
    return frozenset(filter(None, str(value or "").split(by)))


def _name(row: Row) -> str:
    """What a work is called: what stands before the colon of its title, or after the slash of a repository's."""
    title = str(row["title"] or "").replace("：", ":")
    name = title.rpartition("/")[2] if str(row["named"]) == "true" else title.partition(":")[0] if ":" in title else ""
    return name.strip().casefold() if _NAME.fullmatch(name.strip()) and len(name.strip()) >= _SHORT else ""


def _names(paragraph: Paragraph, others: Iterable[str], card: str, lines: set[tuple[str, Cell]]) -> bool:
    if any((card, line) in lines for line in range(paragraph.line, paragraph.end + 1)):
        return True
    words = {word.casefold().strip(".-") for word in re.findall(r"[A-Za-z0-9_.-]+", paragraph.text)}
    return not words.isdisjoint(others)


def _parts(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Statements by paragraph: those of one line, and those that go on where the one before ends."""
    part: list[Row] = []
    for row in rows:
        if part and int(str(row["line"])) > _end(part):
            yield part
            part = []
        part.append(row)
    if part:
        yield part


def _paragraph(rows: list[Row]) -> Paragraph:
    return Paragraph(int(str(rows[0]["line"])), _end(rows), tuple(str(row["text"]) for row in rows))


def _end(rows: Iterable[Row]) -> int:
    return max(int(str(row["endLine"] or row["line"])) for row in rows)


# -- from misfits to facts


def _told(one: Misfit, base: str) -> Iterator[str]:
    name = blake2b(f"{one.kind} {one.key} {one.text}".encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    me = iri(f"{base}misfit/{name}")
    yield f"{me} {v.RDF_TYPE} {_CLASSES[one.kind]}"
    yield f"{me} {v.KB_MISFIT_OF} {iri(one.key)}"
    yield f"{me} {v.KB_LINE} {integer(one.line)}"
    if one.end > one.line:
        yield f"{me} {v.KB_END_LINE} {integer(one.end)}"
    yield f"{me} {v.KB_KNOWN_SHARE} {decimal(str(one.share))}"
    if one.kind in _TEXTS:
        yield f"{me} {_TEXTS[one.kind]} {text(one.text)}"
    words = (v.KB_TELLING_WORDS, ", ".join(one.words))
    for predicate, value in (words, (v.KB_FILED_UNDER, one.topic), (v.KB_BETTER_TOPIC, one.better)):
        if value:
            yield f"{me} {predicate} {text(value)}"
    if one.near:
        yield f"{me} {v.KB_NEARER_TO} {iri(one.near)}"


def _few(triples: Iterable[str], me: Term) -> str:
    """The reason why many cards cannot be compared, where there are some but not enough."""
    head = f"{me} {v.KB_COMPARED_CARDS} "
    told = next((triple.removeprefix(head) for triple in triples if triple.startswith(head)), '"0"')
    count = int(told.split('"')[1])
    return f"{count} cards with text enough to compare: at least {MANY} are needed" if 0 < count < MANY else ""
