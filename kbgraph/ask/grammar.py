"""The shape of a query, read from its tokens: brackets, projection, patterns of a group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kbgraph.ask.tokens import Token

_CLOSES = {"(": ")", "{": "}", "[": "]"}
FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_TERMS = ("iri", "pname", "var", "bnode", "string", "number")
_COUNTS = {"COUNT", "SUM", "AVG"}


class Brackets(NamedTuple):
    """Index of each opening bracket -> its closing one; the first token that fits none (-1: all do); deepest nesting.

    `inside` gives for each token the index of the bracket around it, -1 at top; `data` the braces of VALUES.
    """

    pairs: dict[int, int]
    odd: int
    depth: int
    inside: list[int]
    data: set[int]


def brackets(live: list[Token]) -> Brackets:
    """The brackets of a query without white space and comments."""
    shape = Brackets({}, -1, 0, [], set())
    stack: list[int] = []
    depth = closed = 0
    for at, token in enumerate(live):
        if token.kind == "punct" and token.text in ")}]":
            if not stack or _CLOSES[live[stack[-1]].text] != token.text:
                return shape._replace(odd=at, depth=depth)
            closed = stack.pop()
            shape.pairs[closed] = at
        shape.inside.append(stack[-1] if stack else -1)
        if token.kind == "punct" and token.text in _CLOSES:
            if token.text == "{" and _heads_values(live, closed if live[at - 1].key == ")" else at - 1):
                shape.data.add(at)
            stack.append(at)
            depth = max(depth, len(stack))
    return shape._replace(odd=stack[-1] if stack else -1, depth=depth)


def _heads_values(live: list[Token], head: int) -> bool:
    """Whether the variable or parenthesis at this index follows VALUES."""
    return head > 0 and live[head - 1].key == "VALUES" and (live[head].kind == "var" or live[head].text == "(")


def form(live: list[Token]) -> str:
    """SELECT, ASK, CONSTRUCT, DESCRIBE: the first word after the prologue; "" when there is none of these."""
    word = next((t for t in live if t.kind == "word" and t.key not in ("PREFIX", "BASE")), None)
    return word.key if word is not None and word.key in FORMS else ""


def has_order(live: list[Token]) -> bool:
    """Whether the outermost query says ORDER BY."""
    inside = brackets(live).inside
    return any(token.key == "ORDER" and inside[at] < 0 for at, token in enumerate(live))


class Projection(NamedTuple):
    """Variables of the outermost SELECT in order, those among them that count or sum, and whether it says `*`."""

    names: tuple[str, ...]
    counts: frozenset[str]
    star: bool


def projection(live: list[Token]) -> Projection:
    """What the outermost SELECT gives back; empty for other forms. `counts` holds those of sub-SELECTs too."""
    shape = brackets(live)
    start = next((at for at, t in enumerate(live) if t.key == "SELECT" and shape.inside[at] == -1), -1)
    if form(live) != "SELECT" or start < 0:
        return Projection((), frozenset(), False)
    names: list[str] = []
    at = start + 1
    while at < len(live) and live[at].key not in ("{", "WHERE", "FROM"):
        if live[at].key == "(" and at in shape.pairs:
            at = shape.pairs[at]
            names.append(live[at - 1].name)
        elif live[at].kind == "var":
            names.append(live[at].name)
        at += 1
    star = any(t.key == "*" and shape.inside[start + i] == -1 for i, t in enumerate(live[start:at]))
    return Projection(tuple(n for n in names if n), frozenset(counted(live, shape)), star)


def counted(live: list[Token], shape: Brackets) -> Iterator[str]:
    """Variables that stand for a count or a sum: `(COUNT(…) AS ?n)` anywhere in the query."""
    for start, end in shape.pairs.items():
        named = live[start].text == "(" and end - start > 3 and live[end - 2].key == "AS"
        if named and any(t.key in _COUNTS for t in live[start:end]):
            yield live[end - 1].name


def patterns(live: list[Token], shape: Brackets, start: int) -> int:
    """Triple patterns in the group that opens at this index, path steps counted singly, filters left out."""
    count, inside_triple, at = 0, False, start + 1
    end = shape.pairs[start]
    while at < end:
        token = live[at]
        jump = _jump(live, shape, at, end)
        if jump > at:
            at, inside_triple = jump, False
            continue
        if token.key in ("{", "}", ".") or (token.kind == "word" and token.key not in ("A", "TRUE", "FALSE")):
            inside_triple = False
        elif not inside_triple:
            count, inside_triple = count + 1, True
        elif token.key in (",", "/", "[") or (token.key == ";" and live[at + 1].text not in ".;}]"):
            count += 1
        at += 1
    return count


def _jump(live: list[Token], shape: Brackets, at: int, end: int) -> int:
    """Index behind a part of a group that holds no pattern (filter, BIND, VALUES, head of a sub-SELECT); 0 if none."""
    key = live[at].key
    if key in ("FILTER", "BIND", "VALUES", "HAVING"):
        opens = next((i for i in range(at, end) if live[i].text in ("(", "{")), at)
        behind = shape.pairs.get(opens, at) + 1
        data = key == "VALUES" and live[opens].text == "(" and behind < end and live[behind].text == "{"
        return shape.pairs[behind] + 1 if data else behind
    if key == "SELECT":
        return next((i for i in range(at, end) if live[i].text == "{"), end)
    if key in ("GROUP", "ORDER"):
        return next((i for i in range(at, end) if live[i].text == "}"), end)
    return at + 2 if key == "GRAPH" else 0


def absences(live: list[Token], shape: Brackets) -> Iterator[tuple[Token, int]]:
    """Each NOT EXISTS and MINUS with the number of patterns in its group."""
    for at, token in enumerate(live[:-1]):
        absent = token.key == "MINUS" or (token.key == "EXISTS" and at > 0 and live[at - 1].key == "NOT")
        if absent and at + 1 in shape.pairs and live[at + 1].text == "{":
            yield token, patterns(live, shape, at + 1)


def bare_parameters(live: list[Token], shape: Brackets) -> Iterator[Token]:
    """Parameters where only a variable may stand: projected, after AS, in VALUES, bare in GROUP or ORDER BY."""
    clause = ""
    for at, token in enumerate(live):
        if token.kind == "word" and token.key in ("SELECT", "BY", "VALUES", "DESCRIBE"):
            clause = token.key
        elif token.key in ("{", "WHERE", "HAVING", "LIMIT", "OFFSET"):
            clause = ""
        if token.kind == "var" and token.name.startswith("_"):
            around = shape.inside[at]
            bare = around < 0 or live[around].text != "(" or clause == "VALUES"
            if live[at - 1].key == "AS" or (clause and bare):
                yield token
