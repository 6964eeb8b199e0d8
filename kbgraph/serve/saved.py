"""Every saved query as an address: `GET /q/NAME?param=`, in json, csv or as a page."""

from __future__ import annotations

import json
from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response

from kbgraph.model.query import Both, Param, SavedQuery
from kbgraph.serve.accept import content_type
from kbgraph.serve.desk import CUT, Desk, cut_words
from kbgraph.serve.sparql import chosen, pairs
from kbgraph.serve.trouble import Refused

FORMS = {"json": "application/json", "csv": content_type("csv"), "html": content_type("html")}
OWN = ("_format", "_lang", "_offset", "_limit")  # no query's parameter begins so
PAGE = 200  # rows of a page, unless more are asked for
TOTAL = "x-kbgraph-total"
_SCHEMAS: dict[str, dict[str, object]] = {
    "iri": {"type": "string", "format": "iri"},
    "date": {"type": "string", "format": "date"},
    "int": {"type": "integer"},
    "decimal": {"type": "number"},
}


async def answer(request: Request) -> Response:
    """The rows of a saved query; its page with a form where a browser asks."""
    desk: Desk = request.app.state.desk
    query = await desk.narrow(desk.site.query, request.path_params["name"])
    own, given = _split(request)
    form = chosen(request, own.get("_format", ""), FORMS)
    offset = _number(own, "_offset")
    lang = desk.lang(request)
    if form == "html":
        return await _page(request, desk, query, given, offset)
    table, cut = await desk.narrow(desk.site.saved, query.name, given, offset, _number(own, "_limit"))
    found = await desk.narrow(desk.site.written, table, form, lang)
    told = {TOTAL: str(table.total)}
    if found.cut or cut:
        told[CUT] = cut_words(found.cut or cut, found.rows).replace("LIMIT and OFFSET", "_limit and _offset")
    return Response(found.data, headers=told, media_type=FORMS[form])


async def _page(request: Request, desk: Desk, query: SavedQuery, given: dict[str, str], offset: int) -> Response:
    lacking = [p.name for p in query.params if p.needed and p.name not in given]
    table = None
    if not lacking:
        table, _ = await desk.narrow(desk.site.saved, query.name, given, offset, PAGE)
    return await desk.page(request, "query", query=query, given=given, table=table, offset=offset, most=PAGE)


def _split(request: Request) -> tuple[dict[str, str], dict[str, str]]:
    """What is said to this server, and what to the query; a field of a form that was left empty is not said."""
    own: dict[str, str] = {}
    given: dict[str, str] = {}
    for name, value in pairs(request.url.query):
        if name.startswith("_") and name not in OWN:
            raise Refused(400, f"there is no parameter `{name}`: there are {', '.join(OWN)} and the query's own")
        if value:
            (own if name in OWN else given)[name] = value
    return own, given


def _number(own: dict[str, str], name: str) -> int:
    said = own.get(name, "0")
    if not said.isascii() or not said.isdigit() or len(said) > 9:
        raise Refused(400, f"`{name}={said}` is no number")
    return int(said)


async def every(request: Request) -> Response:
    """All saved queries: a page, or their names with titles and parameters."""
    desk: Desk = request.app.state.desk
    queries = await desk.narrow(desk.site.queries)
    form = chosen(request, dict(pairs(request.url.query)).get("_format", ""), ("json", "html"))
    if form == "html":
        return await desk.page(request, "queries", queries=queries)
    told = [
        {"name": q.name, "kind": q.kind, "title": dict(q.title), "params": [p.name for p in q.params]} for q in queries
    ]
    return Response(json.dumps({"queries": told}, ensure_ascii=False), media_type=FORMS["json"])


async def openapi(request: Request) -> Response:
    """The description of all saved queries for machines."""
    desk: Desk = request.app.state.desk
    described = document(await desk.narrow(desk.site.queries), desk.lang(request))
    return Response(json.dumps(described, ensure_ascii=False), media_type=FORMS["json"])


def document(queries: Iterable[SavedQuery], lang: str) -> dict[str, object]:
    """An OpenAPI 3.1 document."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "kbgraph", "version": "1", "description": "Saved queries of a knowledge base; read-only."},
        "paths": {f"/q/{query.name}": {"get": _operation(query, lang)} for query in queries},
    }


def _operation(query: SavedQuery, lang: str) -> dict[str, object]:
    cells = {c.name: {"description": _said(c.label, lang)} for c in query.columns}
    row = {"type": "object", "properties": cells}
    rows = {"type": "array", "items": row}
    whole = {"type": "object", "properties": {"rows": rows, "total": {"type": "integer"}}}
    kinds: dict[str, object] = {"application/json": {"schema": whole}, "text/csv": {"schema": {"type": "string"}}}
    return {
        "operationId": query.name,
        "summary": _said(query.title, lang),
        "description": _said(query.summary, lang),
        "tags": [query.kind],
        "parameters": [*(_parameter(p, lang) for p in query.params), *map(_own, ("_limit", "_offset")), _FORMAT],
        "responses": {
            "200": {"description": "rows", "content": kinds},
            **{code: {"description": told} for code, told in _TROUBLE.items()},
        },
    }


_TROUBLE = {"400": "a parameter is missing or wrong", "404": "no such query", "504": "stopped at its time limit"}
_FORMAT = {"name": "_format", "in": "query", "required": False, "schema": {"enum": list(FORMS)}}


def _own(name: str) -> dict[str, object]:
    return {"name": name, "in": "query", "required": False, "schema": {"type": "integer", "minimum": 0}}


def _parameter(param: Param, lang: str) -> dict[str, object]:
    schema: dict[str, object] = dict(_SCHEMAS.get(param.type, {"type": "string"}))
    schema |= {"enum": [_value(param, one) for one in param.enum]} if param.enum else {}
    schema |= {"default": _value(param, param.default)} if param.default is not None else {}
    return {
        "name": param.name, "in": "query", "required": param.needed,
        "description": _said(param.help, lang), "schema": schema,
    }  # fmt: skip


def _value(param: Param, said: str) -> str | int | float:
    """A value as JSON has it."""
    return int(said) if param.type == "int" else float(said) if param.type == "decimal" else said


def _said(texts: Both, lang: str) -> str:
    return texts.get(lang) or texts.get("en", "")
