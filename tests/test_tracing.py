"""`kbgraph trace`: chains worked out by hand on the example corpus, what each hop lost, what is independent."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import kbgraph
from conftest import ROOT
from kbgraph.errors import UsageError
from kbgraph.model.trace import Chain, Loss, Passage
from kbgraph.relate.told import losses, told
from kbgraph.workspace import Workspace
from test_relate_pairs import lexis

INFERENCE, EVALUATION = "organized/knowledge/inference.md", "organized/knowledge/evaluation.md"
BRIEF = "inbox/linxi/2026-10-28-inference-e1prep.md"
ODILE = "inbox/odile/2026-10-27-0930-engineering-brief.md"
WEIGHTSTREAM, SPILLLANE = "organized/paper_cards/453-2602-31590.md", "organized/paper_cards/436-2602-35390.md"


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The example corpus, read."""
    root = tmp_path_factory.mktemp("trace") / "kb"
    shutil.copytree(ROOT / "examples/research-kb", root)
    with kbgraph.open(root) as workspace:
        workspace.sync()
        yield workspace


def corpus(root: Path, **files: str) -> Workspace:
    """A corpus of a document, a card, a report …, read; what they are is told by their folder."""
    folders = {
        "document": "organized/knowledge/serving.md", "card": "organized/paper_cards/001-2401-10001.md",
        "report": "inbox/bo/2026-08-12-critical-read.md", "again": "inbox/cy/2026-08-13-critical-read.md",
        "guide": "organized/guides/toy-cache.md",
    }  # fmt: skip
    for name, text in files.items():
        file = root / folders[name]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    workspace = kbgraph.open(root, store="memory:")
    workspace.sync()
    return workspace


def only(workspace: Workspace, what: str) -> Chain:
    """The one chain of what is traced."""
    (chain,) = workspace.trace(what).chains
    return chain


def steps(chain: Chain) -> list[tuple[int, str, str]]:
    """Depth, tie, and place or key of each hop."""
    return [
        (hop.depth, hop.tie, f"{hop.passage.path}:{hop.passage.line}" if hop.passage else hop.key)
        for hop in chain.hops
    ]  # fmt: skip


def counted(chain: Chain) -> dict[str, tuple[str, str]]:
    """Standing of each source and what it shares, by path."""
    return {one.path: (one.standing, one.of) for one in chain.sources}


# -- chains of the example, by hand


def test_a_number_goes_back_over_the_brief_and_the_report_that_the_brief_names(kb: Workspace) -> None:
    chain = only(kb, f"{INFERENCE}:196")
    assert steps(chain) == [
        (1, "matter", f"{BRIEF}:27"),
        (2, "named", f"{ODILE}:9"),
        (3, "primary", "arXiv:2602.31590"),
        (1, "matter", f"{WEIGHTSTREAM}:20"),
        (2, "primary", "arXiv:2602.31590"),
    ]
    assert chain.hops[0].losses == (
        Loss("number", "14 s", "11 s"),
        Loss("condition", "8 卡"),
        Loss("condition", "每节点 100 Gb/s"),
    )
    assert chain.hops[1].losses == ()
    assert chain.hops[2].title == "WeightStream: Layer-Wise Cold Starts from Object Storage"
    passage = chain.hops[1].passage
    assert passage is not None
    assert passage.printed == (
        "A 70B model starts cold from object storage in 14 s instead of 92 s (8 GPUs, 100 Gb/s per node)."
    )
    assert (passage.agent, passage.day, passage.level) == ("odile", "2026-10-27", "level-original-checked")


def test_a_card_and_a_report_of_one_paper_count_once_and_the_one_that_saw_most_counts(kb: Workspace) -> None:
    chain = only(kb, f"{INFERENCE}:196")
    assert chain.independent == 1
    assert counted(chain) == {
        ODILE: ("counts", "arXiv:2602.31590"),
        WEIGHTSTREAM: ("same-source", "arXiv:2602.31590"),
    }


def test_an_id_means_every_sentence_that_documents_say_of_it(kb: Workspace) -> None:
    chains = kb.trace("2602.35390").chains
    assert [(c.asked.path, c.asked.line) for c in chains] == [(INFERENCE, 96), (INFERENCE, 97)]
    assert steps(chains[0]) == [
        (1, "same-meaning", "inbox/henglu/2026-11-07-critical-read.md:28"),
        (2, "primary", "arXiv:2602.35390"),
        (1, "matter", f"{SPILLLANE}:19"),
        (2, "primary", "arXiv:2602.35390"),
    ]
    assert chains[0].hops[0].losses == ()
    # That it is simulated, the document says in its own way; the batch size it does not say.
    assert chains[0].hops[2].losses == (
        Loss("condition", "重叠只在批大小不超过 8 时成立", "", "condition-concurrency"),
    )


