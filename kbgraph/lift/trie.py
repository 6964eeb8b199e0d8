"""Many labels as one regular expression, nested by their letters: what a long run looks words up with."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = "[0-9A-Za-z_]"
_WIDE = 8  # branches are tried one after the other, so more of them are told apart by a range first

Node = dict[str, "Node"]


def pattern_of(labels: Iterable[str], others: Iterable[str] = ()) -> re.Pattern[str] | None:
    """Matches the longest label where no Latin word runs across its ends, and an empty text before one of `others`."""
    known, firsts = sorted(set(labels)), sorted(set(others))
    latin = [label for label in known if _is_word(label[0])]
    rest = [label for label in known if not _is_word(label[0])]
    parts = [f"(?<!{_WORD}){_spelled(_tree(latin))}"] if latin else []
    parts += [_spelled(_tree(rest))] if rest else []
    parts += [f"(?={_set(firsts)})"] if firsts else []
    if not parts:
        return None
    return re.compile(f"(?={_set({label[0] for label in known} | set(firsts))})(?:{'|'.join(parts)})")


def _tree(labels: list[str]) -> Node:
    root: Node = {}
    for label in labels:
        node = root
        for char in label:
            node = node.setdefault(char, {})
        node[""] = {}
    return root


def _spelled(node: Node, last: str = "") -> str:
    """The expression of what may follow; longer labels are tried first."""
    chars = sorted(char for char in node if char)
    parts = [_branches(node, chars)] if chars else []
    if "" in node:
        parts.append(f"(?!{_WORD})" if _is_word(last) else "")
    return parts[0] if len(parts) == 1 and len(chars) < 2 else f"(?:{'|'.join(parts)})"


def _branches(node: Node, chars: list[str]) -> str:
    """Branches in order of their characters; the halves of many are told apart by a range, so that most are skipped."""
    if len(chars) <= _WIDE:
        return "|".join(re.escape(char) + _spelled(node[char], char) for char in chars)
    halves = chars[: len(chars) // 2], chars[len(chars) // 2 :]
    return "|".join(f"(?=[{re.escape(h[0])}-{re.escape(h[-1])}])(?:{_branches(node, h)})" for h in halves)


def _set(chars: Iterable[str]) -> str:
    return f"[{''.join(map(re.escape, sorted(chars)))}]"


def _is_word(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char == "_")
