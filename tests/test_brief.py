"""The brief of a small corpus, held against what a careful reader of it would write."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from kbgraph.ask.brief.items import bare
from kbgraph.errors import UsageError
from kbgraph.model.brief import Brief, BriefItem
from kbgraph.workspace import Workspace

READ = """\
# 精读 2026-11-02（lan）

## 1. AlphaCache 第二版（arXiv:2603.31001v2）

- 证据等级：摘要页核查
- 要点：长会话上首字延迟降 18%（单卡、批大小 4）。
- 存疑：没有报显存。
- 与活文档的关系：§1.1 现有一句要改。
- 建议归入：§1.1（修订）

## 2. BetaRoute（arXiv:2610.31002）

- 证据等级：原文核查
- 要点：按队列深度挑副本，P99 从 90 ms 降到 60 ms。
- 建议归入：§1.2

## 下一步

- 读 BetaRoute 的附录；再找作者要数据。
"""

BLOGS = """\
# 博客发现 2026-11-02（mo）

## 保留

1. **Fernhill 工程博客：副本怎么挑**
   - URL：https://fernhill.example/blog/picking-replicas?utm_source=rss
   - 证据等级：原文核查
   - 内容：线上两周，P99 降了三成。
   - 处理：归入 §1.2。

## 丢弃

- https://hype.example/top-ten ：榜单文，没有方法。
"""

PAGE_AGAIN = """\
# 工程简报 2026-11-02（ke）

## Fernhill 的副本挑选

- 来源：https://fernhill.example/blog/picking-replicas
- 证据等级：原文核查
- 建议归入：§1.2，与 BetaRoute 并列
"""

SCREEN = """\
# 工程筛选 2026-11-02（ke）

| 候选 | 链接 | 结论 | 理由 |
|---|---|---|---|
| 副本挑选 | https://www.fernhill.example/blog/picking-replicas/ | 保留 | 有线上数据 |
| GammaZoo | https://arxiv.org/abs/2609.31003 | 丢弃 | 仍只有名录 |
"""

DOCUMENT = """\
# 服务 · 活文档（serving）

末次更新：2026-10-20

## 一、缓存与路由

### §1.1 缓存

- **AlphaCache**（arXiv:2603.31001）：首字延迟降 18%，任意负载都成立（卡片摘要）。

### §1.2 路由

- 按前缀挑副本是通行做法。

## 二、引用列表（共 2 条）

- arXiv:2603.31001 — AlphaCache
- arXiv:2601.31009 — Nobody Cites Me
"""

EARLIER = """\
# serving · E1 预消化简报（2026-10-15）

作者：lan ｜ 清单：work-guard/first.json（1 项材料全部消费）

## 低相关与复查

| 材料 | 判断 | 理由 |
|---|---|---|
| arXiv:2609.31003（GammaZoo） | 丢弃 | 只有名录 |
| organized/repo_cards/7-dell-delta.md（dell/delta） | 收录为工具，不入正文 | 500 ⭐、周增 +20 |

## 后续

- F1：读 AlphaCache 的实验。
- F2：找 delta 的多卡数据。
"""

CARD = """\
# dell/delta

