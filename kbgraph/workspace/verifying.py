"""A written brief held against the graph: staged as a file of the corpus, checked, and only what is in it is told."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from kbgraph.ask import nearest
from kbgraph.ask.run import run
from kbgraph.ask.verified import kept, renamed, summed
from kbgraph.errors import UsageError
from kbgraph.lift import kind_of
from kbgraph.model.facts import Facts
from kbgraph.model.finding import Finding, Report
from kbgraph.model.query import SavedQuery
from kbgraph.model.settings import Skipped
from kbgraph.model.verification import Held, Verification
from kbgraph.store.versions import Lifted, unpack
from kbgraph.workspace.checking import check
from kbgraph.workspace.files import read_file
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.lifting import Lifter
from kbgraph.workspace.publishing import Derive
from kbgraph.workspace.saved import Saved
from kbgraph.workspace.staging import staged

CONTENTS = "brief-contents"  # the view that counts what a brief names
NAMES = "names-near"  # the view of what a wrong name may have meant
KIND = "brief"
COUNTERS = "counters"  # the tag of checks that judge counters of works and repositories
# What came after a brief, or did not, is no fault of the brief.
_LATER = ("open-follow-up", "disposition-open")
# What a finding of a check says of a kind of contents that the view only counts.
_MISSED = {"counts": ("declared-count-differs",), "levels": ("level-misstated",)}


class Written(NamedTuple):
    """A brief as it was given: its name here, and its path in the corpus, where it may stand for the time being."""

    shown: str
    path: str
    lifted: Lifted

    @property
    def facts(self) -> Facts:
        """What it says."""
        return unpack(self.lifted.data)


def verify(holdings: Holdings, saved: Saved, derive: Derive, file: str | Path) -> Verification:
    """What is wrong in a brief, be it a file of the corpus or not; neither it nor the graph is changed."""
    written = _written(holdings, file)
    copy = staged(holdings, derive, {written.path: written.facts})
    try:
        report = kept(
            check(copy, saved, holdings.lexicon),
            lambda finding: finding.path == written.path and finding.check not in _LATER,
        )
        repeated = _repeated(holdings, saved, derive, written, report)
        report = kept(report, lambda finding: finding not in repeated)
        if any(finding.check in (*nearest.IDS, *nearest.SECTIONS) for finding in report.findings):
            report = nearest.told(
                report, run(saved.get(NAMES), copy.store.select, {"except": written.path}, whole=True)
            )
        rows = run(saved.get(CONTENTS), copy.store.select, {"brief": written.path}).dicts()
    finally:
        copy.store.close()
    held = tuple(_held(str(row["kind"]), row["named"], row["found"], report) for row in rows)
    paths = next((one for one in held if one.kind == "paths"), Held("paths", 0, 0))
    told = renamed(summed(report, paths.named, paths.found), written.path, written.shown)
    manifest = next((str(row["manifest"]) for row in rows if row["manifest"]), "")
    lifted = written.lifted
    lines = lifted.understood + sum(number for _, number in lifted.ignored)
    return Verification(written.shown, told, held, manifest, lines, lifted.understood)


def _written(holdings: Holdings, file: str | Path) -> Written:
    """The brief read and lifted; UsageError for what cannot be read."""
    path = next((p for p in (Path(file), holdings.root / file) if p.is_file()), None)
    if path is None:
        raise UsageError(f"there is no file {file}", "give the path of a brief, from here or from the knowledge base")
    found = read_file(path.parent, path.name)
    if isinstance(found, Skipped):
        raise UsageError(f"{file} {found.reason}", "give a brief that is a text file")
    inner = _inner(holdings, path)
    settings = holdings.settings
    if kind_of(inner, settings) != KIND:  # a file that only the caller calls a brief
        settings = replace(settings, globs=((inner, KIND), *settings.globs))
    lifter = Lifter(holdings.root, settings, holdings.compact("lexicon"))
    return Written(str(file), inner, lifter.lifted(inner, found[0], sha256(found[0]).hexdigest()))


def _inner(holdings: Holdings, path: Path) -> str:
    """The path of a file in the corpus; of one from elsewhere a path that no other file has."""
    real, root = path.resolve(), holdings.root.resolve()
    if real.is_relative_to(root):
        return real.relative_to(root).as_posix()
    name = path.name
    while (holdings.root / name).exists():
        name = f"given/{name}"
    return name


def _repeated(
    holdings: Holdings, saved: Saved, derive: Derive, written: Written, report: Report
) -> tuple[Finding, ...]:
    """Findings that the corpus has without the brief: it only passes on what stands there."""
    queries = {query.name: query for query in saved.all("check")}
    unsure = {f.check for f in report.findings if _of_the_world(queries[f.check])}
    if not unsure:
        return ()
    copy = staged(holdings, derive, {written.path: None})
    try:
        before = check(copy, saved, holdings.lexicon, names=tuple(unsure)).findings
    finally:
        copy.store.close()
    known = {_matter(queries[f.check], f) for f in before} | {f.fingerprint for f in before}
    return tuple(
        f
        for f in report.findings
        if f.fingerprint in known or (f.check in unsure and _matter(queries[f.check], f) in known)
    )


def _of_the_world(query: SavedQuery) -> bool:
    """Whether a check judges what is told of, wherever it is told, and not how a text tells it."""
    return COUNTERS in query.tags or query.role("path") not in query.fingerprint


def _matter(query: SavedQuery, finding: Finding) -> tuple[object, ...]:
    values = dict(finding.values)
    return finding.check, finding.key, *(values.get(name) for name in query.judged)


def _held(kind: str, named: object, found: object, report: Report) -> Held:
    """The row of a kind; where the view counts no findings, all are found but those that checks tell of."""
    number = named if isinstance(named, int) else 0
    missed = sum(finding.check in _MISSED.get(kind, ()) for finding in report.findings)
    return Held(kind, number, found if isinstance(found, int) else number - missed)
