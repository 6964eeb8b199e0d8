"""SPARQL as tokens: what is a string, an IRI or a comment is decided once, here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal["space", "comment", "iri", "string", "lang", "var", "bnode", "pname", "number", "word", "punct", "error"]

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_NAME = f"{_LETTERS}_0123456789"


def _one_of(chars: str) -> str:
    """A class of these ASCII characters and of every character from U+00A1 on."""
    # Those all count as letters: an engine that knows better refuses one, none skips it. The class names what is left
    # out, since an expression with classes up to U+10FFFF takes a tenth of a second to be made ready.
    return f"[^{''.join(re.escape(chr(code)) for code in range(0xA1) if chr(code) not in chars)}]"


_BASE = _one_of(_LETTERS)
_VAR = _one_of(_NAME)
_CHAR = _one_of(f"{_NAME}-")
_FOLLOWS = _one_of(f"{_NAME}-:%\\")
_PLX = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"
_UCHAR = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
_ECHAR = rf"\\[tbnrf\"'\\]|{_UCHAR}"

# A name's prefix is held to 200 letters, so that a text of `a.a.a.…` cannot make the scan quadratic.
_GRAMMAR: tuple[tuple[Kind, str], ...] = (
    ("space", r"[ \t\r\n]+"),
    ("comment", r"#[^\r\n]*"),
    ("iri", rf"<(?:[^<>\"{{}}|^`\\\x00-\x20]|{_UCHAR})*>"),
    ("string", rf"'''(?:'{{0,2}}(?:[^'\\]|{_ECHAR}))*+'''|\"\"\"(?:\"{{0,2}}(?:[^\"\\]|{_ECHAR}))*+\"\"\""),
    # A short string never starts where a long one does: an unclosed long string is an error, not two strings.
    ("string", rf"(?!''')'(?:[^'\\\n\r]|{_ECHAR})*+'|(?!\"\"\")\"(?:[^\"\\\n\r]|{_ECHAR})*+\""),
    ("lang", r"@[A-Za-z]+(?:-[A-Za-z0-9]+)*"),
    ("var", rf"[?$]{_VAR}+"),
    ("bnode", rf"_:{_VAR}(?:{_CHAR}|\.+(?={_CHAR}))*+"),
    (
        "pname",
        (
            rf"(?:{_BASE}(?:{_CHAR}|\.(?={_one_of(f'{_NAME}-.')})){{0,200}})?:"
            rf"(?:(?:{_one_of(f'{_NAME}:')}|{_PLX})(?:{_one_of(f'{_NAME}-:')}|{_PLX}|\.+(?={_FOLLOWS}))*+)?"
        ),
    ),
    ("number", r"(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)[eE][+-]?[0-9]+|[0-9]*\.[0-9]+|[0-9]+"),
    ("word", rf"{_one_of(f'{_LETTERS}_')}{_VAR}*"),
    ("punct", r"\^\^|&&|\|\||!=|<=|>=|<<|>>|[{}()\[\].,;*/|^+?!=<>-]"),
    ("error", r"(?s:.)"),
)
_TOKEN = re.compile("|".join(f"(?P<k{at}>{pattern})" for at, (_, pattern) in enumerate(_GRAMMAR)))


class Token(NamedTuple):
    """A stretch of the query as written, and the line it starts on."""

    kind: Kind
    text: str
    line: int

    @property
    def key(self) -> str:
        """A word in capitals, a mark as written, "" for all else: what keywords are compared by."""
        if self.kind == "word":
            return self.text.upper()
        return self.text if self.kind == "punct" else ""

    @property
    def name(self) -> str:
        """A variable's name without its sign, "" for all else."""
        return self.text[1:] if self.kind == "var" else ""


@lru_cache(maxsize=256)
def tokenise(text: str) -> tuple[Token, ...]:
    """The whole text as tokens; their texts joined give it back. What fits nowhere is a token of kind `error`."""
    out: list[Token] = []
    line = 1
    for match in _TOKEN.finditer(text):
        piece = match.group()
        out.append(Token(_GRAMMAR[int((match.lastgroup or "k0")[1:])][0], piece, line))
        line += piece.count("\n")
    return tuple(out)


def code(tokens: Iterable[Token]) -> list[Token]:
    """The tokens that an engine sees: no white space, no comments."""
    return [token for token in tokens if token.kind not in ("space", "comment")]


def replace(text: str, terms: Mapping[str, str]) -> str:
    """The text with each variable `?name` of `terms` replaced by its term; `BOUND(?name)` of one becomes `true`."""
    if not terms:
        return text
    tokens = tokenise(text)
    out = [terms.get(token.name, token.text) if token.kind == "var" else token.text for token in tokens]
    for at, token in enumerate(tokens[1:], start=1):
        if token.name in terms and tokens[at - 1].text.endswith("<"):
            out[at] = f" {out[at]}"  # `?a<?_x` must not become `?a<<iri>`
    live = [at for at, token in enumerate(tokens) if token.kind not in ("space", "comment")]
    for a, b, c, d in zip(live, live[1:], live[2:], live[3:], strict=False):
        shape = tokens[a].key == "BOUND" and tokens[b].key == "(" and tokens[d].key == ")"
        if shape and tokens[c].name in terms:
            out[a : d + 1] = ["true", *[""] * (d - a)]
    return "".join(out)


def prefixes(live: list[Token]) -> dict[str, str]:
    """Declared prefixes, without colon, and the IRIs they stand for."""
    found: dict[str, str] = {}
    for word, name, target in zip(live, live[1:], live[2:], strict=False):
        if word.key == "PREFIX" and name.kind == "pname" and target.kind == "iri":
            found[name.text[:-1]] = target.text[1:-1]
    return found


def expand(token: Token, declared: Mapping[str, str]) -> str:
    """The IRI that an `iri` or `pname` token names; "" when its prefix is not declared."""
    if token.kind == "iri":
        return token.text[1:-1]
    prefix, _, local = token.text.partition(":")
    return declared[prefix] + re.sub(r"\\(.)", r"\1", local) if prefix in declared else ""
