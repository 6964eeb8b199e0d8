"""Brief -> Markdown in Chinese or English."""

from __future__ import annotations

import re
from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from kbgraph.model.brief import Brief
from kbgraph.render.escape import code, md
from kbgraph.render.words import said

LANGUAGES = ("zh", "en")
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[T-](\d{2}):?(\d{2})(?::?\d{2})?Z?")


def moment(stamp: str) -> str:
    """`2026-10-27T1550` and its like as a person writes it; anything else as it is."""
    found = _MOMENT.fullmatch(stamp)
    return f"{found[1]} {found[2]}:{found[3]}" if found else stamp


@lru_cache(maxsize=1)
def _environment() -> Environment:
    env = Environment(  # noqa: S701 -- Markdown, not HTML: `md` and `code` escape for it
        loader=PackageLoader("kbgraph"), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    env.filters.update(md=md, code=code, moment=moment)
    return env


def render_brief(brief: Brief, lang: str) -> str:
    """The whole brief as Markdown; the same brief gives the same bytes."""
    env = _environment().overlay()
    env.filters = {
        **env.filters,
        "label": lambda name: said(brief.labels[name], lang) if name in brief.labels else name,
    }
    text = env.get_template(f"brief.{lang if lang in LANGUAGES else 'en'}.md.j2").render(b=brief)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
