"""Drawing -> one self-contained HTML page: no request, no markup from data, physics off."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, PackageLoader, StrictUndefined

from kbgraph.model.drawing import Drawing, Edge, Node
from kbgraph.model.keys import key_of
from kbgraph.model.query import Both
from kbgraph.render.escape import line, visible, web_link, width
from kbgraph.render.words import said

_LABEL = 21  # columns of one line of a label; the page cuts by pixels what a wide font makes longer still
_SEPARATORS = ("\u2028", "\u2029")


class Look(NamedTuple):
    """How a kind is drawn: colour, sign and corners, so that no reader and no printer depends on colour."""

    colour: str
    glyph: str
    radius: int = 4


_WORLD, _FILE = 18, 0  # things of the world are round, files have sharp corners, what stands in a file is between
LOOKS = {
    "Work": Look("#2b6cb0", "●", _WORLD),
    "Preprint": Look("#4a6fa5", "○", _WORLD),
    "SoftwareSourceCode": Look("#2f7d4f", "▲", _WORLD),
    "WebPage": Look("#85642b", "■", _WORLD),
    "Agent": Look("#5b6475", "◉", _WORLD),
    "Round": Look("#8a4a78", "◎", _WORLD),
    "KnowledgeDoc": Look("#6b46a1", "▤", _FILE),
    "PaperCard": Look("#1f5a94", "▣", _FILE),
    "RepoCard": Look("#1f6b45", "△", _FILE),
    "Report": Look("#b0561a", "▥", _FILE),
    "Brief": Look("#a83256", "★", _FILE),
    "Guide": Look("#0f766e", "☆", _FILE),
    "Queue": Look("#6d5a48", "≡", _FILE),
    "Manifest": Look("#7a4069", "▦", _FILE),
    "Note": Look("#4a5568", "□", _FILE),
    "Bibliography": Look("#7b5a1e", "▨", _FILE),
    "DecisionList": Look("#3f6b6b", "▧", _FILE),
    "Section": Look("#7450a8", "▭"),
    "Item": Look("#ad5a1f", "◇"),
    "Claim": Look("#4a5a6b", "◆"),
    "Relation": Look("#9b2c2c", "◈"),
    "Decision": Look("#3f6b6b", "⊜"),
    "EvidenceLine": Look("#5a6370", "▸"),
    "QuantitativeValue": Look("#5a6370", "#"),
    "Observation": Look("#5a6370", "▴"),
    "InTextReferencePointer": Look("#5a6370", "↗"),
    "BibliographicReference": Look("#5a6370", "‣"),
    "ReferenceList": Look("#5a6370", "☰"),
    "FileReference": Look("#5a6370", "↪"),
    "SectionReference": Look("#5a6370", "↷"),
    "Recommendation": Look("#5a6370", "✎"),
    "DeclaredCount": Look("#5a6370", "∑"),
    "Quotation": Look("#5a6370", "”"),
    "Missing": Look("#9b2c2c", "∅"),
    "ManifestEntry": Look("#5a6370", "▹"),
    "MalformedIdentifier": Look("#9b2c2c", "✗"),
    "ReadingProblem": Look("#9b2c2c", "!"),
    "Instruction": Look("#9b2c2c", "¡"),
    "Secret": Look("#9b2c2c", "✱"),
}
OTHER = Look("#666e7a", "◌")


def shorten(label: str) -> tuple[str, ...]:
    """One or two lines that fit a box, a public key alone on the first; the whole label is in the panel."""
    flat = line(label).removeprefix("https://").removeprefix("http://")
    key, _, rest = flat.partition(" ")
    if not rest or ":" not in key[1:-1]:
        key, rest = _fitting(flat)
    if width(key) > _LABEL:
        key = _cut(key)
    return (key, _cut(rest)) if rest else (key,)


def _fitting(text: str) -> tuple[str, str]:
    """What stands on a line, whole words where there are any, and what is left."""
    if width(text) <= _LABEL:
        return text, ""
    end = len(_cut(text)) - 1
    at = next((at for at in range(end, end // 3, -1) if _may_break(text[at - 1], text[at])), end)
    return text[:at].rstrip(), text[at:].strip()


def _may_break(before: str, after: str) -> bool:
    """At a space, beside a Chinese character, within an address; no line begins with a full stop or ends with `（`."""
    address = before in "/.,:;" and not after.isdigit()
    wanted = address or " " in (before, after) or width(before) > 1 or width(after) > 1
    categories = unicodedata.category(before), unicodedata.category(after)
    return wanted and before != "§" and categories[0] not in ("Ps", "Pi") and categories[1] not in ("Pe", "Pf", "Po")


def _cut(text: str) -> str:
    while width(text) > _LABEL:
        text = text[: -2 if text.endswith("…") else -1].rstrip() + "…"
    return text


def _written(node: Node) -> str:
    """The lines in a node's box: its sign, its name, and the file of a part of one when there is room."""
    first, *rest = shorten(node.label)
    if not rest and node.line and node.path and node.path not in node.label:
        rest = [_cut(line(node.path.rpartition("/")[2]))]
    return "\n".join([f"{_look(node.kind).glyph} {first}", *rest])


