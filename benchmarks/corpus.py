"""What the generator carries along: chance, made-up works, pages and the gaps put into them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from wording import EN, HEADS, TAILS, Wording

CHAPTERS, SECTIONS = 6, 4  # of a living document


@dataclass(frozen=True, slots=True)
class Paper:
    """A made-up work and its card; `number` 0 says that it has no card."""

    arxiv: str
    name: str
    title: str
    topic: str
    number: int
    withdrawn: bool = False

    @property
    def card(self) -> str:
        return f"organized/paper_cards/{self.number:03d}-{self.arxiv.replace('.', '-')}.md"


@dataclass
class Page:
    """Lines of one file to be."""

    path: str
    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> int:
        """Append lines; number of the last one."""
        self.lines += lines
        return len(self.lines)

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


class Corpus:
    """The generator's state: chance, works by topic, gaps made so far."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.chance = random.Random(seed)
        self.papers: dict[str, list[Paper]] = {}
        self.gaps: list[dict[str, object]] = []
        self.sizes: Counter[str] = Counter()
        self.digests: dict[str, str] = {}
        self.serials: Counter[str] = Counter()
        self.names = 0

    def gap(self, check: str, page: Page, line: int, key: str) -> None:
        self.gaps.append({"check": check, "path": page.path, "line": line, "key": key})

    def write(self, page: Page, kind: str) -> None:
        target = self.root / page.path
        target.parent.mkdir(parents=True, exist_ok=True)
        data = page.text().encode()
        target.write_bytes(data)
        self.digests[page.path] = sha256(data).hexdigest()
        self.sizes[kind] += 1

    def name(self) -> str:
        """A system's name, never the same twice."""
        self.names += 1
        return f"{HEADS[self.names % 16]}{TAILS[self.names // 16 % 12].capitalize()}{self.names // 192 or ''}"

    def paper(self, topic: str, number: int, *, withdrawn: bool = False) -> Paper:
        month = f"{self.chance.randint(22, 25)}{self.chance.randint(1, 12):02d}"
        self.serials[month] += self.chance.randint(1, 3)
        name = self.name()
        title = f"{name}: {self.chance.choice(EN.does).format(name='A System That')} for {topic.capitalize()}"
        return Paper(f"{month}.{self.serials[month] + 1000:05d}", name, title, topic, number, withdrawn)

    def figures(self) -> dict[str, int]:
        return {"n": self.chance.randint(11, 97), "m": self.chance.randint(2, 10), "d": self.chance.randint(1, 9)}

    def measured(self, words: Wording, name: str, level: str = "") -> str:
        """A sentence with a condition and a figure, its evidence level behind it."""
        pick = self.chance.choice
        parts = (pick(words.when), pick(words.does).format(name=name), pick(words.gains).format(**self.figures()))
        note = words.note.format(level=level) if level else ""
        return f"{words.comma.join(parts)}{note}{words.stop}".rstrip()

    def told(self, words: Wording, name: str) -> str:
        """A sentence without a figure."""
        pick = self.chance.choice
        when = f"{pick(words.calm)}{words.comma}" if self.chance.random() < 0.5 else ""
        does, plain = pick(words.does).format(name=name), pick(words.plain).lower()
        return f"{when}{does}{words.comma}{plain}{words.stop}".rstrip()
