"""How the checks of a run are set: severities, parameters, how many findings may stand; held against the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from kbgraph.ask.params import term
from kbgraph.errors import ConfigError, UsageError
from kbgraph.model.query import SavedQuery
from kbgraph.model.settings import CheckSetting
from kbgraph.workspace.saved import Saved, nearest


@dataclass(frozen=True, slots=True)
class Rules:
    """What settings and profile together say, by check."""

    severities: Mapping[str, str] = field(default_factory=dict)  # error, warning, info or off
    params: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    at_most: Mapping[str, int] = field(default_factory=dict)  # findings that do not make a run fail


def rules(saved: Saved, settings: Iterable[CheckSetting]) -> Rules:
    """The rules of these settings, later ones before earlier; ConfigError tells all that no check can be set to."""
    every = {query.name: query for query in saved.all("check")} if settings else {}
    wrong: list[str] = []
    severities: dict[str, str] = {}
    params: dict[str, dict[str, str]] = {}
    at_most: dict[str, int] = {}
    for name, severity, most, given in settings:
        if name not in every:
            wrong.append(f"`{name}` is no check: {nearest(name, every)}")
            continue
        wrong += _faults(every[name], given)
        severities |= {name: severity} if severity else {}
        at_most |= {name: most} if most else {}
        params.setdefault(name, {}).update(given)
    if wrong:
        told = "".join(f"\n  {fault}" for fault in dict.fromkeys(wrong))
        raise ConfigError(f"checks cannot be set so:{told}", "mend [checks] in kbgraph.toml, or the profile")
    return Rules(severities, params, at_most)


def _faults(query: SavedQuery, given: Iterable[tuple[str, str]]) -> Iterator[str]:
    known = {param.name: param for param in query.params}
    for key, value in given:
        if key not in known:
            names = ["severity", "at-most", *known]
            near = get_close_matches(key, names, 1)
            mend = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(names)}"
            yield f"`{query.name}` has no `{key}`: {mend}"
            continue
        try:
            term(known[key], value)
        except UsageError as error:
            yield f"`{query.name}`: {error.message}: {error.mend}"