def _node(node: Node, lang: str, labels: Mapping[str, Both]) -> dict[str, object]:
    place = f"{node.path}:{node.line}" if node.line else node.path
    shown = {"name": node.label, "place": place, "text": node.text, "key": key_of(node.id)}
    return {
        "id": node.id, "x": node.x, "y": node.y, "kind": node.kind, "short": _written(node), "url": web_link(node.id),
        **{name: visible(text) for name, text in shown.items()},
        "level": _named(labels, node.level, lang),
    }  # fmt: skip


def _named(labels: Mapping[str, Both], name: str, lang: str) -> str:
    return visible(said(labels[name], lang) if name in labels else name)


def _look(kind: str) -> Look:
    return LOOKS.get(kind, OTHER)


def _edge(edges: list[Edge], lang: str, labels: Mapping[str, Both]) -> dict[str, object]:
    """One line for all that leads from one node to another."""
    names = dict.fromkeys(_named(labels, edge.label, lang) for edge in edges)
    places = dict.fromkeys(place for edge in edges for place in edge.places)
    return {
        "from": edges[0].source, "to": edges[0].target, "weight": sum(edge.weight for edge in edges),
        "name": " · ".join(filter(None, names)), "places": _by_file(places),
    }  # fmt: skip


def _by_file(places: Iterable[str]) -> list[str]:
    """`path:3` and `path:8` as `path:3, 8`."""
    lines: dict[str, list[str]] = {}
    for place in places:
        path, mark, at = place.rpartition(":")
        lines.setdefault(path if mark else at, []).extend([at] if mark else [])
    return [visible(f"{path}:{', '.join(at)}" if at else path) for path, at in lines.items()]


def _data(drawing: Drawing, lang: str) -> dict[str, object]:
    pairs: dict[tuple[str, str], list[Edge]] = {}
    for edge in drawing.edges:
        pairs.setdefault((edge.source, edge.target), []).append(edge)
    count = Counter(node.kind for node in drawing.nodes)
    kinds = {kind: _named(drawing.labels, kind, lang) for kind in count}
    return {
        "nodes": [_node(node, lang, drawing.labels) for node in drawing.nodes],
        "edges": [_edge(edges, lang, drawing.labels) for edges in pairs.values()],
        "kinds": [
            {"kind": kind, "name": name, "count": count[kind], **_look(kind)._asdict()}
            for kind, name in sorted(kinds.items(), key=lambda pair: (-_look(pair[0]).radius, pair[1]))
        ],
        "focus": drawing.focus,
    }  # fmt: skip


def _script() -> str:
    """The source of vis-network that pyvis carries; pyvis itself is not imported: that takes a second, for nothing."""
    found = find_spec("pyvis")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'pyvis'", name="pyvis")
    loader = FileSystemLoader([f"{folder}/templates/lib" for folder in found.submodule_search_locations])
    newest = [name for name in loader.list_templates() if name.endswith("/vis-network.min.js")][-1]
    return loader.get_source(Environment(autoescape=True), newest)[0]


def render_drawing(drawing: Drawing, lang: str) -> str:
    """The page, with the source of vis-network inlined; ModuleNotFoundError without the extra that has it."""
    loader = PackageLoader("kbgraph")
    env = Environment(loader=loader, undefined=StrictUndefined, autoescape=True)
    css, js = (loader.get_source(env, f"drawing.{suffix}")[0] for suffix in ("css", "js"))
    page = {"vis": _script(), "css": css, "js": js, "data": embed(_data(drawing, lang))}
    title = visible(drawing.title)
    return env.get_template("drawing.html.j2").render(d=drawing, title=title, zh=lang == "zh", **page)


def embed(value: object) -> str:
    """JSON that may stand inside a <script> element: no `<`, no line separators."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    for char in ("<", ">", "&", *_SEPARATORS):
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text
