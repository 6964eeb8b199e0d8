"""Pages of the server: templates filled with values, everything of the corpus escaped, no script needed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from urllib.parse import quote

import pyromark
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from kbgraph.model.facts import iri, segment
from kbgraph.model.prefixes import NS, PREFIXES
from kbgraph.model.query import Both, Cell, Table
from kbgraph.render.compiled import COMPILED
from kbgraph.render.escape import visible, web_link
from kbgraph.render.words import heads, said, shown, word

_LINKS = {"check": "/findings?check=", "fingerprint": "/finding/"}
_OURS = {
    "severity": ("error", "warning", "info"),
    "state": ("new", "still", "regressed", "waived", "fixed"),
    "change": ("new", "regressed", "fixed"),
}
_LENGTH = 400  # characters of a cell; the query's own answer has all
_HEADING = re.compile(r"<(/?)h([1-5])>")
_PAGE_OPTIONS = pyromark.Options.ENABLE_TABLES


@dataclass(frozen=True, slots=True)
class Setting:
    """What every page of one knowledge base shares."""

    lang: str
    path: str  # of the page itself
    name: str  # of the knowledge base
    base: str
    labels: Mapping[str, Both]
    trouble: str = ""  # what kept the graph from being brought up to date


@cache
def _environment() -> Environment:
    loader = PackageLoader("kbgraph", "templates/pages")
    return Environment(
        loader=loader, undefined=StrictUndefined, autoescape=True, bytecode_cache=COMPILED,
        trim_blocks=True, lstrip_blocks=True, finalize=_finalize,
    )  # fmt: skip


def _finalize(value: object) -> object:
    """Text with nothing hidden; markup of ours as it is."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def style() -> str:
    """The style sheet of all pages."""
    return _environment().loader.get_source(_environment(), "page.css")[0]  # type: ignore[union-attr]  # (set above)


def render_page(name: str, setting: Setting, values: Mapping[str, object]) -> str:
    """The page of this name."""
    zh = setting.lang == "zh"
    tools: dict[str, object] = {
        "t": lambda en, other: other if zh else en,
        "said": lambda texts: said(texts, setting.lang),
        "prose": lambda texts: prose(said(texts, setting.lang)),
        "word": lambda which: word(which, setting.lang),
        "heads": lambda table: heads(table, setting.lang),
        "cell": lambda column, value: _cell(setting, column, value),
        "node": lambda path: node(setting.base, path),
        "label": lambda name: _label(setting, name),
        "numbers": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
        "trend": trend, "shown": shown, "zh": zh, "s": setting,
    }  # fmt: skip
    return _environment().get_template(f"{name}.html.j2").render({**tools, **values})


def node(base: str, path: str) -> str:
    """The address of a file's page."""
    return f"/thing?node={quote(iri(base + segment(path))[1:-1], safe='')}"


def prose(text: str) -> Markup:
    """A text of a query, with what stands between back-ticks as code."""
    parts = re.split(r"`([^`]+)`", visible(text))
    return Markup("").join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))


def _label(setting: Setting, name: str) -> str:
    local = name.removeprefix(NS).rpartition("/")[2].rpartition("#")[2]
    return said(setting.labels[local], setting.lang) if local in setting.labels else local


def _cell(setting: Setting, column: str, value: Cell) -> Markup:
    """A cell with what it leads to."""
    text = shown(value)
    if not isinstance(value, str) or not text:
        return escape(text)
    if column in _LINKS:
        return _link(_LINKS[column] + quote(text, safe=""), text)
    if column in ("path", "otherPath", "card", "brief", "document"):
        return _link(node(setting.base, text), text)
    if column in _OURS and text in _OURS[column]:
        return escape(word(text, setting.lang))
    for prefix, namespace in PREFIXES.items():
        if text.startswith(namespace):
            local = text.removeprefix(namespace)
            return escape(visible(_label(setting, text) if local in setting.labels else f"{prefix}:{local}"))
    if text.startswith((setting.base, "https://arxiv.org/abs/")) or web_link(text):
        return _link(f"/thing?node={quote(text, safe='')}", text.removeprefix(setting.base))
    return escape(visible(text if len(text) <= _LENGTH else text[:_LENGTH] + " …"))


def _link(address: str, text: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(address, visible(text))


def trend(table: Table) -> list[tuple[str, int, int, int, int]]:
    """Time, findings open after it, new, back and gone of each run, oldest first."""
    rows = [(str(r["time"]), _count(r["new"]), _count(r["back"]), _count(r["gone"])) for r in table]
    still = accumulate(new + back - gone for _, new, back, gone in rows)
    return [(time, left, new, back, gone) for left, (time, new, back, gone) in zip(still, rows, strict=True)]


def _count(cell: Cell) -> int:
    return int(cell) if isinstance(cell, int | float) else 0


def article(markdown: str) -> Markup:
    """A brief as a page has it, its headings one level deeper; all that it quotes was escaped when it was written."""
    html = pyromark.html(markdown, options=_PAGE_OPTIONS)
    return Markup(_HEADING.sub(lambda m: f"<{m[1]}h{int(m[2]) + 1}>", html))  # noqa: S704  (as said)


def groups(findings: Table) -> list[tuple[str, str, int, Sequence[int]]]:
    """Check, severity, all of its findings, and how many are new, still there, back and waived; the gravest first."""
    states = ("new", "still", "regressed", "waived")
    found: dict[tuple[str, str], list[int]] = {}
    for row in findings:
        counts = found.setdefault((str(row["check"]), str(row["severity"])), [0] * len(states))
        if row["state"] in states:
            counts[states.index(str(row["state"]))] += 1
    grades = ("error", "warning", "info")
    ordered = sorted(found.items(), key=lambda pair: (grades.index(pair[0][1]), -sum(pair[1]), pair[0][0]))
    return [(check, severity, sum(counts), counts) for (check, severity), counts in ordered]
