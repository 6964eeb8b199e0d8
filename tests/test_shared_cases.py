"""The prose of the shared cases, one function a case: what expect.md says beside its yaml block."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import rdflib
from pyoxigraph import RdfFormat, Store

import kbgraph
from kbgraph.errors import KbgraphError
from sharedkb import SHARED, Kb, case_names, keys

pytestmark = pytest.mark.skipif(not case_names(), reason="the shared cases are not beside this checkout")
later = pytest.mark.xfail(strict=True, reason="claim relations come with the room `relate`")
Open = Callable[[str], Kb]


@pytest.fixture
def kb(tmp_path: Path) -> Open:
    """A case's corpus by name."""
    return lambda name: Kb.of_case(name, tmp_path)


@pytest.mark.parametrize("name", case_names())
def test_every_case_syncs_checks_and_keeps_its_files(name: str, kb: Open) -> None:
    """No case crashes, every check does its work, nothing in the folder is touched, the dump is canonical."""
    folder = "step1" if name == "i-rename" else ""
    found = Kb.of_case(name, Path(kb(name).corpus).parent / "copy") if not folder else None
    if found is None:
        return
    before = {p: p.read_bytes() for p in (SHARED / name / "kb").rglob("*") if p.is_file()}
    broken = [c for c in found.report.checks if c.outcome == "broken"]
    assert broken == []
    after = {p: (found.corpus / p.relative_to(SHARED / name / "kb")).read_bytes() for p in before}
    assert after == before
    assert found.nquads.splitlines() == sorted(set(found.nquads.splitlines()))
    assert len(found.graph) == len(found.nquads.splitlines())


def test_ax_card_key(kb: Open) -> None:
    found = kb("ax-card-key")
    cards = found.pairs("?m a kb:PaperCard ; kb:path ?a ; schema:about ?b FILTER(STRSTARTS(STR(?b), 'https://arxiv'))")
    for path in ("papers/2401_10002.md", "papers/240110003v2-toy-three.md"):
        told = cards.get(path, "") or " ".join(f.message["en"] for f in found.findings() if f.path == path)
        assert re.search(r"2401[._]?1000[23]", told), f"{path} is accepted or reported"
    assert "2401.10004" not in cards.get("papers/2401.10004.md", "")
    (conflict,) = [f for f in found.findings("conflicting-card-key") if f.path == "papers/2401.10004.md"]
    told = conflict.message["en"] + str(conflict.values) + " ".join(place.text for place in conflict.related)
    assert all(key in told for key in ("2401.10004", "2401.10005", "2401.10006"))
    assert set(cards) & {"papers/v1.2024.0101.md", "weekly/2026-07-16-20260716T094326525436Z.md"} == set()


def test_ax_in_code_and_comments(kb: Open) -> None:
    found = kb("ax-in-code-and-comments")
    told = {key: f.message["en"] + str(f.values) for f in found.findings("orphan-citation") for key in keys([f])}
    places = found.pairs("?p kb:mentions ?a ; kb:place ?b FILTER(?b != 'body' && ?b != 'list')")
    for key, place in {
        "2401.10001": "code",
        "2401.10002": "comment",
        "2401.10003": "code",
        "2401.10004": "image",
    }.items():
        assert places[f"https://arxiv.org/abs/{key}"] == place
        if key in told:
            assert place in told[key], f"the report says where the only mention of {key} is"


def test_ax_link_mismatch(kb: Open) -> None:
    assert kb("ax-link-mismatch").works() >= {"2401.10001", "2401.10002", "2401.10003", "2401.10004"}


def test_ax_prefix_forms(kb: Open) -> None:
    found = kb("ax-prefix-forms")
    assert found.works() == {f"2401.100{n:02d}" for n in range(1, 19)}
    versions = found.pairs("?p kb:mentions ?a ; kb:version ?b")
    assert {iri[-5:]: version for iri, version in versions.items()} == {
        "10010": "2",
        "10015": "3",
        "10017": "3",
        "10018": "2",
    }
    low = found.one('?p kb:mentions ?a ; kb:confidence "low"')
    assert [iri[-10:] for iri in low] == ["2401.10009", "2401.10010", "2401.10011"]
    assert found.one("?p kb:mentions ?a FILTER(CONTAINS(STR(?a), 'doi.org'))") == []


