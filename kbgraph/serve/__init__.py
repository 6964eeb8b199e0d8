"""The graph for many askers: SPARQL 1.1 Protocol, saved queries and pages over HTTP, tools for agents. Read-only."""

from __future__ import annotations

LOOPBACK = ("127.0.0.1", "localhost", "::1")  # names under which only this machine asks
