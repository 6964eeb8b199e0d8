"""What header and text of a saved query say of one another."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from kbgraph.ask.grammar import Brackets, Projection, bare_parameters, brackets, form, projection
from kbgraph.ask.names import unknown, untagged
from kbgraph.ask.params import term, used
from kbgraph.ask.run import sanity_text
from kbgraph.ask.safety import Danger, chance, dangers, slow
from kbgraph.ask.schema import Problem
from kbgraph.ask.tokens import Token, code, tokenise
from kbgraph.errors import UsageError
from kbgraph.model.query import Param, QueryKind

_HOLE = re.compile(r"\{([^{}]*)\}")
EDIT_HOLE = re.compile(r"\{([A-Za-z]\w*)\}")  # other braces of an edit are its own: it may write JSON
_NEEDED: Mapping[str, tuple[str, ...]] = {"check": ("focus", "path", "line"), "map": ("source", "target")}
_MANY = ("", "value", "measure", "group", "time", "key")
_MOVING = ("line", "end_line", "related_line", "measure")


def text_dangers(
    tokens: Sequence[Token], kind: QueryKind, terms: Collection[str], strings: Collection[str] = ()
) -> Iterator[Danger]:
    """All that is wrong in the text by itself; `strings` are the parameters of that type."""
    yield from dangers(tokens)
    live = code(tokens)
    yield from unknown(live, terms)
    yield from untagged(live, strings)
    yield from chance(live)
    shape = brackets(live)
    if shape.odd < 0:
        yield from slow(live, shape)
        yield from _form(live, shape, kind)
        for token in bare_parameters(live, shape):
            yield Danger(token.line, f"`{token.text}` stands where only a variable may", "bind it to a variable first")


def _form(live: list[Token], shape: Brackets, kind: QueryKind) -> Iterator[Danger]:
    wanted = "CONSTRUCT" if kind == "derive" else "SELECT"
    found = form(live)
    if found and found != wanted:
        yield Danger(live[0].line, f"a {kind} is a {wanted} query, this is {found}", f"write it as {wanted}")
    for at, token in enumerate(live):
        if token.key in ("LIMIT", "OFFSET") and shape.inside[at] < 0:
            mend = "take it out; `limit:` in the header cuts the display and keeps counts exact"
            yield Danger(token.line, f"{token.key} would make counts wrong", mend)


def mapping(plain: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The value of a key when it is a mapping, else an empty one: other shapes are the schema's business."""
    value = plain.get(key)
    return value if isinstance(value, dict) else {}


def _listed(plain: Mapping[str, Any], key: str) -> list[str]:
    value = plain.get(key)
    return [str(item) for item in value] if isinstance(value, list) else []


def _nearest(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, known, 1)
    return f"is it `{near[0]}`?" if near else f"there are {', '.join(sorted(known))}" if known else "there are none"


def header_problems(plain: Mapping[str, Any], text: str, kind: QueryKind) -> Iterator[Problem]:
    """All that the header says and the text does not, and the other way round."""
    yield from _params(mapping(plain, "params"), used(text))
    if kind == "derive":
        return
    shown = projection(code(tokenise(text)))
    if kind == "fault":
        yield from _edits(plain, shown.names)
        return
    columns = mapping(plain, "columns")
    if shown.star:
        yield Problem(("columns",), "`SELECT *` leaves open what the columns are", "name the variables")
    else:
        yield from _columns(columns, shown.names)
    yield from _roles(columns, kind)
    for key in ("fingerprint", "judged", "order"):
        for at, name in enumerate(_listed(plain, key)):
            bare = name.removeprefix("-") if key == "order" else name
            if bare not in columns:
                yield Problem((key, at), f"`{key}` names `{name}`, which is no column", _nearest(bare, columns))
    yield from _fingerprint(plain, columns, shown)
    yield from _holes(plain, columns)


def _edits(plain: Mapping[str, Any], shown: Collection[str]) -> Iterator[Problem]:
    """Where a fault's finding is expected, and holes of its edits that no column fills."""
    for name in ("path", "line"):
        if name not in shown:
            yield Problem(("edits",), f"`?{name}` is not projected", "it tells where the finding is expected")
    edits = plain.get("edits")
    for at, edit in enumerate(edits if isinstance(edits, list) else ()):
        texts = {key: text for key, text in edit.items() if isinstance(text, str)} if isinstance(edit, dict) else {}
        for key, text in texts.items():
            for hole in EDIT_HOLE.findall(text):
                if hole not in shown:
                    yield Problem(("edits", at, key), f"hole `{{{hole}}}` is no column", _nearest(hole, shown))
        if "line" in texts and not {"find", "match"} & texts.keys():
            yield Problem(("edits", at), "an edit of a line changes nothing", "say what to `find` or `match` there")
        try:
            re.compile(texts.get("match", ""))
        except re.error as error:
            yield Problem(("edits", at, "match"), f"no expression: {error}", "it is one of Python's")