def test_ax_trailing_junk(kb: Open) -> None:
    found = kb("ax-trailing-junk")
    assert found.works() == {f"2401.100{n:02d}" for n in range(1, 17) if n != 8}
    versions = found.pairs("?p kb:mentions ?a ; kb:version ?b")
    assert versions["https://arxiv.org/abs/2401.10013"] == "10"
    odd = found.one("?odd a kb:MalformedIdentifier ; kb:asPrinted ?a")
    assert [printed for printed in odd if "2401.10014v1" in printed], "v1v2 is an odd suffix"
    assert len(found.one("?a kb:mentions <https://arxiv.org/abs/2401.10011>")) <= 2


def test_d_title_variants(kb: Open) -> None:
    found = kb("d-title-variants")
    assert found.findings("duplicate-entry") == []
    assert len(found.one("?a a fabio:Work")) == 5


def test_enc_bad_bytes(kb: Open) -> None:
    found = kb("enc-bad-bytes")
    told = {path for path, _, _ in found.problems("undecodable-text", "binary-file", "control-character")}
    assert told == {"ctrl.md", "invalid.md", "notmd.md", "nul.md"}
    assert [line for path, line, _ in found.problems("undecodable-text") if path == "invalid.md"] == [4]
    titles = found.pairs("?m kb:path ?a ; dcterms:title ?b")
    assert titles["nul.md"].startswith("Has")
    assert titles["nul.md"].endswith("NUL")
    assert len(titles["nul.md"]) > 6
    assert titles["notmd.md"] == "notmd"
    assert found.problems("binary-file")[0][0] == "notmd.md"
    rdf = rdflib.Dataset().parse(data=found.nquads, format="nquads")
    assert any("\x0c" in str(o) or "\x08" in str(o) for _, _, o, _ in rdf.quads())


def test_enc_bom_utf16(kb: Open) -> None:
    found = kb("enc-bom-utf16")
    titles = found.pairs("?m kb:path ?a ; dcterms:title ?b")
    assert (titles["utf16le.md"], titles["utf16be.md"], titles["bom.md"]) == ("宽字符", "Big endian", "带 BOM")
    assert "第二节" in found.one("?s a doco:Section ; dcterms:title ?a") or found.one(
        "?s a doco:Section ; kb:number '2' ; kb:line ?a"
    ) == ["2"]


def test_enc_gb18030(kb: Open) -> None:
    found = kb("enc-gb18030")
    assert "gbk.md" in {f.path for f in found.findings("undecodable-text")} | set(
        found.one("?m kb:path ?a ; kb:encoding ?x")
    )
    assert "\ufffd" not in " ".join(found.one("?x dcterms:title ?a"))
    assert "2401.10002" in found.works()


def test_enc_line_ends(kb: Open) -> None:
    found = kb("enc-line-ends")
    assert set(found.one("?s a doco:Section ; dcterms:title ?a")) == {"A", "B", "Old Mac", "Second", "No final newline"}
    assert "\\r" not in found.nquads


def test_f_injection_text(kb: Open) -> None:
    found = kb("f-injection-text")
    assert "DROP ALL" in " ".join(found.one("?claim schema:text ?a"))
    assert [f.line for f in found.findings("instruction-in-material")] == [10]
    assert found.one("?line kb:evidenceLevel ?a") == []
    formats = {fmt: found.workspace.render(found.report, fmt) for fmt in ("html", "csv")}
    drawn = found.workspace.render(found.workspace.drawing(focus="evil.md"), "html")
    for page in (formats["html"], drawn):
        assert "<script>alert(1)" not in page
        assert "onerror=alert(1)>" not in page
        assert "&amp;lt;" not in page
        assert 'href="javascript:' not in page
    assert not [
        line for line in formats["csv"].splitlines() for cell in line.split(",") if cell.startswith(("=", "+", "@"))
    ]


@pytest.mark.slow
def test_f_large(tmp_path: Path) -> None:
    subprocess.run([sys.executable, SHARED / "f-large" / "make.py", tmp_path], check=True)
    found = Kb(tmp_path / "kb")
    assert (
        len(found.works("?p kb:line ?l . GRAPH ?g { ?p kb:line ?l } FILTER(CONTAINS(STR(?g), 'table.md'))")) == 10_000
    )
    assert len(found.paths()) == 6006
    again = Kb(tmp_path / "kb")
    assert again.nquads == found.nquads


