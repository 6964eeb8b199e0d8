"""The pages for people: each is a template, and what its address says."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from kbgraph.serve.desk import Desk
from kbgraph.serve.guard import COOKIE, body, known
from kbgraph.serve.sparql import pairs
from kbgraph.serve.trouble import Refused

PAGES = {
    "/": "dashboard",
    "/findings": "findings",
    "/finding/{fingerprint}": "finding",
    "/works": "works",
    "/sections": "sections",
    "/section": "section",
    "/thing": "thing",
    "/graph": "graph",
    "/brief": "brief",
}
# Page -> what its address may say; the names without a default must be there.
_TAKEN: dict[str, dict[str, str | None]] = {
    "findings": {"check": "", "severity": "", "state": "", "path": "", "offset": "0"},
    "works": {"what": "", "offset": "0"},
    "sections": {"document": ""},
    "section": {"document": None, "number": None},
    "thing": {"node": None, "offset": "0"},
    "brief": {"topic": "", "manifest": ""},
    "drawing": {"query": "", "focus": "", "hops": "1"},
}
_NUMBERS = ("offset", "hops")
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)  # those that hold data say their type


def handler(name: str) -> Callable[[Request], Awaitable[Response]]:
    """The handler of a page."""

    async def answer(request: Request) -> Response:
        desk: Desk = request.app.state.desk
        return await desk.page(request, name, 200, **taken(request, name), **request.path_params)

    return answer


def taken(request: Request, page: str) -> dict[str, str]:
    """What an address says to a page; 400 for what it does not take, or lacks, or what is no number."""
    known = _TAKEN.get(page, {})
    said = {name: value for name, value in pairs(request.url.query) if name != "_lang"}
    for name, value in said.items():
        if name not in known:
            raise Refused(400, f"there is no parameter `{name}` here" + (f": {', '.join(known)}" if known else ""))
        if name in _NUMBERS and not (value.isascii() and value.isdigit() and len(value) < 9):
            raise Refused(400, f"`{name}={value}` is no number")
    found = {name: said.get(name, default) for name, default in known.items()}
    lacking = [name for name, value in found.items() if value is None]
    if lacking:
        raise Refused(400, f"the address must say `{lacking[0]}`")
    return {name: value for name, value in found.items() if value is not None}


async def drawing(request: Request) -> Response:
    """A drawing, whose scripts are let run by their hashes: nothing else in it may be one."""
    desk: Desk = request.app.state.desk
    text = await desk.narrow(desk.site.drawn, desk.lang(request), taken(request, "drawing"))
    return HTMLResponse(text, headers={"content-security-policy": policy(text)})


def policy(text: str) -> str:
    """The policy for a drawing: its own scripts as they stand, styles that vis-network sets, no request."""
    hashes = (hashlib.sha256(script.encode()).digest() for script in _SCRIPT.findall(text))
    scripts = " ".join(f"'sha256-{b64encode(one).decode()}'" for one in hashes)
    return (
        f"default-src 'none'; script-src {scripts or chr(39) + 'none' + chr(39)}; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


async def login(request: Request) -> Response:
    """A page that asks for the token, and the cookie for who knows it."""
    desk: Desk = request.app.state.desk
    token: str = request.app.state.token
    if request.method == "GET":
        return await desk.page(request, "login", 200, wrong=False)
    said = next(
        (value for name, value in pairs((await body(request)).decode("utf-8", "replace")) if name == "token"), ""
    )
    if not token or not known(said, token):
        return await desk.page(request, "login", 403, wrong=True)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, token, httponly=True, samesite="strict", secure=request.url.scheme == "https")
    return answer


async def style(request: Request) -> Response:
    """The style sheet."""
    desk: Desk = request.app.state.desk
    return Response(desk.site.style(), media_type="text/css", headers={"cache-control": "max-age=3600"})
