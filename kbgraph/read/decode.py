"""Bytes as text: encoding, line ends, and what is damaged or hidden in it."""

from __future__ import annotations

import re
from typing import NamedTuple

from kbgraph.model.document import Problem

_MAGIC = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF-",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"\x7fELF",
    b"RIFF",
    b"SQLite f",
    b"OggS",
)
_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\r\f\v\b\x1b"})
_BIDI = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# Controls, separators that other tools take for line ends, marks of direction, non-characters, private use.
_ODD = re.compile(
    rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}\u2028\u2029\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffd-\uffff]"
)
_HIDDEN = re.compile(rf"[\x00{_BIDI}\ud800-\udfff\ufeff]")


class Decoded(NamedTuple):
    """Text with one kind of line end; `damaged` are lines (from 1) that held bytes of no character."""

    text: str
    encoding: str
    problems: tuple[Problem, ...] = ()
    damaged: frozenset[int] = frozenset()
    binary: bool = False


def decode(data: bytes) -> Decoded:
    """The text of a file: UTF-8, UTF-16 by its mark, GB18030, else UTF-8 with what is no text replaced."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) and not data.startswith(_MAGIC):
        return _utf16(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _other(data)
    if "\0" in text and _is_binary(data):
        return Decoded("", "binary", binary=True)
    return _checked(text.removeprefix("\ufeff"), "utf-8")


def _is_binary(data: bytes) -> bool:
    """Whether bytes that are no clean text are no text at all."""
    if data.startswith(_MAGIC):
        return True
    head = data[:65536]
    return len(head) - len(head.translate(None, _CONTROLS)) > max(len(head) // 10, 3)


def _utf16(data: bytes) -> Decoded:
    encoding = "utf-16-le" if data.startswith(b"\xff\xfe") else "utf-16-be"
    try:
        return _checked(data[2:].decode(encoding), encoding)
    except UnicodeDecodeError:
        pass
    lines = _one_line_end(data[2:].decode(encoding, "replace")).split("\n")
    damaged = {number: "a half or lone code unit" for number, line in enumerate(lines, 1) if "\ufffd" in line}
    return _checked("\n".join(lines), encoding, damaged)


def _other(data: bytes) -> Decoded:
    """Bytes that are no UTF-8: nothing, Chinese in GB18030, or UTF-8 with damage."""
    if _is_binary(data):
        return Decoded("", "binary", binary=True)
    chinese = _gb18030(data)
    if chinese is not None:
        return _checked(chinese, "gb18030")
    lines: list[str] = []
    damaged: dict[int, str] = {}
    raw = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for number, line in enumerate(raw.split(b"\n"), 1):
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            lines.append(line.decode("utf-8", "replace"))
            damaged[number] = f"bytes {line[error.start : error.end].hex(' ')}"
    return _checked("\n".join(lines), "utf-8", damaged)


def _gb18030(data: bytes) -> str | None:
    """The text, when it reads as Chinese: other 8-bit text decodes as well, but to rare characters."""
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    replaced = data.decode("utf-8", "replace")
    bad = replaced.count("\ufffd")
    if sum(c > "\x7f" for c in replaced) - bad > bad:
        return None
    wide = [c for c in text if c > "\x7f"]
    coded = "".join(wide).encode("gb2312", "ignore")
    common = sum(0xA1 <= lead <= 0xD7 for lead in coded[::2])
    return text if len(wide) > 1 and common * 5 >= len(wide) * 2 else None


def _one_line_end(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _checked(text: str, encoding: str, damaged: dict[int, str] | None = None) -> Decoded:
    text = _one_line_end(text)
    if not damaged and _is_plain(text):
        return Decoded(text, encoding)
    damaged = damaged or {}
    problems = [Problem("undecodable-text", line, detail) for line, detail in damaged.items()]
    problems += _odd(text, damaged)
    problems.sort(key=lambda p: (p.line, p.code))
    return Decoded(visible(text), encoding, tuple(problems), frozenset(damaged))


def _is_plain(text: str) -> bool:
    """Whether a text surely holds nothing odd; most do, and this is told without a regular expression."""
    rest = text.replace("\n", "")
    if not rest.isprintable():
        rest = rest.replace("\t", "").replace("\u3000", "").replace("\xa0", "").replace("\u200d", "")
    return rest.isprintable() and "\ufffd" not in rest


def _odd(text: str, damaged: dict[int, str]) -> list[Problem]:
    """One problem a line for characters that nobody sees or that stand for lost ones."""
    found: dict[tuple[int, str], dict[str, None]] = {}
    line, at = 1, 0
    for match in _ODD.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        code = "undecodable-text" if match[0] == "\ufffd" else "control-character"
        if code == "control-character" or line not in damaged:
            found.setdefault((line, code), {})[f"U+{ord(match[0]):04X}"] = None
    return [Problem(code, line, ", ".join(names)) for (line, code), names in found.items()]


def visible(text: str) -> str:
    """Text in which what hides or reorders is made visible."""
    return _HIDDEN.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    # A byte order mark inside the text (files glued together) is dropped: it would hide a heading.
    char = match[0]
    if char == "\0":
        return "\u2400"
    if char == "\ufeff":
        return ""
    return "\ufffd" if "\ud800" <= char <= "\udfff" else f"⟨U+{ord(char):04X}⟩"