def test_f_names(tmp_path: Path) -> None:
    subprocess.run(["sh", SHARED / "f-names" / "make.sh", tmp_path], check=True)
    found = Kb(tmp_path / "kb")
    materials = found.pairs("?a kb:path ?b")
    assert len(materials) == len(set(materials.values()))
    here = {p.relative_to(tmp_path / "kb") for p in (tmp_path / "kb").rglob("*") if p.is_file()}
    visible = {p for p in here if not any(part.startswith(".") for part in p.parts)}
    told = " ".join(f.message["en"] + f.path for f in found.findings()) + str(found.synced)
    assert len(materials) >= len(visible) - 1
    assert not [path for path in materials.values() if ".hidden" in path or ".obsidian" in path]
    assert {"a b.md", "a%20b.md", "C#.md", "what?.md", "UPPER.MD", "long.markdown", "A.md", "a.md"} <= set(
        materials.values()
    )
    rdflib.Dataset().parse(data=found.nquads, format="nquads")
    assert [odd.path for odd in found.synced.odd if "UTF-8" in odd.reason] == ["bad\udcffname.md"]
    assert "A.md" in told
    assert "a.md" in told
    dangling = keys(found.findings("dangling-path"))
    assert not dangling & {"C#", "100% sure", "带 空格 的名字"}


def test_fm_dates(kb: Open) -> None:
    found = kb("fm-dates")
    warned = {f.path for f in found.findings()} | {
        path for path, _, _ in found.problems("invalid-date", "broken-front-matter")
    }
    assert {"a.md", "d.md"} <= warned
    assert found.one("?m dcterms:date ?a") in ([], ["2024-03-01"])
    assert "45045" not in found.nquads


def test_fm_fences(kb: Open) -> None:
    found = kb("fm-fences")
    titles = found.one("?s a doco:Section ; dcterms:title ?a")
    assert "Starts with a rule, no header" in titles
    assert not [title for title in titles if ":" in title]
    assert "unclosed.md" in {f.path for f in found.findings("broken-front-matter")}
    assert "key: value after a rule" in " ".join(found.one("?x schema:text ?a")) or "after a rule" not in str(
        found.select("?m kb:path 'later-rule.md' ; ?p ?a FILTER(?p != kb:path)")
    )


def test_fm_id_as_number(kb: Open) -> None:
    found = kb("fm-id-as-number")
    assert "None" not in found.nquads
    assert "240110020" not in found.nquads


def test_fm_types(kb: Open) -> None:
    found = kb("fm-types")
    names = set(found.one("?m kb:path 'a.md' ; kb:linkName ?a"))
    assert {"toy", "no", "on", "1.10"} <= names
    assert ("wikilink", "home") in [(syntax, target.casefold()) for syntax, target in found.links("a.md")]
    assert {f.path for f in found.findings("broken-front-matter")} >= {"c.md"}
    assert [(f.path, f.key) for f in found.findings("duplicate-key")] == [("b.md", "evidence")]


def test_h_duplicates_anchors(kb: Open) -> None:
    found = kb("h-duplicates-anchors")
    anchors = [name.partition("#s-")[2] for name in found.one("?a a doco:Section")]
    assert len(anchors) == len(set(anchors)) == 6
    assert {"结果", "结果-1", "结果-2", "res"} <= set(anchors)
    assert "Results" in found.one("?s dcterms:title ?a")
    assert found.findings("dangling-section") == []


def test_h_inline_markup(kb: Open) -> None:
    assert kb("h-inline-markup").one("?p kb:mentions <https://arxiv.org/abs/2401.10001> ; kb:line ?a") == ["1"]


def test_h_numbering_mix(kb: Open) -> None:
    found = kb("h-numbering-mix")
    numbers = found.one("?s a doco:Section ; kb:number ?a")
    assert {"1", "2", "2.1", "2.1.1", "2.2", "2.3", "3", "3.1", "7", "8"} <= set(numbers)
    assert found.problems("number-gap")


