"""Make a corpus of the reference shape with known gaps: `python benchmarks/generate.py DIR --files 10000 --seed 1`."""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from wording import AGENTS, EN, HEADS, TAILS, TOPICS_EN, TOPICS_ZH, ZH, Wording

CHAPTERS, SECTIONS = 6, 4
# Share of a document's entries that is made faulty, by check.
FAULTS = {
    "orphan-citation": 0.02, "unlisted-citation": 0.02, "uncarded-citation": 0.015, "duplicate-entry": 0.01,
    "malformed-identifier": 0.008, "dangling-section": 0.008, "dangling-path": 0.008, "number-without-level": 0.02,
    "withdrawn-cited": 0.008,
}  # fmt: skip


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
        month = f"{self.chance.randint(23, 26)}{self.chance.randint(1, 10):02d}"
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
        when = f"{pick(words.when)}{words.comma}" if self.chance.random() < 0.5 else ""
        return f"{when}{pick(words.does).format(name=name)}{words.comma}{pick(words.plain).lower()}{words.stop}".rstrip()


def paper_card(corpus: Corpus, words: Wording, paper: Paper) -> Page:
    page, at, chance = Page(paper.card), words.labels, corpus.chance
    state = f"v1（2025-03-04），v2（2025-06-11，{at['withdrawn']}），v3（2026-01-15，{at['current']}）"
    if not paper.withdrawn:
        state = f"v1（2025-03-04），v2（2025-09-11，{at['current']}）"
    fields = {
        "arXiv": paper.arxiv, at["versions"]: state, at["topic"]: paper.topic, "DOI": f"10.48550/arXiv.{paper.arxiv}",
        "OpenAlex": f"W44{paper.number + 10_000_000}", at["citations"]: str(chance.randint(2, 400)),
        at["influential"]: str(chance.randint(0, 2)), at["collected"]: f"2026-10-{chance.randint(1, 19):02d}",
        at["level"]: words.levels[2],
    }  # fmt: skip
    page.add(f"# {paper.title}", "", *(f"- **{label}**{words.colon}{value}" for label, value in fields.items()), "")
    abstract = [corpus.told(words, paper.name), corpus.measured(words, paper.name), corpus.told(words, paper.name)]
    page.add(f"## {at['abstract']}", "", " ".join(abstract), "")
    page.add("## TLDR", "", corpus.measured(words, paper.name), "", f"## {at['reusable']}", "")
    page.add(*(f"- {corpus.told(words, paper.name)}" for _ in range(chance.randint(2, 4))))
    page.add(f"- {corpus.measured(words, paper.name)}")
    return page


