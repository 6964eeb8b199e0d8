"""Citations by label: numeric pointers `[3]`, `[5–7]`, and keys `[@doe2024, p. 3]`, `@doe2024`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kbgraph.lift.scan.found import Pointer
from kbgraph.model.text import Mark

_NUMERIC = re.compile(r"\[(\d{1,3}(?:\s?[,，;；–—~-]\s?\d{1,3}){0,40})\]")
_PIECE = re.compile(r"(\d{1,3})(?:\s?[–—~-]\s?(\d{1,3}))?")
_RANGE_GAP = re.compile(r"\s?[–—~-]\s?")
# Right before the bracket: a short name makes it an index, an operator an interval; longer words lack a space.
_INDEXED = re.compile(r"(?<![A-Za-z])[A-Za-z]{1,3}$|[0-9_)\]∈=×([{$\\^]$")
_KEY = re.compile(r"(?<![\w@.])(-?)@(?:\{([^{}\n]{1,200})\}|([^\W_][\w:.#$%&\-+?<>~/=*]{0,200}))")
_KEY_END = ":.#$%&-+?<>~/=*"
_LOCATOR = re.compile(r"[,:]?\s*([^\[\]@;]{1,80})")
_HIDDEN = frozenset({"code", "math", "link", "image", "wikilink", "embed", "footnote", "html"})


def find_pointers(text: str, marks: tuple[Mark, ...] = (), keys: frozenset[str] = frozenset()) -> tuple[Pointer, ...]:
    """Pointers in order, a range as its members. `keys` are those of the bibliography: the longest known one wins."""
    found: list[Pointer] = []
    if "[" in text:
        found += _numeric(text, marks)
    if "@" in text:
        found += _keys(text, marks, keys)
    return tuple(sorted(found, key=lambda p: (p.start, p.end))) if len(found) > 1 else tuple(found)


def _hidden(start: int, end: int, marks: tuple[Mark, ...]) -> bool:
    return any(m.start <= start and end <= m.end for m in marks if m.kind in _HIDDEN)


def _numeric(text: str, marks: tuple[Mark, ...]) -> Iterator[Pointer]:
    last: Pointer | None = None
    for match in _NUMERIC.finditer(text):
        start, end = match.span()
        follows = last is not None and last.end == start
        if _hidden(start, end, marks) or (not follows and _INDEXED.search(text[max(0, start - 5) : start])):
            continue
        # `[1](target)` and `[1]: target` are links that were not read as such.
        if text[end : end + 1] == "(" or (text[end : end + 1] == ":" and not text[:start].strip()):
            continue
        members = list(_members(match[1]))
        if last and len(members) == 1 and _RANGE_GAP.fullmatch(text, last.end, start):
            members = list(_range(int(last.label) + 1, members[0]))
        for label in members:
            last = Pointer("numeric", str(label), start, end, match.group())
            yield last


def _members(printed: str) -> Iterator[int]:
    """The numbers of a bracket. From 0 counts an interval, so a bracket with 0 gives none."""
    pieces = [(int(low), int(high or low)) for low, high in _PIECE.findall(printed)]
    if all(low > 0 for low, _ in pieces):
        for low, high in pieces:
            yield from _range(low, high)


def _range(low: int, high: int) -> range:
    """Members of a range; one that falls or is longer than any list of citations gives its last only."""
    return range(low, high + 1) if low <= high <= low + 60 else range(high, high + 1)


def _keys(text: str, marks: tuple[Mark, ...], keys: frozenset[str]) -> Iterator[Pointer]:
    for match in _KEY.finditer(text):
        if _hidden(*match.span(), marks):
            continue
        braced, bare = match[2], match[3]
        label = braced or _cut(bare, keys)
        end = match.end() if braced else match.start(3) + len(label)
        bracketed = _bracketed(text, match.start())
        # Outside brackets a handle looks the same: it takes a known key, or a year as keys have.
        if not bracketed and label not in keys and not any(map(str.isdigit, label)):
            continue
        locator = _LOCATOR.match(text, end) if bracketed else None
        yield Pointer(
            "key", label, match.start(), end, text[match.start() : end], locator[1].strip() if locator else ""
        )


def _bracketed(text: str, start: int) -> bool:
    """True when the nearest bracket before a key opens: `[see @a, p. 3; @b]`."""
    return text.rfind("[", max(0, start - 300), start) > text.rfind("]", max(0, start - 300), start)


def _cut(printed: str, keys: frozenset[str]) -> str:
    """The longest known key that a printed run begins with, else the run without the punctuation at its end."""
    for end in range(len(printed), 0, -1):
        if printed[:end] in keys:
            return printed[:end]
    # Inside a key a sign stands alone, except a double hyphen.
    run = re.match(r"[\w]+(?:(?:--|[:.#$%&\-+?<>~/=*])[\w]+)*", printed)
    return run.group() if run else printed.rstrip(_KEY_END)
