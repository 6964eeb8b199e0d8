"""Waivers: findings that a person has looked at and let stand, with the reason."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from kbgraph.ask.findings import digest, judged_hash
from kbgraph.model.finding import Finding
from kbgraph.model.query import Both, SavedQuery


@dataclass(frozen=True, slots=True)
class Waiver:
    """One `[[waiver]]`: what it lets stand, why, until when, and the hash of what was judged."""

    line: int
    fingerprint: str
    check: str
    path: str
    key: str
    reason: str
    by: str = ""
    until: dt.date | None = None
    judged: str = ""

    def covers(self, finding: Finding) -> bool:
        """Whether it speaks of this finding."""
        if self.fingerprint:
            return self.fingerprint == finding.fingerprint
        keys = (finding.key,) if isinstance(finding.key, str) else finding.key
        same_place = self.path in ("", finding.path) and (not self.key or self.key in keys)
        return self.check == finding.check and same_place


def _texts(en: str, zh: str) -> Both:
    return {"en": en, "zh": zh}


# The two checks that speak of waivers, not of the graph: values like all others, without a text to run.
EXPIRED = SavedQuery(
    "expired-waiver", "check", "", "shipped",
    _texts("Waiver that no longer holds", "已失效的豁免"),
    _texts("A waiver past its day, or whose judged text has changed.", "过了期限、或所判断的原文已经改动的豁免。"),
    severity="warning",
    why=_texts("What it let stand is open again.", "它放行的问题又重新打开了。"),
    fix=_texts("Look again: mend the text, or renew the waiver.", "重新看一遍：改正原文，或更新豁免。"),
    tags=("waivers",),
)  # fmt: skip
UNUSED = SavedQuery(
    "unused-waiver", "check", "", "shipped",
    _texts("Waiver for nothing", "没有对象的豁免"),
    _texts("A waiver that covers no finding.", "没有对应任何发现的豁免。"),
    severity="info",
    why=_texts("It hides the next finding of its kind.", "它会悄悄盖住以后的同类发现。"),
    fix=_texts("Take it out.", "删掉它。"),
    tags=("waivers",),
)  # fmt: skip
BUILT_IN = (EXPIRED, UNUSED)


@dataclass(frozen=True, slots=True)
class Waived:
    """Findings with those let stand marked as waived, and what is to be said of the waivers themselves."""

    findings: tuple[Finding, ...]
    expired: tuple[Finding, ...]
    unused: tuple[Finding, ...]


def waive(
    found: Iterable[Finding],
    waivers: Collection[Waiver],
    queries: Mapping[str, SavedQuery],
    *,
    file: str,
    today: dt.date,
    whole: bool,
    blind: Collection[str] = (),
) -> Waived:
    """Apply the waivers of `file`; one without a finding is told if its check has looked: `blind` ones have not."""
    out: list[Finding] = []
    lapsed: dict[Waiver, Both] = {}
    used: set[Waiver] = set()
    for finding in found:
        mine = [w for w in waivers if w.covers(finding)]
        used.update(mine)
        stale = {w: why for w in mine if (why := _lapse(w, queries[finding.check], finding, today))}
        lapsed |= stale
        out.append(replace(finding, state="waived") if len(stale) < len(mine) else finding)
    idle = [w for w in waivers if w not in used and _looked_for(w, queries, whole, blind)]
    return Waived(
        tuple(out),
        tuple(_about(EXPIRED, w, file, why) for w, why in lapsed.items()),
        tuple(_about(UNUSED, w, file, _texts("this waiver covers no finding", "这条豁免没有对应的发现")) for w in idle),
    )


def _looked_for(waiver: Waiver, ran: Collection[str], whole: bool, blind: Collection[str]) -> bool:
    """Whether what a waiver may be for would have been found: by its check, by any where it names none."""
    if waiver.check:
        return waiver.check not in blind and (whole or waiver.check in ran)
    return whole and not blind


def _lapse(waiver: Waiver, query: SavedQuery, finding: Finding, today: dt.date) -> Both | None:
    if waiver.until is not None and waiver.until < today:
        return _texts(f"this waiver ended on {waiver.until}", f"这条豁免已于 {waiver.until} 到期")
    if waiver.judged and waiver.judged != judged_hash(query, finding):
        return _texts("what this waiver judged has changed", "这条豁免所判断的原文已经改动")
    return None


def _about(check: SavedQuery, waiver: Waiver, file: str, said: Both) -> Finding:
    name = waiver.fingerprint or " ".join(part for part in (waiver.check, waiver.path, waiver.key) if part)
    message = {lang: f"{text}: {name} ({waiver.reason})" for lang, text in said.items()}
    return Finding(
        check.name, check.severity, file, waiver.line, waiver.line, "", name, message, check.fix,
        digest([check.name, name, waiver.reason]),
    )  # fmt: skip


def paste(query: SavedQuery, finding: Finding) -> str:
    """The waiver for a finding, to be pasted and given a reason."""
    judged = judged_hash(query, finding)
    lines = ["[[waiver]]", f'fingerprint = "{finding.fingerprint}"', 'reason = ""']
    return "\n".join([*lines, *_judged(judged)])


def _judged(value: str) -> Iterator[str]:
    if value:
        yield f'judged = "{value}"  # lapses when the text changes'
