"""A first look at a folder: which kinds of files it holds, of what topics, in what language."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from kbgraph import config
from kbgraph.errors import UsageError
from kbgraph.lift import kind_of
from kbgraph.model.settings import DEFAULT_GLOBS, Entry, Settings, Skipped
from kbgraph.workspace.files import ignoring, read_file, scan

SAMPLE = 40  # files whose text tells the language
CHINESE = re.compile(r"[\u3400-\u9fff]")
LATIN = re.compile(r"[A-Za-z]{2,}")


class Survey(NamedTuple):
    """What was seen, as the text of a kbgraph.toml and as lines for a person."""

    file: Path
    text: str
    lines: tuple[str, ...]


def survey(folder: str | Path) -> Survey:
    """Look at a folder; nothing is written."""
    root = Path(folder).absolute()
    if not root.is_dir():
        raise UsageError(f"{folder} is no folder", "name the folder that holds the notes")
    seen = scan(root)
    entries = seen.listing.entries
    by_kind: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        by_kind[kind_of(entry.path, Settings())].append(entry.path)
    language = _language(root, entries)
    topics = _topics(root, by_kind)
    folders = {kind: globs for kind in sorted(by_kind) if (globs := _globs(by_kind[kind], kind))}
    text = config.starting(root.name or "kb", topics, language, folders)
    lines = (*_told(by_kind), *_spoken(topics, language), *_passed(seen.listing.skipped, seen.others))
    return Survey(root / config.FILE, text, lines)


def _globs(paths: Iterable[str], kind: str) -> list[str]:
    """The usual globs of a kind that match here."""
    every = list(paths)
    return [g for g, k in DEFAULT_GLOBS if k == kind and any(map(ignoring([g]), every))]


def _language(root: Path, entries: tuple[Entry, ...]) -> str:
    """`zh` when much of a sample is Chinese, else `en`; "" when there is no text."""
    texts = [e for e in entries if not e.path.endswith((".json", ".bib", ".tsv"))]
    step = max(1, len(texts) // SAMPLE)
    chinese = latin = 0
    for entry in texts[::step][:SAMPLE]:
        found = read_file(root, entry.path)
        text = "" if isinstance(found, Skipped) else found[0][:20_000].decode("utf-8", "ignore")
        chinese += len(CHINESE.findall(text))
        latin += len(LATIN.findall(text))
    # A Chinese sentence is full of Latin names: one word in three is already enough to call it Chinese.
    return "" if not (chinese or latin) else "zh" if chinese > latin / 2 else "en"


def _topics(root: Path, by_kind: dict[str, list[str]]) -> list[str]:
    """Topics that manifests name, then the names of the knowledge documents."""
    found: Counter[str] = Counter()
    for path in by_kind.get("manifest", ()):
        data = read_file(root, path)
        topic = None if isinstance(data, Skipped) else _stated(data[0])
        found.update([topic] if topic else [])
    stems = [PurePosixPath(path).stem for path in by_kind.get("knowledge", ())]
    return list(dict.fromkeys([*sorted(found), *sorted(stems)]))


def _stated(data: bytes) -> str:
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return ""
    topic = said.get("topic") if isinstance(said, dict) else ""
    return topic.strip() if isinstance(topic, str) else ""


def _told(by_kind: dict[str, list[str]]) -> Iterator[str]:
    yield "recognised by place and name:"
    for kind, paths in sorted(by_kind.items()):
        folders = Counter(str(PurePosixPath(path).parent) for path in paths)
        shown = ", ".join(f"{folder}/ {number:,}" for folder, number in folders.most_common(4))
        more = f", and {len(folders) - 4} more folders" if len(folders) > 4 else ""
        hint = " (told apart by their form when they are read)" if kind == "note" else ""
        yield f"  {len(paths):>7,}  {kind}{hint}: {shown}{more}"
    if not by_kind:
        yield "  nothing: there is no Markdown, text, JSON or BibTeX file here"


def _spoken(topics: list[str], language: str) -> Iterator[str]:
    yield f"topics: {', '.join(topics) or 'none named by a manifest or a knowledge document'}"
    yield f"language: {language or 'none'}"


def _passed(skipped: Iterable[Skipped], others: Iterable[tuple[str, int]]) -> Iterator[str]:
    yield from (f"not read: {one.path}: {one.reason}" for one in skipped)
    told = ", ".join(f"{number:,} {suffix or 'without suffix'}" for suffix, number in others)
    if told:
        yield f"files of other kinds: {told}"
