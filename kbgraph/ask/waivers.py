"""Waivers: findings that a person has looked at and let stand, with the reason."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from kbgraph.ask.findings import digest, judged_hash
from kbgraph.model.finding import Finding
from kbgraph.model.query import Both, SavedQuery, Table


@dataclass(frozen=True, slots=True)
class Waiver:
    """A `[[waiver]]` or a comment: what it lets stand, why, until when, and the hash of what was judged."""

    line: int
    fingerprint: str
    check: str
    path: str
    key: str
    reason: str
    by: str = ""
    until: dt.date | None = None
    judged: str = ""
    lines: tuple[int, int] | None = None  # of a comment: those of its `path` for which it holds

    def covers(self, finding: Finding) -> bool:
        """Whether it speaks of this finding."""
        if self.lines:
            here = self.path == finding.path and self.lines[0] <= max(finding.line, 1) <= self.lines[1]
            return here and self.check == finding.check
        if self.fingerprint:
            return self.fingerprint == finding.fingerprint
        keys = (finding.key,) if isinstance(finding.key, str) else finding.key
        same_place = self.path in ("", finding.path) and (not self.key or self.key in keys)
        return self.check == finding.check and same_place


_COMMENTED = (".md", ".markdown")  # files in which a comment is one


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
    lasting: Callable[[str], str] = str,
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
    prints = _fingerprints([*lapsed, *idle], lasting)
    return Waived(
        tuple(out),
        tuple(_about(EXPIRED, w, file, why, prints) for w, why in lapsed.items()),
        tuple(_about(UNUSED, w, file, _nothing(w, queries, whole), prints) for w in idle),
    )


def _fingerprints(waivers: Iterable[Waiver], lasting: Callable[[str], str]) -> Mapping[Waiver, tuple[str, ...]]:
    """What tells each waiver from the others: what it says, then which one of those that say the same."""
    seen: Counter[tuple[str, ...]] = Counter()
    out = {}
    for waiver in sorted(waivers, key=lambda w: (w.path, w.line)):
        own = (lasting(waiver.path) if waiver.lines else "", _name(waiver), waiver.reason)
        seen[own] += 1
        out[waiver] = (*own, *([f"#{seen[own]}"] if seen[own] > 1 else []))
    return out


def _name(waiver: Waiver) -> str:
    if waiver.lines:
        return waiver.check
    return waiver.fingerprint or " ".join(part for part in (waiver.check, waiver.path, waiver.key) if part)


def _looked_for(waiver: Waiver, ran: Collection[str], whole: bool, blind: Collection[str]) -> bool:
    """Whether what a waiver may be for would have been found: by its check, by any where it names none."""
    if waiver.check:
        return waiver.check not in blind and (whole or waiver.check in ran)
    return whole and not blind


def _nothing(waiver: Waiver, queries: Collection[str], whole: bool) -> Both:
    """Why a waiver covers nothing: its check may be none at all."""
    if whole and waiver.check and waiver.check not in queries:
        near = get_close_matches(waiver.check, sorted(queries), 1)
        en, zh = (f"; did you mean {near[0]}?", f"，是不是 {near[0]}？") if near else ("", "")
        return _texts(f"there is no check {waiver.check}{en}", f"没有 {waiver.check} 这种检查{zh}")
    return _texts("this waiver covers no finding", "这条豁免没有对应的发现")


def _lapse(waiver: Waiver, query: SavedQuery, finding: Finding, today: dt.date) -> Both | None:
    if waiver.until is not None and waiver.until < today:
        return _texts(f"this waiver ended on {waiver.until}", f"这条豁免已于 {waiver.until} 到期")
    if waiver.judged and waiver.judged != judged_hash(query, finding):
        return _texts("what this waiver judged has changed", "这条豁免所判断的原文已经改动")
    return None


def _about(
    check: SavedQuery, waiver: Waiver, file: str, said: Both, prints: Mapping[Waiver, tuple[str, ...]]
) -> Finding:
    file, name = waiver.path if waiver.lines else file, _name(waiver)
    message = {lang: f"{text}: {name} ({waiver.reason})" for lang, text in said.items()}
    return Finding(
        check.name, check.severity, file, waiver.line, waiver.line, "", name, message, check.fix,
        digest([check.name, *prints[waiver]]),
    )  # fmt: skip


def commented(table: Table) -> tuple[Waiver, ...]:
    """The waivers that stand beside what they let stand: rows of the view `waivers`."""
    return tuple(
        Waiver(
            int(row["line"] or 1), "", str(row["check"]), str(row["path"]), "", str(row["reason"]),
            str(row["by"] or ""), dt.date.fromisoformat(str(row["until"])) if row["until"] else None,
            str(row["judged"] or ""), (int(row["first"] or 1), int(row["last"] or 1)),
        )
        for row in table
    )  # fmt: skip


def paste(query: SavedQuery, finding: Finding) -> str:
    """The waiver for a finding, to be pasted and given a reason."""
    judged = judged_hash(query, finding)
    lines = ["[[waiver]]", f'fingerprint = "{finding.fingerprint}"', 'reason = ""']
    beside = f"# or beside the sentence: <!-- kbgraph: waive {finding.check}: reason (until 2099-12-31, by NAME) -->"
    return "\n".join([*lines, *_judged(judged), *([beside] if finding.path.endswith(_COMMENTED) else [])])


def _judged(value: str) -> Iterator[str]:
    if value:
        yield f'judged = "{value}"  # lapses when the text changes'
