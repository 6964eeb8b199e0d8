"""Which lines were understood, and why the others were passed over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kbgraph.model.document import Coverage, Problem
from kbgraph.model.text import Block

_BLANK, _READ = 0, 1
_REASONS = ("code", "comment", "html", "undecodable", "definition twice", "not understood")
_BAD = ("html", "undecodable", "not understood")
_MARKER = r"[>\s]*+(?:(?:[-+*]|\d{1,9}[.)])\s++)?+"
_STRUCTURE = re.compile(rf"{_MARKER}(?:[-+*]|\d{{1,9}}[.)]|\[[ xX]\]|---|\.\.\.|\+\+\+)?[>\s]*")
_DEFINITION = re.compile(rf"{_MARKER}(?:\[[ xX]\]\s+)?\[[^\[\]]+\]:")


def cover(
    lines: Sequence[str],
    *,
    blocks: Iterable[Block],
    defined: Sequence[tuple[int, int]],
    passed: Iterable[tuple[str, int, int]],
    damaged: Iterable[int],
    header: int,
) -> tuple[Coverage, list[Problem]]:
    """Every line that is not blank is understood or counted under a reason."""
    total = len(lines) - (not lines[-1])
    state = bytearray(total + 2)
    state[1 : header + 1] = b"\1" * min(header, total)
    for block in blocks:
        first, last = block.line, block.end_line
        if first == last <= total:
            state[first] = _READ
        else:
            count = min(last, total) + 1 - first
            state[first : first + count] = b"\1" * count
    for first, last in defined:
        state[first : last + 1] = b"\1" * (last - first + 1)
    for reason, first, last in passed:
        count = min(last, total) - first + 1
        state[first : first + count] = bytes([2 + _REASONS.index(reason)]) * count
    for line in damaged:
        if line <= total:
            state[line] = 2 + _REASONS.index("undecodable")
    problems = _rest(lines, state, total, {lines[first - 1].strip() for first, _ in defined})
    return _counted(lines, state, total, problems)


def _rest(lines: Sequence[str], state: bytearray, total: int, defined: set[str]) -> list[Problem]:
    """Lines that no block holds: marks of quotes and lists, a label defined twice (in the same words: no matter)."""
    problems: list[Problem] = []
    at = 0
    while (at := state.find(0, at + 1, total + 1)) > 0:
        line = lines[at - 1]
        if not line or line.isspace():
            continue
        if _STRUCTURE.fullmatch(line):
            state[at] = _READ
        elif _DEFINITION.match(line):
            state[at] = 2 + _REASONS.index("definition twice")
            if line.strip() not in defined:
                problems.append(Problem("duplicate-definition", at, line.strip()[:80]))
        else:
            state[at] = 2 + _REASONS.index("not understood")
    return problems


def _counted(
    lines: Sequence[str], state: bytearray, total: int, problems: list[Problem]
) -> tuple[Coverage, list[Problem]]:
    for number in [number for number, line in enumerate(lines, 1) if not line or line.isspace()]:
        state[number] = _BLANK
    ignored = tuple((reason, n) for i, reason in enumerate(_REASONS, 2) if (n := state.count(i)))
    understood = state.count(_READ)
    bad = sum(count for reason, count in ignored if reason in _BAD)
    if bad > 4 and bad * 10 > 3 * (understood + sum(count for _, count in ignored)):
        detail = ", ".join(f"{count} {reason}" for reason, count in ignored)
        problems.append(Problem("low-coverage", 1, f"{understood} of {total} lines understood; {detail}"))
    return Coverage(total, understood, ignored), problems
