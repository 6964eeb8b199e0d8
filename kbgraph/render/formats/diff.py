"""Unified diff, as `git apply` takes it; what is left to people stands before it, which `git apply` passes over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import unified_diff

from kbgraph.model.brief import Statement
from kbgraph.model.patch import Changed, Edit, Left, Patch
from kbgraph.model.query import Both
from kbgraph.render.brief import unstopped
from kbgraph.render.escape import line as one_line
from kbgraph.render.escape import md

_LEFT: Mapping[str, Both] = {
    "no-id": {"en": "it has no citable identifier", "zh": "没有可引用的标识"},
    "no-points": {"en": "no source gives a key point", "zh": "来源没有写要点"},
    "no-level": {"en": "a number of it has no evidence level", "zh": "有数字没有证据等级"},
    "no-sentence": {"en": "no single line of the section speaks of it", "zh": "该节没有单独一行说到它"},
    "question": {"en": "the section holds questions, which people word", "zh": "该节写的是问题，要人来措辞"},
    "twice": {"en": "it is written into another section already", "zh": "已写进另一节"},
    "for-people": {"en": "the action is one for people", "zh": "这个动作要人来做"},
    "odd-bytes": {"en": "the document is no UTF-8 with usual line ends", "zh": "文档不是 UTF-8，或换行不常见"},
}


def patch(product: Patch, lang: str) -> str:
    """What is left to people, a line each, then the changes file by file."""
    return "".join((*(_left(one, lang) for one in product.left), *(_of(one, product.labels) for one in product.files)))


def _left(one: Left, lang: str) -> str:
    why, title = _LEFT[one.reason][lang], one_line(one.title)
    if lang == "zh":
        return f"# 没有写进补丁：条目 {one.item}「{title}」，§{one.number}：{why}\n"
    return f"# not in the patch: item {one.item} “{title}”, §{one.number}: {why}\n"


def _of(changed: Changed, labels: Mapping[str, Both]) -> str:
    name = f"{changed.path}\t" if any(map(str.isspace, changed.path)) else changed.path
    new = list(_lines(changed, labels))
    found = unified_diff(changed.lines, new, f"a/{name}", f"b/{name}")
    return "".join(one if one.endswith("\n") else f"{one}\n\\ No newline at end of file\n" for one in found)


def _lines(changed: Changed, labels: Mapping[str, Both]) -> Iterator[str]:
    """All lines of the document as they are to be."""
    end = "\r\n" if changed.lines and changed.lines[0].endswith("\r\n") else "\n"
    for number, old in enumerate(changed.lines, 1):
        here = [edit for edit in changed.edits if edit.line == number]
        replacing = [edit for edit in here if edit.replaces]
        kept = _text(replacing[0], changed.lang, labels) + old[len(old.rstrip("\r\n")) :] if replacing else old
        behind = [edit for edit in here if not edit.replaces]
        yield kept if kept.endswith("\n") or not behind else kept + end
        for edit in behind:
            yield from ([end] if edit.apart else [])
            yield _text(edit, changed.lang, labels) + end


def _text(edit: Edit, lang: str, labels: Mapping[str, Both]) -> str:
    last = len(edit.points) - 1
    each = (_said(p, lang, labels, level=n == last or bool(p.numbers)) for n, p in enumerate(edit.points))
    said = "".join(each).rstrip()
    if not edit.key:
        return f"{edit.head}{md(edit.name)}{said}"
    around = "（{}）：" if lang == "zh" else " ({}): "
    return f"{edit.head}**{md(edit.name)}**{around.format(edit.key)}{said}"


def _said(point: Statement, lang: str, labels: Mapping[str, Both], *, level: bool) -> str:
    """A statement with its conditions, and its level if that is wanted, in brackets."""
    named = labels.get(point.level, {}).get(lang, "") if level else ""
    beside = [*([named] if named else []), *map(md, point.conditions)]
    text = md(unstopped(point.text))
    if lang == "zh":
        stop = ". " if text[-1:].isascii() else "。"
        return f"{text}（{'，'.join(beside)}）。" if beside else f"{text}{stop}"
    return f"{text} ({', '.join(beside)}). " if beside else f"{text}. "
