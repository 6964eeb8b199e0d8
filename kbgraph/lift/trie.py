"""Many labels as one regular expression, nested by their letters: what a long run looks words up with."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = "[0-9A-Za-z_]"
_WIDE = 16  # branches are tried one after the other, so more of them are told apart by a set first

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
    groups = [chars[at : at + _WIDE] for at in range(0, len(chars), _WIDE)]
    parts = []
    for group in groups:
        inner = "|".join(re.escape(char) + _spelled(node[char], char) for char in group)
        parts.append(inner if len(groups) == 1 else f"(?={_set(group)})(?:{inner})")
    if "" in node:
        parts.append(f"(?!{_WORD})" if _is_word(last) else "")
    return parts[0] if len(parts) == 1 and len(chars) < 2 else f"(?:{'|'.join(parts)})"


def _set(chars: Iterable[str]) -> str:
    return f"[{''.join(map(re.escape, sorted(chars)))}]"


def _is_word(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char == "_")
