"""What a brief knows of files that it does not read: that they exist, by name alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from kbgraph import vocab as v
from kbgraph.lift.naming import kind_of
from kbgraph.model.facts import Facts, Term, boolean, integer, iri, make_facts, text
from kbgraph.model.lexicon import fold
from kbgraph.model.ntriples import parts
from kbgraph.workspace.holdings import Holdings
from kbgraph.workspace.manifests import Manifest

_CLASSES = {
    "brief": v.KB_BRIEF, "guide": v.KB_GUIDE, "knowledge": v.KB_KNOWLEDGE_DOC, "note": v.KB_NOTE,
    "paper-card": v.KB_PAPER_CARD, "queue": v.KB_QUEUE, "repo-card": v.KB_REPO_CARD, "report": v.KB_REPORT,
}  # fmt: skip
_PATHS = (v.KB_TARGET_PATH, v.KB_SOURCE_PATH, v.KB_COMPARES_PATH, v.KB_NAMES_MANIFEST)
_ALIKE = 6  # characters that names have in common which one may have meant for the other


def listing(
    holdings: Holdings, files: Sequence[str], manifest: Manifest, assumed: Iterable[str], facts: Sequence[Facts]
) -> Facts:
    """The other files that these facts refer to or may have meant, and the comparisons that a manifest leaves open."""
    read = {member.path for member in manifest.members} | {manifest.path}
    paths, names = _said(facts, *_PATHS), _said(facts, v.KB_TARGET_NAME)
    missing = paths.difference(files) | names
    alike = {_opening(path) for path in (*missing, *(path.rpartition(".")[0] for path in missing))}
    triples: list[str] = []
    for path in files:
        # Names that nothing refers to only make every question slower.
        links = _links(path, names) if names else ()
        if path not in read and (links or path in paths or _opening(path) in alike):
            triples += _named(holdings, path, links)
    return make_facts(holdings.derived("listing"), [*triples, *_assumed(holdings, manifest, assumed)])


def _said(facts: Iterable[Facts], *verbs: Term) -> set[str]:
    """The texts that some properties have."""
    found = set()
    for verb in (f" {verb} " for verb in verbs):
        found |= {triple.partition(verb)[2] for fact in facts for triple in fact.triples if verb in triple}
    return {parts(Term(literal)).value for literal in found}


def _opening(path: str) -> str:
    return path.rpartition("/")[2].lower()[:_ALIKE]


def _links(path: str, names: Collection[str]) -> list[str]:
    """The names that a link may use for a file, as far as one does."""
    whole = fold(path.rpartition(".")[0])
    return sorted({whole, whole.rpartition("/")[2].lstrip()}.intersection(names))


def _named(holdings: Holdings, path: str, links: Iterable[str]) -> list[str]:
    me, kind = holdings.graph(path), kind_of(path, holdings.settings)
    out = [f"{me} {v.KB_PATH} {text(path)}", *(f"{me} {v.KB_LINK_NAME} {text(name)}" for name in links)]
    return [*out, f"{me} {v.RDF_TYPE} {_CLASSES[kind]}"] if kind in _CLASSES else out


def _assumed(holdings: Holdings, manifest: Manifest, assumed: Iterable[str]) -> list[str]:
    me = holdings.graph(manifest.path)
    triples: list[str] = []
    for at, path in enumerate(assumed, 1):
        entry = iri(f"{me[1:-1]}#v-assumed-{at}")
        triples += [
            f"{entry} {v.RDF_TYPE} {v.KB_MANIFEST_ENTRY}", f"{entry} {v.DCTERMS_IS_PART_OF} {me}",
            f"{entry} {v.KB_TARGET_PATH} {text(path)}", f"{entry} {v.KB_COMPARED} {boolean(True)}",
            f"{entry} {v.KB_LINE} {integer(1)}",
        ]  # fmt: skip
    return triples
