"""The yaml blocks of the shared cases: each key is one kind of question, asked in the same way of every case."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sharedkb import Kb, case_names, keys, said

pytestmark = pytest.mark.skipif(not case_names(), reason="the shared cases are not beside this checkout")

# Cases whose corpus a script makes, and those that need several steps: test_shared_cases.py has them.
MADE = {"f-large", "f-names", "i-rename"}

Ask = Callable[[Kb, Any], None]


def arxiv(kb: Kb, ids: list[str]) -> None:
    assert kb.works() == set(ids)


def arxiv_must(kb: Kb, ids: list[str]) -> None:
    assert kb.works() >= set(ids)


def arxiv_must_not(kb: Kb, ids: list[str]) -> None:
    assert not kb.works() & set(ids)


def arxiv_may(kb: Kb, ids: list[str]) -> None:
    must = said("enc-gb18030")["arxiv_must"]
    assert isinstance(must, list)
    assert kb.works() <= set(must) | set(ids)


def arxiv_count(kb: Kb, count: int) -> None:
    assert len(kb.works()) == count


def urls(kb: Kb, wanted: list[str]) -> None:
    printed = kb.one('?p kb:asPrinted ?a ; kb:mentions ?w FILTER(CONTAINS(?a, "://"))')
    assert printed == sorted(wanted)


def github(kb: Kb, names: list[str]) -> None:
    assert kb.one("?r a schema:SoftwareSourceCode ; rdfs:label ?a") == sorted(names)


def wikilinks(kb: Kb, names: list[str]) -> None:
    assert [target for path in kb.paths() for syntax, target in kb.links(path) if syntax == "wikilink"] == names


def documents(kb: Kb, count: int) -> None:
    assert len(kb.paths()) == count


def titles(kb: Kb, wanted: dict[str, str] | list[str]) -> None:
    if isinstance(wanted, dict):
        found = kb.pairs("?m kb:path ?a ; dcterms:title ?b")
        assert {path: found.get(path) for path in wanted} == wanted
    else:
        assert set(kb.one("?s a doco:Section ; dcterms:title ?a")) == set(wanted)


def cards(kb: Kb, wanted: dict[str, str]) -> None:
    found = {
        (iri.removeprefix("https://arxiv.org/abs/"), path)
        for iri, path in kb.select("?m a kb:PaperCard ; schema:about ?a ; kb:path ?b")
    }
    assert set(wanted.items()) <= found


def cards_for(kb: Kb, wanted: dict[str, list[str]]) -> None:
    cards_found = kb.select("?m a kb:PaperCard ; schema:about ?a ; kb:path ?b")
    for arxiv_id, paths in wanted.items():
        assert [path for iri, path in cards_found if iri.endswith(f"/{arxiv_id}")] == paths


def conflicts(kb: Kb, paths: list[str] | list[list[str]]) -> None:
    if paths and isinstance(paths[0], list):
        found = pairs_of(kb, "conflicting-wording", "conflicting-quantity")
        assert [pair for pair in paths if sorted(pair) not in found] == []
    else:
        assert [f.path for f in kb.findings("conflicting-card-key")] == paths


def pairs_of(kb: Kb, *checks: str) -> list[list[str]]:
    """Both places of every finding of checks that compare two."""
    found = [finding for check in checks for finding in kb.findings(check)]
    return [sorted([f"{f.path}:{f.line}", *(f"{p.path}:{p.line}" for p in f.related)]) for f in found]


def malformed(kb: Kb, paths: list[str]) -> None:
    assert [f.path for f in kb.findings("malformed-identifier")] == paths


def mismatch_lines(kb: Kb, lines: list[int]) -> None:
    assert [f.line for f in kb.findings("malformed-identifier")] == lines


def orphans_in_list(kb: Kb, wanted: list[str]) -> None:
    labels = kb.pairs("?line biro:references ?a ; kb:label ?b")
    found = keys(kb.findings("orphan-citation"))
    assert {labels.get(f"https://arxiv.org/abs/{key}", key) for key in found} == set(wanted)


def orphans_in_list_must(kb: Kb, wanted: list[str]) -> None:
    assert keys(kb.findings("orphan-citation")) >= set(wanted)


def orphans_must_not(kb: Kb, wanted: list[str]) -> None:
    assert not keys(kb.findings("orphan-citation")) & set(wanted)


def missing_in_list(kb: Kb, wanted: list[str]) -> None:
    assert {key.strip("[]") for key in keys(kb.findings("unlisted-citation"))} == set(wanted)


def duplicate_keys(kb: Kb, wanted: list[list[str]]) -> None:
    assert [[f.path, f.key] for f in kb.findings("duplicate-key")] == wanted


def duplicate_numbers(kb: Kb, numbers: list[str]) -> None:
    """Of sections, or of the labels of a citation list."""
    sections_told = keys(kb.findings("duplicate-section-number"))
    labels_told = {key for key in keys(kb.findings("duplicate-entry")) if key.startswith("[")}
    assert {key.strip("[]§") for key in sections_told | labels_told} == set(numbers)


def sections(kb: Kb, count: int) -> None:
    assert len(kb.select("?a a doco:Section ; kb:level ?b FILTER(?b > 1)")) == count


def sections_with_title(kb: Kb, wanted: dict[str, int]) -> None:
    for title, count in wanted.items():
        assert len(kb.one(f"?a a doco:Section ; dcterms:title ?t FILTER(STR(?t) = '{title}')")) == count


def reference_list(kb: Kb, number: str) -> None:
    assert kb.one("?l a biro:ReferenceList ; kb:inSection ?s . ?s kb:number ?a") == [number]


def unresolved(kb: Kb, names: list[str]) -> None:
    assert sorted(keys(kb.findings("dangling-path"))) == names


def must_not(kb: Kb, targets: list[str]) -> None:
    assert not {target for path in kb.paths() for _, target in kb.links(path)} & set(targets)


def undefined(kb: Kb, labels: list[str]) -> None:
    assert sorted(keys(kb.findings("undefined-footnote"))) == sorted(labels)


def unused(kb: Kb, labels: list[str]) -> None:
    assert sorted(keys(kb.findings("unused-footnote", "unused-definition"))) == sorted(labels)


def unused_bib(kb: Kb, labels: list[str]) -> None:
    assert keys(kb.findings("unused-entry")) == set(labels)


def resolved(kb: Kb, paths: list[str]) -> None:
    there = set(kb.paths())
    targets = {target for path in there for _, target in kb.links(path)}
    assert targets & there >= set(paths)


def dangling(kb: Kb, paths: list[str]) -> None:
    assert keys(kb.findings("dangling-path")) >= set(paths)


def outside(kb: Kb, paths: list[str]) -> None:
    assert (
        kb.one("?r kb:outside true ; kb:asPrinted ?a") == paths
        or kb.one("?r kb:outside true ; kb:targetPath ?a") == paths
    )


def ambiguous(kb: Kb, names: list[str]) -> None:
    assert sorted({str(f.key) for f in kb.findings("ambiguous-link")}) == names


def warnings(kb: Kb, count: int) -> None:
    assert len([f for f in kb.findings() if f.severity == "warning"]) == count


def papers(kb: Kb, ids: list[str]) -> None:
    assert kb.works() == set(ids)


def title_conflicts(kb: Kb, count: int) -> None:
    assert len(kb.findings("conflicting-wording")) == count


def claims(kb: Kb, count: int) -> None:
    assert len(kb.one("?a kb:asserts ?claim")) == count


def missing_level(kb: Kb, texts: list[str]) -> None:
    found = kb.one("?line kb:asserts ?claim . ?claim schema:text ?a FILTER NOT EXISTS { ?line kb:evidenceLevel ?l }")
    assert found == texts


def missing_source(kb: Kb, texts: list[str]) -> None:
    found = kb.one("?line kb:asserts ?claim . ?claim schema:text ?a FILTER NOT EXISTS { ?claim schema:about ?w }")
    assert found == texts


def duplicates(kb: Kb, pairs: list[list[str]]) -> None:
    """Equal but for spacing, punctuation and case: one text key."""
    for pair in pairs:
        (one, a), (two, b) = [place.rsplit(":", 1) for place in pair]
        assert kb.claims(one)[int(a)][0] == kb.claims(two)[int(b)][0], pair


def not_duplicates(kb: Kb, pairs: list[list[str]]) -> None:
    for pair in pairs:
        (one, a), (two, b) = [place.rsplit(":", 1) for place in pair]
        assert kb.claims(one)[int(a)][0] != kb.claims(two)[int(b)][0], pair


def duplicate_files(kb: Kb, groups: list[list[str]]) -> None:
    same = kb.select("?m kb:sha256 ?h ; kb:path ?a . ?n kb:sha256 ?h ; kb:path ?b FILTER(STR(?m) < STR(?n))")
    assert [list(pair) for pair in same] == groups


def near_duplicates(kb: Kb, pairs: list[list[str]]) -> None:
    assert pairs_of(kb, "duplicate-claim") == pairs


def duplicate_groups(kb: Kb, number: int) -> None:
    assert len(kb.findings("duplicate-claim")) == number


def percent(kb: Kb, values: list[float]) -> None:
    found = [float(value) for _, unit, value in kb.quantities("note.md") if unit == "percent" and ".." not in value]
    for value in values:
        assert found.count(value) >= 1
    assert len([v for v in found if v == 15.39]) == values.count(15.39)


def points(kb: Kb, values: list[float]) -> None:
    assert sorted(float(value) for _, unit, value in kb.quantities("note.md") if unit == "pp") == sorted(values)


def values(kb: Kb, wanted: dict[str, int]) -> None:
    found = {printed.replace(" token", ""): value for printed, _, value in kb.quantities("note.md")}
    assert {printed: float(found[printed]) for printed in wanted} == wanted


def equal_pairs(kb: Kb, pairs: list[list[str]]) -> None:
    found = {printed: (unit, value) for printed, unit, value in kb.quantities("note.md")}
    assert [found[a] == found[b] for a, b in pairs] == [True] * len(pairs)


def not_equal(kb: Kb, pairs: list[list[str]]) -> None:
    found = kb.pairs("?q kb:asPrinted ?a OPTIONAL { ?q kb:bound ?b } ?q schema:unitText ?u")
    for bounded, plain in pairs:
        assert found[bounded]
        assert found.get(plain) != found[bounded]


def false_positive_words(kb: Kb, words: list[str]) -> None:
    assert not [printed for printed, _, _ in kb.quantities("note.md") if any(printed in word for word in words)]


def html_must_not_contain(kb: Kb, texts: list[str]) -> None:
    pages = [kb.workspace.render(kb.report, "html"), kb.workspace.render(kb.workspace.query("find", what="a"), "html")]
    assert not [text for text in texts for page in pages if text in page]


SILENT = {"crash", "abort", "max_seconds_hint", "ids_in_table"}
ASKS: dict[str, Ask] = {
    name: ask for name, ask in list(globals().items()) if callable(ask) and getattr(ask, "__module__", "") == __name__
}
QUESTIONS = [(name, key) for name in case_names() if name not in MADE for key in said(name) if key not in SILENT]


@pytest.mark.parametrize(("name", "key"), QUESTIONS, ids=[f"{name}: {key}" for name, key in QUESTIONS])
def test_yaml(name: str, key: str, tmp_path: Path) -> None:
    ASKS[key](Kb.of_case(name, tmp_path), said(name)[key])
