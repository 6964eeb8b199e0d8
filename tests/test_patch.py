"""Merge actions as a diff: the lines that a careful editor would put in, where, and what is left to people."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

import kbgraph
from conftest import ROOT
from kbgraph.cli import group
from kbgraph.errors import UsageError
from kbgraph.workspace import Workspace

DOCUMENT = """\
# 缓存 · 活文档（cache）

## 一、淘汰

### §1.1 频次

- **TwoQ+**（arXiv:2601.10101v1）：冷数据先进试用队列，任何负载下命中率都提升 7 个点（原文核查）。
- 新近度队列不加锁（原文核查）。

旧的说法以后再删。

### §1.2 准入

### §1.3 预取

1. 预取按文件顺序走（原文核查）。
2. 预取窗口减半时停下（原文核查）。

## 二、开放问题

### §2.1 还不知道的

- 准入门槛怎样随负载变？

## 三、引用列表（共 2 条）

- arXiv:2601.10101 — TwoQ+
- arXiv:2605.10105 — Later
"""
READ = """\
# 精读 2026-11-02（lan）

## 1. TwoQ+ 第二版（arXiv:2601.10101v2）

- 证据等级：原文核查
- 要点：扫描型负载下命中率提升 7 个点。活文档 §1.1 写宽了。
- 建议归入：§1.1（修订），§2.1

## 2. 2*2 门槛网（arXiv:2602.10102）

- 证据等级：摘要页核查
- 要点：准入草图只要 2 位计数器。挡下五成的一次性对象。
- 建议归入：§1.2

## 3. AheadWalk（arXiv:2606.10106）

- 证据等级：原文核查
- 要点：预取窗口随命中率走。
- 建议归入：§1.3，§1.1

## 4. 某站的帖子

- 来源：https://post.example/cache
- 证据等级：原文核查
- 要点：线上一周，命中率升 2 个点。
- 建议归入：§1.1

## 5. NoLevel（arXiv:2607.10107）

- 要点：写放大降到 1.1 倍。
- 建议归入：§1.1
"""
DOC, REPORT = "organized/knowledge/缓存 库.md", "inbox/lan/2026-11-02-critical-read.md"
MANIFEST = {"id": "one", "topic": "cache", "created": "2026-11-02", "materials": [{"path": REPORT}], "compare": [DOC]}
EXPECTED = (
    DOCUMENT.replace(
        "（arXiv:2601.10101v1）：冷数据先进试用队列，任何负载下命中率都提升 7 个点（原文核查）。",
        "（arXiv:2601.10101v2）：扫描型负载下命中率提升 7 个点（原文核查）。",
    )
    .replace(
        "### §1.2 准入\n",
        "### §1.2 准入\n\n- **2\\*2 门槛网**（arXiv:2602.10102）："
        "准入草图只要 2 位计数器（摘要页核查）。挡下五成的一次性对象（摘要页核查）。\n",
    )
    .replace(
        "2. 预取窗口减半时停下（原文核查）。\n",
        "2. 预取窗口减半时停下（原文核查）。\n3. **AheadWalk**（arXiv:2606.10106）：预取窗口随命中率走（原文核查）。\n",
    )
    .replace("（共 2 条）", "（共 4 条）")
    .replace("- arXiv:2605", "- arXiv:2602.10102 — 2\\*2 门槛网\n- arXiv:2605")
    .replace("— Later\n", "— Later\n- arXiv:2606.10106 — AheadWalk\n")
)
LEFT = [
    "# 没有写进补丁：条目 1「TwoQ+ 第二版」，§2.1：该节写的是问题，要人来措辞",
    "# 没有写进补丁：条目 2「AheadWalk」，§1.1：已写进另一节",
    "# 没有写进补丁：条目 3「某站的帖子」，§1.1：没有可引用的标识",
    "# 没有写进补丁：条目 5「NoLevel」，§1.1：有数字没有证据等级",
]

needs_git = pytest.mark.skipif(
    shutil.which("git") is None, reason="git is not installed: nothing else applies the diff"
)


def corpus(root: Path, document: bytes) -> Path:
    for path, text in {REPORT: READ, "work-guard/one.json": json.dumps(MANIFEST)}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    (root / DOC).parent.mkdir(parents=True)
    (root / DOC).write_bytes(document)
    return root


def diff(root: Path, lang: str = "zh") -> str:
    with Workspace.open(root, "memory:") as workspace:
        return workspace.render(workspace.patch("cache"), "diff", lang)


def applied(root: Path, text: str) -> bytes:
    """The document after `git apply`, which refuses what does not fit to the byte."""
    run = ["git", "apply", "--whitespace=nowarn", "-"]
    subprocess.run(run, cwd=root, input=text.encode(), check=True, capture_output=True)
    return (root / DOC).read_bytes()


@needs_git
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_git_apply_makes_the_document_that_an_editor_would(tmp_path: Path, end: str, last: bool) -> None:
    before, after = (text.replace("\n", end).encode() for text in (DOCUMENT, EXPECTED))
    root = corpus(tmp_path, before if last else before.removesuffix(end.encode()))
    text = diff(root)
    assert (root / DOC).read_bytes() == (before if last else before.removesuffix(end.encode()))
    assert applied(root, text).decode() == after.decode()


def test_what_is_left_to_people_stands_before_with_the_reason(tmp_path: Path) -> None:
    told = diff(corpus(tmp_path, DOCUMENT.encode())).partition("--- ")[0].splitlines()
    assert sorted(told) == LEFT
    assert "# not in the patch: item 3 “某站的帖子”, §1.1: it has no citable identifier\n" in diff(tmp_path, "en")


def test_a_document_in_another_encoding_is_left_alone(tmp_path: Path) -> None:
    text = diff(corpus(tmp_path, DOCUMENT.encode("gb18030")))
    assert "--- " not in text
    assert "文档不是 UTF-8，或换行不常见" in text


def test_a_patch_has_one_format(tmp_path: Path) -> None:
    root = corpus(tmp_path, DOCUMENT.encode())
    done = CliRunner().invoke(group, ["brief", "cache", "--kb", str(root), "--patch", "-f", "json"])
    assert isinstance(done.exception, UsageError)
    assert done.exception.message == "a patch has one format, a unified diff"


@needs_git
def test_in_the_example_the_checks_that_the_patch_answers_are_clean_after_it(tmp_path: Path) -> None:
    root = shutil.copytree(
        ROOT / "examples" / "research-kb", tmp_path / "kb", ignore=shutil.ignore_patterns(".kbgraph")
    )
    with kbgraph.open(root, store="memory:") as kb:
        kb.sync()
        text = kb.render(kb.patch("inference"), "diff", "zh")
        before = {(f.check, str(f.key)) for f in kb.check().findings}
    subprocess.run(["git", "apply", "-"], cwd=root, input=text.encode(), check=True)
    with kbgraph.open(root, store="memory:") as kb:
        kb.sync()
        after = {(f.check, str(f.key)) for f in kb.check().findings}
    assert ("conflicting-wording", "arXiv:2507.34485") in before - after
    grave = ("unlisted-citation", "orphan-citation", "number-without-level", "withdrawn-cited", "duplicate-claim")
    assert not [one for one in after - before if one[0] in grave]
