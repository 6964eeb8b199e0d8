"""What settings or a profile say of checks: severity, how many findings may stand, parameters."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from difflib import get_close_matches
from typing import NamedTuple

from kbgraph.errors import ConfigError
from kbgraph.model.settings import CheckSetting

GRADES = ("error", "warning", "info", "off")
FAIL_ON = ("error", "warning", "info", "never")
_OWN = ("severity", "at-most")  # keys of a check that are none of its parameters


class Fault(NamedTuple):
    """What is wrong at one place: the keys that lead there, and what is said of it."""

    steps: tuple[str, ...]
    said: str


def check_settings(table: object) -> tuple[tuple[CheckSetting, ...], list[Fault]]:
    """The settings of a table `name = "error"` or `name = {severity = "error", at-most = 3, days = 9}`, and faults."""
    if not isinstance(table, Mapping):
        return (), [Fault((), 'write `orphan-citation = "warning"` lines')]
    made: list[CheckSetting] = []
    faults: list[Fault] = []
    for name, value in table.items():
        given = value if isinstance(value, Mapping) else {"severity": value}
        wrong = list(_wrong(str(name), given, isinstance(value, Mapping)))
        faults += wrong
        if not wrong:
            params = tuple((key, _text(each)) for key, each in given.items() if key not in _OWN)
            made.append((str(name), str(given.get("severity", "")), int(given.get("at-most", 0)), params))
    return tuple(made), faults


def _wrong(name: str, given: Mapping[str, object], inner: bool) -> Iterator[Fault]:
    for key, value in given.items():
        steps = (name, key) if inner else (name,)
        if key == "severity" and value not in GRADES:
            yield Fault(steps, "input should be 'error', 'warning', 'info' or 'off'")
        elif key == "at-most" and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
            yield Fault(steps, "input should be a number of findings, 0 or more")
        elif isinstance(value, Mapping | list):
            yield Fault(steps, "input should be one value")


def _text(value: object) -> str:
    """A value of TOML as a parameter is written on the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    return value.isoformat() if isinstance(value, dt.date) else str(value)


def profile(text: str, path: str) -> tuple[Mapping[str, object], str]:
    """What a profile says of checks, and its `fail-on`, "" without; ConfigError tells all that is wrong."""
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is no TOML: {error}", "mend it at the place that is named") from error
    fail_on = read.pop("fail-on", "")
    inner = read.pop("checks", None)
    faults = [Fault((key,), _known(key)) for key in read] if inner is not None else []
    if fail_on not in ("", *FAIL_ON):
        faults.append(Fault(("fail-on",), f"input should be {', '.join(map(repr, FAIL_ON))}"))
    table = read if inner is None else inner
    told(table, path, faults)
    return table, str(fail_on)


def told(table: object, path: str, faults: Iterable[Fault] = ()) -> tuple[CheckSetting, ...]:
    """The settings of a table; ConfigError with all that is wrong with it, and with these faults."""
    settings, more = check_settings(table)
    if wrong := [*faults, *more]:
        listed = "".join(f"\n  `{'.'.join(fault.steps)}`: {fault.said}" for fault in wrong)
        mend = 'write `orphan-citation = "warning"`, or `[stale-card]` and `days = 90`'
        raise ConfigError(f"{path} cannot be used:{listed}", mend)
    return settings


def _known(key: str) -> str:
    near = get_close_matches(key, ("checks", "fail-on"), 1)
    return f"is no setting: did you mean `{near[0]}`?" if near else "beside [checks] only `fail-on` may stand"