def test_spellings_of_an_id_and_the_iri_of_a_claim_mean_the_same(kb: Workspace) -> None:
    every = ("arXiv:2602.35390v1", "https://arxiv.org/abs/2602.35390", "https://arxiv.org/pdf/2602.35390")
    assert {kb.trace(what).chains for what in every} == {kb.trace("2602.35390").chains}
    claim = only(kb, f"{INFERENCE}:196").asked.claim
    assert only(kb, claim) == only(kb, f"{INFERENCE}:196")


def test_a_retelling_ends_where_its_source_is_not_named_and_counts_for_nothing(kb: Workspace) -> None:
    chain = only(kb, "账单降 35%")
    assert (chain.asked.path, chain.asked.line) == (INFERENCE, 77)
    letter = "https://throughput-weekly.example/issues/38"
    assert steps(chain) == [
        (1, "matter", "inbox/muyan/2026-10-26T0910-blogs-discovery.md:8"),
        (2, "primary", letter),
        (3, "unnamed", ""),
    ]
    assert chain.independent == 0
    assert counted(chain) == {"inbox/muyan/2026-10-26T0910-blogs-discovery.md": ("retelling", letter)}


def test_a_source_that_came_later_is_told_apart(kb: Workspace) -> None:
    chain = only(kb, f"{INFERENCE}:109")
    assert [s for s in steps(chain) if s[0] == 1] == [(1, "matter", "organized/paper_cards/479-2604-38071.md:19")]
    assert [(p.path, p.line) for p in chain.later] == [("inbox/henglu/2026-11-21-critical-read.md", 23)]


# -- what was asked for


def test_a_number_of_several_things_is_listed_with_the_places_that_name_one(kb: Workspace) -> None:
    with pytest.raises(UsageError, match="`38%` is said of 3 things") as caught:
        kb.trace("38%")
    assert f"  {INFERENCE}:96  “" in caught.value.mend
    assert f"  {EVALUATION}:76  “" in caught.value.mend


def test_a_number_that_nobody_says_is_told_with_the_nearest(kb: Workspace) -> None:
    with pytest.raises(UsageError, match="no statement says `39%`") as caught:
        kb.trace("39%")
    assert "saves 38% of space" in caught.value.mend


def test_a_line_without_a_statement_is_told_with_the_nearest_lines(kb: Workspace) -> None:
    with pytest.raises(UsageError, match=f"no statement stands at {INFERENCE}:216") as caught:
        kb.trace(f"{INFERENCE}:216")
    assert f"{INFERENCE}:211" in caught.value.mend


def test_nothing_at_all_is_wrong_use(kb: Workspace) -> None:
    with pytest.raises(UsageError, match="nothing is named"):
        kb.trace("  ")


# -- small corpora

DOCUMENT = """# 推理服务 · 活文档（serving）

维护：lin ｜ 末次更新：2026-08-30

## §1 缓存

- {}

## 引用列表

- arXiv:2401.10001 — ToyCache: Prefix Caches Kept Apart
"""
REPORT = """# 精读 2026-08-12

## 1. ToyCache（arXiv:2401.10001）

- 证据等级：{}
- 要点：{}
"""


def test_a_guide_that_took_it_from_the_document_leads_back_to_it_and_does_not_count(tmp_path: Path) -> None:
    document = DOCUMENT.format("表格先转成文本再分块，召回更稳（依据 organized/guides/toy-cache.md）。")
    guide = "# toylabs/toy-cache\n\n- 仓库：https://github.com/toylabs/toy-cache\n\n## 用法\n\n"
    guide += "- 表格先转成文本再分块，召回更稳（见 serving §1）。\n"
    chain = only(corpus(tmp_path, document=document, guide=guide), "organized/knowledge/serving.md:7")
    assert steps(chain) == [
        (1, "named", "organized/guides/toy-cache.md:7"),
        (2, "named", "organized/knowledge/serving.md"),
    ]
    assert chain.hops[1].circular
    assert chain.independent == 0
    assert counted(chain) == {"organized/guides/toy-cache.md": ("derived", "organized/knowledge/serving.md")}


