"""Words of the generated corpora, zh and en: invented, and many enough that sentences rarely repeat."""

from __future__ import annotations

from dataclasses import dataclass

TOPICS_ZH = ("tuili", "jiansuo", "huancun", "diaodu", "lianghua", "xunlian", "pingce", "anquan", "daili", "shujuku")
TOPICS_EN = ("serving", "ranking", "storage", "routing", "compression", "tuning", "metering", "privacy", "tools", "streams")
AGENTS = ("lan", "mori", "ines", "tobi")
HEADS = ("Ba", "Cor", "Dra", "Fen", "Gal", "Hex", "Ion", "Jun", "Kel", "Lum", "Mar", "Nov", "Ost", "Pal", "Qui", "Rho")
TAILS = ("cache", "flow", "graph", "lane", "mesh", "plan", "rank", "shard", "spec", "tree", "wave", "yard")


@dataclass(frozen=True, slots=True)
class Wording:
    """One language's sentences: `{n}` and `{m}` take figures, `{name}` the system spoken of."""

    lang: str
    when: tuple[str, ...]
    does: tuple[str, ...]
    gains: tuple[str, ...]
    plain: tuple[str, ...]
    doubts: tuple[str, ...]
    levels: tuple[str, ...]
    labels: dict[str, str]
    stop: str
    comma: str
    colon: str
    calm: tuple[str, ...]  # as `when`, without a figure
    note: str  # how an evidence level stands behind a sentence
    chapter: str
    see: str


ZH = Wording(
    lang="zh",
    when=(
        "单机 64 GB 内存时", "批大小为 8 时", "在四张加速卡上", "请求平均长度 2K token 时", "冷启动之后", "写入高峰期间",
        "只看长上下文请求时", "混合负载下", "把副本数设为 3 时", "关闭预取之后", "夜间低谷时段", "首次加载索引时",
    ),
    does=(
        "{name} 把键按访问次数分成两层", "{name} 用滑动窗口估计到达率", "{name} 先合并小块再落盘", "{name} 将路由表改成前缀树",
        "{name} 在解码前裁掉冷门词元", "{name} 对残差做分组量化", "{name} 给每个租户单独记账", "{name} 以双缓冲隐藏拷贝",
        "{name} 按截止时间重排队列", "{name} 只在校验失败时回滚", "{name} 把日志压成定长记录", "{name} 让调度器留出余量",
        "{name} 用采样代替全量扫描", "{name} 提前释放已完成的槽位", "{name} 把图的入口换成聚类中心", "{name} 在边缘节点保留热点副本",
    ),
    gains=(
        "P99 延迟从 {n} ms 降到 {m} ms", "吞吐提高 {m}%", "显存占用减少 {m}%", "recall@10 达到 0.{n}", "命中率升到 {m}%",
        "重建时间缩短 {m}%", "单位成本降为原来的 0.{n} 倍", "首字延迟下降 {m}%", "每秒多处理 {n} 个请求", "加速 {n}.{d}×",
    ),
    plain=(
        "收益主要来自减少拷贝", "改动集中在调度器一侧", "对短请求几乎没有影响", "索引格式保持不变", "需要重新标定阈值",
        "与现有的前缀缓存可以叠用", "失败时退回旧路径", "接口与上一版兼容", "误差主要出现在尾部", "回收线程会与写入争锁",
    ),
    doubts=(
        "没有给出多机结果", "对照组没有打开预取", "只在合成负载上测过", "没有说明随机种子", "没有中文语料", "方差没有报告",
        "硬件成本没有计入", "长时间运行的漂移没有测", "代码尚未公开", "阈值的来历没有交代",
    ),
    levels=("原文核查", "摘要页核查", "卡片摘要", "厂商自测", "二手转述"),
    labels={
        "versions": "版本", "topic": "主题", "citations": "被引（S2）", "influential": "影响力被引", "collected": "采集",
        "level": "证据等级", "abstract": "摘要", "reusable": "可复用信息", "about": "简介", "gain": "周增", "language": "语言",
        "licence": "许可证", "commit": "最近提交", "new": "本次新增", "points": "要点", "doubt": "存疑", "put": "建议归入",
        "source": "来源", "relation": "与活文档的关系", "caution": "警惕", "references": "引用列表", "current": "现行",
        "withdrawn": "已撤回", "install": "安装", "read": "精读", "item": "条目", "increment": "增量", "low": "低相关与复查",
        "citable": "可引用的 arXiv 号", "boundary": "证据边界", "offline": "未联网；编号都来自清单材料。", "fresh": "新",
        "declared": "增量条数：{n} 条。", "guide": "上手笔记", "advice": "本条为新增", "updated": "末次更新：2026-10-20", "by": "作者",
        "manifest": "清单", "new-items": "新增条目",
    },
    calm=("冷启动之后", "写入高峰期间", "混合负载下", "关闭预取之后", "夜间低谷时段", "首次加载索引时"),
    stop="。", comma="，", colon="：", note="（{level}）", chapter="第{n}部分", see="另见 {what}。",
)

