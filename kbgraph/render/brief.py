"""Brief -> Markdown in Chinese or English."""

from __future__ import annotations

import re
from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from kbgraph.model.brief import Brief
from kbgraph.model.lexicon import Lexicon

LANGUAGES = ("zh", "en")
# Markdown that would change how a quoted sentence looks; `_` only where it could open or close emphasis.
_MARKUP = re.compile(r"[\\`*\[\]<>|]|(?<!\w)_|_(?!\w)|^(?:#{1,6} |[-+] |~~~)|&(?=#?\w+;)")
_NUMBERED = re.compile(r"^(\d{1,9})([.)])(?= )")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_BREAK = re.compile(r"\s*\n\s*")
_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]")


def one_line(text: str) -> str:
    """The text on one line: between two Chinese characters a line break is nothing, elsewhere a space."""
    return _BREAK.sub(lambda m: _joint(text, m), text.strip())


def _joint(text: str, match: re.Match[str]) -> str:
    around = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return "" if all(_WIDE.match(c) for c in around) else " "


def _visible(text: str) -> str:
    """Control and direction characters shown as their code point."""
    return _CONTROL.sub(lambda m: f"⟨U+{ord(m.group()):04X}⟩", text)


def md(text: str) -> str:
    """Text of a material as plain words in Markdown: nothing in it is markup any more."""
    escaped = _MARKUP.sub(lambda m: "\\" + m.group(), _visible(one_line(text)))
    return _NUMBERED.sub(r"\1\\\2", escaped)


def code(text: str) -> str:
    """A code span that holds the text whatever back-ticks it has."""
    flat = _visible(one_line(text))
    longest = max((len(run) for run in re.findall(r"`+", flat)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    env = Environment(  # noqa: S701 -- Markdown, not HTML: `md` and `code` escape for it
        loader=PackageLoader("kbgraph"), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    env.filters.update(md=md, code=code)
    return env


def render_brief(brief: Brief, lang: str, lexicon: Lexicon) -> str:
    """The whole brief as Markdown; the same brief gives the same bytes."""
    env = _environment().overlay()
    env.filters = {**env.filters, "label": lambda name: lexicon.pref(name, lang)}
    text = env.get_template(f"brief.{lang}.md.j2").render(b=brief)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
