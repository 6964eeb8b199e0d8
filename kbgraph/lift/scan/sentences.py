"""Sentences of a Chinese or English text, and the normal form in which two wordings of one claim are equal."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right

from kbgraph.model.text import Mark

_STOP = re.compile(r"[。！？!?．.]+[\"'”’」』）)\]】*_]*")
_BRACKET = re.compile(r"[（(\[【「『“《〈”」』》〉】\])）]")
_PAIRS = {"）": "（", ")": "(", "]": "[", "】": "【", "」": "「", "』": "『", "”": "“", "》": "《", "〉": "〈"}
_TWINS = {"（": "(", "）": "("}
_LAST_WORD = re.compile(r"[^\s(（\[“\"'/]+$")
# Typography, not vocabulary: what ends in a full stop and goes on.
_ABBREVIATED = re.compile(
    r"al|vs|cf|figs?|eqs?|secs?|dr|mr|ms|prof|resp|approx|ca|eds?|vol|no|ch|app|st", re.IGNORECASE
)
_ASIDE = re.compile(r"（[^（）()。！？\n]{1,60}）|\s?[（(\[][^（）()\[\]。！？.!?\n]{1,60}[)）\]](?=\s*$)")
_TRIM = re.compile(r"\S(?:.*\S)?", re.DOTALL)


def sentences(text: str, marks: tuple[Mark, ...] = ()) -> tuple[tuple[int, int], ...]:
    """Spans of the sentences, without the space around them; never cut inside numbers, brackets, quotes or code."""
    found: list[tuple[int, int]] = []
    start = 0
    closed: list[tuple[int, int]] | None = None
    for stop in _STOP.finditer(text):
        if not _ends(text, start, stop):
            continue
        # Nothing that is closed can hold the last character of a text.
        if closed is None and stop.start() + 1 < len(text):
            closed = _merged(_enclosed(text) + [(m.start, m.end) for m in marks if m.kind in {"code", "math"}])
        holder = _holder(closed or [], stop.start())
        if holder is None or _quoted_whole(text, start, stop.end(), holder):
            # A remark in brackets right behind a sentence is its own: `命中率 62%。（摘要页核查）`.
            aside = _ASIDE.match(text, stop.end())
            end = aside.end() if aside else stop.end()
            _add(found, text, start, end)
            start = end
    _add(found, text, start, len(text))
    return tuple(found)


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Disjoint spans in order that cover the same."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _holder(spans: list[tuple[int, int]], place: int) -> tuple[int, int] | None:
    """The span that holds a place with something of it on both sides."""
    at = bisect_right(spans, (place,)) - 1
    return spans[at] if at >= 0 and spans[at][0] < place < spans[at][1] - 1 else None


def _add(found: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    inner = _TRIM.search(text, start, end)
    if inner and (text[inner.start()].isalnum() or any(c.isalnum() for c in inner.group())):
        found.append(inner.span())
    elif inner and found:
        found[-1] = (found[-1][0], inner.end())


def _ends(text: str, start: int, stop: re.Match[str]) -> bool:
    """True when a full stop, question or exclamation mark may end a sentence, by what stands around it."""
    printed = stop.group()
    if printed[0] in "。！？":
        return True
    after = text[stop.end() : stop.end() + 1]
    if after and not after.isspace():
        # Before a CJK letter a half-width stop is a full stop as well, except after a number or a single letter.
        before = text[max(0, stop.start() - 2) : stop.start()]
        return _is_cjk(after) and (_is_cjk(before[-1:]) or (len(before) == 2 and before.isalpha()))
    if printed[0] in "!?":
        return True
    following = text[stop.end() : stop.end() + 40].lstrip().lstrip("\"'“‘「*_([（【")[:1]
    if following and not (following.isupper() or following.isdigit() or _is_cjk(following)):
        return not following.isalpha() and printed[0] == "．"
    return not _abbreviated(text, start, stop.start(), following)


def _abbreviated(text: str, start: int, at: int, following: str) -> bool:
    """True when the stop belongs to the word before it: `et al.`, `e.g.`, `Fig. 3`, an initial, a list number."""
    found = _LAST_WORD.search(text[max(start, at - 24) : at])
    if found is None or not following:
        return False
    word = found.group()
    if word.isdigit():
        return at - len(word) <= start + 1
    return (
        _ABBREVIATED.fullmatch(word) is not None
        or (len(word) == 1 and word.isalpha() and word.isupper())
        or ("." in word and all(len(part) == 1 and part.isalpha() for part in word.split(".")))
    )


def _is_cjk(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3" or "\uff00" <= char <= "\uffef"


def _enclosed(text: str) -> list[tuple[int, int]]:
    """Spans of balanced brackets and quotes, outermost only; what is never closed encloses nothing."""
    spans: list[tuple[int, int]] = []
    stack: list[tuple[str, int]] = []
    for found in _BRACKET.finditer(text):
        char = found.group()
        if char not in _PAIRS:
            stack.append((_TWINS.get(char, char), found.start()))
            continue
        wanted = _TWINS.get(_PAIRS[char], _PAIRS[char])
        depth = next((i for i in range(len(stack) - 1, max(-1, len(stack) - 9), -1) if stack[i][0] == wanted), -1)
        if depth >= 0:
            span = (stack[depth][1], found.end())
            del stack[depth:]
            while spans and spans[-1][0] > span[0]:
                spans.pop()
            spans.append(span)
    return spans


def _quoted_whole(text: str, start: int, end: int, holder: tuple[int, int]) -> bool:
    """True when the sentence is a quotation or remark as a whole: it began with the bracket that closes with it."""
    inner = _TRIM.search(text, start, end)
    return inner is not None and holder[0] == inner.start() and holder[1] <= end and text[holder[0]] in "“「『（("


# Spellings that NFKC leaves apart: dashes, signs of multiplication and "about", curly apostrophes.
_SIGNS = dict.fromkeys((8208, 8209, 8210, 8211, 8212, 8722), "-")
_SIGNS |= {0xD7: "x", 0x2715: "x", 0x2248: "~", 0x223C: "~", 0x2018: "'", 0x2019: "'"}
_SIGN = re.compile(f"[{''.join(map(chr, _SIGNS))}]")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_COMMA = re.compile(r",\d{3}")  # stands in each
# Words with what is inside them (C++, v0.17, doesn't), numbers with point and sign, letters of other scripts, signs.
_TOKEN = re.compile(
    r"[a-z][a-z0-9]*(?:[._'][a-z0-9]+)*(?:\+{1,2}|#)?|(?:(?<![a-z0-9])[-+])?\d+(?:[.:/-]\d+)*|[^\W\da-z_]+"
    r"|[%‰<>=≤≥±→~§@$€£¥&]"
)
_OTHER_GAP = re.compile(r"(?<=[^\x00-\x7f]) (?=[^\x00-\x7f])")


def normal(text: str) -> str:
    """The text without what may differ in one claim: width, case, space, punctuation. Numbers and signs stay."""
    # Before width is folded: a full-width comma between digits is a comma, never a separator of thousands.
    plain = _THOUSANDS.sub(lambda found: found.group().replace(",", ""), text) if _COMMA.search(text) else text
    folded = plain.lower() if plain.isascii() else unicodedata.normalize("NFKC", plain).casefold()
    if _SIGN.search(folded):
        folded = folded.translate(_SIGNS)
    joined = " ".join(_TOKEN.findall(folded))
    return joined if joined.isascii() else _OTHER_GAP.sub("", joined)
