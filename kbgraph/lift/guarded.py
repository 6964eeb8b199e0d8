"""Text that must not act: instructions to tools as findings, secrets masked wherever they would land."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b

from kbgraph import vocab as v
from kbgraph.lift.frame import Frame, Passage
from kbgraph.lift.passages import names_place
from kbgraph.lift.scan import safety
from kbgraph.lift.waivers import OURS
from kbgraph.model.facts import integer, text

# Where a command is addressed to whoever reads; a title is a name, code is for the guide's reader to run.
_ADDRESSING = frozenset({"body", "quote", "table", "comment"})
_TITLE = 200  # characters
_STOP = re.compile(r"[。；;]|\.\s")


def find_commands(frame: Frame) -> None:
    """Tell instructions addressed to tools, and keep where they stand: they are no claims."""
    for index, passage in enumerate(frame.passages):
        if passage.place not in _ADDRESSING or _is_title(frame, passage) or is_note(passage):
            continue
        if names_place(frame, passage.text):  # a brief passes on what it found there
            continue
        found = safety.instructions(passage.text, frame.lexicon)
        if found:
            frame.commands[index] = tuple((i.start, i.end) for i in found)
        for command in found:
            node = frame.node("k")
            frame.tell(node, v.RDF_TYPE, v.KB_INSTRUCTION)
            frame.tell(node, v.KB_LINE, integer(passage.line_at(command.start)))
            frame.tell(node, v.KB_AS_PRINTED, text(command.printed))
            if within := frame.within(passage):
                frame.out.append(f"{node} {within}")


def is_note(passage: Passage) -> bool:
    """Whether a comment is addressed to kbgraph itself."""
    return passage.place == "comment" and OURS.match(passage.text.strip()) is not None


def _is_title(frame: Frame, passage: Passage) -> bool:
    """Whether a cell is the title of the work, repository or page that its row links to."""
    if passage.place != "table" or passage.role != "role-title" or passage.item < 0:
        return False
    return bool(frame.items[passage.item].about) and len(passage.text) <= _TITLE and not _STOP.search(passage.text)


def tell_secrets(frame: Frame) -> None:
    """Tell what looks like a key, masked, and keep the printed ones for `masked`."""
    places = [(block.text, block.line) for block in frame.document.blocks]
    places += [(entry.value, entry.line) for entry in frame.document.fields]
    for value, line in places:
        for secret in safety.secrets(value, frame.lexicon):
            printed = value[secret.start : secret.end]
            frame.secrets[printed] = secret.masked
            node = frame.node("k")
            frame.tell(node, v.RDF_TYPE, v.KB_SECRET)
            frame.tell(node, v.KB_LINE, integer(line + value.count("\n", 0, secret.start)))
            frame.tell(node, v.KB_MASKED, text(secret.masked))
            frame.tell(node, v.KB_SECRET_KIND, text(secret.kind))
            digest = blake2b(printed.encode("utf-8", "surrogatepass"), digest_size=1).hexdigest()
            frame.tell(node, v.KB_SECRET_DIGEST, text(digest))


def masked(frame: Frame, triples: Iterable[str]) -> Iterable[str]:
    """The triples with every secret masked, longest first."""
    if not frame.secrets:
        return triples
    secrets = sorted(frame.secrets.items(), key=lambda pair: -len(pair[0]))
    return (_without(triple, secrets) for triple in triples)


def _without(triple: str, secrets: list[tuple[str, str]]) -> str:
    for printed, shown in secrets:
        if printed in triple:
            triple = triple.replace(printed, shown)
    return triple
