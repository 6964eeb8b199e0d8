"""Rows of a check -> findings: place, message in both languages, a fingerprint that lasts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple, get_args
from urllib.parse import unquote

from kbgraph.errors import BrokenError
from kbgraph.model.finding import Finding, Place
from kbgraph.model.keys import key_of
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.prefixes import NS
from kbgraph.model.query import Both, Cell, SavedQuery, Severity, Table

Row = Mapping[str, Cell]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
_HOLE = re.compile(r"\{([^{}]*)\}")
_ADDRESS = re.compile(r"(?:https?://|urn:isbn:)\S+")
_LONGEST = 240  # characters that a value may take in a message; all of it stands in the finding's values


def plain(cell: Cell) -> str:
    """A cell as text, the same in every run: what fingerprints are made of."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return "" if cell is None else str(cell)


def spoken(cell: Cell, lang: str, lexicon: Lexicon | None) -> str:
    """A cell on one line for people: a name of the ontology by its label, a work by its identifier."""
    text = plain(cell).removesuffix(".0") if isinstance(cell, float) else plain(cell)
    if isinstance(cell, str) and text.startswith(NS):
        name = text.removeprefix(NS)
        text = lexicon.pref(name, lang) if lexicon else name
    elif isinstance(cell, str) and _ADDRESS.fullmatch(text):
        text = key_of(text)
    flat = " ".join(text.split())
    return "—" if cell is None else flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1] + "…"


def digest(parts: Iterable[str]) -> str:
    """16 hex digits that stand for these texts in this order."""
    return blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def judged_hash(query: SavedQuery, finding: Finding) -> str:
    """What a waiver was given for: the hash of the judged columns, "" when the check names none."""
    values = dict(finding.values)
    return digest(plain(values.get(name)) for name in query.judged) if query.judged else ""


class Files(NamedTuple):
    """What each file of a corpus is known by, in the order in which files came, and how its names begin."""

    identities: Mapping[str, str] = {}
    base: str = ""

    def lasting(self, cell: str) -> str:
        """A cell as it will be when a file has another name, or the corpus another place."""
        if cell in self.identities:
            return self.identities[cell]
        if not self.base or not cell.startswith(self.base):
            return cell
        path, mark, rest = cell.removeprefix(self.base).partition("#")
        return f":{self.identities.get(unquote(path, errors='surrogateescape'), path)}{mark}{rest}"


NONE = Files()


def findings(
    query: SavedQuery, table: Table, lexicon: Lexicon | None = None, files: Files = NONE
) -> tuple[Finding, ...]:
    """One finding per fingerprint, in the order of the rows; further rows of one become its related places."""
    grouped: dict[tuple[str, ...], list[Row]] = {}
    for row in table:
        grouped.setdefault(tuple(plain(row.get(name)) for name in query.fingerprint), []).append(row)
    prints = _fingerprints(query, grouped, files)
    return tuple(_finding(query, prints[cells], rows, lexicon) for cells, rows in grouped.items())


def _fingerprints(
    query: SavedQuery, grouped: Mapping[tuple[str, ...], Sequence[Row]], files: Files
) -> dict[tuple[str, ...], str]:
    """A fingerprint for each group of cells; of files that are known by the same, the earlier is first."""
    alike: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for cells in grouped:
        alike.setdefault(tuple(map(files.lasting, cells)), []).append(cells)
    came = {path: at for at, path in enumerate(files.identities)} if len(alike) < len(grouped) else {}
    out: dict[tuple[str, ...], str] = {}
    for lasting, several in alike.items():
        ordered = sorted(several, key=lambda cells: ([came.get(cell, -1) for cell in cells], cells))
        for number, cells in enumerate(ordered, 1):
            out[cells] = digest([query.name, *lasting, *([f"#{number}"] if number > 1 else [])])
    return out


def _finding(query: SavedQuery, print_: str, rows: Sequence[Row], lexicon: Lexicon | None) -> Finding:
    row = rows[0]
    path, line = _place(query, row)
    focus = plain(row.get(query.role("focus")))
    end = row.get(query.role("end_line"))
    return Finding(
        check=query.name,
        severity=_severity(query, row),
        path=path,
        line=line,
        end_line=end if isinstance(end, int) and end > line else line,
        focus=focus,
        key=_key(query, row, focus),
        message=_filled(query.message, row, lexicon),
        fix=query.fix,
        fingerprint=print_,
        related=_related(query, rows),
        values=tuple((name, row.get(name)) for name in (c.name for c in query.columns)),
        suggest=_HOLE.sub(lambda hole: plain(row.get(hole[1])), query.suggest) or None,
    )


def _place(query: SavedQuery, row: Row) -> tuple[str, int]:
    line = row.get(query.role("line"))
    return plain(row.get(query.role("path"))), line if isinstance(line, int) else 0


def _key(query: SavedQuery, row: Row, focus: str) -> str | tuple[str, ...]:
    keys = tuple(key_of(plain(row.get(c.name))) for c in query.columns if c.role == "key")
    return (keys[0] if len(keys) == 1 else keys) if keys else key_of(focus)


def _severity(query: SavedQuery, row: Row) -> Severity:
    """The row's own severity when a column has that role and is bound, else the check's."""
    own = row.get(query.role("severity"))
    if own is None:
        return query.severity
    if own not in SEVERITIES:
        raise BrokenError(f"{query.name}: severity `{own}` in a row", f"give one of {', '.join(SEVERITIES)}")
    return SEVERITIES[SEVERITIES.index(own)]


def _filled(message: Both, row: Row, lexicon: Lexicon | None) -> Both:
    def fill(text: str, lang: str) -> str:
        return _HOLE.sub(lambda hole: spoken(row.get(hole[1]), lang, lexicon), text)

    return {lang: fill(text, lang) for lang, text in message.items()}


def _related(query: SavedQuery, rows: Sequence[Row]) -> tuple[Place, ...]:
    """Places that the rows name as related, and the places of all rows but the first; none twice."""
    first = _place(query, rows[0])
    found: dict[tuple[str, int], str] = {}
    for row in rows:
        text = " ".join(plain(row.get(query.role("related_text"))).split())
        path, line = row.get(query.role("related_path")), row.get(query.role("related_line"))
        if path is not None or line is not None:
            at = plain(path) or _place(query, row)[0], line if isinstance(line, int) else 0
            found.setdefault(at, text)
        found.setdefault(_place(query, row), "" if path is not None or line is not None else text)
    return tuple(Place(*place, text) for place, text in found.items() if place != first)
