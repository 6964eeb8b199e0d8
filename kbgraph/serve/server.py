"""The server itself: an address that is taken, a watcher beside it, and an end in good order."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import closing

import uvicorn
from starlette.types import ASGIApp

from kbgraph.errors import UsageError
from kbgraph.serve import LOOPBACK
from kbgraph.serve.app import application
from kbgraph.workspace.site import Site
from kbgraph.workspace.watching import follow

PENDING = 64 << 10  # bytes of an address and its headers


def run(site: Site, host: str, port: int, *, token: str, watch: bool, ready: Callable[[str], None]) -> None:
    """Serve a site until interrupted, and follow its folder; `ready` is told the address once it can be asked."""
    app = application(site, LOOPBACK if host in LOOPBACK else (), token)
    over = threading.Event()
    follower = threading.Thread(target=follow, args=(site, over, watch), daemon=True)
    follower.start()
    try:
        listen(app, host, port, ready)
    finally:
        over.set()
        follower.join(2)
        site.close()


def listen(app: ASGIApp, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Answer at an address until interrupted."""
    with closing(_bound(host, port)) as taken:
        config = uvicorn.Config(
            app, http="h11", ws="none", loop="asyncio", log_level="warning", access_log=False, server_header=False,
            h11_max_incomplete_event_size=PENDING, timeout_keep_alive=10, timeout_graceful_shutdown=2, backlog=1024,
        )  # fmt: skip
        ready(f"http://{f'[{host}]' if ':' in host else host}:{taken.getsockname()[1]}/")
        uvicorn.Server(config).run(sockets=[taken])


def _bound(host: str, port: int) -> socket.socket:
    try:
        kind = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=kind, backlog=1024)
    except OSError as error:
        raise UsageError(f"{host}:{port} cannot be taken: {error.strerror}", "give another --port") from error
