"""What a file says of itself: front matter, the list, table or running text at its head."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kbgraph.lift.frame import Frame, Said
from kbgraph.lift.lookups import Lookups
from kbgraph.lift.scan import ids
from kbgraph.lift.scan.found import Id
from kbgraph.lift.scan.matching import flat
from kbgraph.model.document import Field
from kbgraph.model.lexicon import fold
from kbgraph.model.text import Block, Table

_COLON = re.compile(r":(?!//)")
_BAR = re.compile(r"\s*[｜|]\s*|\s+·\s+|\n|\t")
_NEAR = 200  # characters before a colon or label that are looked at: texts may be one endless line
_EDGE = " \t\n·;；,，。*_"
# Labels that also open an id in running text: `arXiv:2401.10001` is a mention there, no field.
_PREFIXES = frozenset({"field-arxiv", "field-doi", "field-isbn", "field-pmid"})


def said_of(frame: Frame) -> tuple[Said, ...]:
    """All labelled values of the file, front matter first."""
    document, tables = frame.document, frame.lookups
    said = [s for entry in document.fields if (s := _of_field(entry, tables))]
    card = frame.kind in ("paper-card", "repo-card")
    for index, block in _head(document.blocks):
        if block.table:
            said += _of_table(block.table, index, tables)
        elif block.kind in ("item", "paragraph") and not block.quoted:
            said += _of_text(block, index, tables.fields, card)
    return tuple(said)


def _of_field(entry: Field, tables: Lookups) -> Said | None:
    key = entry.key.rpartition(".")[2].partition("[")[0]
    label = fold(key)
    concept = tables.fields.get(label) or tables.fields.get(label.replace("_", " ").replace("-", " "), "")
    return Said(concept, entry.value, entry.line, -1, key)


def _head(blocks: tuple[Block, ...]) -> Iterator[tuple[int, Block]]:
    """Blocks before the first heading that is not the title."""
    titled = False
    for index, block in enumerate(blocks):
        if block.kind == "heading":
            if titled or (block.level != 1 and index):
                return
            titled = True
        else:
            yield index, block


def _of_table(table: Table, index: int, tables: Lookups) -> Iterator[Said]:
    """Rows of a two-column table whose first column holds names of fields."""
    rows = [row for row in (table.header, *table.rows) if len(row) == 2]
    named = [(tables.fields.get(fold(row[0].text).strip(" :*")), row) for row in rows]
    found = [(concept, row) for concept, row in named if concept]
    if len(found) * 2 > len(table.rows):
        yield from (Said(concept, row[1].text, row[1].line, index, row[0].text) for concept, row in found)


def _of_text(block: Block, index: int, fields: Mapping[str, str], card: bool) -> Iterator[Said]:
    found = list(labels_in(block.text, fields))
    if block.kind == "item" and (not found or found[0][1] > 0):
        return
    for n, (concept, start, value) in enumerate(found):
        if concept in _PREFIXES and not (card and block.kind == "item" and start == 0):
            continue
        if _within_brackets(block.text, start):
            continue
        end = found[n + 1][1] if n + 1 < len(found) else len(block.text)
        bar = _BAR.search(block.text, value, end)
        raw = block.text[value : bar.start() if bar else end]
        yield Said(concept, raw.strip(_EDGE), block.line_at(value), index, block.text[start:value].strip(" :：*"))
        if block.kind == "item":
            return


def _within_brackets(text: str, start: int) -> bool:
    """Whether a bracket is open at a place: what stands in it is a remark on its sentence."""
    before = text[max(0, start - _NEAR) : start]
    return sum(map(before.count, "（([【")) > sum(map(before.count, "）)]】"))


def labels_in(text: str, labels: Mapping[str, str]) -> Iterator[tuple[str, int, int]]:
    """Concept, start and start of its value for each `label:` of a text; a bracket may stand before the colon."""
    low = flat(text)
    for colon in _COLON.finditer(low):
        near = low[max(0, colon.start() - _NEAR) : colon.start()]
        end = colon.start() - len(near) + len(near.rstrip(" *_"))
        hit = _label_before(low, end, labels)
        if not hit and end and low[end - 1] == ")":
            hit = _label_before(low, _trimmed(low, low.rfind("(", max(0, end - _NEAR), end)), labels)
        if hit:
            yield hit[0], hit[1], colon.end()


def _trimmed(low: str, end: int) -> int:
    """End of what stands before a place, blanks left out."""
    while end > 0 and low[end - 1] == " ":
        end -= 1
    return end


def _label_before(low: str, end: int, labels: Mapping[str, str]) -> tuple[str, int] | None:
    """The longest label that ends here and does not continue a word, with its start."""
    for start in range(max(0, end - 24), end):
        if start and (low[start - 1].isalnum() or low[start - 1] == "_"):
            continue
        concept = labels.get(low[start:end])
        if concept:
            return concept, start
    return None


def ids_of(said: Said, kind: str = "arxiv") -> tuple[Id, ...]:
    """Ids in the value of a field that is named for them: what is bare there is meant."""
    found = tuple(i for i in ids.find_ids(said.value) if i.kind == kind and (i.confidence == "high" or i.malformed))
    if found or kind != "arxiv":
        return found
    return tuple(i for i in ids.find_ids("arXiv:" + said.value.strip("\"' ").replace("_", ".")) if i.kind == kind)
