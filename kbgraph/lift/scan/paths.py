"""References to files: paths in running text and code spans, links, wikilinks, embeds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from urllib.parse import unquote

from kbgraph.lift.scan import urls
from kbgraph.lift.scan.found import FileRef, RefSyntax
from kbgraph.model.lexicon import fold
from kbgraph.model.settings import DEFAULT_GLOBS
from kbgraph.model.text import Mark

_EXTENSION = r"\.(?:md|markdown|json|jsonl|txt|bib|ya?ml|toml|csv|tsv|ipynb|rst|org|html?|pdf|png|jpe?g|svg|webp)"
_CHAR = r"[^\s\"'`|，。；：！？、（）()【】「」《》“”,;:#]"
_LEAD = re.compile(r"[\w.~-]*/(?:[\w.~-]+/)*$")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+:|//|#|\?")
_BROKEN = re.compile(r"\[([^\[\]\n]{0,200})\]\(\s?([^()<>\n]{1,200}\.\w{1,8}(?:#[^()\s]*)?)\s?\)")
_TEMPLATE = re.compile(r"[<>{}*?…]|\.\.\.")
_VIEW = re.compile(r"\?[\w=&-]*$")


def tops_of(globs: Iterable[tuple[str, str]]) -> frozenset[str]:
    """First folders of the globs that begin with a folder's name: what makes a path one of this corpus."""
    return _tops(tuple(globs))


@lru_cache(maxsize=16)
def _tops(globs: tuple[tuple[str, str], ...]) -> frozenset[str]:
    heads = (glob.split("/")[0] for glob, _ in globs if "/" in glob)
    return frozenset(head for head in heads if head and not _TEMPLATE.search(head))


TOPS = tops_of(DEFAULT_GLOBS)


@lru_cache(maxsize=64)
def _pattern(tops: frozenset[str]) -> re.Pattern[str]:
    """Paths below the top folders, up to the first known extension: text may go on right after it."""
    heads = "|".join(re.escape(top) for top in sorted(tops, key=lambda t: (-len(t), t)))
    return re.compile(rf"(?<![A-Za-z0-9_.-])(?:{heads})/{_CHAR}{{1,240}}?{_EXTENSION}(?![A-Za-z0-9])(?:#([\w%.-]+))?")


def find_file_refs(text: str, marks: tuple[Mark, ...], path: str, tops: frozenset[str] = TOPS) -> tuple[FileRef, ...]:
    """Files named in a text of the file at `path`: below known top folders in text, any relative target of a mark."""
    found = [ref for mark in marks for ref in _of_mark(mark, text, path)]
    if "/" in text:
        own = path.split("/", maxsplit=1)[0] if "/" in path else ""
        found += _in_text(text, marks, tops | {own} if own else tops, {(r.start, r.path) for r in found})
    if "](" in text:
        found += _broken(text, marks, path)
    return tuple(sorted(found)) if len(found) > 1 else tuple(found)


def _in_text(
    text: str, marks: tuple[Mark, ...], tops: frozenset[str], linked: set[tuple[int, str]]
) -> Iterator[FileRef]:
    pages = [(u.start, u.end) for u in urls.find_urls(text)]
    for match in _pattern(tops).finditer(text):
        start = match.start()
        if any(a <= start < b for a, b in pages):
            continue
        lead = _LEAD.search(text[max(0, start - 200) : start]) if text[start - 1 : start] == "/" else None
        start -= len(lead.group()) if lead else 0
        printed = text[start : match.end()]
        target, _, anchor = match.group().partition("#")
        holders = [m for m in marks if m.start <= start and match.end() <= m.end and m.kind != "strong"]
        inner = min(holders, key=lambda m: m.end - m.start, default=None)
        # A link that shows the path that it leads to names it once.
        if inner is None or (inner.start, target) not in linked:
            yield FileRef(
                start, match.end(), printed, "path", target, "", anchor,
                template=bool(_TEMPLATE.search(target)), mark=inner.kind if inner else "",
            )  # fmt: skip


def _of_mark(mark: Mark, text: str, path: str) -> Iterator[FileRef]:
    printed = text[mark.start : mark.end]
    if mark.kind in {"wikilink", "embed"}:
        yield from _wiki(mark, printed, path)
    elif mark.kind in {"link", "image", "html"} and mark.target and not _SCHEME.match(mark.target):
        target, _, anchor = mark.target.partition("#")
        target = _VIEW.sub("", target) if _VIEW.search(target) and "." in target else target
        resolved, outside = resolve(path, unquote(target))
        if resolved and not target.endswith("/"):
            syntax: RefSyntax = "image" if mark.kind == "image" else "link"
            yield FileRef(
                mark.start, mark.end, mark.target, syntax, resolved, "", unquote(anchor), outside,
                bool(_TEMPLATE.search(unquote(target))), False, mark.kind,
            )  # fmt: skip


def _wiki(mark: Mark, printed: str, path: str) -> Iterator[FileRef]:
    """A wikilink by its folded name; one that is written as a path is first taken from its folder."""
    target, _, anchor = mark.target.partition("|")[0].partition("#")
    if not anchor and "^" in target:
        target, _, block = target.partition("^")
        anchor = "^" + block
    name, outside = target.strip(), False
    if name.startswith(("./", "../")):
        name, outside = resolve(path, name)
    name = fold(name.strip("/")).removesuffix(".md")
    if name:
        syntax: RefSyntax = "embed" if mark.kind == "embed" else "wikilink"
        yield FileRef(
            mark.start, mark.end, mark.target or printed, syntax, "", name, anchor.strip(), outside,
            bool(_TEMPLATE.search(name)), False, mark.kind,
        )  # fmt: skip


def _broken(text: str, marks: tuple[Mark, ...], path: str) -> Iterator[FileRef]:
    """Links whose target holds a space: CommonMark reads them as text."""
    for match in _BROKEN.finditer(text):
        target, _, anchor = match[2].partition("#")
        inside = any(m.start <= match.start() and match.end() <= m.end for m in marks if m.kind in {"code", "math"})
        if " " in target and not _SCHEME.match(target) and not inside:
            resolved, outside = resolve(path, unquote(target))
            yield FileRef(*match.span(), match.group(), "link", resolved, "", anchor, outside, broken=True)


def resolve(path: str, target: str) -> tuple[str, bool]:
    """A target relative to the file at `path`, from the corpus root; True when it leaves the corpus."""
    parts = [] if target.startswith("/") else path.split("/")[:-1]
    outside = False
    for part in target.split("/"):
        if part == "..":
            outside = outside or not parts
            parts = parts[:-1]
        elif part not in {"", "."}:
            parts.append(part)
    return ("../" if outside else "") + "/".join(parts), outside
