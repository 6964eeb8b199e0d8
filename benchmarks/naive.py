"""The same job as a straightforward rdflib script: same Markdown parser, rdflib's store, rdflib's SPARQL.

`python benchmarks/naive.py CORPUS` prints seconds for the build and for each check as JSON. It takes out less than
kbgraph does (no evidence levels, conditions or stances), so it has the easier task.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from pyromark import Markdown, Options
from rdflib import RDF, Dataset, Graph, Literal, Namespace, URIRef

KB = Namespace("https://example.org/kb#")
ARXIV = re.compile(r"(?<!\d)(\d{4}\.\d{4,5})(?:v\d+)?(?!\d)")
NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*(%|ms|×|x|GB|倍)")
LABEL = re.compile(r"^[^：:。.]{1,24}[：:]")
FIELD = re.compile(r"^(Stars|周增|Weekly gain)[：:]\s*\+?([\d,]+)")
PATH = re.compile(r"organized/[\w/.-]+\.md")
SENTENCE_END = re.compile(r"(?<=[。！？])\s*|(?<=[.!?])\s+")
BLOCKS = {"Heading", "Paragraph", "Item"}
LIST_TITLES = ("References", "引用列表")

CHECKS = {
    "orphan-citation": """SELECT ?m ?line WHERE { GRAPH ?m { ?e a kb:Entry ; kb:work ?w ; kb:line ?line }
        FILTER NOT EXISTS { GRAPH ?m { ?p a kb:Pointer ; kb:work ?w } } }""",
    "unlisted-citation": """SELECT ?m ?line WHERE {
        GRAPH ?m { ?m a kb:Knowledge . ?p a kb:Pointer ; kb:work ?w ; kb:line ?line }
        FILTER NOT EXISTS { GRAPH ?m { ?e a kb:Entry ; kb:work ?w } } }""",
    "uncarded-citation": """SELECT ?m ?line WHERE {
        GRAPH ?m { ?m a kb:Knowledge . ?p a kb:Pointer ; kb:work ?w ; kb:line ?line }
        FILTER NOT EXISTS { ?c kb:about ?w } }""",
    "weekly-gain-above-total": """SELECT ?m WHERE { GRAPH ?m { ?m kb:stars ?s ; kb:gain ?g } FILTER(?g > ?s) }""",
}


def tag_of(event: object, key: str) -> str:
    """Name of the tag that a Start or End event speaks of, "" for any other event."""
    tag = event.get(key, "") if isinstance(event, dict) else ""
    return str(tag if isinstance(tag, str) else next(iter(tag)))


def blocks(parser: Markdown, text: str) -> Iterator[tuple[str, str, int]]:
    """Headings and text blocks: kind, text, line."""
    data, kind, start, parts = text.encode(), "", 0, list[str]()
    for event, span in parser.events_with_range(text):
        if (tag := tag_of(event, "Start")) in BLOCKS:
            kind, start, parts = tag, span["start"], []
        elif tag_of(event, "End") in BLOCKS and parts:
            yield kind, "".join(parts), data.count(b"\n", 0, start) + 1
            parts = []
        elif isinstance(event, dict):
            parts.append(str(event.get("Text") or event.get("Code") or ""))


def kind_of(path: str) -> URIRef:
    """Class of a file by its folder."""
    if "_cards/" in path:
        return KB.Card
    return KB.Knowledge if "/knowledge/" in path else KB.Note


def describe(graph: Graph, material: URIRef, path: str, found: Iterator[tuple[str, str, int]]) -> None:
    """Everything that one file says, as triples."""
    graph.add((material, RDF.type, kind_of(path)))
    graph.add((material, KB.path, Literal(path)))
    section, listing, number = material, False, 0
    for kind, text, line in found:
        number += 1
        node = URIRef(f"{material}#n-{number}")
        graph.add((node, KB.line, Literal(line)))
        if kind == "Heading":
            section, listing = node, any(title in text for title in LIST_TITLES)
            graph.add((node, RDF.type, KB.Section))
            graph.add((node, KB.title, Literal(text)))
            continue
        graph.add((node, KB.section, section))
        field = FIELD.match(text)
        if field:
            name = KB.stars if field[1] == "Stars" else KB.gain
            graph.add((material, name, Literal(int(field[2].replace(",", "")))))
        if not listing and not LABEL.match(text):
            claims(graph, node, text, line)
        mentions(graph, node, text, line, KB.Entry if listing else KB.Pointer)
        if kind_of(path) == KB.Card and text.startswith("arXiv"):
            for match in ARXIV.finditer(text):
                graph.add((material, KB.about, URIRef(f"https://arxiv.org/abs/{match[1]}")))


def claims(graph: Graph, node: URIRef, text: str, line: int) -> None:
    """Sentences with their numbers."""
    for i, sentence in enumerate(filter(None, SENTENCE_END.split(text))):
        claim = URIRef(f"{node}-c{i}")
        graph.add((claim, RDF.type, KB.Claim))
        graph.add((claim, KB.text, Literal(sentence.strip())))
        graph.add((claim, KB.line, Literal(line)))
        graph.add((claim, KB.part, node))
        for j, match in enumerate(NUMBER.finditer(sentence)):
            quantity = URIRef(f"{claim}-q{j}")
            graph.add((quantity, RDF.type, KB.Quantity))
            graph.add((quantity, KB.value, Literal(float(match[1]))))
            graph.add((quantity, KB.unit, Literal(match[2])))
            graph.add((quantity, KB.claim, claim))


def mentions(graph: Graph, node: URIRef, text: str, line: int, kind: URIRef) -> None:
    """arXiv ids and paths of a block."""
    for i, match in enumerate(ARXIV.finditer(text)):
        mention = URIRef(f"{node}-m{i}")
        graph.add((mention, RDF.type, kind))
        graph.add((mention, KB.work, URIRef(f"https://arxiv.org/abs/{match[1]}")))
        graph.add((mention, KB.line, Literal(line)))
    for match in PATH.finditer(text):
        graph.add((node, KB.names, Literal(match[0])))


def build(corpus: Path) -> Dataset:
    """One named graph per file."""
    dataset, parser = Dataset(default_union=True), Markdown(options=Options.ENABLE_TABLES | Options.ENABLE_FOOTNOTES)
    for file in sorted(corpus.rglob("*.md")):
        path = file.relative_to(corpus).as_posix()
        material = URIRef(f"urn:kb:{quote(path)}")
        describe(dataset.graph(material), material, path, blocks(parser, file.read_text(encoding="utf-8")))
    return dataset


def main() -> None:
    start = time.perf_counter()
    dataset = build(Path(sys.argv[1]))
    answer: dict[str, object] = {"build": time.perf_counter() - start, "quads": len(dataset)}
    for check, query in CHECKS.items():
        start = time.perf_counter()
        rows = len(dataset.query(query, initNs={"kb": KB}))
        answer[check] = {"seconds": time.perf_counter() - start, "rows": rows}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
