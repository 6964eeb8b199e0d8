"""The mutation test of the product: one fault of each kind is planted, and it is seen which checks notice."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from kbgraph import resources
from kbgraph.ask.faults import parse_fault, planted
from kbgraph.ask.findings import plain
from kbgraph.ask.run import run
from kbgraph.errors import BrokenError, HeaderError, UsageError
from kbgraph.model.fault import Fault, Noise, SelfTest, Trial
from kbgraph.model.finding import OFF, Finding, Report
from kbgraph.model.query import Both, Cell
from kbgraph.workspace.checking import chosen
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.publishing import Derive
from kbgraph.workspace.rules import rules
from kbgraph.workspace.saved import Saved
from kbgraph.workspace.selftest.stage import Stage
from kbgraph.workspace.selftest.surgery import Files, Unfit, operate
from kbgraph.workspace.sync import Progress, silent

FOLDER = "faults"

Row = Mapping[str, Cell]


def on_corpus(
    holdings: Holdings,
    saved: Saved,
    derive: Derive,
    *,
    names: Collection[str] = (),
    seed: int = 0,
    progress: Progress | None = None,
) -> SelfTest:
    """The self-test of a corpus whose graph lives in memory: of the checks named, of all when none is."""
    if holdings.folder is not None:
        raise UsageError("a self-test changes the graph", "open the corpus with store `memory:`")
    checks = saved.all("check")
    wanted = {query.name for query in chosen(saved, names, ())}
    kinds = [fault for fault in faults(holdings.root, saved) if not names or fault.check in wanted]
    severities = rules(saved, holdings.settings.checks).severities
    off = {name for name, grade in severities.items() if grade == "off"}
    stage = Stage(holdings, saved, checks, derive)
    return selftest(stage, kinds, wanted, off=off, seed=seed, progress=progress or silent)


def faults(root: Path, saved: Saved) -> tuple[Fault, ...]:
    """The kinds of faults by name: shipped ones, and those in the corpus's own `queries/faults/`."""
    found = {q.name: (q.text, "shipped") for q in resources.queries(FOLDER)}
    for path in sorted((root / "queries" / FOLDER).glob("*.rq")):
        origin = path.relative_to(root).as_posix()
        try:
            found[path.stem] = (path.read_text("utf-8"), origin)
        except (OSError, UnicodeDecodeError) as error:
            raise HeaderError(f"{origin} cannot be read: {error}", "save it as UTF-8, or take it away") from error
    return tuple(parse_fault(text, name, origin, saved.known_terms) for name, (text, origin) in sorted(found.items()))


def selftest(
    stage: Stage,
    kinds: Sequence[Fault],
    checks: Collection[str],
    *,
    off: Collection[str] = (),
    seed: int = 0,
    progress: Progress = silent,
) -> SelfTest:
    """Plant one fault of each kind, each alone, and say what was noticed; `checks` are all that there are."""
    plain, whole = stage.report(), any(fault.check in stage.computed for fault in kinds)
    every = stage.report(whole=True) if whole else plain
    blind = _blind(every)
    trials: list[Trial] = []
    for number, fault in enumerate(kinds, 1):
        why = _needless(fault, checks, off, blind)
        before = every if fault.check in stage.computed else plain
        trials.append(_skipped(fault, why) if why else _trial(stage, fault, before, seed))
        progress(number, len(kinds))
    tried = {fault.check for fault in kinds}
    return SelfTest(seed, tuple(trials), tuple(sorted(set(checks) - tried)))


def _needless(fault: Fault, checks: Collection[str], off: Collection[str], blind: Mapping[str, str]) -> Both | None:
    """Why a kind need not be tried, None when it must."""
    name = fault.check
    if name not in checks:
        return {"en": f"there is no check {name}", "zh": f"没有检查 {name}"}
    if name in off:
        return {"en": f"{name} is switched off", "zh": f"{name} 已关闭"}
    if name in blind:
        return {"en": f"{name} {blind[name]}", "zh": f"{name} 未能完成：{blind[name].partition(': ')[2]}"}
    return None


