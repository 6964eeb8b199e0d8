"""Edits of files as bytes: nothing is written, a file that does not allow an edit says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from kbgraph.model.fault import Edit

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BREAK = re.compile(r"(?:\r\n|\r|\n)?$")

Files = dict[str, bytes | None]  # path -> what is in it, None for a file that is gone
Read = Callable[[str], bytes | None]


class Unfit(Exception):  # noqa: N818  (no error: the next place is tried)
    """The place does not take the edit: its text is not what the graph says of it."""


def operate(edits: Iterable[Edit], read: Read) -> Files:
    """The files as they are after the edits, one after the other; Unfit when one cannot be made."""
    files: Files = {}

    def now(path: str) -> bytes:
        data = files[path] if path in files else read(path)
        if data is None:
            raise Unfit(path)
        return data

    for edit in edits:
        if edit.move:
            files[edit.move], files[edit.file] = now(edit.file), None
        elif edit.same:
            files[edit.file] = now(edit.same)
        elif edit.raw:
            files[edit.file] = edit.raw.encode("latin-1")
        elif edit.line or edit.after or edit.drop:
            files[edit.file] = _text_edited(now(edit.file), edit)
        else:
            files[edit.file] = edit.put.encode()
    return files


def _text_edited(data: bytes, edit: Edit) -> bytes:
    try:
        lines = _LINES.findall(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise Unfit(edit.file) from error
    if edit.after:
        _insert(lines, edit)
    elif edit.drop:
        del lines[_number(edit.drop, len(lines)) - 1]
    elif edit.line == "*":
        at = next((at for at, line in enumerate(map(_bare, lines)) if _replaced(line, edit) != line), -1)
        _replace(lines, at, edit)
    else:
        _replace(lines, _number(edit.line, len(lines)) - 1, edit)
    return "".join(lines).encode()


def _insert(lines: list[str], edit: Edit) -> None:
    at = len(lines) if edit.after == "end" else _number(edit.after, len(lines), lowest=0)
    made = edit.put
    if edit.like:
        model = _bare(lines[_number(edit.like, len(lines)) - 1])
        made = _replaced(model, edit) if edit.find or edit.match else model
        if (edit.find or edit.match) and made == model:
            raise Unfit(edit.file)
    if at and lines[at - 1] == _bare(lines[at - 1]):
        lines[at - 1] += "\n"
    lines.insert(at, f"{made}\n")


def _replace(lines: list[str], at: int, edit: Edit) -> None:
    if at < 0:
        raise Unfit(edit.file)
    bare = _bare(lines[at])
    made = _replaced(bare, edit)
    if made == bare:
        raise Unfit(edit.file)
    lines[at] = made + lines[at][len(bare) :]


def _number(text: str, most: int, lowest: int = 1) -> int:
    if not text.isdecimal() or not lowest <= int(text) <= most:
        raise Unfit(text)
    return int(text)


def _bare(line: str) -> str:
    return _BREAK.sub("", line)


def _replaced(line: str, edit: Edit) -> str:
    """The line with the first of what is to be replaced replaced."""
    if edit.match:
        return re.sub(edit.match, lambda _: edit.put, line, count=1)
    return line.replace(edit.find, edit.put, 1) if edit.find else line