def test_two_reports_with_the_same_words_count_once(tmp_path: Path) -> None:
    said = "前缀缓存按租户分开之后，显存占用减少 41%。"
    report = REPORT.format("原文核查", said)
    kb = corpus(
        tmp_path, document=DOCUMENT.format(f"**ToyCache**（arXiv:2401.10001）：{said}"), report=report, again=report
    )
    chain = only(kb, "organized/knowledge/serving.md:7")
    assert chain.independent == 1
    assert counted(chain) == {
        "inbox/bo/2026-08-12-critical-read.md": ("counts", "arXiv:2401.10001"),
        "inbox/cy/2026-08-13-critical-read.md": ("same-text", "inbox/bo/2026-08-12-critical-read.md"),
    }


def test_who_ran_it_again_is_a_source_of_its_own(tmp_path: Path) -> None:
    said = "前缀缓存按租户分开之后，显存占用减少 41%。"
    kb = corpus(
        tmp_path,
        document=DOCUMENT.format(f"**ToyCache**（arXiv:2401.10001）：{said}"),
        report=REPORT.format("原文核查", said),
        again=REPORT.format("本组复跑", "按租户分开以后显存占用少了 41%。"),
    )
    chain = only(kb, "organized/knowledge/serving.md:7")
    assert chain.independent == 2
    rerun = "inbox/cy/2026-08-13-critical-read.md"
    assert counted(chain)[rerun] == ("counts", rerun)


def test_pages_of_one_party_that_measures_itself_count_once(tmp_path: Path) -> None:
    said = "首字延迟降到 310 ms，显存占用减少 41%。"
    report = "# 精读 2026-08-12\n\n"
    for number, page in enumerate(("docs/a", "catalog/b"), 1):
        report += f"## {number}. 目录页 https://toylabs.example/{page}\n\n- 证据等级：厂商自测\n- 要点：{said}\n\n"
    document = DOCUMENT.format(f"目录页（https://toylabs.example/docs/a）写着{said[:-1]}（厂商自测）。")
    kb = corpus(tmp_path, document=document, report=report)
    chain = only(kb, "organized/knowledge/serving.md:7")
    assert chain.independent == 1
    assert [(one.standing, one.of) for one in chain.sources] == [("counts", "toylabs.example")]


def test_who_names_it_otherwise_is_found_by_its_numbers(kb: Workspace) -> None:
    """The document speaks of the model's recipe, the reports of the page that has it."""
    chain = only(kb, f"{INFERENCE}:210")
    told = {hop.passage.path for hop in chain.hops if hop.passage and hop.depth == 1}
    assert told == {"inbox/muyan/2026-10-26T0910-blogs-discovery.md", ODILE}
    assert {one.of for one in chain.sources} == {"larkspur-cloud.example"}
    assert chain.independent == 1


def test_a_sentence_that_only_cites_has_its_primary_source_and_no_witness(tmp_path: Path) -> None:
    kb = corpus(tmp_path, document=DOCUMENT.format("**ToyCache**（arXiv:2401.10001）：显存占用减少 41%。"))
    chain = only(kb, "organized/knowledge/serving.md:7")
    assert steps(chain) == [(1, "primary", "arXiv:2401.10001")]
    assert (chain.independent, chain.sources) == (0, ())


# -- losses, one by one


def passage(text: str, level: str = "level-original-checked", hedge: str = "", *conditions: str) -> Passage:
    return Passage("e", "c", "a.md", 1, text, text, level=level, hedge=hedge, conditions=conditions)


@pytest.mark.parametrize(
    ("source", "teller", "expected"),
    [
        ("吞吐最高提升 41%。", "吞吐提升 41%。", [Loss("bound", "最高提升 41%", "41%")]),
        ("Throughput rises by up to 41%.", "吞吐提升 41%。", [Loss("bound", "up to 41%", "41%")]),
        ("吞吐提升 41%。", "吞吐提升 14%。", [Loss("number", "41%", "14%")]),
        ("召回提升 6–9 个点。", "召回提升 9 个点。", [Loss("number", "6–9 个点", "9 个点")]),
        ("首字延迟降到 310 ms。", "首字延迟降到 310。", [Loss("unit", "310 ms", "310")]),
        ("首字延迟降到 310 ms。", "首字延迟降到 310 s。", [Loss("number", "310 ms", "310 s")]),
        ("比未调过的内核快 1.3×。", "内核快 1.3×。", [Loss("baseline", "比未调过的内核快")]),
        ("1.3x faster than the untuned kernel.", "内核快 1.3×。", [Loss("baseline", "than the untuned kernel")]),
        ("不需要重新训练模型。", "需要重新训练模型。", [Loss("wording", "不需要", "需要")]),
        ("预测误差不大时缩短排队时间。", "总是缩短排队时间。", [Loss("wording", "", "总是")]),
    ],
)
def test_what_a_retelling_loses(source: str, teller: str, expected: list[Loss]) -> None:
    assert list(losses(passage(source), passage(teller), lexis())) == expected


