"""Relate: from claims to relations, from items to places; pure, and each answer with words that a person can check."""

from kbgraph.relate.claim import Claim, Relation
from kbgraph.relate.differ import Difference
from kbgraph.relate.dropped import lost
from kbgraph.relate.glosses import Glosses
from kbgraph.relate.held import Near, Source, measured, nearest, numbered, quoted
from kbgraph.relate.judge import Verdict
from kbgraph.relate.lexis import Lexis
from kbgraph.relate.lexis import make as make_lexis
from kbgraph.relate.place import Held, Outline, Section, outline
from kbgraph.relate.place_text import Reader
from kbgraph.relate.relations import Relations, judge_pair, relate

__all__ = [
    "Claim", "Difference", "Glosses", "Held", "Lexis", "Near", "Outline", "Reader", "Relation", "Relations", "Section",
    "Source", "Verdict", "judge_pair", "lost", "make_lexis", "measured", "nearest", "numbered", "outline", "quoted",
    "relate",
]  # fmt: skip
