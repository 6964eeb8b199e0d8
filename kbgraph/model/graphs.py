"""Names of the graphs that no file is: what kbgraph itself has found."""

from __future__ import annotations

from kbgraph.model.facts import Term, iri


def findings(base: str) -> Term:
    """The graph of what the runs of checks found."""
    return iri(f"{base}findings")


def relations(base: str) -> Term:
    """The graph of how the claims stand to one another."""
    return iri(f"{base}derived/relations")


def texts(base: str) -> Term:
    """The graph of what briefs quote and count, and the texts of their sources do not have."""
    return iri(f"{base}derived/texts")


def found(base: str) -> tuple[Term, ...]:
    """All of them: what they hold depends on who asked before, not on the files alone."""
    return findings(base), relations(base), texts(base)
