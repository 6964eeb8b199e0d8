"""What went wrong, as a status and a text that says what to do."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from kbgraph.errors import BrokenError, BusyError, KbgraphError, LateError, StoreError, UnknownError
from kbgraph.serve.desk import Desk
from kbgraph.serve.guard import BODY, BodyTooLargeError

_STATUS: tuple[tuple[type[KbgraphError], int], ...] = (
    (LateError, 504), (BusyError, 503), (StoreError, 500), (BrokenError, 500), (UnknownError, 404),
)  # fmt: skip


class Refused(Exception):  # noqa: N818  (it is an answer)
    """A request that is refused with a status of its own."""

    def __init__(self, status: int, told: str, **headers: str) -> None:
        super().__init__(told)
        self.status = status
        self.told = told
        self.headers = headers


def status(error: KbgraphError) -> int:
    """The status of an error: 400 for the asker's, 5xx for ours."""
    return next((code for kind, code in _STATUS if isinstance(error, kind)), 400)


def plain(told: str, code: int, headers: dict[str, str] | None = None) -> Response:
    """A text that ends in a line break; bytes that are no text are shown."""
    return PlainTextResponse(told.encode("utf-8", "backslashreplace") + b"\n", code, headers)


async def mend(request: Request, error: Exception) -> Response:
    """The answer that tells of an error of this package, or of a refusal; as a page where a browser asks."""
    answer = _told(error)
    if "text/html" not in request.headers.get("accept", ""):
        return answer
    desk: Desk = request.app.state.desk
    told = bytes(answer.body).decode()
    page = await desk.page(request, "message", answer.status_code, told=told, code=answer.status_code)
    page.headers.update({name: answer.headers[name] for name in ("retry-after", "allow") if name in answer.headers})
    return page


def _told(error: Exception) -> Response:
    if isinstance(error, KbgraphError):
        return plain(str(error), status(error), {"retry-after": "2"} if status(error) == 503 else None)
    if isinstance(error, BodyTooLargeError):
        return plain(f"the request is larger than {BODY} bytes", 413)
    if isinstance(error, HTTPException):
        return plain(error.detail, error.status_code, dict(error.headers or {}))
    assert isinstance(error, Refused)
    return plain(error.told, error.status, error.headers)


def fault(_: Request, __: Exception) -> Response:
    """The answer to what nobody thought of: its details stay here."""
    return plain("this is a fault of kbgraph: the server's own output tells more", 500)
