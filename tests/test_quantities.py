"""Quantities in Chinese and English sentences: numbers, units, bounds, changes, metrics, and what is no quantity."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbgraph.lift.scan.found import Quantity
from kbgraph.lift.scan.quantities import find_quantities
from kbgraph.model.text import Mark
from words import lexicon


def quantities(text: str, *marks: Mark) -> tuple[Quantity, ...]:
    return find_quantities(text, lexicon(), marks)


def short(q: Quantity) -> str:
    """`[bound ][before→]value[±error][ unit][ @metric]`."""
    value = q.value or f"{q.low}..{q.high}"
    parts = [q.bound, (f"{q.before}→" if q.before else "") + value + (f"±{q.error}" if q.error else ""), q.unit]
    return " ".join(p for p in parts if p) + (f" @{q.metric}" if q.metric else "")


def shorts(text: str, *marks: Mark) -> list[str]:
    return [short(q) for q in quantities(text, *marks)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("+7.25%", "7.25 percent"),
        ("＋7.25％", "7.25 percent"),
        ("-4.5%", "-4.5 percent"),
        ("−4.5 %", "-4.5 percent"),
        ("–4.5%", "-4.5 percent"),
        ("0.5\\%", "0.5 percent"),
        ("百分之十二", "12 percent"),
        ("百分之 12", "12 percent"),
        ("千分之五", "0.5 percent"),
        ("三成", "30 percent"),
        ("七八成", "about 70..80 percent"),
        ("一半", "50 percent"),
        ("4.2 个百分点", "4.2 pp"),
        ("+1.2 pts", "1.2 pp"),
        ("3 percentage points", "3 pp"),
        ("0.8 个点", "0.8 pp"),
        ("5‰", "5 permille"),
        ("40%–60%", "40..60 percent"),
        ("10–20%", "10..20 percent"),
        ("10-20%", "10..20 percent"),
        ("10%～20%", "10..20 percent"),
    ],
)
def test_shares(text: str, value: str) -> None:
    assert shorts(text) == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("70B 参数", "70000000000 param"),
        ("70B models", "70000000000 param"),
        ("1.5T tokens", "1500000000000 token"),
        ("32K 上下文", "32000 token"),
        ("上下文长度 128K", "128000 token @context-length"),
        ("252K 长 prompt", "252000 token"),
        ("64k", "64000"),
        ("40GB", "40 GB"),
        ("30 万美元", "300000 USD"),
        ("200 万 token", "2000000 token"),
        ("4.7 亿", "470000000"),
        ("2.5 万亿", "2500000000000"),
        ("3 千万", "30000000"),
        ("1,300万", "13000000"),
        ("二亿3000万", "230000000"),
        ("五万八", "58000"),
        ("6万2", "62000"),
        ("$2.4M", "2400000 USD"),
        ("€3k", "3000 EUR"),
        ("US$10 million", "10000000 USD"),
        ("-$3.5M", "-3500000 USD"),
        ("3 million users", "3000000 user"),
        ("2,468,013", "2468013"),
        ("2 468 013", "2468013"),
        ("12_000", "12000"),
        ("2.6 万条/秒", "26000 /s"),
        ("5 万 GPU 小时", "50000 GPU-h"),
        ("１２ ms", "12 ms"),
        ("128 K tokens", "128000 token"),
        ("68 more requests per second", "68 /s"),
        ("12 fewer GPUs", "12 GPU"),
        ("3 additional hours", "3 h"),
        ("3.2 GB/s", "3.2 GB/s"),
        ("$0.15/M tokens", "0.00000015 USD/token"),
        ("20 美元/百万 token", "0.00002 USD/token"),
        ("60 FPS", "60 fps"),
        ("a factor of 3", "3 x"),
    ],
)
def test_magnitudes_and_money(text: str, value: str) -> None:
    assert shorts(text) == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("三倍", "3 x"),
        ("十倍", "10 x"),
        ("两三倍", "about 2..3 x"),
        ("三到五倍", "3..5 x"),
        ("三五年", "about 3..5 year"),
        ("三个月", "3 month"),
        ("十万条", "100000 sample"),
        ("三十分钟", "30 min"),
        ("六千五百万", "65000000"),
        ("四十万亿", "40000000000000"),
        ("三万五千亿", "3500000000000"),
        ("零点七", "0.7"),
        ("三点五倍", "3.5 x"),
        ("三分之二", "0.666667 ratio"),
        ("两个数量级", "100 x"),
        ("two orders of magnitude", "100 x"),
        ("从三成降到一成", "30→10 percent"),
        ("三十余篇", "more-than 30 document"),
        ("三点五万", "35000"),
        ("半年", "0.5 year"),
        ("两年半", "2.5 year"),
        ("不足一半", "less-than 50 percent"),
        ("three times faster", "3 x"),
    ],
)
def test_numbers_in_characters(text: str, value: str) -> None:
    assert shorts(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "一个", "统一", "万一", "一般", "十分", "三角形", "统一成", "千万别", "一旦", "不一", "五花八门", "一方面",
        "第三节", "二〇二六年", "第二阶段", "进一步", "上一轮", "同一页", "每一跳", "两类方法", "三元组", "周三",
        "十月", "几十倍", "成本", "百科全书", "四舍五入", "一位作者", "唯一", "二手转述", "第三方", "八卦", "千变万化",
        "三条路径",
    ],
)  # fmt: skip
def test_characters_of_numbers_in_other_words_count_nothing(text: str) -> None:
    assert shorts(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("约 10 ms", "about 10 ms"),
        ("近 3 倍", "about 3 x"),
        ("10 ms 左右", "about 10 ms"),
        ("~3 s", "about 3 s"),
        ("≈3 s", "about 3 s"),
        ("超过 99.9%", "more-than 99.9 percent"),
        (">5x", "more-than 5 x"),
        ("more than 40%", "more-than 40 percent"),
        ("10 多个用户", "more-than 10 user"),
        ("不到 1 s", "less-than 1 s"),
        ("<1%", "less-than 1 percent"),
        ("低于 1%", "less-than 1 percent"),
        ("≥ 99.9%", "at-least 99.9 percent"),
        ("3 倍以上", "at-least 3 x"),
        ("10+ 语种", "at-least 10 language"),
        ("at least 4 GPUs", "at-least 4 GPU"),
        ("不超过 8 段", "at-most 8 passage"),
        ("up to 3.2x", "at-most 3.2 x"),
        ("3 天以内", "at-most 3 day"),
        ("约 2–3 天", "about 2..3 day"),
        ("最近 3 天", "3 day"),  # 近 is part of another word
        ("averaged over 3 runs", "3 count"),
    ],
)
def test_bounds_belong_to_the_quantity(text: str, value: str) -> None:
    assert shorts(text) == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12.3±0.4", "12.3±0.4"),
        ("12.3 (±0.4)", "12.3±0.4"),
        ("12.3% ± 0.4%", "12.3±0.4 percent"),
        ("1e-4", "0.0001"),
        ("1E-4", "0.0001"),
        ("10^-5", "0.00001"),
        ("5×10⁻³", "0.005"),
        ("10⁶ 次", "1000000 count"),
        ("2.50×", "2.5 x"),
        (".5", "0.5"),
        ("1/3", "0.333333 ratio"),
        ("3:1", "3 ratio"),
        ("压缩比 1:16", "0.0625 ratio @compression"),
    ],
)
def test_errors_exponents_and_ratios(text: str, value: str) -> None:
    assert shorts(text) == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12.3→45.6%", "12.3→45.6 percent"),
        ("3 → 4", "3→4"),
        ("P99 从 18 ms 降到 11 ms", "18→11 ms @p99"),
        ("中位数从 9 降到 5", "9→5 @p50"),
        ("由 +77 降至 +42", "77→42"),
        ("accuracy rises from 71.2% to 75%", "71.2→75 percent @accuracy"),
        ("latency dropped to 9 ms", "9 ms @latency"),
        ("between 5 and 10 ms", "5..10 ms"),
        ("5–10 万", "50000..100000"),
        ("1.4–2.6×", "1.4..2.6 x"),
        ("1K–252K-token", "1000..252000 token"),
    ],
)
def test_ranges_and_changes(text: str, value: str) -> None:
    assert shorts(text) == [value]


def test_a_range_after_an_arrow_is_a_quantity_of_its_own() -> None:
    assert shorts("24K prompt → 1.8–2.4s") == ["24000 token", "1.8..2.4 s"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("pass@1 仅 26.7%", ["26.7 percent @pass@1"]),
        ("Recall@10 平均 +15.39%、NDCG@10 +8.28%", ["15.39 percent @recall@10", "8.28 percent @ndcg@10"]),
        ("nDCG@10 只降 0.8 个点", ["0.8 pp @ndcg@10"]),
        ("P99 12.9 ms", ["12.9 ms @p99"]),
        ("P99 latency is 12.9 ms", ["12.9 ms @p99"]),
        ("Top-10 命中率 0.64", ["0.64 @hit-rate@10"]),
        ("精确率 0.81、召回率 0.74", ["0.81 @precision", "0.74 @recall"]),
        ("延迟降低 76%、吞吐提升 2x", ["76 percent @latency", "2 x @throughput"]),
        ("1.4–2.6× the token throughput (48 GB)", ["1.4..2.6 x @throughput", "48 GB"]),
        ("512 token 分块、64 token 重叠", ["512 token @chunk-size", "64 token @overlap"]),
        ("候选 100 条加速 2.4×，候选 20 条 1.7×", ["100 sample", "2.4 x @speedup", "20 sample", "1.7 x"]),
        ("截断到 256 维后 nDCG@10 降 0.8 个点", ["256 dim", "0.8 pp @ndcg@10"]),
        ("批大小 1", ["1 @batch-size"]),
        ("8 并发", ["8 @concurrency"]),
        ("temperature 1.0", ["1 @temperature"]),
        ("Recall@1/5 = 0.5/0.7", ["0.5 @recall@1/5", "0.7 @recall@1/5"]),  # which is whose is not told
        ("precision of 0.81 and 0.79", ["0.81 @precision", "0.79 @precision"]),
        ("the model doubled throughput", ["2 x @throughput"]),
    ],
)
def test_metrics_beside_numbers(text: str, values: list[str]) -> None:
    assert shorts(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "KServe v0.17/v0.18", "Apache 2.0", "Elastic Agent 9.3/9.5", "npm 0.3.0", "Qwen3.8", "Llama2-70B", "版本 2.1",
        "Nanbeige4.3-33B", "VL-120B-A12B-NVFP4", "2026-10-27", "2026-10-27T1550", "2026/10/27", "2024 年 5 月 3 日",
        "15:29", "10-08 简报", "10-23", "§3.1", "3.1 节", "Section 3.1", "图 3.2", "第 31 期", "第 3 条", "Top-20 检索",
        "H100/H200", "增量 6：标题", "arXiv:2503.10001", "ISBN 978-7-302-71946-5", "10.1145/2503.30564", "模块 7101",
        "3D 模型", "2FA", "4xx 错误", "U(0,1)", "λ∈[0,10]", "x^2", "[3]", "#12", "10/23", "1. 首先", "commit 3f0c6a1e",
        "https://example.org/p/31", "inbox/a/2026-10-07-x.md", "0.9 版", "half-precision", "double-check", "GPT-3-8B",
        "7×24 小时", "16×16 块", "8×H100", "360 度",
    ],
)  # fmt: skip
def test_names_dates_and_pointers_are_no_quantities(text: str) -> None:
    assert shorts(text) == []


def test_code_is_no_quantity() -> None:
    assert shorts("用 size: 512 ms 运行 12 ms", Mark("code", 2, 14)) == ["12 ms"]


def test_a_full_width_comma_joins_nothing_in_silence() -> None:
    assert shorts("10，200 条；4，000 步") == []


def test_printed_text_and_span_are_those_of_the_sentence() -> None:
    text = "平均约 1.4–2.6× 的吞吐"
    (found,) = quantities(text)
    assert found.printed == "约 1.4–2.6×" == text[found.start : found.end]


def test_numbers_of_another_unit_are_another_quantity() -> None:
    assert [q.unit for q in quantities("2.1 个百分点与 2.1%")] == ["pp", "percent"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("读放大在单机 16 核时不超过 3×。", ["16 core", "at-most 3 x @read-amplification"]),
        ("吞吐在 64 节点时达到 1,200 QPS。", ["64 node", "1200 /s @throughput"]),
        ("吞吐在 32 并发下为 2.1 倍。", ["32 @concurrency", "2.1 x @throughput"]),
        ("准确率在 3 个数据集上分别为 81%、79%。", ["3 count", "81 percent @accuracy", "79 percent @accuracy"]),
        ("the throughput with 8 GPUs is 3x.", ["8 GPU", "3 x @throughput"]),
        ("P99 at 32 concurrent requests is 12 ms.", ["32 @concurrency", "12 ms @p99"]),
        ("7101 runs were made.", ["7101 count"]),  # a number before a plural counts
    ],
)
def test_a_metric_belongs_to_what_was_measured_not_to_the_setting(text: str, expected: list[str]) -> None:
    assert shorts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.8 的删除是另一套实现。", []),
        ("与 0.8 相比，删除快 2 倍。", ["2 x @speedup"]),
        ("Gantry 0.8 的删除慢 2 倍。", ["2 x"]),
        ("in 0.8 the deletion scans the table.", []),
        ("放进同一张表里。", []),
        ("recall 0.8 的配置要 3 ms。", ["0.8 @recall", "3 ms"]),
        ("0.8 的召回。", ["0.8 @recall"]),
        ("阈值 0.8 的那组。", ["0.8"]),
    ],
)
def test_a_short_decimal_that_opens_a_clause_or_follows_a_name_is_a_version(text: str, expected: list[str]) -> None:
    assert shorts(text) == expected


DECIMAL = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?")
PIECES = st.sampled_from(
    ["3", "12.5", "1,200", "%", "–", "-", "→", " ", "万", "亿", "倍", "成", "约", "以上", "B", "K", "ms", "±",
     "三", "十",
     "百分之", "分之", "点", "从", "到", "降到", "$", "/", ":", "^", "e-4", "×10⁻³", "Recall@10", "、", "，",
     "v", ".", "个",
     "两", "第", "和", "between ", " and ", "＋", "％", "\\%", "10^"]
)  # fmt: skip


@settings(deadline=None)  # the machine may be busy
@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=10).map("".join)))
def test_any_text_gives_canonical_decimals_and_spans_inside_it(text: str) -> None:
    last = 0
    for found in quantities(text):
        assert last <= found.start < found.end <= len(text)
        assert text[found.start : found.end] == found.printed
        numbers = [n for n in (found.value, found.low, found.high, found.error, found.before) if n]
        assert numbers
        assert all(DECIMAL.fullmatch(n) for n in numbers), numbers
        assert bool(found.value) != bool(found.low)
        last = found.end


@pytest.mark.parametrize("piece", ["十", "三十", "百分之", "1ms/", "3%/", "1,", "10^", "3→", "三分之", "±3"])
def test_long_runs_neither_recurse_nor_blow_up(piece: str) -> None:
    text = piece * 3000
    assert all(q.end <= len(text) for q in quantities(text))
