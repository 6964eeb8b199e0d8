"""The few words of ours that stand between the corpus's own, and cells as text."""

from __future__ import annotations

from kbgraph.model.finding import Finding, Report
from kbgraph.model.query import Both, Cell, Table
from kbgraph.model.verification import Verification

_WORDS: dict[str, tuple[str, str]] = {
    "error": ("error", "错误"),
    "warning": ("warning", "警告"),
    "info": ("info", "提示"),
    "waived": ("waived", "已豁免"),
    "broken": ("broken", "未能完成"),
    "place": ("Place", "位置"),
    "check": ("Check", "检查"),
    "severity": ("Severity", "级别"),
    "message": ("Finding", "发现"),
    "related": ("Related", "相关"),
    "fix": ("Mend", "处理"),
    "suggest": ("Edit", "改法"),
    "checks": ("Checks", "检查结果"),
    "rows": ("rows", "行"),
    "of": ("of", "/"),
    "none": ("no rows", "没有行"),
    "new": ("new", "新"),
    "still": ("still there", "仍在"),
    "regressed": ("back again", "再现"),
    "fixed": ("found no more", "不再出现"),
    "clean": ("Nothing found by", "没有发现的检查"),
    "off": ("Switched off", "已关闭的检查"),
    "count": ("Findings", "处数"),
    "sampled": (
        "{shown} of {all}, spread over all of them; the others: -f csv",
        "共 {all} 处，均匀取出 {shown} 处；其余见 -f csv",
    ),
    "also": ("also", "另见"),
    "fault": ("Fault", "缺陷"),
    "verdict": ("Verdict", "结果"),
    "expected": ("Planted at", "种在"),
    "note": ("Note", "说明"),
    "killed": ("killed", "已发现"),
    "survived": ("survived", "未发现"),
    "noisy": ("noisy", "有误报"),
    "skipped": ("skipped", "跳过"),
    "elsewhere": ("also fired", "另报"),
    "uncovered": ("not tried", "未试"),
    "trace": ("Trace", "溯源"),
    "trace-matter": ("← told by", "← 见于"),
    "trace-same-text": ("← in the same words in", "← 原句见于"),
    "trace-same-meaning": ("← with the same meaning in", "← 同义句见于"),
    "trace-named": ("← named as its source", "← 写明取自"),
    "trace-primary": ("← primary source", "← 原始来源"),
    "trace-unnamed": ("← the primary source is not named", "← 没有写明原始来源"),
    "trace-circular": ("← taken back from the document itself", "← 又回到文档自己"),
    "trace-file": ("← names a file where no sentence says it", "← 指名的文件里没有这句话"),
    "trace-nobody": ("no other material says this", "没有别的材料写到这句话"),
    "trace-again": ("as above", "同上"),
    "trace-no-level": ("no level stated", "未标等级"),
    "trace-lost": ("not carried over", "没有带过来"),
    "trace-independent": ("Independent sources", "独立来源"),
    "trace-later": ("Also said", "另外写到"),
    "lost-number": ("number", "数字"),
    "lost-unit": ("unit", "单位"),
    "lost-bound": ("bound", "界限"),
    "lost-condition": ("condition", "条件"),
    "lost-baseline": ("baseline", "比较对象"),
    "lost-hedge": ("reserve", "保留语气"),
    "lost-level": ("level", "等级"),
    "lost-wording": ("wording", "措辞"),
    "lost-added": ("added:", "多出："),
    "source-counts": ("counts: {of}", "计入：{of}"),
    "source-same-source": ("does not count, rests on {of} as well", "不计，同样出自 {of}"),
    "source-same-text": ("does not count, same words as {of}", "不计，与 {of} 一字不差"),
    "source-measured-party": ("does not count, the measured party again: {of}", "不计，仍是被测方：{of}"),
    "source-retelling": ("does not count, retells {of}", "不计，转述自 {of}"),
    "source-derived": ("does not count, taken from {of}", "不计，取自 {of}"),
    "quoted": (" “{}”", "「{}」"),
    "aside": (" ({})", "（{}）"),
    "semicolon": ("; ", "；"),
    "held": ("Held against the materials", "与材料核对"),
    "kind": ("Kind", "种类"),
    "named": ("Named", "提到"),
    "found": ("Found", "找到"),
    "ids": ("identifiers", "编号"),
    "paths": ("files", "文件"),
    "sections": ("sections", "章节"),
    "numbers": ("numbers", "数字"),
    "quotations": ("quotations", "引文"),
    "counts": ("declared counts", "声明的数目"),
    "levels": ("evidence levels", "证据等级"),
    "understood": ("lines understood", "读懂的行"),
    "manifest": ("manifest", "清单"),
    "unlisted": ("no manifest is known: held against all files", "不知道清单：与所有文件核对"),
    "nothing": ("nothing was found in it that could be held", "其中没有可核对的内容"),
    "comma": (", ", "，"),
    "colon": (": ", "："),
}


def word(name: str, lang: str) -> str:
    """One of our words in a language; English for every other language."""
    return _WORDS[name][lang == "zh"]


def said(texts: Both, lang: str) -> str:
    """A text of a query or finding in a language, else in English, else in any."""
    return texts.get(lang) or texts.get("en") or next(iter(texts.values()), "")


def shown(cell: Cell) -> str:
    """A cell as text: nothing when unbound, whole numbers without a point."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return str(cell).removesuffix(".0") if isinstance(cell, float) else str(cell)


def heads(table: Table, lang: str) -> list[str]:
    """Labels of a table's columns, their names where the query gives none."""
    labels = {c.name: said(c.label, lang) for c in table.query.columns} if table.query else {}
    return [labels.get(name) or name for name in table.columns]


def cut(table: Table, lang: str) -> str:
    """How many rows are shown of how many, "" when all are."""
    if table.total <= len(table):
        return ""
    return f"{len(table)} {word('of', lang)} {table.total} {word('rows', lang)}"


def place(finding: Finding) -> str:
    """`path:line`; the first line when none is known."""
    return f"{finding.path}:{max(finding.line, 1)}"


def summary(report: Report) -> dict[str, int]:
    """Findings by severity without the waived, the waived, and checks that broke."""
    open_ = [f.severity for f in report.findings if f.state != "waived"]
    counts = {severity: open_.count(severity) for severity in ("error", "warning", "info")}
    waived = len(report.findings) - len(open_)
    return {**counts, "waived": waived, "broken": sum(c.outcome == "broken" for c in report.checks)}


def held(product: Verification, lang: str) -> str:
    """What was held, in one sentence: `12 of 13 identifiers …`; says so where there was nothing to hold."""
    parts = [f"{one.found}{_of(lang)}{one.named} {word(one.kind, lang)}" for one in product.held if one.named]
    parts = parts or [word("nothing", lang)]
    parts += [f"{product.understood}{_of(lang)}{product.lines} {word('understood', lang)}"]
    parts += [f"{word('manifest', lang)} {product.manifest}" if product.manifest else word("unlisted", lang)]
    return word("comma", lang).join(parts)


def _of(lang: str) -> str:
    return "/" if lang == "zh" else " of "
