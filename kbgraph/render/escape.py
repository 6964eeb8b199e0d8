"""Text of materials made harmless and visible, for each place where it can land."""

from __future__ import annotations

import html as markup
import re
import unicodedata

# Controls but tab and line feed; marks that turn or hide text; what no encoder takes; tags that no one sees.
_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069"
    r"\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_BREAK = re.compile(r"\s*\n\s*")
_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]")
# Markdown that would change how a quoted sentence looks; `_` only where it could open or close emphasis.
_MARKUP = re.compile(r"[\\`*~\[\]<>|]|(?<!\w)_|_(?!\w)|^(?:#{1,6} |[-+] )|&(?=#?\w+;)")
_NUMBERED = re.compile(r"^(\d{1,9})([.)])(?= )")
_WEB = re.compile(r"https?://[^\s<>\"'\\]+", re.IGNORECASE)
_FORMULA = ("=", "+", "-", "@", "\t", "＝", "＋", "－", "＠")


def one_line(text: str) -> str:
    """The text on one line: between two Chinese characters a line break is nothing, elsewhere a space."""
    return _BREAK.sub(lambda m: _joint(text, m), text.strip()).replace("\t", " ")


def _joint(text: str, match: re.Match[str]) -> str:
    around = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return "" if all(_WIDE.match(char) for char in around) else " "


def visible(text: str) -> str:
    """Characters that control, turn or hide text shown as their code point; lone surrogates too, so that it encodes."""
    # What Python calls printable has none of them, and that is quicker told.
    return text if text.isprintable() else _HIDDEN.sub(lambda m: f"⟨U+{ord(m.group()):04X}⟩", text)


def line(text: str) -> str:
    """The text on one line, nothing hidden: for a terminal."""
    return one_line(visible(text))


def md(text: str) -> str:
    """Text as plain words in Markdown, in a table's cell as well: nothing in it is markup any more."""
    return _NUMBERED.sub(r"\1\\\2", _MARKUP.sub(lambda m: "\\" + m.group(), line(text)))


def code(text: str) -> str:
    """A Markdown code span that holds the text whatever back-ticks it has."""
    flat = line(text)
    longest = max((len(run) for run in re.findall(r"`+", flat)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def html(text: str) -> str:
    """Text for an element or a quoted attribute."""
    return markup.escape(visible(text), quote=True)


def csv(text: str) -> str:
    """A CSV field; what a spreadsheet would compute gets an apostrophe in front."""
    shown = visible(text)
    if shown.startswith(_FORMULA):
        shown = f"'{shown}"
    return '"' + shown.replace('"', '""') + '"' if re.search(r'[",\n]', shown) or shown != shown.strip() else shown


def width(text: str) -> int:
    """Columns that a text takes in a terminal: two for Chinese characters and emoji, none for combining marks."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    none = sum(unicodedata.combining(char) != 0 or char in "\u200b\u200c\u200d\ufe0e\ufe0f" for char in text)
    return len(text) + wide - none


def padded(text: str, columns: int) -> str:
    """The text filled with spaces up to so many terminal columns."""
    return text + " " * max(columns - width(text), 0)


def web_link(text: str) -> str:
    """The address when the whole text is one that may be followed (http, https), else ""."""
    return text if visible(text) == text and _WEB.fullmatch(text) else ""
