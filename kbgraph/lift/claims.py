"""Claims and the evidence lines that assert them, with level, stance, conditions and quantities."""

from __future__ import annotations

from hashlib import blake2b

from kbgraph import vocab as v
from kbgraph.lift import nodes
from kbgraph.lift.asides import clean
from kbgraph.lift.conditions import conditions
from kbgraph.lift.effective import Levels
from kbgraph.lift.found import Id, Quantity, Stance
from kbgraph.lift.frame import Frame, Passage, concept, worded
from kbgraph.lift.heads import role_above
from kbgraph.lift.names import used
from kbgraph.lift.outline import ITEMISED
from kbgraph.lift.quantified import tell_quantity
from kbgraph.lift.quantities import find_quantities
from kbgraph.lift.sentences import normal
from kbgraph.lift.statements import SILENT, SILENT_SECTIONS, Statement, head, says_something, statements
from kbgraph.model.facts import Term, boolean, integer, text

_SUBJECT_REACH = 1  # a quotation mark or bracket may stand before the name that opens a statement


class Claims:
    """Tells the claims of one file."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.levels = Levels(frame)
        self.repeats: dict[str, int] = {}
        self.told: set[str] = set()
        self.fields = {said.block for said in frame.said}
        self.heads: dict[int, tuple[Term, ...]] = {}  # block -> subjects that its opening names

    def run(self) -> None:
        """Go through all passages that may speak."""
        frame = self.frame
        silent = [role_above(frame, i) in SILENT_SECTIONS or i in frame.failed for i in range(len(frame.parts))]
        for index, (passage, found) in enumerate(zip(frame.passages, frame.found, strict=True)):
            hushed = passage.role in SILENT or (passage.section >= 0 and silent[passage.section])
            if passage.claims and not hushed and not self._is_head(passage):
                self._passage(index, passage, found)

    def _is_head(self, passage: Passage) -> bool:
        """Whether a passage stands at the head of a file that has sections: it speaks of the file."""
        if passage.block in self.fields and self.frame.places[passage.block].skip != "field":
            return True
        if self.frame.kind in ("note", "guide") or passage.item >= 0 or passage.section > 0:
            return False
        if self.frame.places[passage.block].skip == "field":
            return False
        sections = self.frame.document.sections
        headed = len(sections) > 1 or self.frame.kind in ITEMISED
        return headed and (passage.section < 0 or sections[0].level == 1)

    def _passage(self, index: int, passage: Passage, found: tuple[Id, ...]) -> None:
        about, start = head(self.frame, passage, found)
        parent = self.frame.document.blocks[passage.block].parent
        about = about or self.heads.get(parent, ())
        if about:
            self.heads[passage.block] = about
        said = list(statements(passage, start, self.frame.commands.get(index, ())))
        if said:
            quantities = find_quantities(passage.text, self.frame.lexicon, passage.marks, found)
            for statement in said:
                self._statement(passage, statement, found, quantities, about)

    def _statement(
        self,
        passage: Passage,
        said: Statement,
        found: tuple[Id, ...],
        quantities: tuple[Quantity, ...],
        about: tuple[Term, ...],
    ) -> None:
        marks = self.frame.words.levels(passage.text[said.sentence[0] : said.sentence[1]])
        marks = tuple(w._replace(start=w.start + said.sentence[0], end=w.end + said.sentence[0]) for w in marks)
        value, kept = clean(passage.text, said.start, said.end, found, marks)
        if not says_something(value):
            return
        rests = [rest for rest in kept if not self.frame.words.stance(rest).retellings]
        subjects = self._subjects(value, said, found, about, passage)
        claim, key = self._claim(value, subjects)
        node = self._line(passage, said, claim, key)
        printed = passage.text[said.start : said.end]
        if printed != value:
            self.frame.tell(node, v.KB_AS_PRINTED, text(printed))
        level, source = self.levels.of(passage, said, marks)
        if level:
            self.frame.tell(node, v.KB_EVIDENCE_LEVEL, concept(level))
            self.frame.tell(node, v.KB_LEVEL_FROM, text(source))
        own = tuple(q for q in quantities if said.start <= q.start < said.end)
        self._stance(node, passage, said, level)
        self._measure(node, passage, said, own, rests)

    def _subjects(
        self, value: str, said: Statement, found: tuple[Id, ...], about: tuple[Term, ...], passage: Passage
    ) -> tuple[Term, ...]:
        """A name that opens the statement, else what the entry, item or card is about, else all that it names."""
        opening = [i for i in found if i.iri and said.start <= i.start <= said.start + _SUBJECT_REACH and not i.target]
        if opening and not about:
            return (nodes.named(self.frame, opening[0]),)
        names = used(self.frame, value)
        if names and names[0][0] <= _SUBJECT_REACH and not about:
            return (names[0][1],)
        default = about or (tuple(self.frame.items[passage.item].about) if passage.item >= 0 else self.frame.about)
        if default and not all(node in self.frame.pages for node in default):
            return default
        inside = [i for i in found if i.iri and i.start < said.sentence[1] and said.sentence[0] <= i.start]
        ids = [nodes.named(self.frame, i) for i in inside if i.mark not in ("code", "image")]
        # A page tells of what it names: both are subjects.
        return tuple(sorted(dict.fromkeys([*default, *ids, *(node for _, node in names)])))

    def _claim(self, value: str, subjects: tuple[Term, ...]) -> tuple[Term, str]:
        """The claim's node and hash; told on first sight."""
        frame, folded = self.frame, normal(value)
        key = blake2b("\n".join((folded, *sorted(subjects))).encode("utf-8", "replace"), digest_size=8).hexdigest()
        node = Term(f"<{frame.settings.base}claim/{key}>")
        if key not in self.told:
            self.told.add(key)
            plain = blake2b(folded.encode("utf-8", "replace"), digest_size=8).hexdigest()
            frame.out += (
                f"{node} {v.RDF_TYPE} {v.KB_CLAIM}",
                f"{node} {v.SCHEMA_TEXT} {worded(value)}",
                f"{node} {v.KB_TEXT_KEY} {text(plain)}",
            )
            frame.out += (f"{node} {v.SCHEMA_ABOUT} {subject}" for subject in subjects)
        return node, key

    def _line(self, passage: Passage, said: Statement, claim: Term, key: str) -> Term:
        """The evidence line's node, told with its place."""
        frame = self.frame
        number = self.repeats[key] = self.repeats.get(key, 0) + 1
        node = Term(f"{frame.local}e-{key}{'' if number == 1 else f'-{number}'}>")
        line, end_line = passage.line_at(said.start), passage.line_at(said.end)
        frame.out += (
            f"{node} {v.RDF_TYPE} {v.KB_EVIDENCE_LINE}",
            f"{node} {v.KB_ASSERTS} {claim}",
            f"{node} {v.KB_MATERIAL_P} {frame.me}",
            f"{node} {v.KB_LINE} {integer(line)}",
        )
        if end_line > line:
            frame.tell(node, v.KB_END_LINE, integer(end_line))
        within = frame.within(passage)
        if within:
            frame.out.append(f"{node} {within}")
        if passage.role:
            frame.tell(node, v.KB_ROLE, concept(passage.role))
        return node

    def _measure(
        self, node: Term, passage: Passage, said: Statement, own: tuple[Quantity, ...], rests: list[str]
    ) -> None:
        """Tell conditions and quantities of a statement."""
        frame, value = self.frame, passage.text[said.start : said.end]
        shifted = tuple(q._replace(start=q.start - said.start, end=q.end - said.start) for q in own)
        phrases = conditions(value, frame.words.stance(value), shifted, rests)
        frame.out += (f"{node} {v.KB_CONDITION} {text(phrase)}" for phrase in phrases)
        for quantity, place in zip(own, shifted, strict=True):
            condition = _nearest(value, place, phrases)
            tell_quantity(frame, quantity, node, passage.line_at(quantity.start), condition)

    def _stance(self, node: Term, passage: Passage, said: Statement, level: str) -> None:
        """Tell how a statement is held: hedged, negated, on how many, second-hand."""
        frame, value = self.frame, passage.text[said.start : said.end]
        stance = frame.words.stance(value)
        words = ((v.KB_HEDGE, stance.hedges), (v.KB_QUANTIFIER, stance.quantifiers))
        for predicate, hits in words:
            frame.out += (f"{node} {predicate} {text(word.printed)}" for word in hits)
        if stance.negations:
            frame.tell(node, v.KB_NEGATED, boolean(True))
        if passage.role == "role-cautions":
            frame.tell(node, v.KB_STANCE, v.CITO_QUALIFIES)
        if level == "level-second-hand" or _retold(stance):
            frame.tell(node, v.KB_HOPS, integer(2))


def _retold(stance: Stance) -> bool:
    """Whether a sentence says that it passes on what another told; the name of an outlet alone does not."""
    return any(word.concept != "retelling-outlet" for word in stance.retellings)


def _nearest(value: str, quantity: Quantity, phrases: list[str]) -> str:
    """The last condition that stands before a quantity, else the first after it; not the one that it is part of."""
    placed = [(value.find(phrase), phrase) for phrase in phrases]
    others = [(at, phrase) for at, phrase in placed if not at <= quantity.start < at + len(phrase)]
    before = [phrase for at, phrase in others if 0 <= at < quantity.start]
    return before[-1] if before else next((phrase for at, phrase in others if at > quantity.start), "")
