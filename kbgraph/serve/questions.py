"""What an agent may ask, each answer compact JSON or text, in pages. Knows no protocol."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

from kbgraph.errors import UsageError
from kbgraph.model.prefixes import PREFIXES
from kbgraph.model.query import Cell, SavedQuery, Table
from kbgraph.workspace.site import Site, constructs

ROWS, TEXT = 50, 8_000  # rows and characters of an answer, unless told
MOST = 500  # rows of any answer
FRESH = 1.0  # seconds for which the graph counts as up to date
_SECTION = re.compile(r"(.+?)\s*§\s*([\d.]+)")
WORKED = (
    ("Which cards were collected longest ago?",
     "SELECT ?path ?date WHERE { ?card a kb:PaperCard ; kb:path ?path ; dcterms:date ?date } ORDER BY ?date LIMIT 5"),
    ("What is claimed about a work, where, on what evidence?",
     ("SELECT ?text ?path ?line ?level WHERE { ?claim schema:about ?work ; schema:text ?text . "
     "GRAPH ?file { ?evidence kb:asserts ?claim ; kb:line ?line } ?file kb:path ?path . "
     "OPTIONAL { ?evidence kb:evidenceLevel ?level } } ORDER BY ?path ?line LIMIT 5")),
    ("Which works are named in most files?",
     ("SELECT ?work (COUNT(DISTINCT ?file) AS ?files) WHERE { GRAPH ?file { ?pointer kb:mentions ?work } } "
     "GROUP BY ?work ORDER BY DESC(?files) ?work LIMIT 5")),
)  # fmt: skip


Kind = Annotated[str, Field(pattern="^(check|view|map)?$", description="check, view or map; default: all")]
Words = Annotated[str, Field(description="words in name, title, summary or tags")]
Name = Annotated[str, Field(description="a name of list_queries")]
Params = Annotated[dict[str, str | int | float], Field(description="by name, as list_queries tells them")]
Print = Annotated[str, Field(description="of a finding, at least 6 signs; or the name of a check or a term")]
Said = Annotated[str, Field(description="an id, a number or words of a statement, or its place as path:line")]
Place = Annotated[str, Field(description="such as inference§3.1 or organized/knowledge/inference.md§3.1")]
Since = Annotated[str, Field(description="a round's id, or a day as YYYY-MM-DD")]
Manifest = Annotated[str, Field(description="a manifest's path or its round's id; default: the newest")]
Written = Annotated[str, Field(description="path of the brief within the folder")]
Offset = Annotated[int, Field(ge=0, description="where to go on: next_offset of the answer before")]
Limit = Annotated[int, Field(ge=1, le=MOST, description="rows of this answer")]
Signs = Annotated[int, Field(ge=200, le=4 * TEXT, description="characters of this answer")]
Lang = Literal["en", "zh"]


@dataclass(slots=True)
class Tools:
    """The tools over a site, which is brought up to date before they answer."""

    site: Site
    sync: bool = True
    _seen: float = field(default=float("-inf"))

    def fresh(self) -> None:
        """Bring the graph up to date, unless that was done just now."""
        if time.monotonic() - self._seen > FRESH:
            if self.sync:
                self.site.sync()
            self.site.turn()
            self._seen = time.monotonic()

    def every(self) -> tuple[Callable[..., str], ...]:
        """All tools; each reads, none writes."""
        return (
            self.describe_graph, self.list_queries, self.run_query, self.sparql, self.explain_finding,
            self.trace, self.get_section, self.changes_since, self.brief, self.verify,
        )  # fmt: skip

    def describe_graph(self) -> str:
        """Classes and predicates that the graph really has, with counts, its prefixes, and three worked queries."""
        classes, _ = self.site.table("SELECT ?class (COUNT(*) AS ?n) { ?x a ?class } GROUP BY ?class ORDER BY DESC(?n)")
        verbs, _ = self.site.table("SELECT ?verb (COUNT(*) AS ?n) { ?s ?verb ?o } GROUP BY ?verb ORDER BY DESC(?n)")
        held, _ = self.site.saved("graph-counts", {})
        return _json({
            "counts": {str(row["thing"]): row["number"] for row in held},
            "classes": _counted(classes), "predicates": _counted(verbs), "prefixes": "declared already",
            "graphs": "one named graph a file, named <base + path>; queries see their union; GRAPH ?g tells the file",
            "base": self.site.writer.base,
            "implied": "`?x a kb:Claim` and other classes work though no rdf:type states them",
            "worked": [{"asks": asks, "sparql": text} for asks, text in WORKED],
        })  # fmt: skip

    def list_queries(self, kind: Kind = "", words: Words = "", offset: Offset = 0, limit: Limit = ROWS) -> str:
        """Names, titles and parameters of saved queries, of one kind (check, view, map), or with words in them."""
        found = [q for q in self.site.queries() if kind in ("", q.kind) and _has(q, words)]
        shown = found[offset : offset + _bounded(limit)]
        told = [{"name": q.name, "kind": q.kind, "title": q.title.get("en", ""), **_params(q)} for q in shown]
        return _json({"queries": told, **_next(offset, len(shown), len(found))})

    def run_query(self, name: Name, params: Params | None = None, offset: Offset = 0, limit: Limit = ROWS) -> str:
        """Rows of a saved query; its parameters are checked by type."""
        table, _ = self.site.saved(
            name, {key: str(value) for key, value in (params or {}).items()}, offset, _bounded(limit)
        )
        return _rows(table, offset)

    def sparql(self, query: str, offset: Offset = 0, limit: Limit = ROWS) -> str:
        """Rows of a SELECT or ASK, or the Turtle of a CONSTRUCT or DESCRIBE."""
        if constructs(query):
            return _text(self.site.ask(query).data.decode(), offset, TEXT)
        table, cut = self.site.table(query)
        part = Table(table.columns, table.rows[offset : offset + _bounded(limit)], len(table))
        return _rows(part, offset, **({"note": "more rows were found than are sent: narrow the query"} if cut else {}))

    def explain_finding(self, fingerprint: Print, lang: Lang = "en") -> str:
        """What a finding says, why it matters, how to mend it, when it came; or what a check or a term means."""
        with self.site.looking() as state:
            return state.workspace.explain(fingerprint, lang)

    def trace(self, what: Said, lang: Lang = "en", offset: Offset = 0, limit: Signs = TEXT) -> str:
        """A statement back to its primary source, hop by hop: what each hop lost, how many independent sources."""
        with self.site.looking() as state:
            workspace = state.workspace
            return _text(workspace.render(workspace.trace(what), "text", lang), offset, limit)

    def get_section(self, section: Place, lang: Lang = "en") -> str:
        """A section by `DOCUMENT§NUMBER`, with its statements, their evidence, and the findings in it."""
        found = _SECTION.fullmatch(section.strip())
        if not found:
            raise UsageError(f"`{section}` names no section", "write it as inference§3.1 or organized/x.md§3.1")
        told = self.site.section(found[1], found[2].strip("."), lang)
        for name in ("statements", "findings"):
            told |= _first(name, told[name])
        return _json(told)

    def changes_since(self, since: Since, lang: Lang = "en", offset: Offset = 0, limit: Limit = ROWS) -> str:
        """Findings that came, came back or went since a round (its id) or a day, and what became of a round's files."""
        day = re.fullmatch(r"\d{4}-\d{2}-\d{2}", since)
        files, given = ([], since) if day else self.site.fates(since)
        asked = {"since" if day else "round": given, "lang": lang}
        table, _ = self.site.saved("findings-changed", asked, offset, _bounded(limit))
        return _rows(table, offset, **(_first("files", files) if not day and not offset else {}))

    def brief(
        self,
        topic: str = "",
        manifest: Manifest = "",
        lang: Lang | None = None,
        offset: Offset = 0,
        limit: Signs = TEXT,
    ) -> str:
        """Tonight's brief of a topic, or of a manifest or round, as Markdown in pages of characters."""
        return _text(self.site.brief(topic, manifest, lang or ""), offset, limit)

    def verify(self, path: Written, lang: Lang = "en", offset: Offset = 0, limit: Signs = TEXT) -> str:
        """What is wrong in a written brief of the folder, held against the graph; its last line says what was held."""
        return _text(self.site.verified(path, lang), offset, limit)


