"""Calendar days in file names and values."""

from __future__ import annotations

import re
from datetime import date

_DAY = re.compile(r"(?<!\d)(\d{4})([-/.年])(\d{1,2})[-/.月](\d{1,2})(?!\d)")
_NAMED = re.compile(r"(?:^|/)(\d{4}-\d{2}-\d{2})(?!\d)")


def _valid(year: str, month: str, day: str) -> str:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return ""


def day_in(value: str) -> str:
    """The first day of the calendar in a text, as `YYYY-MM-DD`; "" when there is none."""
    return next((day for m in _DAY.finditer(value) if (day := _valid(m[1], m[3], m[4]))), "")


def day_of_path(path: str) -> str:
    """The day that opens a file's name, else ""."""
    found = _NAMED.search(path.rpartition("/")[2])
    return _valid(*found[1].split("-")) if found else ""