def repo_card(corpus: Corpus, words: Wording, topic: str, number: int) -> Page:
    name, at, chance = corpus.name(), words.labels, corpus.chance
    owner = f"{chance.choice(HEADS).lower()}-lab"
    page = Page(f"organized/repo_cards/{number}-{owner}-{name.lower()}.md")
    stars, odd = chance.randint(200, 9000), chance.random() < 0.01
    gain = stars + chance.randint(10, 90) if odd else chance.randint(1, stars // 4)
    page.add(f"# {owner}/{name.lower()}", "", f"- **{at['about']}**{words.colon}{corpus.told(words, name)}")
    line = page.add(f"- **Stars**{words.colon}{stars:,}", f"- **{at['gain']}**{words.colon}+{gain}")
    if odd:
        corpus.gap("weekly-gain-above-total", page, line, f"{owner}/{name.lower()}")
    fields = {
        at["language"]: chance.choice(("Go", "Rust", "C++", "Python")), at["licence"]: "Apache-2.0",
        at["commit"]: "2026-10-03", at["topic"]: topic, at["collected"]: "2026-10-05", at["level"]: words.levels[2],
    }  # fmt: skip
    page.add(*(f"- **{label}**{words.colon}{value}" for label, value in fields.items()), "", f"## {at['new']}", "")
    page.add(*(f"- {corpus.told(words, name)}" for _ in range(4)), f"- {corpus.measured(words, name)}")
    page.add("", "```sh", f"docker run --rm -p 7700:7700 {owner}/{name.lower()}:0.8.4", "```")
    return page


def report(corpus: Corpus, words: Wording, topic: str, number: int) -> Page:
    at, agent, chance = words.labels, AGENTS[number % len(AGENTS)], corpus.chance
    page = Page(f"inbox/{agent}/2026-{number // 28 % 10 + 1:02d}-{number % 28 + 1:02d}-{number:05d}-critical-read.md")
    page.add(f"# {at['read']} · {topic}（{agent}）", "")
    for i, paper in enumerate(chance.sample(corpus.papers[topic], 4), 1):
        level = chance.choice(words.levels[:2])
        page.add(f"## {i}. {paper.name}（arXiv:{paper.arxiv}）", "", f"- {at['level']}{words.colon}{level}")
        page.add(f"- {at['points']}{words.colon}{corpus.told(words, paper.name)} {corpus.measured(words, paper.name)}")
        page.add(f"- {at['doubt']}{words.colon}{chance.choice(words.doubts)}{words.stop}".rstrip())
        page.add(f"- {at['put']}{words.colon}§{chance.randint(1, CHAPTERS)}.{chance.randint(1, SECTIONS)}", "")
    return page


def guide(corpus: Corpus, words: Wording, topic: str, number: int) -> Page:
    name = corpus.name()
    page = Page(f"organized/guides/{name.lower()}-{number}.md")
    page.add("---", f"repo: {name.lower()}-lab/{name.lower()}", f"author: {AGENTS[number % 4]}", "date: 2026-10-21")
    page.add(f"topic: {topic}", "---", "", f"# {name} {words.labels['guide']}", "", f"## {words.labels['install']}", "")
    page.add("```sh", f"docker pull example/{name.lower()}:0.8.4", "```", "")
    page.add(*(f"- {corpus.told(words, name)}" for _ in range(5)), f"- {corpus.measured(words, name, words.levels[0])}")
    return page


def manifest(corpus: Corpus, topic: str, document: str, number: int, written: list[str]) -> Page:
    page = Page(f"work-guard/{number:08x}-19ce-4a63-b0c5-6e7f31a2d954.json")
    named = sorted(corpus.chance.sample(written, min(8, len(written))))
    entries = [{"path": path, "kind": "material", "sha256": corpus.digests[path]} for path in named]
    if number % 20 == 7:
        entries[0]["sha256"] = "0" * 64
    body = {"id": Path(page.path).stem, "topic": topic, "created": "2026-10-22T0700", "materials": entries, "compare": [document]}
    page.add(*json.dumps(body, ensure_ascii=False, indent=2).splitlines())
    if number % 20 == 7:
        corpus.gap("changed-material", page, 1 + next(i for i, s in enumerate(page.lines) if '"path"' in s), named[0])
    return page


def brief(corpus: Corpus, words: Wording, topic: str, number: int, guard: str) -> Page:
    at, agent = words.labels, AGENTS[number % 4]
    page = Page(f"inbox/{agent}/2026-{number // 28 % 10 + 1:02d}-{number % 28 + 1:02d}-{number:05d}-{topic}-e1prep.md")
    page.add(f"# {topic} · E1", "", f"{at['by']}{words.colon}{agent} ｜ {at['manifest']}{words.colon}{guard}", "")
    chosen = corpus.chance.sample(corpus.papers[topic], 3)
    declared = page.add(at["declared"].format(n=4 if number % 10 == 3 else 3))
    if number % 10 == 3:
        corpus.gap("declared-count-differs", page, declared, "4")
    page.add("")
    for i, paper in enumerate(chosen, 1):
        page.add(f"## {at['increment']} {i}{words.colon}{paper.name}（arXiv:{paper.arxiv}）", "")
        page.add(f"**{at['source']}**{words.colon}{paper.card}{words.note.format(level=words.levels[2])}", "")
        page.add(f"**{at['points']}**{words.colon}{corpus.measured(words, paper.name)}", "")
        page.add(f"**{at['put']}**{words.colon}§{i}.{i}", "")
        page.add(f"**{at['caution']}**{words.colon}{corpus.chance.choice(words.doubts)}{words.stop}".rstrip(), "")
    page.add(f"## {at['citable']}", "", *(f"- arXiv:{paper.arxiv} —— {at['fresh']}" for paper in chosen), "")
    page.add(f"## {at['boundary']}", "", at["offline"])
    return page


def faults(chance: random.Random, entries: int) -> Iterator[str]:
    """Which entry of a document gets which fault: "" for most, every kind at least once."""
    plan = [check for check, share in FAULTS.items() for _ in range(max(1, round(entries * share)))]
    plan += [""] * (entries - len(plan))
    chance.shuffle(plan)
    yield from plan


def odd_remark(corpus: Corpus, words: Wording, fault: str, number: int) -> tuple[str, str]:
    """The remark that makes an entry faulty, and the key of the finding."""
    month, serial = corpus.chance.randint(13, 19), 10_000 + number
    key = {
        "malformed-identifier": f"25{month}.{serial}",
        "dangling-section": f"§{CHAPTERS + 3}.{number % 9 + 1}",
        "dangling-path": f"organized/guides/gone-{number}.md",
    }.get(fault, "")
    shown = f"arXiv:{key}" if fault == "malformed-identifier" else key
    return (words.see.format(what=shown).rstrip(), key) if key else ("", "")


def cited(corpus: Corpus, words: Wording, page: Page, paper: Paper, fault: str, number: int) -> None:
    """One entry of a living document, with its fault."""
    level = "" if fault == "number-without-level" else corpus.chance.choice(words.levels[:3])
    version = "v2" if fault == "withdrawn-cited" else ""
    remark, key = odd_remark(corpus, words, fault, number)
    told = [corpus.told(words, paper.name) for _ in range(3)]
    sentences = [corpus.measured(words, paper.name, level), *told, remark]
    line = page.add(f"- **{paper.name}**（arXiv:{paper.arxiv}{version}）{words.colon}{' '.join(filter(None, sentences))}")
    if fault in ("unlisted-citation", "uncarded-citation", "withdrawn-cited", "number-without-level"):
        corpus.gap(fault, page, line, f"arXiv:{paper.arxiv}")
    elif key:
        corpus.gap(fault, page, line, f"arXiv:{key}" if fault == "malformed-identifier" else key)


def choose(corpus: Corpus, topic: str, fault: str, stock: Iterator[Paper], withdrawn: Iterator[Paper]) -> Paper:
    """The work of an entry, fit for its fault."""
    if fault == "uncarded-citation":
        return corpus.paper(topic, 0)
    return next(withdrawn) if fault == "withdrawn-cited" else next(stock)


def living_document(corpus: Corpus, words: Wording, topic: str, entries: int) -> Page:
    page, plan = Page(f"organized/knowledge/{topic}.md"), list(faults(corpus.chance, entries))
    stock = iter([p for p in corpus.papers[topic] if not p.withdrawn])
    withdrawn = iter([p for p in corpus.papers[topic] if p.withdrawn])
    chosen = [(choose(corpus, topic, fault, stock, withdrawn), fault) for fault in plan]
    page.add(f"# {topic}", "", words.labels["updated"], "")
    for place in range(CHAPTERS * SECTIONS):
        chapter, section = divmod(place, SECTIONS)
        if not section:
            page.add(f"## {chapter + 1}. {words.chapter.format(n=chapter + 1)}", "")
        page.add(f"### {chapter + 1}.{section + 1} {corpus.name()}", "")
        for i in range(place, entries, CHAPTERS * SECTIONS):
            if chosen[i][1] != "orphan-citation":
                cited(corpus, words, page, *chosen[i], i)
        page.add(f"- {corpus.told(words, corpus.name())} {words.see.format(what=f'§{section + 1}.{chapter % SECTIONS + 1}').rstrip()}", "")
    references(corpus, words, page, chosen)
    return page


def references(corpus: Corpus, words: Wording, page: Page, chosen: list[tuple[Paper, str]]) -> None:
    """The closing list, with its orphans and its doubles."""
    page.add(f"## {CHAPTERS + 1}. {words.labels['references']}", "")
    for paper, fault in sorted(chosen, key=lambda pair: pair[0].arxiv):
        if fault == "unlisted-citation":
            continue
        line = page.add(f"- arXiv:{paper.arxiv} — {paper.title}")
        if fault == "orphan-citation":
            corpus.gap(fault, page, line, f"arXiv:{paper.arxiv}")
        if fault == "duplicate-entry":
            line = page.add(f"- https://arxiv.org/pdf/{paper.arxiv}v1 — {paper.title}")
            corpus.gap(fault, page, line, f"arXiv:{paper.arxiv}")


def topic_files(corpus: Corpus, words: Wording, topic: str, files: int, first: int) -> None:
    """All files of one topic: about two thirds paper cards, the rest of the other kinds."""
    papers, repos, reports, guides = int(files * 0.66), int(files * 0.15), int(files * 0.12), int(files * 0.03)
    rest = files - papers - repos - reports - guides
    entries = min(500, files // 2)
    spare = max(1, round(entries * FAULTS["withdrawn-cited"]))
    numbers = range(first, first + files)
    corpus.papers[topic] = [corpus.paper(topic, n, withdrawn=i < spare) for i, n in enumerate(numbers[:papers])]
    written = [paper_card(corpus, words, paper) for paper in corpus.papers[topic]]
    written += [repo_card(corpus, words, topic, n) for n in numbers[papers : papers + repos]]
    written += [report(corpus, words, topic, n) for n in numbers[papers + repos : papers + repos + reports]]
    written += [guide(corpus, words, topic, n) for n in numbers[papers + repos + reports : files - rest]]
    for page in written:
        corpus.write(page, "reports" if page.path.startswith("inbox/") else page.path.split("/")[1])
    paths = [page.path for page in written]
    document = living_document(corpus, words, topic, entries)
    corpus.write(document, "knowledge")
    for n in numbers[files - rest : files - rest // 2]:
        guard = manifest(corpus, topic, document.path, n, paths)
        corpus.write(guard, "manifests")
    for n in numbers[files - rest // 2 :]:
        corpus.write(brief(corpus, words, topic, n, guard.path), "briefs")


def generate(root: Path, files: int, seed: int = 1) -> dict[str, object]:
    """Write `files` cards, reports and manifests and 20 long documents under `root`; what was made, gaps counted."""
    if files < 400:
        raise ValueError("at least 400 files: fewer do not hold every fault once")
    corpus = Corpus(root, seed)
    topics = [(ZH, topic) for topic in TOPICS_ZH] + [(EN, topic) for topic in TOPICS_EN]
    share = files // len(topics)
    for i, (words, topic) in enumerate(topics):
        topic_files(corpus, words, topic, share, 1 + i * share)
    (root / "kbgraph.toml").write_text(f"name = \"gen\"\ntopics = {json.dumps([t for _, t in topics])}\n", encoding="utf-8")
    counts = dict(sorted(Counter(str(gap["check"]) for gap in corpus.gaps).items()))
    return {"files": sum(corpus.sizes.values()), "seed": seed, "kinds": dict(corpus.sizes), "counts": counts, "gaps": corpus.gaps}


def main() -> None:
    """Command line: the corpus into DIR, what is known about it into DIR.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dir", type=Path)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    known = generate(args.dir, args.files, args.seed)
    args.dir.with_suffix(".json").write_text(json.dumps(known, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print({key: value for key, value in known.items() if key != "gaps"})


if __name__ == "__main__":
    main()
