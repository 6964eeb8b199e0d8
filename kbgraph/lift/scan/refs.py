"""References to sections by number, in running text; references to files come from `paths`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kbgraph.lift.scan.found import SectionRef
from kbgraph.lift.scan.matching import Endings, Matcher, flat, per_lexicon
from kbgraph.lift.scan.numerals import numerals
from kbgraph.lift.scan.paths import TOPS, find_file_refs, tops_of
from kbgraph.model.lexicon import Lexicon
from kbgraph.model.text import Mark

__all__ = ("TOPS", "find_file_refs", "find_section_refs", "tops_of")

_ARABIC = r"[0-9]{1,3}(?:\.[0-9]{1,3}){0,5}"
_DOTTED = r"[0-9]{1,3}(?:\.[0-9]{1,3}){1,5}"
_STOPPED = r"(?![0-9A-Za-z%％]|\.[0-9])"
# A further number of the same reference needs a point; without one it may count anything.
_JOIN = r"(?:\s?[/、,，~～–—-]\s?|\s?[^\W\da-z_]{1,2}\s?|\s[a-z]{2,3}\s)"
_MORE = re.compile(rf"{_JOIN}({_DOTTED}){_STOPPED}")
_MORE_PLURAL = re.compile(rf"{_JOIN}({_ARABIC}){_STOPPED}")
_TITLE = re.compile(r"\s?[「『“\"]([^「」『』“”\"\n]{1,80})[」』”\"]")
_SENTENCE = re.compile(r"[，。；！？]")
_FILE = r"[^\s/（）()「」“”《》，,、；;：:]+"
_DOCUMENT = re.compile(
    rf"((?:{_FILE}/)*{_FILE}\.(?:md|markdown))[)）」”》\]]?\s?\w?\s?$|《([^》\n]{{1,80}})》\s?\w?\s?$"
)
_DOCUMENT_AFTER = re.compile(
    rf"(?:\s[a-z]{{2,3}}\s(?:[a-z]{{3}}\s)?|\s?[（(@])\s?((?:{_FILE}/)*{_FILE}\.(?:md|markdown))"
)
_ID = r"(?:\d{4}\.\d{4,5}(?:v\d{1,2})?|[a-z-]+/\d{7})[)）\]】]?\s?"
_SHORT = re.compile(r"[a-z]{2} ")
_CONNECTED = re.compile(r"\s?(?:[/、,，~～–—-]|\w{1,3})?\s?")


class _Sections:
    """How one lexicon names sections and the documents that they belong to."""

    def __init__(self, lexicon: Lexicon) -> None:
        words = lexicon.schemes.get("section-word", ())
        named = [c for c in words if c.name in {"section-word-section", "section-word-chapter"}]
        labels = [x for c in named for x in c.labels if "..." not in x and "§" not in x]
        after = "|".join(re.escape(x) for x in _longest_first(labels) if not x.isascii()) or "(?!)"
        before = "|".join(re.escape(x) for x in _longest_first(labels) if x.isascii()) or "(?!)"
        ordinals = [x for c in lexicon.schemes.get("notnumber", ()) if c.name == "notnumber-ordinal" for x in c.labels]
        ordinal = "|".join(re.escape(x) for x in ordinals if len(x) == 1) or "(?!)"
        self._numerals = numerals(lexicon)
        han = f"[{self._numerals.first}]{{1,4}}" if self._numerals.first else "(?!)"
        self.quick = re.compile(f"§|{after}|{before}")
        self.pattern = re.compile(
            rf"(?<!§)§{{1,3}}\s?(?P<sign>{_ARABIC}|{han})|(?<![a-z])(?:{before})(?P<plural>s?)\s?(?P<latin>{_ARABIC}){_STOPPED}"
            rf"|(?:{ordinal})\s?(?P<nth>(?:{_ARABIC}|{han})(?:\s?[、,，~～–—-]\s?{_ARABIC})*)\s?(?:{after})"
            rf"|(?<![0-9a-z.§-])(?P<dotted>{_DOTTED})\s?(?:{after})"
        )
        documents = lexicon.schemes.get("document-word", ())
        cited = [c for c in documents if c.name == "document-word-cited"]
        possessive = (
            "|".join(re.escape(x) for c in documents if c.name == "document-word-of" for x in c.labels) or "(?!)"
        )
        self._id_before = re.compile(rf"{_ID}(?:(?:{possessive})\s?)?$")
        # Longer labels keep a word for the cited work from being seen inside another, such as an evidence level.
        self._before = Endings(
            [*lexicon.schemes.get("level", ()), *(c for c in documents if c.name != "document-word-of")]
        )
        self._after = Matcher(replace(c, labels=tuple(x for x in c.labels if x.isascii())) for c in cited)

    def number(self, printed: str) -> str:
        """The normal form of a section number: Chinese numerals in digits; "" when it is none."""
        if printed[0].isascii():
            return printed
        spoken = self._numerals.read(printed)
        return str(int(spoken.low)) if spoken and spoken.low == spoken.high and 0 < spoken.low < 100 else ""

    def of_work(self, low: str, start: int, end: int) -> bool:
        """True when the words right before or after say that the section is one of the cited work."""
        if self._id_before.search(low[max(0, start - 40) : start]):
            return True
        for gap in range(3):
            if not (low[start - gap : start].replace(" ", "") or "0").isalnum():
                break
            found = self._before.before(low, start - gap) if start > gap else None
            if found:
                return found[1].name == "document-word-cited"
        place = end + 1 if low[end : end + 1] == " " else end
        of = _SHORT.match(low, place)
        return any(self._after.longest(low, at) for at in ((place, of.end()) if of else (place,)))


def _longest_first(labels: list[str]) -> list[str]:
    return sorted(set(labels), key=lambda label: (-len(label), label))


@per_lexicon
def _sections(lexicon: Lexicon) -> _Sections:
    return _Sections(lexicon)


def find_section_refs(text: str, lexicon: Lexicon, marks: tuple[Mark, ...] = ()) -> tuple[SectionRef, ...]:
    """Sections named by number, in order; of a range both ends. Enumerations share the document named before them."""
    words = _sections(lexicon)
    low = flat(text)
    if not words.quick.search(low):
        return ()
    found: list[SectionRef] = []
    for match in words.pattern.finditer(low):
        if found and match.start() < found[-1].end:
            continue
        for ref in _expanded(text, low, match, words):
            found.append(_in_context(ref, text, found[-1] if found else None, words, marks))
    return tuple(found)


def _expanded(text: str, low: str, match: re.Match[str], words: _Sections) -> Iterator[SectionRef]:
    """One reference for each number of a match and of the enumeration that goes on after it."""
    printed = next(g for name, g in match.groupdict().items() if g and name != "plural")
    for part in re.split(r"\s?[、,，~～–—-]\s?", printed):
        number = words.number(part)
        if number:
            title = _TITLE.match(text, match.end())
            yield SectionRef(*match.span(), text[match.start() : match.end()], number, "", _described(title))
    end = match.end()
    more = _MORE_PLURAL if match["plural"] else _MORE
    while match["nth"] is None and match["dotted"] is None and (following := more.match(low, end)):
        end = following.end()
        title = _TITLE.match(text, end)
        yield SectionRef(following.start(1), end, following[1], following[1], "", _described(title))


def _in_context(
    ref: SectionRef, text: str, last: SectionRef | None, words: _Sections, marks: tuple[Mark, ...]
) -> SectionRef:
    """The same with its document, or with the mark that it belongs to the cited work; enumerations share either."""
    document = _document(ref, text, marks)
    if document:
        return ref._replace(document=document)
    if last is not None and (
        last.start == ref.start or _CONNECTED.fullmatch(text, _past_title(last, text), max(ref.start, last.end))
    ):
        return ref._replace(document=last.document, of_work=last.of_work)
    return ref._replace(of_work=words.of_work(flat(text), ref.start, ref.end))


def _described(title: re.Match[str] | None) -> str:
    """What a reference calls its section: the words in quotation marks behind it, unless they are a sentence."""
    return title[1] if title and not _SENTENCE.search(title[1]) else ""


def _past_title(ref: SectionRef, text: str) -> int:
    title = _TITLE.match(text, ref.end)
    return title.end() if title else ref.end


def _document(ref: SectionRef, text: str, marks: tuple[Mark, ...]) -> str:
    """The document named right before a reference, or after it by `of` or in brackets."""
    for mark in marks:
        if mark.kind in {"link", "wikilink"} and mark.target and mark.end <= ref.start <= mark.end + 2:
            return mark.target
    near = text[max(0, ref.start - 160) : ref.start]
    before = _DOCUMENT.search(near) if ".m" in near or "》" in near else None
    if before:
        return before[1] or before[2]
    after = _DOCUMENT_AFTER.match(text, ref.end)
    return after[1] if after else ""
