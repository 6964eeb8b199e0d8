"""Rows of tables as items: candidates with a verdict, tasks of a queue."""

from __future__ import annotations

from kbgraph.lift.columns import Columns, cell_at
from kbgraph.lift.frame import Frame, Item, Place
from kbgraph.lift.heads import part_of
from kbgraph.lift.items import add, by_part, subjects
from kbgraph.lift.lookups import said_nothing
from kbgraph.model.text import Block, Cell, Table

_PART_OF_VERDICT = {"verdict-kept": "section-kept", "verdict-dropped": "section-dropped"}


def row_items(frame: Frame, block: Block, table: Table, columns: Columns, place: Place) -> dict[int, int]:
    """Row -> item, for tables whose rows are items; empty for all others."""
    if place.item >= 0 or not _itemises(frame, block, columns):
        return {}
    return {n: add(frame, _item(frame, block, row, columns)) for n, row in enumerate(table.rows) if row}


def claim_rows(frame: Frame, index: int, table: Table, columns: Columns) -> None:
    """Keep level and subjects that the other columns give to the claim of each row."""
    if columns.at("role-key-points") < 0:
        return
    level, source = columns.at("role-evidence"), columns.at("role-source")
    for row in table.rows:
        if row:
            named = cell_at(row, source)
            marks = frame.words.levels(cell_at(row, level).text, anywhere=True)
            about = tuple(subjects(frame, named.text, named.marks))
            frame.rows[index, row[0].line] = (marks[0].concept if marks else "", about)


def _itemises(frame: Frame, block: Block, columns: Columns) -> bool:
    if frame.kind == "queue":
        return columns.at("role-title") >= 0
    if frame.kind not in ("report", "brief"):
        return False
    judged = columns.at("role-verdict") >= 0 and len(columns.names) > 1
    return judged or (bool(part_of(frame, block.section)) and columns.at("role-title", "role-reason") >= 0)


def _item(frame: Frame, block: Block, row: tuple[Cell, ...], columns: Columns) -> Item:
    number = cell_at(row, columns.at("field-id")).text
    named = _title_cell(row, columns)
    verdict, reason = (cell_at(row, columns.at(role)).text for role in ("role-verdict", "role-reason"))
    part = part_of(frame, block.section)
    item = Item(frame.node("i"), number.strip(), named.text, row[0].line, row[0].line, block.section, part)
    item.verdict = frame.words.verdict(verdict) or frame.words.verdict(reason) or by_part(part)
    item.reason = "" if said_nothing(frame.lookups, reason) else reason
    item.status = cell_at(row, columns.at("field-status")).text.strip()
    if not part or part == "section-candidates":
        item.part = _PART_OF_VERDICT.get(item.verdict, part)
    for cell in (named, cell_at(row, columns.at("role-link")), cell_at(row, columns.at("role-source"))):
        item.about = item.about or subjects(frame, cell.text, cell.marks)
    item.levels = _level(frame, row, columns)
    return item


def _title_cell(row: tuple[Cell, ...], columns: Columns) -> Cell:
    """The cell that names the row: its column, else the first that holds neither a number nor a verdict."""
    column = columns.at("role-title")
    if column < 0:
        plain = (i for i in range(len(row)) if columns.role(i) == "" and columns.names[i : i + 1] != ("field-id",))
        column = next(plain, 0)
    return cell_at(row, column)


def _level(frame: Frame, row: tuple[Cell, ...], columns: Columns) -> tuple[str, ...]:
    own = cell_at(row, columns.at("role-evidence")).text
    marks = [word.concept for word in frame.words.levels(own, anywhere=True)]
    marks += [word.concept for cell in row for word in frame.words.levels(cell.text)]
    return tuple(marks[:1])