def _skipped(fault: Fault, why: Both) -> Trial:
    return Trial(fault.query.name, fault.query.title, fault.check, "skipped", why)


def _trial(stage: Stage, fault: Fault, before: Report, seed: int) -> Trial:
    """Plant the fault at one place, drawn by the seed among those that take it."""
    try:
        found = run(fault.query, stage.select, whole=True)
    except BrokenError as error:
        return _skipped(fault, {"en": error.message, "zh": error.message})
    rows = [{**row, "path": stage.named(plain(row["path"]))} for row in found]
    random.Random(f"{seed} {fault.query.name}").shuffle(rows)  # noqa: S311  (chance that can be repeated)
    for row, files in _places(stage, fault, rows):
        if not any(_is_expected(fault, row, known) for known in before.findings):
            after = stage.report(files, whole=fault.check in stage.computed)
            return _judged(fault, row, files, before, after)
    return _skipped(fault, fault.needs)


def _places(stage: Stage, fault: Fault, rows: Sequence[Row]) -> Iterator[tuple[Row, Files]]:
    """Places that take the edits, with the files as they are then."""
    for row in rows:
        try:
            files = operate(planted(fault, row), stage.read)
        except Unfit:
            continue
        yield row, {stage.named(path): data for path, data in files.items()}


def _is_expected(fault: Fault, row: Row, found: Finding) -> bool:
    return found.check == fault.check and found.path == row["path"] and row["line"] in (None, found.line)


def _judged(fault: Fault, row: Row, files: Files, before: Report, after: Report) -> Trial:
    known = {found.fingerprint for found in before.findings}
    new = [found for found in after.findings if found.fingerprint not in known]
    met = [found for found in new if _is_expected(fault, row, found)]
    others = [f for f in new if f not in met and f.check not in fault.allows and not _of_its_nature(f, files)]
    moved = [edit for edit in planted(fault, row) if edit.same or edit.move]
    came_from = {edit.move or edit.file: edit.same or edit.file for edit in moved}
    noise = [Noise(f.check, f.path, f.line) for f in _unknown(others, before, after, came_from)]
    noise += [Noise(f"{check} (broken)", "", 0) for check in sorted(_broken(after).keys() - _broken(before).keys())]
    line = met[0].line if met else row["line"]
    return Trial(
        fault.query.name, fault.query.title, fault.check,
        "survived" if not met else "noisy" if noise else "killed",
        path=str(row["path"]), line=line if isinstance(line, int) else 0, noise=tuple(noise),
    )  # fmt: skip


def _broken(report: Report) -> Mapping[str, str]:
    return {result.check: result.reason for result in report.checks if result.outcome == "broken"}


def _blind(report: Report) -> Mapping[str, str]:
    """The checks that could not look, and why; those that are switched off are known."""
    said = {"broken": "is broken", "skipped": "cannot look"}
    return {r.check: f"{said[r.outcome]}: {r.reason}" for r in report.checks if r.outcome in said and r.reason != OFF}


def _of_its_nature(found: Finding, files: Files) -> bool:
    """Whether it says no more than that a file was changed: a manifest that holds its hash tells so."""
    return found.check == "changed-material" and found.key in files


def _unknown(new: Sequence[Finding], before: Report, after: Report, came_from: Mapping[str, str]) -> Iterator[Finding]:
    """New findings but those that stand for an old one: its text was edited, its file copied or renamed."""
    now = {found.fingerprint for found in after.findings}
    old = Counter(
        (found.check, found.path)
        for found in before.findings
        if found.fingerprint not in now or found.path in came_from.values()
    )
    for found in new:
        place = found.check, came_from.get(found.path, found.path)
        if old[place] > 0:
            old[place] -= 1
        else:
            yield found