def test_i_citekey_edges(kb: Open) -> None:
    found = kb("i-citekey-edges")
    labels = [label for (label,) in found.select("?p a c4o:InTextReferencePointer ; kb:label ?a")]
    assert {"ABC+:TOY:07", "when_????", "cost--share_2020", "test", "doe2024"} <= set(labels)
    assert len(found.one("?a a c4o:InTextReferencePointer ; kb:label 'doe2024'")) == 3


def test_i_claim_template(kb: Open) -> None:
    claims = kb("i-claim-template").claims("a.md")
    assert len({key for key, _ in claims.values()}) == 5


def test_i_control_chars(kb: Open) -> None:
    found = kb("i-control-chars")
    assert {"\x07", "\x0c", "\x1a"} & set(
        "".join(str(o) for _, _, o, _ in rdflib.Dataset().parse(data=found.nquads, format="nquads").quads())
    )
    assert 1 in {line for _, line, _ in found.problems("control-character")}


def test_i_dup_false(kb: Open) -> None:
    found = kb("i-dup-false")
    assert found.one("?line kb:asserts ?claim . GRAPH ?g { ?line kb:line ?a } FILTER(CONTAINS(STR(?g), 'c.md'))") == []
    assert found.one("?m kb:path 'b.md' ; kb:status ?a") == ["superseded"]


