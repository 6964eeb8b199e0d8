"""The application: addresses and their handlers, behind the guard."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from kbgraph.errors import KbgraphError
from kbgraph.serve import LOOPBACK, pages, saved, sparql, trouble
from kbgraph.serve.desk import Desk
from kbgraph.serve.guard import LOGIN, BodyTooLargeError, Guard
from kbgraph.workspace.site import Site


async def health(_: Request) -> Response:
    """That the server runs."""
    return PlainTextResponse("ok\n")


def routes() -> list[BaseRoute]:
    """All addresses."""
    return [
        Route("/sparql", sparql.endpoint, methods=["GET", "POST"]),
        Route("/data", sparql.data),
        Route("/q", saved.every),
        Route("/q/{name}", saved.answer),
        Route("/openapi.json", saved.openapi),
        *(Route(path, pages.handler(name)) for path, name in pages.PAGES.items()),
        Route("/drawing", pages.drawing),
        Route(LOGIN, pages.login, methods=["GET", "POST"]),
        Route("/style.css", pages.style),
        Route("/health", health),
    ]


def application(site: Site, hosts: tuple[str, ...] = LOOPBACK, token: str = "") -> ASGIApp:
    """The application over a site; `hosts` are the names by which it may be called, () for any."""
    kinds = (KbgraphError, BodyTooLargeError, trouble.Refused, HTTPException)
    app = Starlette(
        routes=routes(),
        exception_handlers={**dict.fromkeys(kinds, trouble.mend), Exception: trouble.fault},
    )
    app.state.desk = Desk(site)
    app.state.token = token
    return Guard(app, hosts, token)
