"""The `.rq` files of faults: a query for the places where one can be planted, and a header that says how.

    #+ title: {en: Pointer dropped, zh: 删去引用}     title and summary as in every saved query
    #+ summary: {en: …, zh: …}
    #+ check: orphan-citation                        the check that must find it at ?path and ?line of the row
    #+ edits:                                        what is done to which files, `{column}` filled in from the row
    #+   - {file: "{path}", line: "{at}", find: "{printed}", put: ""}    the first such text of a line
    #+   - {file: "{path}", line: "{at}", match: "[0-9]+", put: "7"}     by expression; line "*": the first that has it
    #+   - {file: "{path}", after: "{at}", put: "- new"}                 a line of its own; 0: the top, end: the end
    #+   - {file: "{path}", after: "{at}", like: "{at}", find: "1", put: "2"}    a copy of a line, changed
    #+   - {file: "{path}", drop: "{at}"}
    #+   - {file: "{new}", put: "# All of a new file"}                  or raw (bytes), same: "{path}", move: "{to}"
    #+ allows: [single-source-claim]                 checks that may speak as well
    #+ needs: {en: …, zh: …}                         what a corpus lacks in which there is no such place

Columns `path` and `line` of the query tell where the finding is expected; any line will do where `line` is unbound.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from kbgraph.ask import schema
from kbgraph.ask.findings import plain
from kbgraph.ask.grammar import projection
from kbgraph.ask.header import read_header
from kbgraph.ask.rules import EDIT_HOLE
from kbgraph.ask.tokens import code, tokenise
from kbgraph.model.fault import Edit, Fault
from kbgraph.model.query import Cell


def parse_fault(text: str, name: str, origin: str, terms: Collection[str] = ()) -> Fault:
    """The fault; HeaderError lists everything wrong with file, line and mend."""
    text = text.removeprefix("\ufeff")
    header = read_header(text, name, "fault", origin, terms)
    assert isinstance(header, schema.FaultHeader)
    names = projection(code(tokenise(text))).names
    query = schema.saved(header, name, "fault", text=text, origin=origin, projected=names)
    edits = tuple(Edit(**part.model_dump()) for part in header.edits)
    return Fault(query, header.check, edits, header.allows, schema.both(header.needs))


def planted(fault: Fault, row: Mapping[str, Cell]) -> tuple[Edit, ...]:
    """The fault's edits at the place that a row of its query tells."""
    return tuple(Edit(*(_filled(text, row) for text in edit)) for edit in fault.edits)


def _filled(text: str, row: Mapping[str, Cell]) -> str:
    return EDIT_HOLE.sub(lambda hole: plain(row.get(hole[1])), text)
