"""What a wrong name may have meant: the nearest identifier or section that there is, told with the finding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from typing import NamedTuple

from kbgraph.model.finding import Finding, Place, Report
from kbgraph.model.keys import key_of
from kbgraph.model.query import Cell

IDS = ("unsourced-id",)
SECTIONS = ("dangling-section",)
_LIKE = 0.85  # of an id: another digit or two


class Known(NamedTuple):
    """A name that there is: as people write it, its title, where it stands."""

    name: str
    title: str
    place: Place


def told(report: Report, rows: Iterable[Mapping[str, Cell]]) -> Report:
    """The report with the nearest names that `rows` (of the view names-near) know."""
    ids: list[Known] = []
    sections: dict[str, list[Known]] = {}
    for row in rows:
        path, line = str(row["path"]), row["line"]
        place = Place(path, line if isinstance(line, int) else 0)
        if row["kind"] == "ids":
            ids.append(Known(key_of(str(row["name"])), "", place))
        else:
            number = str(row["name"]).rpartition("§")[2]
            sections.setdefault(path, []).append(Known(f"§{number}", str(row["title"] or ""), place))
    return replace(report, findings=tuple(_near(found, ids, sections) for found in report.findings))


def _near(found: Finding, ids: list[Known], sections: Mapping[str, list[Known]]) -> Finding:
    values = dict(found.values)
    best = None
    if found.check in IDS:
        best = _by_letters(str(found.key), ids)
    elif found.check in SECTIONS:
        best = _by_number(str(found.key), str(values.get("said") or ""), sections.get(str(values.get("document")), []))
    if best is None:
        return found
    called = f"{best.name} {best.title}".strip()
    where = f"{best.place.path}:{best.place.line}"
    message = {
        "en": f"{found.message.get('en', '')}; nearest: {called} ({where})",
        "zh": f"{found.message.get('zh', '')}；最相近的是 {called}（{where}）",
    }
    related = (best.place._replace(text=called), *found.related)
    return replace(found, message=message, related=related, values=(*found.values, ("nearest", best.name)))


def _by_letters(key: str, known: Iterable[Known]) -> Known | None:
    """The name that is spelled most like a key; None where none is nearly the same."""
    scored = [(SequenceMatcher(None, key, one.name).ratio(), one) for one in known if one.name != key]
    score, best = max(scored, key=lambda pair: (pair[0], pair[1].name), default=(0.0, None))
    return best if score >= _LIKE else None


def _by_number(key: str, said: str, known: Iterable[Known]) -> Known | None:
    """The section that is called what the reference calls its own, else the one whose number is nearest."""
    every = list(known)
    titled = [one for one in every if said and (said in one.title or one.title in said)]
    wanted = _steps(key)

    def distance(one: Known) -> tuple[int, tuple[int, ...], str]:
        steps = _steps(one.name)
        apart = tuple(abs(a - b) for a, b in zip(wanted, steps, strict=False))
        return abs(len(wanted) - len(steps)), apart, one.name

    return min(titled or every, key=distance, default=None)


def _steps(number: str) -> tuple[int, ...]:
    return tuple(int(step) for step in number.strip("§ ").split(".") if step.isdecimal())
