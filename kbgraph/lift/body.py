"""The body of a Markdown file, step by step: lists, mentions, items, references, claims."""

from __future__ import annotations

from kbgraph.lift import advice, counters, declared, effective, guarded, items, mentions, names, quotations, reflist
from kbgraph.lift.claims import Claims
from kbgraph.lift.crossrefs import tell_refs
from kbgraph.lift.extraction import tell_failures
from kbgraph.lift.frame import Frame
from kbgraph.lift.material import describe
from kbgraph.lift.outline import outline
from kbgraph.lift.passages import passages
from kbgraph.lift.placing import Placer
from kbgraph.lift.problems import tell_problems
from kbgraph.lift.waivers import tell_waivers
from kbgraph.model.facts import Term


def open_file(frame: Frame, material_class: Term) -> None:
    """Tell the file itself and its sections."""
    describe(frame, material_class)
    outline(frame)
    tell_problems(frame)
    tell_waivers(frame)
    guarded.tell_secrets(frame)


def read_body(frame: Frame) -> None:
    """Tell everything inside: what the file is about has to be known before."""
    Placer(frame).run()
    reflist.claim_closing(frame)
    passages(frame)
    mentions.scan(frame)
    reflist.tell_lists(frame)
    names.gather(frame)
    effective.read_parts(frame)
    guarded.find_commands(frame)
    mentions.tell_mentions(frame)
    tell_refs(frame)
    if frame.kind in ("paper-card", "repo-card"):
        tell_failures(frame)
    Claims(frame).run()
    if frame.kind in ("report", "brief", "knowledge", "queue", "note", "guide"):
        declared.tell_declared(frame)
    if frame.kind in ("report", "brief"):
        advice.tell_advice(frame)
    if frame.kind == "brief":
        quotations.tell_quotations(frame)
    if frame.kind not in ("paper-card", "repo-card", "note"):
        counters.tell_running(frame)
    items.tell_items(frame)
