"""The row by which a person decides a pair of claims, as it is pasted into the list of decisions."""

from __future__ import annotations

import re

from kbgraph.ask.findings import plain
from kbgraph.model.finding import Finding
from kbgraph.model.settings import DECISIONS

# SSSOM's columns, then where both sides stood and the hash of their texts.
COLUMNS = (
    "subject_id", "subject_label", "predicate_id", "object_id", "object_label", "mapping_justification", "author_label",
    "mapping_date", "comment", "subject_path", "subject_line", "subject_hash", "object_path", "object_line",
    "object_hash",
)  # fmt: skip
_BY_HAND = "semapv:ManualMappingCuration"
_HASH = re.compile(r"claim/([0-9a-f]{16})")
_SPACE = re.compile(r"\s+")


def row(finding: Finding) -> str:
    """Header and row for the pair that a finding is about, with no decision in it yet; "" where there is no pair."""
    values = {name: _SPACE.sub(" ", plain(cell)).strip() for name, cell in finding.values}
    first, second = values.get("claim", ""), values.get("otherClaim", "")
    if not first or not second:
        return ""
    filled = {
        "subject_id": first, "subject_label": values.get("text", ""), "object_id": second,
        "object_label": values.get("other", ""), "mapping_justification": _BY_HAND, "subject_path": finding.path,
        "subject_line": str(finding.line), "subject_hash": _hash(first), "object_path": values.get("alsoPath", ""),
        "object_line": values.get("alsoLine", ""), "object_hash": _hash(second),
    }  # fmt: skip
    told = f"# or decide the pair once and for all, in {DECISIONS}: write under predicate_id skos:exactMatch (same),"
    return "\n".join((
        f"{told} owl:differentFrom (not the same) or skos:relatedMatch (unsure)",
        "\t".join(COLUMNS), "\t".join(filled.get(name, "") for name in COLUMNS),
    ))  # fmt: skip


def _hash(claim: str) -> str:
    found = _HASH.search(claim)
    return found[1] if found else ""
