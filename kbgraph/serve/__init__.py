"""The graph for many askers: SPARQL 1.1 Protocol, saved queries and pages over HTTP, tools for agents. Read-only."""

from __future__ import annotations
