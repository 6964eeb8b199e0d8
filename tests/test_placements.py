"""Where an item belongs that no source places: told by its words, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kbgraph.model.brief import Brief
from kbgraph.workspace import Workspace

DOCUMENT = """\
# 缓存 · 活文档（cache）

末次更新：2026-10-20

## 一、淘汰策略

### §1.1 频次与新近度

- 按频次淘汰在扫描型负载下比按新近度淘汰多命中 7 个点（原文核查）。
- 新近度队列只要一个指针，淘汰时不加锁（原文核查）。
- 幽灵条目记下被淘汰的键，淘汰策略据此调节频次的权重（摘要页核查）。

### §1.2 准入

- 准入草图用 4 位计数器估计频次，一次性对象不准进入缓存（原文核查）。
- 准入过滤器挡下六成的一次性对象（摘要页核查）。
- 准入的门槛随命中率自动升降（摘要页核查）。

## 二、一致性

### §2.1 失效通知

- 写入后向各副本广播失效通知，副本收到前可能读到旧值（原文核查）。
- 租约到期前副本不必理会失效通知（原文核查）。

## 三、引用列表

- arXiv:2601.10101 — 准入草图
"""
READ = """\
# 精读 2026-11-02（lan）

## 1. 门槛网（arXiv:2610.10201）

- 证据等级：原文核查
- 要点：准入过滤器改用 2 位计数器，一次性对象仍有五成挡在缓存外。

## 2. 深海鱼类的发光器官（arXiv:2610.10202）

- 证据等级：原文核查
- 要点：三种深海鱼靠共生细菌发光。

## 3. 失效合并（arXiv:2610.10203）

- 证据等级：原文核查
- 要点：合并发给同一副本的失效通知，写入延迟降 12%。
- 建议归入：§2.1
"""
DOC, REPORT = "organized/knowledge/cache.md", "inbox/lan/2026-11-02-critical-read.md"
MANIFEST = {"id": "one", "topic": "cache", "created": "2026-11-02", "materials": [{"path": REPORT}], "compare": [DOC]}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in {DOC: DOCUMENT, REPORT: READ, "work-guard/one.json": json.dumps(MANIFEST)}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


def brief(root: Path) -> tuple[Brief, dict[str, str]]:
    with Workspace.open(root, "memory:") as workspace:
        made = workspace.brief("cache")
        return made, {lang: workspace.render(made, "md", lang) for lang in ("zh", "en")}


def test_an_item_that_no_source_places_goes_where_its_words_are(root: Path) -> None:
    made, text = brief(root)
    one = next(i for i in made.items if "门槛网" in i.title)
    assert (one.places[0].document, one.places[0].number, one.places[0].title) == (DOC, "1.2", "准入")
    assert {"准入", "一次性"} & set(one.places[0].words)
    assert "来源没有说归到哪一节；按用词" in text["zh"]
    assert " §1.2「准入」（" in text["zh"]
    assert "The source names no section for it; by its words it" in text["en"]


def test_what_is_of_another_topic_goes_nowhere_and_that_is_said(root: Path) -> None:
    made, text = brief(root)
    fish = next(i for i in made.items if "鱼" in i.title)
    assert fish.places == ()
    assert "no-section" in fish.gaps
    assert text["zh"].count("- 来源没有说归到哪一节\n") == 1


def test_what_a_source_says_is_not_argued_with(root: Path) -> None:
    made, _ = brief(root)
    told = next(i for i in made.items if "失效" in i.title)
    assert told.places == ()
    assert [a.number for a in told.advice] == ["2.1"]


def test_lists_and_headings_of_headings_are_no_places(root: Path) -> None:
    text = (root / REPORT).read_text("utf-8")
    (root / REPORT).write_text(text.replace("门槛网（arXiv:2610.10201）", "引用列表里的准入草图"), "utf-8")
    made, _ = brief(root)
    assert {p.number for i in made.items for p in i.places} <= {"1.1", "1.2", "2.1"}