@pytest.mark.parametrize(
    ("source", "teller"),
    [
        ("吞吐提升 41%。", "Throughput rises by 41%."),
        ("首字延迟降到 0.31 s。", "首字延迟降到 310 ms。"),
        ("内核快 1.3×。", "比未调过的内核快 1.3×。"),  # the other way round nothing is lost
        ("长度比超过 8:1 时快 1.3×。", "长度比超过 8:1 时快 1.3×。"),
        ("比对照内核快 1.3×。", "相比对照内核快 1.3×。"),
        ("长度比超过 8:1 时快 1.3×。", "提示较长时快 1.3×。"),  # a limit, no baseline
        ("显存占用 8 GB，吞吐提升 41%。", "吞吐提升 41%。"),  # another number left out changes nothing
        ("在任意到达下都成立。", "总是成立。"),
        ("每题注入 5 段翻转 63% 的答案。", "每个问题注入 5 段翻转 63% 的答案。"),
        ("Answers move by 2.3 points over 11 suites.", "Answers move by 2.3 points in 11 suites."),
    ],
)
def test_what_is_kept_is_no_loss(source: str, teller: str) -> None:
    assert losses(passage(source), passage(teller), lexis()) == ()


def test_a_level_is_lost_where_it_is_left_out_or_raised_and_kept_where_it_is_lowered() -> None:
    said = "吞吐提升 41%。"
    simulated, checked, none = (passage(said, f"level-{name}") for name in ("simulated", "original-checked", ""))
    assert losses(simulated, checked, lexis()) == (Loss("level", "level-simulated", "level-original-checked"),)
    assert losses(simulated, passage(said, ""), lexis()) == (Loss("level", "level-simulated", ""),)
    assert losses(checked, simulated, lexis()) == ()
    assert losses(checked, none, lexis()) == ()


def test_a_condition_is_lost_to_the_end_of_its_phrase_and_kept_in_other_words() -> None:
    source = passage("单张 A10、批大小 1 时端到端加速 2.4×。", "level-original-checked", "", "单张")
    assert losses(source, passage("端到端加速 2.4×。"), lexis()) == (
        Loss("condition", "单张 A10", "", "condition-hardware"),
    )
    assert losses(source, passage("端到端加速 2.4×（单张 A10）。"), lexis()) == ()
    run = passage("In a simulator, it is 2.4x faster.", "level-simulated", "", "In a simulator")
    assert losses(run, passage("端到端加速 2.4×（模拟而非实机）。", "level-simulated"), lexis()) == ()


def test_names_that_the_title_tells_need_not_be_told_again() -> None:
    asked, card = "SpillLane 的换出可以与解码完全重叠。", "冷页换到主机内存并与解码重叠"
    assert not told(asked, card, lexis()).enough
    assert told(asked, card, lexis(), "SpillLane: Overlapping KV Offload with Decode").enough


# -- as text


def test_the_text_reads_from_the_statement_back(kb: Workspace) -> None:
    shown = kb.render(kb.trace(f"{INFERENCE}:77"), "text", "en")
    assert shown.splitlines() == [
        f"{INFERENCE}:77  [knowledge document · linxi · 2026-11-12 · second-hand]",
        "    有通讯称某客服平台打开前缀复用后 GPU 账单降 35%（二手转述，Throughput Weekly 第 38 期，https://throughput-weekly.example/issues/38）。",
        "  ← told by inbox/muyan/2026-10-26T0910-blogs-discovery.md:8  [report · muyan · 2026-10-26 · second-hand]",
        "      称某客服平台打开前缀复用后 GPU 账单降 35%，没有平台名，也没有命中率。",
        "    ← primary source https://throughput-weekly.example/issues/38 Throughput Weekly 第 38 期，2026-10-23",
        "      ← the primary source is not named",
        "Independent sources: 0",
        "  inbox/muyan/2026-10-26T0910-blogs-discovery.md:8  [muyan · does not count, retells https://throughput-weekly.example/issues/38]",
    ]


def test_markdown_and_json_say_the_same(kb: Workspace) -> None:
    made = kb.trace(f"{INFERENCE}:196")
    text = kb.render(made, "md", "zh")
    assert f"- ← 写明取自 `{ODILE}:9` 报告 · odile · 2026-10-27 · 原文核查\n" in text
    assert "没有带过来：数字「14 s」 →「11 s」；条件「8 卡」；条件「每节点 100 Gb/s」\n" in text
    told = kb.render(made, "json", "zh")
    assert '"independent": 1' in told
    assert told == kb.render(kb.trace(f"{INFERENCE}:196"), "json", "en")