EN = Wording(
    lang="en",
    when=(
        "On one machine with 64 GB of memory", "At batch size 8", "Across four accelerators", "For prompts of 2K tokens",
        "After a cold start", "During write bursts", "On long contexts only", "Under a mixed load", "With three replicas",
        "With prefetch switched off", "In the quiet hours of the night", "On the first load of the index",
    ),
    does=(
        "{name} splits keys into two tiers by access count", "{name} estimates the arrival rate over a sliding window",
        "{name} merges small blocks before they reach the disk", "{name} turns the routing table into a prefix tree",
        "{name} drops rarely used tokens before decoding", "{name} quantizes residuals in groups",
        "{name} keeps a separate account for each tenant", "{name} hides copies behind a double buffer",
        "{name} reorders the queue by deadline", "{name} rolls back only when validation fails",
        "{name} packs its log into records of fixed length", "{name} lets the scheduler hold back a reserve",
        "{name} samples where others scan", "{name} frees finished slots early", "{name} enters the graph at cluster centres",
        "{name} keeps hot replicas at the edge",
    ),
    gains=(
        "P99 latency falls from {n} ms to {m} ms", "throughput rises by {m}%", "memory use falls by {m}%", "recall@10 reaches 0.{n}",
        "the hit rate climbs to {m}%", "rebuild time shrinks by {m}%", "unit cost drops to 0.{n}x", "time to first token falls by {m}%",
        "{n} more requests per second are served", "it runs {n}.{d}x faster",
    ),
    plain=(
        "Most of the gain comes from fewer copies", "The change stays inside the scheduler", "Short requests hardly notice it",
        "The format of the index stays as it was", "Thresholds must be calibrated again", "It stacks with an existing prefix cache",
        "On failure it falls back to the old path", "The interface is compatible with the last release",
        "Errors gather in the tail", "The collector thread competes with writers for a lock",
    ),
    doubts=(
        "no result on several machines is given", "the baseline ran without prefetch", "only synthetic loads were measured",
        "the random seed is not stated", "no Chinese corpus was used", "variance is not reported", "hardware cost is left out",
        "drift over long runs was not measured", "the code is not public yet", "the origin of the threshold is not explained",
    ),
    levels=("original text checked", "abstract page checked", "card abstract", "vendor self-report", "second-hand"),
    labels={
        "versions": "Versions", "topic": "Topic", "citations": "Citations (S2)", "influential": "Influential citations",
        "collected": "Collected", "level": "Evidence level", "abstract": "Abstract", "reusable": "Reusable information",
        "about": "Description", "gain": "Weekly gain", "language": "Language", "licence": "Licence", "commit": "Last commit",
        "new": "New this time", "points": "Key points", "doubt": "Doubts", "put": "Suggested section", "source": "Source",
        "relation": "Relation to the document", "caution": "Cautions", "references": "References", "current": "current",
        "withdrawn": "withdrawn", "install": "Installation", "read": "Critical read", "item": "Item", "increment": "Item",
        "low": "Low relevance", "citable": "Citable arXiv ids", "boundary": "Evidence boundary",
        "offline": "No network; all ids come from the materials of the manifest.", "fresh": "new",
        "declared": "New items: {n}.", "guide": "hands-on notes", "advice": "This item is new", "updated": "Last updated: 2026-10-20",
        "by": "Author", "manifest": "Manifest", "new-items": "New items",
    },
    calm=("After a cold start", "During write bursts", "Under a mixed load", "In the quiet hours of the night"),
    stop=". ", comma=", ", colon=": ", note=" ({level})", chapter="Part {n}", see="See also {what}. ",
)