def _bounded(limit: int) -> int:
    return max(1, min(limit, MOST))


def _has(query: SavedQuery, words: str) -> bool:
    texts = (query.name, *query.tags, *query.title.values(), *query.summary.values())
    return words.casefold() in " ".join(texts).casefold()


def _params(query: SavedQuery) -> dict[str, object]:
    told = {
        p.name: p.type + (f" of {'|'.join(p.enum)}" if p.enum else "") + ("" if p.needed else "?") for p in query.params
    }
    return {"params": told} if told else {}


def _counted(table: Table) -> dict[str, Cell]:
    return {str(_short(name)): number for name, number in table.rows[:80]}


def _short(cell: Cell) -> Cell:
    """An IRI of a known vocabulary as a query may write it."""
    if isinstance(cell, str) and cell.startswith("http"):
        prefix = next((prefix for prefix, start in PREFIXES.items() if cell.startswith(start)), "")
        return f"{prefix}:{cell.removeprefix(PREFIXES[prefix])}" if prefix else cell
    return cell


def _first(name: str, every: object) -> dict[str, object]:
    """A list, with the number of its elements where only the first are told."""
    told = list(every) if isinstance(every, Iterable) else []
    return {name: told[:MOST], **({f"{name}_total": len(told)} if len(told) > MOST else {})}


def _rows(table: Table, offset: int, **more: object) -> str:
    """Columns once, rows as lists, and where to go on."""
    told: dict[str, object] = {"columns": table.columns, "rows": [[_short(cell) for cell in row] for row in table.rows]}
    return _json({**told, **_next(offset, len(table), table.total), **more})


def _next(offset: int, shown: int, total: int) -> dict[str, int]:
    return {"total": total, **({"next_offset": offset + shown} if offset + shown < total else {})}


def _text(text: str, offset: int, limit: int) -> str:
    end = offset + max(200, min(limit, TEXT * 4))
    more = f"\n\n[{end} of {len(text)} characters; go on with offset={end}]" if end < len(text) else ""
    return text[offset:end] + more


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)


def _plain(value: object) -> object:
    """What JSON has no word for: a tuple of rows is a list already, other iterables become one."""
    return list(value) if isinstance(value, Iterable) else str(value)
