"""The TOML file of waivers: read strictly, everything wrong told at once."""

from __future__ import annotations

import datetime as dt
import re
import tomllib

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kbgraph.ask.waivers import Waiver
from kbgraph.errors import ConfigError

_TABLE = re.compile(r"\s*\[\[\s*waiver\s*\]\]")


class _Waiver(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    fingerprint: str = Field("", pattern=r"^(?:[0-9a-f]{16})?$")
    check: str = ""
    path: str = ""
    key: str = ""
    reason: str = Field(min_length=1, pattern=r"\S")
    by: str = ""
    until: dt.date | None = None
    judged: str = ""


def parse_waivers(text: str, path: str) -> tuple[Waiver, ...]:
    """The waivers of a TOML file; ConfigError lists everything wrong with it, by line."""
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is no TOML: {error}", "mend it at the place that is named") from error
    given = plain.pop("waiver", [])
    wrong = [f"unknown key `{key}`: waivers stand under [[waiver]]" for key in plain]
    if not isinstance(given, list):
        raise ConfigError(f"{path}: `waiver` is no list", "write [[waiver]], with two brackets")
    lines = [at for at, line in enumerate(text.split("\n"), start=1) if _TABLE.match(line)]
    made: list[Waiver] = []
    for at, part in enumerate(given):
        line = lines[at] if at < len(lines) else 1
        try:
            made.append(_waiver(line, part))
        except ValidationError as error:
            wrong += [f"line {line}: {_detail(d['loc'], d['msg'])}" for d in error.errors(include_url=False)]
    unclear = [w for w in made if not w.fingerprint and not (w.check and (w.path or w.key))]
    wrong += [f"line {w.line}: names no finding: give `fingerprint`, or `check` with `path` or `key`" for w in unclear]
    if wrong:
        told = "".join(f"\n  {path}: {problem}" for problem in wrong)
        raise ConfigError(f"{path} cannot be used{told}", "`kbgraph explain FINGERPRINT` prints a waiver to paste")
    return tuple(made)


def _waiver(line: int, part: object) -> Waiver:
    read = _Waiver.model_validate(part)
    return Waiver(line, **{name: getattr(read, name) for name in _Waiver.model_fields})


def _detail(loc: tuple[int | str, ...], message: str) -> str:
    return f"`{'.'.join(map(str, loc))}`: {message[:1].lower()}{message[1:]}"
