"""What the caller did wrong, and how to mend it."""

from __future__ import annotations


class KbgraphError(Exception):
    """Wrong use or a failed run: `message` says what, `mend` what to do, `code` is the exit code."""

    code = 2

    def __init__(self, message: str, mend: str) -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend

    def __str__(self) -> str:
        return f"{self.message}\n  {self.mend}" if self.mend else self.message


class UsageError(KbgraphError):
    """A command, option or name that does not exist, or a value of the wrong kind."""


class UnknownError(UsageError):
    """A name that nothing has."""


class ConfigError(KbgraphError):
    """`kbgraph.toml` cannot be used as it stands."""


class HeaderError(KbgraphError):
    """The `#+` header of a saved query is missing, broken or says what the query does not."""


class QueryError(KbgraphError):
    """A query that is refused or cannot be parsed."""


class BrokenError(KbgraphError):
    """A check that could not do its work: sanity unmet, time or row limit, unreadable input."""

    code = 3


class LateError(BrokenError):
    """A query that was stopped at its time limit."""


class StoreError(KbgraphError):
    """The store cannot be opened, read or written."""

    code = 3


class BusyError(StoreError):
    """Another process holds the writer's lock."""
