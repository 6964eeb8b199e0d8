"""What each page of the server tells, gathered from one state of the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from kbgraph.errors import UnknownError
from kbgraph.model.query import Table
from kbgraph.render.pages import Setting, article, groups, render_page
from kbgraph.render.pages import style as style  # noqa: PLC0414  (the servers' way to it)
from kbgraph.workspace import Workspace

if TYPE_CHECKING:
    from kbgraph.workspace.serving import State

Values = dict[str, Any]
PAGE = 200  # rows of a page


def page(state: State, name: str, around: tuple[str, str, str], given: Mapping[str, Any]) -> str:
    """The page of this name in a language, at a path, with what went wrong of late; `given` is what it is to show."""
    lang, path, trouble = around
    held = state.workspace
    gather = _GATHERED.get(name)
    values = {**given, **(gather(held, lang, {**given}) if gather else {})}
    setting = Setting(lang, path, held.settings.name, held.base, held.labels, trouble)
    return render_page(name, setting, values)


def _dashboard(held: Workspace, lang: str, _: Values) -> Values:
    findings = held.query("findings", lang=lang)
    told = held.status()
    titles = {q.name: q.title for q in held.queries.all("check")}
    trend = held.query("findings-trend")
    return {"status": told, "groups": groups(findings), "titles": titles, "runs": trend, "rounds": held.tables.rounds()}


def _findings(held: Workspace, lang: str, given: Values) -> Values:
    filters = {name: str(given.get(name, "")) for name in ("check", "severity", "state", "path")}
    table = held.query("findings", lang=lang, **{name: value for name, value in filters.items() if value})
    shown = table.columns[: table.columns.index("focus")]
    table = replace(table, columns=shown, rows=tuple(row[: len(shown)] for row in table.rows))
    checks = held.queries.all("check")
    about = next((q for q in checks if q.name == filters["check"]), None)
    return {"table": part(table, given), "filters": filters, "checks": checks, "about": about, "most": PAGE}


def _finding(held: Workspace, lang: str, given: Values) -> Values:
    start = str(given["fingerprint"])
    tables = (held.query("findings", lang=lang, fingerprint=start, state=state) for state in (None, "fixed"))
    rows = [row for table in tables for row in table]
    if not rows:
        raise UnknownError(f"no finding has the fingerprint {start}", "/findings lists them")
    row = rows[0]
    checks = {q.name: q for q in held.queries.all("check")}
    history = held.query("finding-history", fingerprint=row["fingerprint"])
    return {"row": row, "about": checks.get(str(row["check"])), "history": _columns(history, "time", "change")}


def _works(held: Workspace, _: str, given: Values) -> Values:
    return {"table": part(containing(held.query("works"), str(given.get("what", ""))), given), "most": PAGE}


def _sections(held: Workspace, _: str, given: Values) -> Values:
    return {"table": held.query("sections", document=given.get("document") or None)}


def _section(held: Workspace, lang: str, given: Values) -> Values:
    document, number = str(given["document"]), str(given["number"])
    sections = held.query("sections", document=document)
    row = next((row for row in sections if row["number"] == number), None)
    if row is None:
        raise UnknownError(f"{document} has no §{number}", "/sections lists them")
    lines = range(int(str(row["line"])), int(str(row["endLine"] or row["line"])) + 1)
    findings = held.query("findings", lang=lang, path=document)
    inside = tuple(r for r, told in zip(findings.rows, findings, strict=True) if told["line"] in lines)
    found = _columns(replace(findings, rows=inside), "severity", "check", "line", "message", "fingerprint")
    return {"row": row, "statements": statements(held, document, number), "found": found}


def section(held: Workspace, document: str, number: str, lang: str) -> dict[str, object]:
    """A section as plain values; the document by its path, the end of it, or its file's name without suffix."""
    known = dict.fromkeys(str(path) for path in held.query("sections").column("path"))
    meant = [path for path in known if document in (path, PurePosixPath(path).stem) or path.endswith(f"/{document}")]
    if len(meant) != 1:
        names = ", ".join(meant or known) or "there is none"
        raise UnknownError(f"`{document}` means {len(meant)} documents", f"documents are {names}")
    told = _section(held, lang, {"document": meant[0], "number": number})
    row = {name: value for name, value in told["row"].items() if value is not None}
    return {
        **row,
        "statements": [
            {name: of[0][name] for name in ("line", "text", "level", "condition") if of[0][name] is not None}
            | {"also": [f"{o['otherPath']}:{o['otherLine']}" for o in of if o["otherPath"]]}
            for of in told["statements"]
        ],
        "findings": told["found"].dicts(),
    }


def statements(held: Workspace, document: str, number: str) -> list[list[Mapping[str, Any]]]:
    """What a section states, in the order of its lines; each statement with a row for each other place that has it."""
    found: dict[object, list[Mapping[str, Any]]] = {}
    for row in held.query("section-claims", document=document, section=number):
        found.setdefault((row["line"], row["claim"]), []).append(row)
    return list(found.values())


def _thing(held: Workspace, _: str, given: Values) -> Values:
    iri = str(given["node"])
    row = next(iter(held.query("describe", node=iri)), None)
    if row is None or not row["kind"]:
        raise UnknownError(f"the graph has nothing called <{iri}>", "/works and /sections list what there is")
    about = held.query("claims-about-work", work=iri) if str(row["kind"]).endswith("/Work") else None
    return {"iri": iri, "row": row, "about": about, "near": part(held.query("neighbours", node=iri), given)}


def _graph(held: Workspace, _: str, __: Values) -> Values:
    return {"maps": held.queries.all("map")}


def _brief(held: Workspace, lang: str, given: Values) -> Values:
    topic, manifest = str(given.get("topic", "")), str(given.get("manifest", ""))
    told = None
    if topic or manifest:
        told = article(held.render(held.brief(topic, manifest), "md", lang))
    return {"told": told, "rounds": held.tables.rounds(), "topics": held.settings.topics}


def part(table: Table, given: Mapping[str, Any]) -> Table:
    """The rows of one page of a table; `total` counts all."""
    start = int(given.get("offset") or 0)
    return replace(table, rows=table.rows[start : start + PAGE], total=len(table.rows))


def containing(table: Table, what: str) -> Table:
    """The rows that hold these words in any cell."""
    wanted = what.casefold()
    return replace(table, rows=tuple(r for r in table.rows if any(wanted in str(cell).casefold() for cell in r)))


def _columns(table: Table, *names: str) -> Table:
    places = [table.columns.index(name) for name in names]
    return replace(table, columns=names, rows=tuple(tuple(row[at] for at in places) for row in table.rows))


def drawn(held: Workspace, lang: str, given: Mapping[str, Any]) -> str:
    """The drawing that an address asks for, as a page of its own."""
    hops = int(given.get("hops") or 1)
    made = held.drawing(given.get("query") or "citations", given.get("focus") or "", hops=min(hops, 5), lang=lang)
    return held.render(made, "html", lang)


_GATHERED: Mapping[str, Callable[[Workspace, str, Values], Values]] = {
    "dashboard": _dashboard, "findings": _findings, "finding": _finding, "works": _works, "sections": _sections,
    "section": _section, "thing": _thing, "graph": _graph, "brief": _brief,
}  # fmt: skip
