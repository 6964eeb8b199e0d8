"""Headers line by line: plain ones without a YAML parser, and broken ones as far as they can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kbgraph.model.document import Field

KEY = re.compile(r"([^\s:#\-\[\]{},&*!|>'\"%@`][^:#\[\]{}\n]*+):(?=\s|$)")
# A line that a YAML parser would read to the same key and text.
_SIMPLE = re.compile(
    r"(?P<key>[^\W\d][\w-]*+):(?: ++(?:(?P<plain>[^\s\-?:,\[\]{}#&*!|>'\"%@`=~<.\\]{P}*+)"
    r"|\"(?P<double>(?:(?![\"\\]){P})*+)\"|'(?P<single>(?:(?!'){P})*+)'))? *+".replace(
        "{P}", r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]"
    )
)
_WIKILINK = re.compile(r"\[\[[^\[\]\n]++\]\]")
_KEYED = re.compile(r"(\s*)(-\s+)?(.*)")


def simple_fields(source: str, base: int) -> tuple[Field, ...] | None:
    """Fields of a header that holds only `key: value` lines, None when it holds anything else."""
    fields: list[Field] = []
    seen: set[str] = set()
    for number, line in enumerate(source.split("\n"), base + 1):
        if not line:
            continue
        match = _SIMPLE.fullmatch(line)
        plain = (match["plain"] or "").rstrip() if match else ""
        if not match or match["key"] in seen or ": " in plain or " #" in plain or plain.endswith(":"):
            return None
        seen.add(match["key"])
        fields.append(Field(match["key"], plain or match["double"] or match["single"] or "", number, "yaml"))
    return tuple(fields) if fields else None


def recovered(source: str, base: int) -> tuple[Field, ...]:
    """Fields of a header that no parser reads, line by line; list elements and wikilinks one by one."""
    fields: list[Field] = []
    parents: list[tuple[int, str]] = []
    for number, line in enumerate(source.split("\n"), base + 1):
        indent, dash, rest = _parts(line)
        if not rest or rest.startswith("#"):
            continue
        while parents and parents[-1][0] >= indent + bool(dash):
            parents.pop()
        match = KEY.match(rest)
        key = match[1].strip() if match else ""
        name = ".".join([*(parent for _, parent in parents), *((key,) if match else ())])
        value = rest[match.end() :].strip() if match else rest
        if match:
            parents.append((indent, key))
        if name and (value or match):
            fields += [Field(name, part, number, "recovered") for part in _values(value)]
    return tuple(fields)


def _parts(line: str) -> tuple[int, str, str]:
    match = _KEYED.match(line)
    return (len(match[1]), match[2] or "", match[3].strip()) if match else (0, "", "")


def _values(value: str) -> Iterator[str]:
    """The value's parts: wikilinks, elements of a list in brackets, or the value itself without its quotes."""
    links = _WIKILINK.findall(value)
    if links and not _WIKILINK.sub("", value).strip(" ,;、，[]\"'"):
        yield from links
    elif value.startswith("[") and value.endswith("]"):
        yield from (_bare(part) for part in value[1:-1].split(",") if part.strip())
    else:
        yield _bare(value)


def _bare(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value
