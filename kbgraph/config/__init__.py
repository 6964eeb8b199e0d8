"""Where a corpus begins, and its settings: `kbgraph.toml`, read strictly."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from kbgraph.errors import ConfigError, UsageError
from kbgraph.model.settings import KINDS, Settings
from kbgraph.store.compact import keep, kept

FILE = "kbgraph.toml"
STATE = ".kbgraph"


def find_root(start: Path) -> Path:
    """The nearest folder, from `start` upward, that holds kbgraph.toml or .kbgraph/; else `start` itself."""
    here = start.absolute()
    for folder in (here, *here.parents):
        if (folder / FILE).is_file() or (folder / STATE).is_dir():
            return folder
    return here


def around(start: Path) -> Path:
    """As `find_root`; UsageError where that would make a knowledge base of a whole disk or of somebody's home."""
    root = find_root(start)
    whole = root == Path(root.anchor) or root in {Path.home(), Path.home().parent}
    if whole and not (root / FILE).is_file() and not (root / STATE).is_dir():
        mend = "go to the folder of the notes or name it with --kb; `kbgraph init --help` says how one is begun"
        raise UsageError(f"{root} is no knowledge base, nor is any folder above it", mend)
    return root


def load(root: Path, compact: Path | None = None) -> Settings:
    """Settings of the corpus at a folder, defaults without a kbgraph.toml; `compact` names a file that keeps them."""
    file = root / FILE
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        data = b""
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}", "make it readable") from error
    source = b"\0".join((data, os.fsencode(root.name), repr(Settings()).encode()))
    plain = kept(compact, source)
    if plain is not None:
        return Settings(**plain)
    from kbgraph.config.schema import parse  # noqa: PLC0415  (a warm start does without pydantic)

    made = parse(data, root.name)
    keep(compact, source, {name: getattr(made, name) for name in Settings.__dataclass_fields__})
    return made


def starting(name: str, topics: Iterable[str], language: str, folders: Mapping[str, Iterable[str]]) -> str:
    """Text of a new kbgraph.toml that says what was recognised, and shows what else may be said."""
    lines = [
        "# Settings of this knowledge base for kbgraph. Every line may be removed; what is missing is recognised.",
        f"name = {_quoted(name)}",
        f"topics = [{', '.join(map(_quoted, topics))}]",
        f"language = {_quoted(language)}  # of briefs: zh, en, or empty for the language of the corpus",
        '# base = "https://example.org/kb/"  # IRIs of this corpus\'s things begin with it',
        '# ignore = ["drafts/**"]  # files that are not read',
        "",
        f"[folders]  # which files are of which kind: {', '.join(KINDS)}",
        *(f"{kind} = [{', '.join(map(_quoted, globs))}]" for kind, globs in folders.items()),
        "",
        "# [labels]  # more words for a concept of the lexicon",
        '# level-second-hand = ["听说"]',
        "",
        "# [checks]  # error, warning, info or off; `kbgraph explain NAME` says what else may be set of a check",
        '# uncarded-citation = "off"',
        '# stale-card = { severity = "warning", days = 90, at-most = 5 }',
        "",
    ]
    return "\n".join(lines)


def _quoted(value: str) -> str:
    plain = re.sub(r"[\x00-\x1f\x7f\ud800-\udfff]", "\ufffd", value)
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'
