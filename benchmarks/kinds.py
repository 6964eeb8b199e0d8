"""Files of the reference shape, one function a kind: cards, reports, guides, manifests, briefs."""

from __future__ import annotations

import json
from pathlib import Path

from corpus import CHAPTERS, SECTIONS, Corpus, Page, Paper
from wording import AGENTS, HEADS, Wording


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
    named = sorted(corpus.chance.sample(written, min(10, len(written))))
    entries = [{"path": path, "kind": "material", "sha256": corpus.digests[path]} for path in named]
    if number % 20 == 7:
        entries[0]["sha256"] = "0" * 64
    body: dict[str, object] = {"id": Path(page.path).stem, "topic": topic, "created": "2026-10-22T0700"}
    body |= {"materials": entries, "compare": [document]}
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
