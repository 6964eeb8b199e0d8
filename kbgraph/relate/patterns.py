"""Labels as regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable


def either(labels: Iterable[str]) -> str:
    """One of these labels, the longest first; a Latin one stands apart."""
    return "|".join(_bounded(x) for x in sorted(labels, key=lambda x: (-len(x), x))) or "(?!)"


def _bounded(label: str) -> str:
    left = r"(?<![a-z])" if label[0].isascii() and label[0].isalpha() else ""
    right = r"(?![a-z])" if label[-1].isascii() and label[-1].isalpha() else ""
    return f"{left}{re.escape(label)}{right}"
