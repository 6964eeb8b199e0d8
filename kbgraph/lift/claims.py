"""Claims and the evidence lines that assert them, with level, stance, conditions and quantities."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import NamedTuple

from kbgraph import vocab as v
from kbgraph.lift import nodes
from kbgraph.lift.asides import clean
from kbgraph.lift.conditions import conditions
from kbgraph.lift.effective import Levels
from kbgraph.lift.frame import Frame, Passage, concept, worded
from kbgraph.lift.heads import role_above
from kbgraph.lift.names import used
from kbgraph.lift.outline import ITEMISED
from kbgraph.lift.quantified import tell_quantity
from kbgraph.lift.scan.found import Id, Quantity, Stance, Word
from kbgraph.lift.scan.quantities import find_quantities
from kbgraph.lift.scan.ranges import between
from kbgraph.lift.scan.sentences import normal
from kbgraph.lift.statements import SILENT, SILENT_SECTIONS, Statement, opening_of, openings, says_something, statements
from kbgraph.model.facts import Term, boolean, integer, text

_LABEL = re.compile(r"(?:[^:：\n(（\[【]|[(（\[【][^)）\]】\n]*[)）\]】])*[：:]")  # of a line, with its bracket
_FIGURE = re.compile(r"\d")
_MANY = 12  # a sentence that names more lists them: each clause is about those that it names itself
_MOST = 12  # subjects of one statement
_SUBJECT_REACH = 1  # a quotation mark or bracket may stand before the name that opens a statement


class Spoken(NamedTuple):
    """A passage with what its statements share, found once; all offsets are into its text."""

    passage: Passage
    found: tuple[Id, ...]
    quantities: tuple[Quantity, ...]
    marks: tuple[Word, ...]  # of evidence levels
    stance: Stance


class Claims:
    """Tells the claims of one file."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.levels = Levels(frame)
        self.repeats: dict[str, int] = {}
        self.on_line: dict[int, list[Term]] = {}  # source line -> statements so far
        self.told: set[str] = set()
        self.of_subjects: dict[tuple[Term, ...], str] = {}  # the part of a claim's key that they give
        self.fields: dict[int, list[int]] = {}  # block -> lines on which a field stands
        for said in frame.said:
            self.fields.setdefault(said.block, []).append(said.line)
        self.heads: dict[int, tuple[Term, ...]] = {}  # block -> subjects that its opening names

    def run(self) -> None:
        """Go through all passages that may speak."""
        frame = self.frame
        silent = [role_above(frame, i) in SILENT_SECTIONS or i in frame.failed for i in range(len(frame.parts))]
        for index, (passage, found) in enumerate(zip(frame.passages, frame.found, strict=True)):
            hushed = passage.role in SILENT or (passage.section >= 0 and silent[passage.section])
            if passage.claims and not hushed and not self._is_head(passage):
                self._passage(index, passage, found)
        for spoken in self.on_line.values():
            if spoken != sorted(spoken):  # names that sort as the text goes tell the order themselves
                for position, node in enumerate(spoken[1:], 2):
                    frame.tell(node, v.KB_POSITION, integer(position))

    def _is_head(self, passage: Passage) -> bool:
        """Whether a passage stands at the head of a file that has sections: it speaks of the file."""
        if self._is_field(passage) and self.frame.places[passage.block].skip != "field":
            return True
        if self.frame.kind not in (*ITEMISED, "knowledge") or passage.item >= 0 or passage.section > 0:
            return False
        if self.frame.places[passage.block].skip == "field":
            return False
        sections = self.frame.document.sections
        headed = len(sections) > 1 or self.frame.kind in ITEMISED
        return headed and (passage.section < 0 or sections[0].level == 1)

    def _is_field(self, passage: Passage) -> bool:
        """Whether labels of fields stand in a passage; in files of a known kind, anywhere in its block."""
        lines = self.fields.get(passage.block)
        if not lines or self.frame.kind != "note":
            return lines is not None
        last = passage.line + passage.text.rstrip().count("\n")
        if any(passage.line <= line <= last for line in lines):
            return True
        label = _LABEL.match(passage.text)
        value = passage.text[label.end() if label else 0 :]
        return not (_FIGURE.search(value) or says_something(value))

    def _passage(self, index: int, passage: Passage, found: tuple[Id, ...]) -> None:
        entries = openings(self.frame, passage, found)
        parent = self.frame.document.blocks[passage.block].parent
        _, of_row = self.frame.rows.get((passage.block, passage.line), ("", ()))
        above = of_row or self.heads.get(parent, ())
        if entries[0].about or above:
            self.heads[passage.block] = entries[0].about or above
        said = list(statements(passage, entries, self.frame.commands.get(index, ())))
        if said:
            words, text_ = self.frame.words, passage.text
            quantities = find_quantities(text_, self.frame.lexicon, passage.marks, found)
            spoken = Spoken(passage, found, quantities, words.levels(text_), words.stance(text_))
            for statement in said:
                self._statement(spoken, statement, opening_of(entries, statement.start).about or above)

    def _statement(self, spoken: Spoken, said: Statement, about: tuple[Term, ...]) -> None:
        own, marks = between(spoken.found, said.start, said.end), between(spoken.marks, said.start, said.end)
        value, kept = clean(spoken.passage.text, said.start, said.end, own, marks)
        printed = spoken.passage.text[said.start : said.end]
        if printed != value and not says_something(value):
            return
        claim, key = self._claim(value, self._subjects(value, said, spoken, about))
        node = self._line(spoken.passage, said, claim, key)
        if printed != value:
            self.frame.tell(node, v.KB_AS_PRINTED, text(printed))
        level, source = self.levels.of(spoken.passage, said, spoken.marks)
        if level:
            self.frame.tell(node, v.KB_EVIDENCE_LEVEL, concept(level))
            if source in ("sentence", "parent"):  # all else the graph shows: item, sections and file have theirs
                self.frame.tell(node, v.KB_LEVEL_FROM, text(source))
        self._stance(node, spoken, said, level)
        rests = [r for r in kept if not any(w.printed in r for w in spoken.stance.retellings)] if kept else kept
        self._measure(node, spoken, said, rests)

    def _subjects(self, value: str, said: Statement, spoken: Spoken, about: tuple[Term, ...]) -> tuple[Term, ...]:
        """A name that opens the statement, else what the entry, item or card is about, else all that it names."""
        frame = self.frame
        if about and not frame.pages.issuperset(about):
            return about
        own = between(spoken.found, said.start, said.end)
        if own and own[0].iri and not about and own[0].start <= said.start + _SUBJECT_REACH and not own[0].target:
            return (nodes.named(frame, own[0]),)
        names = used(frame, value)
        if names and names[0][0] <= _SUBJECT_REACH and not about:
            return (names[0][1],)
        item = spoken.passage.item
        default = about or (tuple(frame.items[item].about) if item >= 0 else frame.about)
        if default and not frame.pages.issuperset(default):
            return default
        near = between(spoken.found, *said.sentence)[: _MOST + 1]
        named = [nodes.named(frame, i) for i in own or near if i.iri and i.mark not in ("code", "image")]
        # A page tells of what it names: both are subjects. Who names a dozen things speaks of none.
        found = dict.fromkeys([*default, *named, *(node for _, node in names)])
        return tuple(sorted(found)) if len(found) <= _MOST else default

    def _claim(self, value: str, subjects: tuple[Term, ...]) -> tuple[Term, str]:
        """The claim's node and key, of its text first and then of its subjects; told on first sight."""
        frame = self.frame
        key = blake2b(normal(value).encode("utf-8", "replace"), digest_size=8).hexdigest()
        if subjects:
            if subjects not in self.of_subjects:
                named = "\n".join(sorted(subjects)).encode("utf-8", "replace")
                self.of_subjects[subjects] = blake2b(named, digest_size=4).hexdigest()
            key += "-" + self.of_subjects[subjects]
        node = Term(f"<{frame.settings.base}claim/{key}>")
        if key not in self.told:
            self.told.add(key)
            frame.tell(node, v.SCHEMA_TEXT, worded(value))
            frame.out += (f"{node} {v.SCHEMA_ABOUT} {subject}" for subject in subjects)
        return node, key

    def _line(self, passage: Passage, said: Statement, claim: Term, key: str) -> Term:
        """The evidence line's node, told with its place."""
        frame = self.frame
        number = self.repeats[key] = self.repeats.get(key, 0) + 1
        node = Term(f"{frame.local}e-{key}{'' if number == 1 else f'-{number}'}>")
        line, end_line = passage.line_at(said.start), passage.line_at(said.end)
        frame.out += (
            f"{node} {v.KB_ASSERTS} {claim}",
            f"{node} {v.KB_LINE} {integer(line)}",
        )
        if end_line > line:
            frame.tell(node, v.KB_END_LINE, integer(end_line))
        self.on_line.setdefault(line, []).append(node)
        within = frame.within(passage)
        if within:
            frame.out.append(f"{node} {within}")
        if passage.role:
            frame.tell(node, v.KB_ROLE, concept(passage.role))
        return node

    def _measure(self, node: Term, spoken: Spoken, said: Statement, rests: list[str]) -> None:
        """Tell conditions and quantities of a statement."""
        passage = spoken.passage
        own = between(spoken.quantities, said.start, said.end)
        phrases = conditions(passage.text, said, spoken.stance, own, rests) if spoken.stance.conditions or rests else []
        self.frame.out += (f"{node} {v.KB_CONDITION} {text(phrase)}" for phrase in phrases)
        for quantity in own:
            condition = _nearest(passage.text, said, quantity, phrases) if phrases else ""
            later = passage.text.count("\n", said.start, quantity.start)
            line = passage.line_at(quantity.start) if later else 0
            tell_quantity(self.frame, quantity, node, line, condition)

    def _stance(self, node: Term, spoken: Spoken, said: Statement, level: str) -> None:
        """Tell how a statement is held: hedged, negated, on how many, second-hand."""
        out, stance = self.frame.out, spoken.stance
        for word in between(stance.hedges, said.start, said.end):
            out.append(f"{node} {v.KB_HEDGE} {text(word.printed)}")
        for word in between(stance.quantifiers, said.start, said.end):
            out.append(f"{node} {v.KB_QUANTIFIER} {text(word.printed)}")
        if between(stance.negations, said.start, said.end):
            out.append(f"{node} {v.KB_NEGATED} {boolean(True)}")
        if spoken.passage.role == "role-cautions":
            out.append(f"{node} {v.KB_STANCE} {v.CITO_QUALIFIES}")
        # The name of an outlet alone does not say that something is passed on.
        retellings = between(stance.retellings, said.start, said.end)
        retold = any(word.concept != "retelling-outlet" for word in retellings) if retellings else False
        if retold or level == "level-second-hand":
            out.append(f"{node} {v.KB_HOPS} {integer(2)}")


def _nearest(value: str, said: Statement, quantity: Quantity, phrases: list[str]) -> str:
    """The last condition that stands before a quantity, else the first after it; not the one that it is part of."""
    placed = [(value.find(phrase, said.start), phrase) for phrase in phrases]
    others = [(at, phrase) for at, phrase in placed if not at <= quantity.start < at + len(phrase)]
    before = [phrase for at, phrase in others if 0 <= at < quantity.start]
    return before[-1] if before else next((phrase for at, phrase in others if at > quantity.start), "")
