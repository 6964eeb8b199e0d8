"""The one language of globs: `*` stays within a folder, `**` does not, one without a slash fits in any folder."""

from __future__ import annotations

import re

_WILD = re.compile(r"\*\*/|\*\*|\*|\?")
_WILD_AS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def expression(glob: str) -> str:
    """A glob as a regular expression for whole paths; a slash at its end says nothing."""
    parts, at = [], 0
    bare = glob.rstrip("/")
    for wild in _WILD.finditer(bare):
        parts += [re.escape(bare[at : wild.start()]), _WILD_AS[wild.group()]]
        at = wild.end()
    return ("" if "/" in bare else "(?:.*/)?") + "".join(parts) + re.escape(bare[at:])