- **简介**：推理网关
- **Stars**：530
- **周增**：+9
- **采集**：2026-11-01
"""

FIRST = {"id": "first", "topic": "serving", "created": "2026-10-15", "materials": [{"path": "inbox/lan/old.md"}]}
MATERIALS = {
    "inbox/lan/2026-11-02-critical-read.md": READ,
    "inbox/mo/2026-11-02T0900-blogs-discovery.md": BLOGS,
    "inbox/ke/2026-11-02-1000-engineering-screen.md": SCREEN,
    "organized/repo_cards/7-dell-delta.md": CARD,
}
COMPARED = {
    "organized/knowledge/serving.md": DOCUMENT,
    "inbox/lan/2026-10-15-serving-e1prep.md": EARLIER,
}


def second(**changes: object) -> dict[str, object]:
    materials = [
        {"path": path, "sha256": hashlib.sha256(text.encode()).hexdigest()} for path, text in MATERIALS.items()
    ]
    told = {"id": "second", "topic": "serving", "created": "2026-11-02T2200", "materials": materials}
    return {**told, "compare": list(COMPARED), **changes}


def build(root: Path, manifest: dict[str, object] | None = None) -> Path:
    files = {**MATERIALS, **COMPARED, "work-guard/first.json": json.dumps(FIRST)}
    files["work-guard/second.json"] = json.dumps(manifest or second(), indent=1)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return root


def brief(root: Path, topic: str = "serving", manifest: str = "") -> Brief:
    with Workspace.open(root, "memory:") as workspace:
        return workspace.brief(topic, manifest)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Brief:
    return brief(build(tmp_path_factory.mktemp("kb")))


def item(made: Brief, words: str) -> BriefItem:
    found = [i for i in (*made.items, *made.low) if words in i.title or any(words in key for key in i.keys)]
    assert len(found) == 1, [i.title for i in (*made.items, *made.low)]
    return found[0]


def test_the_newest_manifest_of_the_topic_is_taken(made: Brief) -> None:
    assert (made.round, made.manifest, made.created) == ("second", "work-guard/second.json", "2026-11-02T2200")
    assert [r.id for r in made.earlier] == ["first"]
    assert made.earlier[0].brief == "inbox/lan/2026-10-15-serving-e1prep.md"


def test_every_material_is_read_and_counted(made: Brief) -> None:
    assert [(r.path, r.state) for r in made.readings] == [(path, "read") for path in sorted(MATERIALS)]
    assert [c.path for c in made.compared] == sorted(COMPARED)
    assert dict(made.counts) == {"revision": 1, "new": 2, "count-only": 1, "judged-before": 1, "dropped": 1}


@pytest.mark.parametrize(
    ("words", "standing"),
    [
        ("AlphaCache", "revision"),
        ("BetaRoute", "new"),
        ("Fernhill", "new"),
        ("GammaZoo", "judged-before"),
        ("hype.example", "dropped"),
    ],
)
def test_standing(made: Brief, words: str, standing: str) -> None:
    assert item(made, words).standing == standing


def test_a_card_that_was_judged_and_only_counts_on_is_no_news(made: Brief) -> None:
    card = item(made, "dell/delta")
    assert card.standing == "count-only"
    assert ("counter-stars", "500", "530") in card.counters
    assert [b.date for b in card.before] == ["2026-10-15"]


def test_a_revision_shows_what_the_document_says(made: Brief) -> None:
    revised = item(made, "AlphaCache")
    kinds = {r.kind: r for r in revised.relations}
    assert kinds["listed"].path == "organized/knowledge/serving.md"
    assert kinds["beside"].section == "1.1"
    assert "任意负载都成立" in kinds["beside"].text
    assert [a.number for a in revised.advice] == ["1.1"]
    assert revised.advice[0].action == "action-revise"
    assert revised.level == "level-abstract-page"


def test_points_carry_level_place_and_numbers(made: Brief) -> None:
    points = item(made, "AlphaCache").points
    assert [(p.line, p.level, p.numbers > 0) for p in points] == [(6, "level-abstract-page", True)]


def test_cautions_are_the_materials_own(made: Brief) -> None:
    assert [s.text.rstrip("。") for s in item(made, "AlphaCache").cautions] == ["没有报显存"]


def test_one_page_in_two_materials_is_one_item(made: Brief) -> None:
    page = item(made, "Fernhill")
    assert {s.path for s in page.sources} == {
        "inbox/mo/2026-11-02T0900-blogs-discovery.md",
        "inbox/ke/2026-11-02-1000-engineering-screen.md",
    }
    assert "no-id" in page.gaps


def test_identifiers_and_their_standing(made: Brief) -> None:
    words = {c.key: c.standing for c in made.ids}
    assert words["arXiv:2603.31001"] == ("in-list", "revision")
    assert words["arXiv:2610.31002"] == ("not-listed", "new")
    assert words["arXiv:2609.31003"] == ("not-listed", "judged-before")
    assert [c.key for c in made.others if c.standing == ("dropped",)] == ["https://hype.example/top-ten"]


def test_two_sources_that_advise_the_same_section_are_both_kept(tmp_path: Path) -> None:
    root = build(tmp_path)
    report = root / "inbox" / "ke" / "2026-11-02-1200-engineering-brief.md"
    report.write_text(PAGE_AGAIN, "utf-8")
    materials = [{"path": path} for path in (*MATERIALS, "inbox/ke/2026-11-02-1200-engineering-brief.md")]
    (root / "work-guard" / "second.json").write_text(json.dumps(second(materials=materials)), "utf-8")
    made = brief(root)
    page = item(made, "Fernhill")
    assert [(a.number, a.action, a.path, a.line) for a in page.advice] == [
        ("1.2", "action-add", "inbox/ke/2026-11-02-1200-engineering-brief.md", 7),
        ("1.2", "action-add", "inbox/mo/2026-11-02T0900-blogs-discovery.md", 9),
    ]
    ground = next(g for a in made.actions if a.number == "1.2" for g in a.grounds if g.number == page.number)
    assert ground.places == tuple((a.path, a.line) for a in page.advice)


def test_sources_tell_who_judged_when_and_why(made: Brief) -> None:
    zoo = item(made, "GammaZoo")
    assert [(s.agent, s.date, s.verdict, s.reason) for s in zoo.sources] == [
        ("ke", "2026-11-02", "verdict-dropped", "仍只有名录")
    ]


def test_a_level_that_only_a_sentence_states_is_not_the_sources(tmp_path: Path) -> None:
    card = CARD + "\n## 本次新增\n\n- 吞吐 1.4×（厂商自测）。\n"
    root = build(tmp_path, second(materials=[{"path": "organized/repo_cards/7-dell-delta.md"}]))
    (root / "organized" / "repo_cards" / "7-dell-delta.md").write_text(card, "utf-8")
    with Workspace.open(root, "memory:") as workspace:
        made = workspace.brief("serving")
        text = workspace.render(made, "md", "zh")
    delta = item(made, "dell/delta")
    assert (delta.level, delta.sources[0].level) == ("level-self-reported", "")
    assert delta.sources[0].inner == "level-self-reported"
    assert text.count("等级逐句写，最高为厂商自测") == 2


def test_a_card_is_listed_by_its_own_id_and_said_to_stand_alone(tmp_path: Path) -> None:
    path = "organized/paper_cards/1-2610-31005.md"
    root = build(tmp_path, second(materials=[{"path": path}]))
    (root / path).parent.mkdir(parents=True)
    (root / path).write_text("# Tidal Caches\n\n- **arXiv**：2610.31005\n\n## TLDR\n\n缓存随负载涨落。\n", "utf-8")
    made = brief(root)
    assert [(c.key, c.standing) for c in made.ids] == [("arXiv:2610.31005", ("not-listed", "new", "weak"))]
    assert "card-only" in made.items[0].gaps


def test_counters_are_given_as_they_are_printed(tmp_path: Path) -> None:
    root = build(tmp_path)
    card = root / "organized" / "repo_cards" / "7-dell-delta.md"
    card.write_text(CARD.replace("530", "1,530").replace("+9", "+2,410"), "utf-8")
    made = brief(root)
    assert ("counter-stars", "500", "1,530") in item(made, "dell/delta").counters
    (gain,) = dict(made.doubts)["weekly-gain-above-total"]
    assert gain.message["en"].startswith("dell/delta: weekly gain +2,410, total 1,530")


def test_advice_is_looked_up_in_the_document_that_it_names(tmp_path: Path) -> None:
    other = "organized/knowledge/quality.md"
    root = build(tmp_path, second(compare=[*COMPARED, other]))
    (root / other).write_text("# 质量 · 活文档（quality）\n\n## 一、口径\n\n### 1.1 计时\n\n- 计时含排队。\n", "utf-8")
    report = root / "inbox/lan/2026-11-02-critical-read.md"
    report.write_text(READ.replace("建议归入：§1.2", "建议归入：organized/knowledge/quality.md §1.1"), "utf-8")
    advice = {a.text: a for i in brief(root).items for a in i.advice}
    assert (
        advice["organized/knowledge/quality.md §1.1"].document,
        advice["organized/knowledge/quality.md §1.1"].title,
    ) == (other, "计时")
    assert advice["§1.1（修订）"].document == "organized/knowledge/serving.md"


def test_what_the_materials_of_the_round_bring_is_doubted_first(made: Brief) -> None:
    tonight = [found[0].path in MATERIALS for _, found in made.doubts]
    assert tonight == sorted(tonight, reverse=True)


def test_actions_put_revisions_first(made: Brief) -> None:
    assert [(a.priority, a.number, a.action) for a in made.actions] == [
        (1, "1.1", "action-revise"),
        (2, "1.2", "action-add"),
    ]
    assert [g.title for g in made.actions[1].grounds] == ["Fernhill 工程博客：副本怎么挑", "BetaRoute"]


def test_doubts_come_from_checks_on_the_rounds_files(made: Brief) -> None:
    doubts = dict(made.doubts)
    assert [f.key for f in doubts["orphan-citation"]] == ["arXiv:2601.31009"]
    assert not made.broken


def test_follow_ups_and_next_steps(made: Brief) -> None:
    assert [(f.label, bool(f.by)) for f in made.follow_ups if f.label == "F2"] == [("F2", False)]
    assert [s.text for s in made.next_steps] == ["读 BetaRoute 的附录；再找作者要数据"]


def test_a_broken_manifest_keeps_no_brief_from_its_work(tmp_path: Path) -> None:
    root = build(tmp_path)
    (root / "work-guard" / "zz.json").write_text('{"id": "x", ', "utf-8")
    assert brief(root).round == "second"


def test_a_section_of_a_file_that_was_not_read_is_not_called_missing(tmp_path: Path) -> None:
    root = build(tmp_path)
    unread = root / "inbox" / "mo" / "2026-10-30-critical-read.md"
    unread.write_text("# 精读\n\n## 1. 一篇\n", "utf-8")
    named = root / "organized" / "knowledge" / "serving.md"
    lines = DOCUMENT.replace(
        "通行做法。", "通行做法，见 inbox/mo/2026-10-30-critical-read.md §1。\n- 副本的取舍见 §1.9。"
    )
    named.write_text(lines, "utf-8")
    found = dict(brief(root).doubts)["dangling-section"]
    assert [f.key for f in found] == ["§1.9"]


def test_a_later_brief_that_says_answered_takes_the_task_up(tmp_path: Path) -> None:
    later = "inbox/lan/2026-10-22-serving-e1prep.md"
    root = build(tmp_path, second(compare=[*COMPARED, later]))
    (root / later).write_text("# serving · E1 预消化简报（2026-10-22）\n\n## 后续\n\n- F1 已答：实验已读。\n", "utf-8")
    by = {f.label: [s.path for s in f.by] for f in brief(root).follow_ups}
    assert later in by["F1"]
    assert by["F2"] == []


def test_missing_and_changed_materials_are_told(tmp_path: Path) -> None:
    materials = [{"path": "inbox/gone.md"}, {"path": "organized/repo_cards/7-dell-delta.md", "sha256": "0" * 64}]
    made = brief(build(tmp_path, second(materials=materials)))
    assert [(r.path, r.state) for r in made.readings] == [
        ("inbox/gone.md", "missing"),
        ("organized/repo_cards/7-dell-delta.md", "changed"),
    ]


def test_nothing_outside_the_manifest_is_opened(tmp_path: Path) -> None:
    root = build(tmp_path)
    outside = root / "inbox/mo/2026-11-03-critical-read.md"
    outside.write_text("# x（arXiv:2611.39999）\n", "utf-8")
    os.utime(outside, ns=(0, outside.stat().st_mtime_ns))
    made = brief(root)
    opened = outside.stat().st_atime_ns
    outside.read_bytes()
    if outside.stat().st_atime_ns == 0:
        pytest.skip("this file system does not note when a file was read")
    assert opened == 0
    assert "arXiv:2611.39999" not in {c.key for c in made.ids}


def test_without_compare_the_topics_documents_are_assumed(tmp_path: Path) -> None:
    made = brief(build(tmp_path, second(compare=[])))
    assert [c.path for c in made.compared] == sorted(COMPARED)
    assert item(made, "AlphaCache").standing == "revision"


def test_an_unknown_topic_offers_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean `serving`"):
        brief(build(tmp_path), "servign")


@pytest.mark.parametrize(("topic", "mend"), [("servign", "did you mean `serving`"), ("maps", "the topics here are")])
def test_without_manifests_a_topic_is_one_that_the_files_have(tmp_path: Path, topic: str, mend: str) -> None:
    for path, text in {**MATERIALS, **COMPARED}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    assert brief(tmp_path, "Serving").items
    with pytest.raises(UsageError, match=mend):
        brief(tmp_path, topic)


def test_a_manifest_of_another_topic_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="its topic is `serving`"):
        brief(build(tmp_path), "maps", "work-guard/second.json")


def test_without_a_topic_the_knowledge_base_gives_the_title(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "note.md").write_text("# Note\n\nA map of arXiv:2401.10001 (p. 3).\n", "utf-8")
    with Workspace.open(tmp_path / "maps", "memory:") as workspace:
        text = workspace.render(workspace.brief(" "), "md", "en")
    assert text.startswith("# maps · nightly brief\n")
    assert "every file counts as material" in text
    assert "citation list" not in text


def test_a_folder_without_manifests_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Note\n\nThe cache of arXiv:2401.10001 saves 12% of memory.\n", "utf-8")
    made = brief(tmp_path, "")
    assert (made.manifest, [r.path for r in made.readings]) == ("", ["note.md"])
    assert [c.key for c in made.ids] == ["arXiv:2401.10001"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_equal_input_gives_equal_bytes(tmp_path: Path, lang: str) -> None:
    texts = []
    for name in ("one", "two"):
        root = build(tmp_path / name / "kb")
        with Workspace.open(root) as workspace:
            texts.append(workspace.render(workspace.brief("serving"), "md", lang))
    assert texts[0] == texts[1]


def test_all_parts_are_there_even_when_nothing_was_found(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Note\n", "utf-8")
    with Workspace.open(tmp_path, "memory:") as workspace:
        text = workspace.render(workspace.brief(), "md", "en")
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert [head.split(".")[0] for head in heads] == [f"## {n}" for n in range(1, 8)]
    assert "name no citable identifier" in text


def test_the_json_holds_every_part(tmp_path: Path) -> None:
    with Workspace.open(build(tmp_path), "memory:") as workspace:
        told = json.loads(workspace.render(workspace.brief("serving"), "json", "zh"))
    assert told["version"] == 1
    assert {i["standing"] for i in told["items"]} == {"revision", "new"}
    assert told["labels"]["level-original-checked"]["zh"]


@pytest.mark.parametrize(
    ("title", "keys", "expected"),
    [
        ("BetaRoute（arXiv:2610.31002）", ("arXiv:2610.31002",), "BetaRoute"),
        ("BetaRoute (arXiv:2610.31002v2)", ("arXiv:2610.31002",), "BetaRoute"),
        ("BetaRoute（arXiv:2610.31002 v2）", ("arXiv:2610.31002",), "BetaRoute"),
        ("BetaRoute（第二版）", ("arXiv:2610.31002",), "BetaRoute（第二版）"),
        ("（arXiv:2610.31002）", ("arXiv:2610.31002",), "（arXiv:2610.31002）"),
        ("dell/delta", ("dell/delta",), "dell/delta"),
    ],
)
def test_titles_lose_a_bracket_that_only_names_the_id(title: str, keys: tuple[str, ...], expected: str) -> None:
    assert bare(title, keys) == expected
