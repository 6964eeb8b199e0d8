"""Make a corpus of the reference shape with known gaps: `python benchmarks/generate.py DIR --files 10000 --seed 1`."""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from corpus import CHAPTERS, SECTIONS, Corpus, Page, Paper
from kinds import brief, guide, manifest, paper_card, repo_card, report
from wording import EN, TOPICS_EN, TOPICS_ZH, ZH, Wording

# Share of a document's entries that is made faulty, by check.
FAULTS = {
    "orphan-citation": 0.02, "unlisted-citation": 0.02, "uncarded-citation": 0.015, "duplicate-entry": 0.01,
    "malformed-identifier": 0.008, "dangling-section": 0.008, "dangling-path": 0.008, "number-without-level": 0.02,
    "withdrawn-cited": 0.008,
}  # fmt: skip


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


def cited(corpus: Corpus, words: Wording, page: Page, entry: tuple[Paper, str], number: int) -> None:
    """One entry of a living document, with its fault."""
    paper, fault = entry
    level = "" if fault == "number-without-level" else corpus.chance.choice(words.levels[:3])
    version = "v2" if fault == "withdrawn-cited" else ""
    remark, key = odd_remark(corpus, words, fault, number)
    told = [corpus.told(words, paper.name) for _ in range(3)]
    sentences = [corpus.measured(words, paper.name, level), *told, remark]
    head = f"- **{paper.name}**（arXiv:{paper.arxiv}{version}）"
    line = page.add(f"{head}{words.colon}{' '.join(filter(None, sentences))}")
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
                cited(corpus, words, page, chosen[i], i)
        see = words.see.format(what=f"§{section + 1}.{chapter % SECTIONS + 1}").rstrip()
        page.add(f"- {corpus.told(words, corpus.name())} {see}", "")
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
    settings = f'name = "gen"\ntopics = {json.dumps([t for _, t in topics])}\n'
    (root / "kbgraph.toml").write_text(settings, encoding="utf-8")
    counts = dict(sorted(Counter(str(gap["check"]) for gap in corpus.gaps).items()))
    made = sum(corpus.sizes.values())
    return {"files": made, "seed": seed, "kinds": dict(corpus.sizes), "counts": counts, "gaps": corpus.gaps}


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
