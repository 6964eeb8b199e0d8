"""What all handlers share: the site, threads for its slow answers, and the pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import ParamSpec, TypeVar

import anyio
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from kbgraph.workspace.site import Site, Wired

CUT = "x-kbgraph-cut"
THREADS = 8
LANG = "kbgraph-lang"

Given = ParamSpec("Given")
Got = TypeVar("Got")


@dataclass(slots=True)
class Desk:
    """One site at work: questions of anybody wait for one another, and the pages do not wait for them."""

    site: Site
    _wide: anyio.CapacityLimiter = field(init=False)
    _narrow: anyio.CapacityLimiter = field(init=False)

    def __post_init__(self) -> None:
        self._wide, self._narrow = anyio.CapacityLimiter(THREADS), anyio.CapacityLimiter(THREADS)

    async def wide(self, work: Callable[Given, Got], *args: Given.args, **kwargs: Given.kwargs) -> Got:
        """The result of a question that anybody may have written."""
        return await to_thread.run_sync(partial(work, *args, **kwargs), limiter=self._wide)

    async def narrow(self, work: Callable[Given, Got], *args: Given.args, **kwargs: Given.kwargs) -> Got:
        """The result of what this project itself asks."""
        return await to_thread.run_sync(partial(work, *args, **kwargs), limiter=self._narrow)

    def told(self, found: Wired) -> dict[str, str]:
        """The header that tells of a cut; none when the answer is whole."""
        return {CUT: cut_words(found.cut, found.rows)} if found.cut else {}

    def lang(self, request: Request) -> str:
        """The language to speak: as asked, as chosen before, as the browser has it, as the corpus has it."""
        for said in (request.query_params.get("_lang"), request.cookies.get(LANG)):
            if said in ("zh", "en"):
                return said
        wanted = request.headers.get("accept-language", "").lower()
        if wanted.startswith(("zh", "en")):
            return wanted[:2]
        return self.site.writer.settings.lang or "en"

    async def page(self, request: Request, name: str, status: int = 200, /, **values: object) -> Response:
        """A page by the name of its template."""
        lang = self.lang(request)
        text = await self.narrow(partial(self.site.page, name, lang, request.url.path, **values))
        answer = HTMLResponse(text, status)
        if request.query_params.get("_lang") == lang:
            answer.set_cookie(LANG, lang, samesite="lax", httponly=True)
        return answer


def cut_words(cut: str, rows: int) -> str:
    """What a cut means, for a header."""
    why = "the most that is sent" if cut == "rows" else "as many as fit into the most bytes"
    return f"cut after {rows} rows, {why}; there are more: use LIMIT and OFFSET, or narrow the query"
