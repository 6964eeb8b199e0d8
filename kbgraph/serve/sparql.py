"""SPARQL 1.1 Protocol for queries, and the Graph Store Protocol for reading."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from kbgraph.serve.accept import MEDIA, best, content_type, named
from kbgraph.serve.desk import Desk
from kbgraph.serve.guard import body
from kbgraph.serve.trouble import Refused
from kbgraph.workspace.site import constructs, formats

FORM, QUERY, UPDATE = "application/x-www-form-urlencoded", "application/sparql-query", "application/sparql-update"
GRAPHS = ("ttl", "nt", "rdf", "jsonld")
FIELDS = 100


class Asked(NamedTuple):
    """A query as the protocol hands it over; None when there is none."""

    query: str | None
    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    form: str = ""  # `format=` goes before the Accept header, for those who cannot set one


async def asked(request: Request) -> Asked:
    """The query of a request, by GET, by a form, or as it stands."""
    given = pairs(request.url.query)
    if request.method == "POST":
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        sent = await body(request)
        if kind == UPDATE:
            raise Refused(403, "this graph is read-only: change the files")
        if kind not in (FORM, QUERY):
            raise Refused(415, f"send {FORM} or {QUERY}")
        text = _text(sent)
        given += pairs(text) if kind == FORM else [("query", text)]
    if any(name == "update" for name, _ in given):
        raise Refused(403, "this graph is read-only: change the files")
    queries = [value for name, value in given if name == "query"]
    if len(queries) > 1:
        raise Refused(400, "there is more than one query: send one")
    default, named = ([v for n, v in given if n == f"{kind}-graph-uri"] for kind in ("default", "named"))
    form = next((value for name, value in given if name == "format"), "")
    return Asked(queries[0] if queries else None, tuple(default), tuple(named), form)


def pairs(text: str) -> list[tuple[str, str]]:
    """Names and values of a form or of the part of an address behind `?`."""
    try:
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=FIELDS)
    except ValueError as error:
        raise Refused(400, f"the parameters cannot be read: {error}") from error


def _text(sent: bytes) -> str:
    try:
        return sent.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(400, "the request is not UTF-8") from error


def chosen(request: Request, said: str, forms: Iterable[str]) -> str:
    """The form to answer in: what `format` says, else what the header wants; 406 when there is none."""
    offered = tuple(forms)
    form = named(said, offered)
    if not form and said not in MEDIA:  # clients say much that no specification knows: the header is to decide
        form = best(request.headers.get("accept", ""), offered)
    if not form:
        known = ", ".join(MEDIA[one][0] for one in offered)
        raise Refused(406, f"this can be had as {known}")
    return form


async def endpoint(request: Request) -> Response:
    """The answer of a query; without one the description of the service, or the page to write one."""
    desk: Desk = request.app.state.desk
    one = await asked(request)
    if one.query is None:
        if request.method == "POST":
            raise Refused(400, "there is no query")
        form = chosen(request, one.form, (*GRAPHS, "html"))
        if form == "html":
            return await desk.page(request, "sparql", query="", found=None)
        described = await desk.wide(desk.site.described, _own(request), form)
        return Response(described.data, media_type=content_type(form))
    form = chosen(request, one.form, (*formats(one.query), "html"))
    if form == "html":
        return await _shown(request, desk, one, one.query)
    found = await desk.wide(desk.site.ask, one.query, form, one.default, one.named)
    return Response(found.data, headers=desk.told(found), media_type=content_type(form))


async def _shown(request: Request, desk: Desk, one: Asked, query: str) -> Response:
    if constructs(query):
        found = await desk.wide(desk.site.ask, query, "ttl", one.default, one.named)
        return await desk.page(request, "sparql", query=query, found=found.data.decode(), cut=found.cut)
    table, cut = await desk.wide(desk.site.table, query, one.default, one.named)
    return await desk.page(request, "sparql", query=query, found=table, cut=cut)


def _own(request: Request) -> str:
    return str(request.url.replace(query="", fragment=""))


async def data(request: Request) -> Response:
    """A graph as a whole: `?graph=IRI`, or `?default`, which is the union of all."""
    desk: Desk = request.app.state.desk
    given = dict(pairs(request.url.query))
    if ("graph" in given) == ("default" in given):
        raise Refused(400, "name one graph: ?graph=IRI, or ?default for all of them together")
    form = chosen(request, given.get("format", ""), GRAPHS)
    name = given.get("graph", "")
    if "graph" in given and not desk.site.writer.is_graph(name):
        raise Refused(404, f"there is no graph <{name}>")
    found = await desk.wide(desk.site.graph, name, form)
    if name and not found.rows:
        raise Refused(404, f"there is no graph <{name}>")
    return Response(found.data, media_type=content_type(form))
