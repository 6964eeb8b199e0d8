"""What stands before every answer: who may ask, how much at once, and what a browser may do with it."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kbgraph.serve import LOOPBACK

AT_ONCE, WAITING, PATIENCE = 32, 512, 60.0  # answers under way, askers in line, seconds in line
BODY = 512 << 10  # bytes of a request
ADDRESS = 32 << 10  # bytes of what is asked for in the first line
LOGIN = "/login"
OPEN = (LOGIN, "/style.css")  # what is shown to whoever does not say the token yet
COOKIE = "kbgraph-token"
HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class BodyTooLargeError(Exception):
    """A request with more in it than any question needs."""


async def body(request: Request) -> bytes:
    """What was sent along; BodyTooLargeError as soon as it is too much."""
    told = request.headers.get("content-length", "0")
    if not told.isdigit() or int(told) > BODY:
        raise BodyTooLargeError
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > BODY:
            raise BodyTooLargeError
    return bytes(found)


@dataclass(slots=True)
class Guard:
    """Lets in who names this host and, where one is set, knows the token; holds back more than can be answered."""

    app: ASGIApp
    hosts: tuple[str, ...] = LOOPBACK  # () when any name will do, since a token is asked for
    token: str = ""
    at_once: int = AT_ONCE
    waiting: int = WAITING
    _places: anyio.Semaphore = field(init=False)
    _line: int = 0

    def __post_init__(self) -> None:
        self._places = anyio.Semaphore(self.at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refused = self._refused(scope)
        if refused is not None:
            await refused(scope, receive, _with_headers(send))
        else:
            await self._in_turn(scope, receive, _with_headers(send))

    def _refused(self, scope: Scope) -> Response | None:
        if len(scope.get("raw_path") or b"") + len(scope.get("query_string", b"")) > ADDRESS:
            return PlainTextResponse("the address is too long: send the query with POST\n", 414)
        headers = Headers(scope=scope)
        name = headers.get("host", "").rpartition("]")
        host = f"{name[0]}]" if name[1] else name[2].partition(":")[0]
        if self.hosts and host.strip("[]").lower() not in self.hosts:
            return PlainTextResponse("this server does not go by that name\n", 421)
        if self.token and scope["path"] not in OPEN and not any(known(one, self.token) for one in _tokens(headers)):
            if "text/html" in headers.get("accept", ""):
                return RedirectResponse(LOGIN, 303)
            told = {"www-authenticate": 'Bearer realm="kbgraph"'}
            return PlainTextResponse("a token is needed: Authorization: Bearer TOKEN\n", 401, told)
        return None

    async def _in_turn(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._line >= self.waiting:
            await _busy(scope, receive, send)
            return
        self._line += 1
        got = False
        try:
            with anyio.move_on_after(PATIENCE):
                await self._places.acquire()
                got = True
        finally:
            self._line -= 1
        if not got:
            await _busy(scope, receive, send)
            return
        try:
            with anyio.move_on_after(PATIENCE * 2):  # one who reads too slowly gives the place to others
                await self.app(scope, receive, send)
        finally:
            self._places.release()


_busy = PlainTextResponse("too many ask at once: ask again\n", 503, {"retry-after": "2"})


def known(said: str, token: str) -> bool:
    """Whether what was said is the token, told in equal time for all that it is not."""
    return hmac.compare_digest(said.encode("utf-8", "surrogateescape"), token.encode("utf-8", "surrogateescape"))


def _tokens(headers: Headers) -> list[str]:
    kind, _, said = headers.get("authorization", "").partition(" ")
    found = [said.strip()] if kind.lower() == "bearer" else []
    try:
        kept = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        kept = None
    return found + ([kept.value] if kept else [])


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