def _columns(columns: Mapping[str, Any], shown: Collection[str]) -> Iterator[Problem]:
    for name in columns:
        if name not in shown:
            yield Problem(("columns", name), f"column `{name}` is not projected", _nearest(name, shown))
    for name in shown:
        if name not in columns:
            mend = f"add `{name}: {{role: …, label: {{en: …, zh: …}}}}`"
            yield Problem(("columns",), f"`?{name}` is projected and has no column", mend)
    doubled = {name for name in shown if list(shown).count(name) > 1}
    for name in sorted(doubled):
        yield Problem(("columns", name), f"`?{name}` is projected twice", "project it once")


def _roles(columns: Mapping[str, Any], kind: QueryKind) -> Iterator[Problem]:
    roles = {name: str(mapping(columns, name).get("role", "")) for name in columns}
    for role in _NEEDED.get(kind, ()):
        if role not in roles.values():
            yield Problem(("columns",), f"no column has the role `{role}`", f"a {kind} needs one")
    for name, role in roles.items() if kind in _NEEDED else ():
        first = next(other for other, r in roles.items() if r == role)
        if role not in _MANY and first != name:
            yield Problem(("columns", name), f"`{name}` and `{first}` both have the role `{role}`", "give it to one")


def _fingerprint(plain: Mapping[str, Any], columns: Mapping[str, Any], shown: Projection) -> Iterator[Problem]:
    for at, name in enumerate(_listed(plain, "fingerprint")):
        if mapping(columns, name).get("role") in _MOVING or name in shown.counts:
            mend = "use columns that say what it is"
            yield Problem(("fingerprint", at), f"`{name}` is a line or a count: it moves", mend)


def _holes(plain: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[Problem]:
    texts: dict[tuple[str, ...], Any] = {("message", lang): text for lang, text in mapping(plain, "message").items()}
    texts[("suggest",)] = plain.get("suggest", "")
    for steps, text in texts.items():
        for hole in _HOLE.findall(text) if isinstance(text, str) else ():
            if hole not in columns:
                yield Problem(steps, f"hole `{{{hole}}}` is no column", _nearest(hole, columns))
        if isinstance(text, str) and re.search(r"[{}]", _HOLE.sub("", text)):
            yield Problem(steps, "a brace without its partner", "write holes as {column}")


def _params(declared: Mapping[str, Any], names: Collection[str]) -> Iterator[Problem]:
    for name in names:
        if name not in declared:
            yield Problem(("params",), f"`?_{name}` is not declared", f"add `{name}: {{type: …}}` to `params`")
    for name in declared:
        part = mapping(declared, name)
        if name not in names:
            yield Problem(("params", name), f"parameter `{name}` is not used", f"write ?_{name}, or take it out")
        if "default" in part and part.get("optional") == "true":
            yield Problem(("params", name), f"`{name}` has a default and is optional", "choose one of both")
        yield from _values(name, part)


def _values(name: str, part: Mapping[str, Any]) -> Iterator[Problem]:
    """Default and allowed values that are not of the parameter's own type."""
    enum = tuple(_listed(part, "enum"))
    given = [*(("enum", value) for value in enum), *((("default", part["default"]),) if "default" in part else ())]
    for key, value in given:
        try:
            term(Param(name, str(part.get("type")), enum=enum), str(value))
        except UsageError as error:
            yield Problem(("params", name, key), error.message, error.mend)
        except KeyError:
            return  # an unknown type is the schema's business


def sanity_dangers(plain: Mapping[str, Any], text: str, terms: Collection[str]) -> Iterator[Problem]:
    """What is wrong with the sanity conditions of a header."""
    for name, what in mapping(plain, "sanity").items():
        if not isinstance(what, str) or not what.strip():
            continue  # the schema says so
        live = code(tokenise(what))
        if live[0].key not in ("SELECT", "ASK", "{") and (len(live) > 1 or live[0].kind not in ("iri", "pname")):
            mend = "write a class, `{ pattern }`, ASK or SELECT"
            yield Problem(("sanity", name), f"`{what}` is nothing to look for", mend)
            continue
        tokens = tokenise(sanity_text(text, what))
        for danger in [*dangers(tokens), *unknown(code(tokens), terms)]:
            yield Problem(("sanity", name), danger.message, danger.mend)
