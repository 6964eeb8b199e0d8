"""Brief -> Markdown in Chinese or English."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby

from jinja2 import Environment, PackageLoader, StrictUndefined

from kbgraph.model.brief import Advice, Brief, Statement
from kbgraph.model.sentences import run_on
from kbgraph.render.compiled import COMPILED
from kbgraph.render.escape import code, md, width
from kbgraph.render.words import said

LANGUAGES = ("zh", "en")
_READABLE = 240  # columns of a terminal, two for a Chinese character
_NUMBERS = re.compile(r"[§\d.\s,，、;；。]*")
_ABBREVIATED = ("..", " etc.", " al.", "e.g.", "i.e.")
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[T-](\d{2}):?(\d{2})(?::?\d{2})?Z?")


def moment(stamp: str) -> str:
    """`2026-10-27T1550` and its like as a person writes it; anything else as it is."""
    found = _MOMENT.fullmatch(stamp)
    return f"{found[1]} {found[2]}:{found[3]}" if found else stamp


def joined(statements: Iterable[Statement]) -> list[Statement]:
    """Statements that stand side by side on one line, with one level, as one, up to a length that is easily read."""
    out: list[Statement] = []
    for one in statements:
        last = out[-1] if out else None
        if last and last[1:4] == one[1:4] and width(last.text) + width(one.text) <= _READABLE:
            conditions = tuple(dict.fromkeys((*last.conditions, *one.conditions)))
            out[-1] = last._replace(
                text=run_on((last.text, one.text)), conditions=conditions, numbers=last.numbers + one.numbers
            )
        else:
            out.append(one)
    return out


def advised(advice: Iterable[Advice]) -> list[list[Advice]]:
    """Advice by the sentence that gives it: one sentence may send an item to several sections."""
    return [list(of) for _, of in groupby(advice, key=lambda a: (a.path, a.line, a.text))]


def tells(text: str) -> bool:
    """True when words of advice say more than the numbers of sections."""
    return _NUMBERS.fullmatch(text) is None


def unstopped(text: str) -> str:
    """A statement without its full stop, which a bracket with the place comes after."""
    if text.endswith("。"):
        return text[:-1]
    return text[:-1] if text.endswith(".") and not text.endswith(_ABBREVIATED) else text


def quoted(text: str, lang: str) -> str:
    """A text in quotation marks that it does not hold itself."""
    inner = "“" in text or "”" in text
    return (f"「{text}」" if lang == "zh" else f"‘{text}’") if inner else f"“{text}”"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    env = Environment(  # noqa: S701 -- Markdown, not HTML: `md` and `code` escape for it
        loader=PackageLoader("kbgraph"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=COMPILED,
    )
    env.filters.update(md=md, code=code, moment=moment, joined=joined, advised=advised, unstopped=unstopped)
    env.tests["telling"] = tells
    return env


def render_brief(brief: Brief, lang: str) -> str:
    """The whole brief as Markdown; the same brief gives the same bytes."""
    env = _environment().overlay()
    env.filters = {
        **env.filters,
        "quoted": lambda text: md(quoted(unstopped(text), lang)),
        "label": lambda name: said(brief.labels[name], lang) if name in brief.labels else name,
    }
    text = env.get_template(f"brief.{lang if lang in LANGUAGES else 'en'}.md.j2").render(b=brief)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
