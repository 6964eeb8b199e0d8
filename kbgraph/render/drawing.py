"""Drawing -> one self-contained HTML page: no request, no markup from data, physics off."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from jinja2 import Environment, PackageLoader, StrictUndefined
from pyvis.network import Network

from kbgraph.model.drawing import Drawing, Node
from kbgraph.model.query import Both
from kbgraph.render.escape import line
from kbgraph.render.words import said

# Kind -> colour and shape: a kind is told by both, so that neither colour-blind readers nor printers lose it.
LOOKS = {
    "Work": ("#2f6fb7", "dot"),
    "WebPage": ("#8a6d3b", "square"),
    "SoftwareSourceCode": ("#3b8f5a", "triangle"),
    "Section": ("#7b4fa3", "box"),
    "KnowledgeDoc": ("#7b4fa3", "database"),
    "PaperCard": ("#2f6fb7", "ellipse"),
    "RepoCard": ("#3b8f5a", "ellipse"),
    "Report": ("#c06a1b", "ellipse"),
    "Brief": ("#b03a5b", "ellipse"),
    "Claim": ("#4a5568", "diamond"),
    "EvidenceLine": ("#4a5568", "triangleDown"),
    "Item": ("#c06a1b", "hexagon"),
}
OTHER = ("#6b7280", "star")
GLYPHS = {
    "dot": "●", "square": "■", "triangle": "▲", "box": "▭", "database": "▤", "ellipse": "○", "diamond": "◆",
    "triangleDown": "▼", "hexagon": "⬢", "star": "★",
}  # fmt: skip
_FONT = "system-ui, 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif"
_LABEL = 20
_KEY = re.compile(r"(?:arXiv|doi|openalex):")


def shorten(label: str) -> str:
    """A label that fits a node, its key on a line of its own; the whole one is in the panel."""
    key, _, title = line(label).partition(" ")
    if not _KEY.match(key):
        key, title = "", line(label)
    short = title if len(title) <= _LABEL else title[: _LABEL - 1] + "…"
    return "\n".join(filter(None, (key, short)))


def _network(drawing: Drawing) -> Network:
    net = Network(directed=True)
    for node in drawing.nodes:
        colour, shape = LOOKS.get(node.kind, OTHER)
        light = shape in ("box", "ellipse", "database")
        net.add_node(
            node.id, label=shorten(node.label), color=colour, shape=shape, x=node.x, y=node.y, kind=node.kind,
            font={"face": _FONT, "color": "#ffffff" if light else "#1f2937", "size": 15}, size=11,
        )  # fmt: skip
    for edge in drawing.edges:
        net.add_edge(edge.source, edge.target, width=min(1 + edge.weight / 2, 6), name=edge.label)
    return net


def _details(node: Node, labels: Mapping[str, Both], lang: str) -> dict[str, str]:
    place = f"{node.path}:{node.line}" if node.line else node.path
    named = {"kind": _named(labels, node.kind, lang), "level": _named(labels, node.level, lang)}
    return {"id": node.id, "label": node.label, "place": place, "text": node.text, **named}


def _named(labels: Mapping[str, Both], name: str, lang: str) -> str:
    return said(labels[name], lang) if name in labels else name


def _legend(drawing: Drawing, lang: str) -> list[tuple[str, str, str, str]]:
    looks = {kind: LOOKS.get(kind, OTHER) for kind in sorted({n.kind for n in drawing.nodes})}
    named = {kind: _named(drawing.labels, kind, lang) for kind in looks}
    return [(kind, named[kind], colour, GLYPHS[shape]) for kind, (colour, shape) in looks.items()]


def _script() -> str:
    """The source of vis-network that pyvis carries."""
    loader = PackageLoader("pyvis", "templates/lib/vis-9.1.2")
    return loader.get_source(Environment(autoescape=True), "vis-network.min.js")[0]


def render_drawing(drawing: Drawing, lang: str) -> str:
    """The page, with the source of vis-network inlined."""
    net = _network(drawing)
    data = {
        "nodes": net.nodes,
        "edges": [{**e, "id": at} for at, e in enumerate(net.edges)],
        "details": {n.id: _details(n, drawing.labels, lang) for n in drawing.nodes},
    }
    env = Environment(loader=PackageLoader("kbgraph"), undefined=StrictUndefined, autoescape=True)
    return env.get_template("drawing.html.j2").render(
        d=drawing, lang=lang, kinds=_legend(drawing, lang), script=_script(), data=embed(data)
    )


def embed(value: object) -> str:
    """JSON that may stand inside a <script> element: no `<`, no line separators."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text
