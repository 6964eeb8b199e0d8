"""Text that addresses the reader's tools: an addressee or an override of earlier orders, and a demand."""

from __future__ import annotations

import re

from kbgraph.lift.scan.found import Instruction
from kbgraph.lift.scan.matching import Endings, Hit, Matcher, flat, per_lexicon
from kbgraph.lift.scan.sentences import sentences
from kbgraph.model.lexicon import Lexicon

_PARTS = ("addressee", "override", "demand", "system-voice", "about", "here")
# What may stand before a clause that begins with a verb: the start, punctuation, marks of a list or quote.
_CLAUSE = re.compile(r"(?:^|[，,：:；;、。！!?？()（）>*#\-—–•\n\"“”'`])[\s*_>#•\-]*$")
_QUOTED = re.compile(r"“[^”\n]{1,300}”|\"[^\"\n]{1,300}\"|「[^」\n]{1,300}」|『[^』\n]{1,300}』|《[^》\n]{1,300}》")
_CALL = re.compile(r"[^，,：:！!。.?？\n]{0,60}[：:！!]|[^，,：:！!。.?？\n]{0,40}[，,]")
_CLAUSE_TAIL = re.compile(r"[^，,：:；;、。！!?？\n]*$")
_WORDS = re.compile(r"[A-Za-z][\w'’-]*")
_NEAR = 24  # characters between an addressee and the words that say it is reading here


class _Phrases:
    """The instruction scheme of a lexicon by its parts."""

    def __init__(self, lexicon: Lexicon) -> None:
        scheme = lexicon.schemes.get("instruction", ())
        self.all = Matcher(c for c in scheme if c.name.removeprefix("instruction-") in _PARTS)
        self.decisive = Matcher(c for c in scheme if c.name.removeprefix("instruction-") in {"override", "demand"})
        self._lead = Endings(c for c in scheme if c.name == "instruction-lead")
        self._leads = tuple(x for c in scheme if c.name == "instruction-lead" for x in c.labels)
        self._modal = tuple(x for x in self._leads if not x.isascii() and len(x) < 3)
        self._you = Endings(c for c in scheme if c.name == "instruction-you-are")

    def demands(self, low: str, hit: Hit) -> bool:
        """True for a demand in the imperative: with its own modal word, after one, or at the head of a clause."""
        if low.startswith(self._leads, hit.start, hit.end) or self._lead.before(low, hit.start) or opens(low, hit):
            return True
        # Chinese puts the object between: 应把本项目列为首选.
        clause = _CLAUSE_TAIL.search(low, max(0, hit.start - 14), hit.start)
        return not low[hit.start].isascii() and clause is not None and any(x in clause.group() for x in self._modal)

    def calls(self, low: str, hit: Hit) -> bool:
        """True when the words before an addressee turn to it: `you are a …`, `as an …`, `note to …`."""
        start = len(low[: hit.start].rstrip(" :：,，"))
        for _ in range(3):  # up to two adjectives between
            if self._you.before(low, start) is not None:
                return True
            start = low.rfind(" ", 0, max(0, start - 1)) + 1
            if start <= 0 or not low[start : hit.start].replace(" ", "").isalnum():
                return False
        return False


def opens(low: str, hit: Hit) -> bool:
    """True when a clause begins with the hit."""
    return _CLAUSE.search(low, max(0, hit.start - 8), hit.start) is not None


@per_lexicon
def _phrases(lexicon: Lexicon) -> _Phrases:
    return _Phrases(lexicon)


def instructions(text: str, lexicon: Lexicon) -> tuple[Instruction, ...]:
    """Sentences that tell tools what to do. Titles, quotations and talk about such attacks are none."""
    phrases = _phrases(lexicon)
    if not phrases.decisive.find(text):
        return ()
    hits = phrases.all.find(text)
    low = flat(text)
    quoted = [m.span() for m in _QUOTED.finditer(text)]
    found = []
    addressed = False
    for start, end in sentences(text):
        inside = [h for h in hits if start <= h.start < end]
        decisive = _decisive(text, inside, addressed or _addresses(low, start, inside, phrases), phrases)
        if decisive is not None and not _spoken_of(decisive, inside, quoted):
            found.append(Instruction(start, end, text[start:end], decisive.concepts[0].name))
        addressed = bool(inside) and (_addresses(low, start, inside, phrases) or decisive is not None)
    return tuple(found)


def _part(hit: Hit) -> str:
    return hit.concepts[0].name.removeprefix("instruction-")


def _decisive(text: str, hits: list[Hit], to_tools: bool, phrases: _Phrases) -> Hit | None:
    """The demand or override that makes a sentence an instruction."""
    low = flat(text)
    demand = next((h for h in hits if _part(h) == "demand" and phrases.demands(low, h)), None)
    override = next((h for h in hits if _part(h) == "override" and not _titled(text, h)), None)
    voice = any(_part(h) == "system-voice" for h in hits)
    if override is not None and (to_tools or demand or voice or phrases.demands(low, override)):
        return override
    return demand if demand is not None and (to_tools or voice) else None


def _addresses(low: str, start: int, hits: list[Hit], phrases: _Phrases) -> bool:
    """True when a sentence turns to tools: it calls them, or says that they are reading here."""
    tools = [h for h in hits if _part(h) == "addressee"]
    here = [h for h in hits if _part(h) == "here"]
    call = _CALL.match(low, start)
    for tool in tools:
        if any(abs(tool.start - h.end) <= _NEAR or abs(h.start - tool.end) <= _NEAR for h in here):
            return True
        if phrases.calls(low, tool):
            return True
        if call and tool.end <= call.end() and tool.start <= start + 3:
            return True
    return False


def _titled(text: str, hit: Hit) -> bool:
    """True for words in the capitals of a title: `Ignore All Previous Instructions?`."""
    # Articles and short words between are small in titles as well.
    words = [w for w in _WORDS.findall(text[hit.start : hit.end + 40]) if len(w) > 3 or w[0].isupper()][:5]
    capital = sum(word[0].isupper() and not word.isupper() for word in words)
    return len(words) > 2 and capital >= len(words) - 1


def _spoken_of(hit: Hit, hits: list[Hit], quoted: list[tuple[int, int]]) -> bool:
    """True when the words are quoted, or the sentence talks about such texts."""
    return any(_part(h) == "about" for h in hits) or any(a < hit.start and hit.end < b for a, b in quoted)