def test_i_html_encoding(tmp_path: Path) -> None:
    corpus = Kb.of_case("i-html-encoding", tmp_path).corpus
    odd = dict(line.split("=", 1) for line in (SHARED / "i-html-encoding" / "env.txt").read_text().splitlines() if line)
    out = tmp_path / "drawing.html"
    kbgraph_there: list[str | Path] = [Path(sys.executable).with_name("kbgraph")]
    done = subprocess.run(
        [*kbgraph_there, "graph", "--focus", "a.md", "--kb", corpus, "-o", out],
        env=os.environ | odd,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "中文 🚀 é" in out.read_text(encoding="utf-8")
    assert out.read_text(encoding="utf-8").rstrip().endswith("</html>")
    status = subprocess.run(
        [*kbgraph_there, "status", "--kb", corpus], env=os.environ | odd, capture_output=True, check=False
    )
    assert status.returncode == 0, status.stderr


def test_i_iri_space_pages(kb: Open) -> None:
    found = kb("i-iri-space-pages")
    assert "<urn:kb:kb:My%20reading%20notes.md>" in found.nquads
    assert found.findings("dangling-path") == []
    rdflib.Dataset().parse(data=found.nquads, format="nquads")


def test_i_lang_tag(kb: Open) -> None:
    found = kb("i-lang-tag")
    assert {tag.lower() for tag in found.one("?m dcterms:language ?a")} <= {"zh-cn", "zh-hans-cn", "zh", "en"}
    tags = set(re.findall(r'"@([A-Za-z0-9_-]+) ', found.nquads))
    assert not [tag for tag in tags if "_" in tag]
    assert {path for path, _, _ in found.problems("unusable-language")} >= {"b.md", "c.md"}


def test_i_literal_normalised(kb: Open) -> None:
    found = kb("i-literal-normalised")
    assert "2401.1001>" not in found.nquads
    assert found.nquads == Kb(found.corpus).nquads, "a second run finds the same"


def test_i_old_id_collision(kb: Open) -> None:
    found = kb("i-old-id-collision")
    assert found.one("?m a kb:PaperCard ; schema:about ?a") in ([], ["https://arxiv.org/abs/quant-ph/0203011"])


def test_i_qname_dot(kb: Open) -> None:
    found = kb("i-qname-dot")
    turtle = found.workspace.export("ttl")
    one = Store()
    one.load(turtle.encode(), RdfFormat.TURTLE)
    two = rdflib.Graph().parse(data=turtle, format="turtle")
    assert len(one) == len(two) == len({line.rsplit(" <", 1)[0] for line in found.nquads.splitlines()})


def test_i_remote_context(kb: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    found = kb("i-remote-context")
    assert found.paths() == ["note.md"]
    assert "urn:x" not in found.nquads


def test_i_rename(tmp_path: Path) -> None:
    """Each step over the last one's state equals a fresh build."""
    dumps = []
    for step in ("step1", "step2", "step3"):
        corpus = tmp_path / "kb"
        for path in corpus.rglob("*.md") if corpus.exists() else ():
            path.unlink()
        shutil.copytree(SHARED / "i-rename" / step / "kb", corpus, dirs_exist_ok=True, copy_function=shutil.copy)
        workspace = kbgraph.open(corpus)
        workspace.sync()
        dumps.append(workspace.export("nq"))
        workspace.close()
        fresh = Path(shutil.copytree(corpus, tmp_path / step / "kb", ignore=shutil.ignore_patterns(".kbgraph")))
        found = Kb(fresh)
        assert dumps[-1] == found.nquads, step
        assert len(found.paths()) == 2
        assert len(found.findings("dangling-path")) == (step == "step2")


@pytest.mark.parametrize("name", ["query1.rq", "query2.rq", "query3.rq", "update1.ru"])
def test_i_service_ssrf(kb: Open, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    found = kb("i-service-ssrf")
    with pytest.raises(KbgraphError) as refused:
        found.workspace.query((SHARED / "i-service-ssrf" / name).read_text(encoding="utf-8"))
    assert refused.value.mend


def test_i_shacl_langstring(kb: Open) -> None:
    found = kb("i-shacl-langstring")
    assert found.one("?m kb:path ?a ; dcterms:title ?t FILTER(STR(?t) = '玩具缓存')") == ["b.md"]


def test_i_unused_false(kb: Open) -> None:
    assert [detail for _, _, detail in kb("i-unused-false").problems("unused-definition")] == ["eight"]


def test_i_wikilink_suffix(kb: Open) -> None:
    found = kb("i-wikilink-suffix")
    dangling = keys(found.findings("dangling-path"))
    assert not dangling & {"plan", "PLAN", "memo.v2", "a", "y/README", "/y/README", "../y/README"}
    (told,) = [f for f in found.findings("ambiguous-link") if f.key == "README"]
    assert all(
        path in told.message["en"] + str(told.values) + str(told.related) for path in ("x/README.md", "y/README.md")
    )


def test_i_yaml_colon_title(kb: Open) -> None:
    found = kb("i-yaml-colon-title")
    assert [f.path for f in found.findings("broken-front-matter")] == ["a.md"]
    assert found.works() == {"2401.10001", "2401.10002"}


def test_i_yaml_trailing_zero(kb: Open) -> None:
    found = kb("i-yaml-trailing-zero")
    assert "2401.1201" not in found.works()
    assert "p3.md" in " ".join(
        f.message["en"] + str(f.related) + f.path for f in found.findings("same-source", "duplicate-card")
    )


def test_i_yaml_wikilink_list(kb: Open) -> None:
    found = kb("i-yaml-wikilink-list")
    assert [f.path for f in found.findings("broken-front-matter")] == ["a.md"]
    assert {target for _, target in found.links("a.md")} in (set(), {"b", "c"})
    assert {target for _, target in found.links("b.md")} == {"a", "c", "missing"}
    assert keys(found.findings("dangling-path")) == {"missing"}


def test_i_zero_triples(tmp_path: Path) -> None:
    home = tmp_path / "带 空格 kb"
    corpus = Path(shutil.copytree(SHARED / "i-zero-triples" / "kb", home, copy_function=shutil.copy))
    first = kbgraph.open(corpus)
    first.sync()
    dump = first.export("nq")
    first.close()
    assert dump.count("\n") > 5
    code = "import sys, kbgraph; kb = kbgraph.open(sys.argv[1]); sys.stdout.write(kb.export('nq'))"
    again = subprocess.run([sys.executable, "-c", code, corpus], capture_output=True, check=True)
    assert again.stdout.decode() == dump
    odd = subprocess.run(
        [sys.executable, "-m", "kbgraph", "sync", "--kb", corpus, "--ful"], capture_output=True, check=False
    )
    assert odd.returncode == 2


def test_l_footnotes(kb: Open) -> None:
    found = kb("l-footnotes")
    assert found.works() == {"2401.10001", "2401.10002", "2401.10003"}


def test_l_numeric_citations(kb: Open) -> None:
    found = kb("l-numeric-citations")
    labels = found.one("?p a c4o:InTextReferencePointer ; kb:label ?a")
    assert {int(label) for label in labels} == {1, 2, 3, 5, 6, 7, 9, 10}


def test_l_relative_targets(kb: Open) -> None:
    found = kb("l-relative-targets")
    told = [(f.check, str(f.key), f.message["en"] + str(f.values) + str(f.related)) for f in found.findings()]
    looks = [detail for _, _, detail in found.problems("broken-link")]
    assert len(looks) == 2
    assert any("my note.md" in detail for detail in looks)
    assert any("缓存 (1).md" in detail for detail in looks)
    assert any("MY NOTE.md" in key or "MY%20NOTE" in key or "MY NOTE" in text for _, key, text in told)


def test_l_wikilinks(kb: Open) -> None:
    found = kb("l-wikilinks")
    targets = [
        target
        for syntax, target in found.select(
            "GRAPH ?g { ?r kb:syntax ?a ; kb:targetName ?b ; kb:line ?l . ?g kb:path 'a.md' }"
        )
    ]
    assert set(targets) >= {"b", "不存在"}
    assert len(found.one("?a kb:targetName 'b'")) >= 6
    anchors = set(found.one("?r kb:targetAnchor ?a"))
    assert {"second", "^blk"} <= {anchor.casefold() for anchor in anchors}


def test_q_approx_and_errors(kb: Open) -> None:
    found = kb("q-approx-and-errors")
    bounds = found.pairs("?q kb:asPrinted ?a ; kb:bound ?b")
    told = {
        name: bounds[printed]
        for printed in bounds
        for name in ("约 10", "超过", "不到", "<1%", "≥ 99.9", ">5x")
        if name in printed
    }
    assert told == {
        "约 10": "about",
        "超过": "more-than",
        "不到": "less-than",
        "<1%": "less-than",
        "≥ 99.9": "at-least",
        ">5x": "more-than",
    }
    values = [value for _, _, value in found.quantities("note.md")]
    assert "0.0001" in values
    assert "0.00001" in values
    assert "0.005" in values
    assert "1000000" in values


def test_q_chinese_numerals(kb: Open) -> None:
    found = {printed: value for printed, _, value in kb("q-chinese-numerals").quantities("note.md")}
    for printed, value in {
        "三倍": 3,
        "两成": 20,
        "一半": 50,
        "十万": 1e5,
        "百分之十二": 12,
        "二千七百万": 2.7e7,
    }.items():
        assert [float(v) for p, v in found.items() if p.startswith(printed)] == [value], printed
    for printed, value in {"三十万亿": 3e13, "二万六千亿": 2.6e12, "零点五": 0.5}.items():
        assert [float(v) for p, v in found.items() if p.startswith(printed)] == [value], printed
    assert not [p for p in found if "三节" in p]


def test_q_percent(kb: Open) -> None:
    found = kb("q-percent")
    values = [(unit, value) for _, unit, value in found.quantities("note.md")]
    assert values.count(("percent", "-3.2")) == 1 or len([v for v in values if v == ("percent", "-3.2")]) >= 1
    assert ("percent", "80..90") in values
    assert ("percent", "10..20") in values
    assert found.select("?q kb:change true ; kb:from ?a ; kb:to ?b") == [("12.3", "45.6")]


def test_q_scale(kb: Open) -> None:
    found = kb("q-scale")
    rows = {printed: (unit, value) for printed, unit, value in found.quantities("note.md")}
    text = str(rows)
    assert "40006" not in text
    assert "40003" not in text
    assert not [p for p in rows if "10，200" in p]
    assert [unit for p, (unit, _) in rows.items() if "552B" in p] == ["param"]
    assert {unit for p, (unit, _) in rows.items() if "80GB" in p} <= {"byte", "B", "GB"}


def test_t_html_blocks(kb: Open) -> None:
    found = kb("t-html-blocks")
    assert "2401.10004" not in found.works()
    assert [
        iri[-10:] for iri in found.one('?p kb:mentions ?a ; kb:confidence "low" ; kb:place ?x FILTER(?x != "comment")')
    ] == ["2401.10003"]


def test_t_layout_table(kb: Open) -> None:
    found = kb("t-layout-table")
    assert {line for _, line, _ in found.problems("ragged-table")} == {2} or {
        line for _, line, _ in found.problems("ragged-table")
    } == {4, 5}
    assert "2024.01" not in found.works()
