"""Saved queries -> the pages that explain them: generated, so that they cannot say what the queries do not do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from kbgraph.ask.params import TYPES
from kbgraph.ask.waivers import BUILT_IN
from kbgraph.model.fault import Fault
from kbgraph.model.query import Param, QueryKind, SavedQuery

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADS: Mapping[QueryKind, str] = {
    "check": "Checks · 检查",
    "view": "Views · 视图",
    "map": "Maps · 图",
    "derive": "Derived facts · 推导",
}
_INTRO = """\
# Saved queries

One `.rq` file each: a header of `#+ ` lines (YAML) and plain SPARQL 1.1 that pastes into any endpoint. A corpus may
have its own `queries/` folder; a file there replaces the shipped one of the same name. `pytest --update` writes this
page.

Keys of the header. All kinds: `title`, `summary` ({en, zh}), `params`, `tags`, `since`, `status`, `timeout`,
`max_rows`. With columns (checks, views, maps): `columns` (per projected variable: `role`, `label` {en, zh}), `order`
(`-name` falls), `limit`, `sample`. Views and checks: `brief`. Checks: `severity`, `why`, `fix`, `message` (one line
with `{column}` holes), `fingerprint`, `judged`, `sanity` (a class, `{ pattern }`, ASK or SELECT that must find
something), `suggest`.

Roles: `focus path line end_line key value measure group time severity related_path related_line related_text source
target edge weight`. A check has `focus`, `path` and `line`, a map `source` and `target`. Types of parameters: %s. A
parameter stands in the text as `?_name`; an optional one without a value stays a free variable, and `BOUND(?_name)`
tells which.
"""


_FAULTS = """\
## Faults · 自测缺陷

`kbgraph check --self-test` plants one fault of each kind in a copy of the corpus that lives in memory, each alone, and
tells which checks notice. A kind is one file, `queries/faults/NAME.rq`, in a corpus's own `queries/` folder as well:
its query finds where the fault can be planted (`path` and `line`: where the finding is expected), its header says how.
Keys beside `title`, `summary`, `since`: `check` (who must find it), `edits`, `allows` (checks that may speak as well),
`needs` (what a corpus lacks in which there is no such place). An edit names a `file` and what becomes of it: `put` a
text in it, `line` with `find` or `match` (an expression) and `put`, `after` a line (`end`: the last) with `put` or
`like` (a line to copy), `drop` a line, `same` as another file, `move` to another name, `raw` bytes. `{column}` is
filled in from the row.

| kind | must be found by | | |
| --- | --- | --- | --- |
"""


def catalogue(queries: Iterable[SavedQuery], examples: Mapping[str, str], faults: Iterable[Fault] = ()) -> str:
    """The page of all queries and kinds of faults; `examples` gives the text of each query's case file."""
    by_kind: dict[str, list[SavedQuery]] = {}
    for query in sorted([*queries, *BUILT_IN], key=lambda query: query.name):
        by_kind.setdefault(query.kind, []).append(query)
    parts = [_INTRO % " ".join(f"`{name}`" for name in TYPES)]
    for kind, head in _HEADS.items():
        if by_kind.get(kind):
            parts += [f"## {head}\n", _table(by_kind[kind])]
            parts += [page(query, examples.get(query.name, ""), level=3) for query in by_kind[kind]]
    kinds = sorted(faults, key=lambda fault: (fault.check, fault.query.name))
    parts += ["".join([_FAULTS, *map(_fault, kinds)])] if kinds else []
    return "\n".join(parts)


def _fault(fault: Fault) -> str:
    title = fault.query.title
    return f"| {fault.query.name} | [{fault.check}](#{fault.check}) | {title['en']} | {title['zh']} |\n"


def _table(queries: Iterable[SavedQuery]) -> str:
    rows = "".join(f"| [{q.name}](#{q.name}) | {_grade(q)} | {q.title['en']} | {q.title['zh']} |\n" for q in queries)
    return f"| name | | | |\n| --- | --- | --- | --- |\n{rows}"


def _grade(query: SavedQuery) -> str:
    return query.severity if query.kind == "check" else ""


def page(query: SavedQuery, example: str = "", level: int = 1) -> str:
    """One query's page in both languages, with the first case of its case file as example."""
    return "\n".join([f"{'#' * level} {query.name}\n", *_said(query), *_facts(query), *_example(example, level)])


def _said(query: SavedQuery) -> Iterator[str]:
    for lang, why, fix in (("en", "Why", "Mend"), ("zh", "缘由", "处理")):
        stop = ". " if lang == "en" else "。"
        yield f"**{query.title[lang].rstrip('.。')}**{stop}{query.summary[lang]}\n"
        yield from (f"{name}: {text[lang]}\n" for name, text in ((why, query.why), (fix, query.fix)) if text)


def _facts(query: SavedQuery) -> Iterator[str]:
    facts = [("severity", _grade(query)), ("tags", ", ".join(query.tags)), ("since", query.since)]
    facts += [("status", query.status if query.status != "stable" else ""), ("brief", query.brief)]
    facts += [("columns", ", ".join(f"`{c.name}`" for c in query.columns)), ("note", query.note)]
    told = [f"{name}: {value}" for name, value in facts if value]
    if told:
        yield f"<sub>{' · '.join(told)}</sub>\n"
    if query.params:
        yield "".join(_param(param) for param in query.params)


def _param(param: Param) -> str:
    given = "optional" if param.optional else f"default `{param.default}`" if param.default is not None else "required"
    allowed = f", one of {', '.join(param.enum)}" if param.enum else f", like `{TYPES[param.type][1]}`"
    told = " · ".join(param.help[lang] for lang in ("en", "zh") if lang in param.help)
    return f"- `-p {param.name}=…` {param.type}, {given}{allowed}{f': {told}' if told else ''}\n"


def _example(text: str, level: int) -> Iterator[str]:
    title, body = first_case(text)
    if body:
        yield f"{'#' * (level + 1)} Example: {title}\n"
        yield body


def first_case(text: str) -> tuple[str, str]:
    """Title and body of a case file's first scenario; its headings become bold lines, fenced text stays as it is."""
    title, lines, fence = "", [], ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or (mark[1].startswith(fence) and line.strip() == mark[1])):
            fence = "" if fence else mark[1]
        elif not fence and line.startswith("# "):
            if title:
                break
            title = line[2:].strip()
            continue
        elif not fence and line.startswith("## "):
            line = f"**{line[3:].strip()}**"  # noqa: PLW2901  (the line as the page shows it)
        if title:
            lines.append(line)
    return title, "\n".join(lines).strip("\n") + "\n" if any(lines) else ""
