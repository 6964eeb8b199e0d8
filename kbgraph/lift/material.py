"""The file itself as a node: kind, path, hash, dates, agent, topic, whole-file level, coverage, names for links."""

from __future__ import annotations

import re

from kbgraph import vocab as v
from kbgraph.lift.frame import Frame, concept, worded
from kbgraph.lift.levels import declared, stated
from kbgraph.lift.lookups import said_nothing
from kbgraph.lift.naming import matched, stem
from kbgraph.lift.problems import problem
from kbgraph.lift.scan.dates import day_in, day_of_path
from kbgraph.model.facts import Term, date, integer, iri, segment, text
from kbgraph.model.lexicon import fold

_STAMP = re.compile(r"^\d{4}-\d{2}-\d{2}(?:[T_-]?\d{4,6}Z?)?[-_.]?(?:\d+[-_.])?")
_LISTED = re.compile(r"\s*[,，、;；/|｜]\s*")
_SHORT = re.compile(r"(?:[^。；;｜|（(.]|\.(?!\s))*")
_LAST_ASIDE = re.compile(r"[（(]([^（）()]{1,40})[）)]\s*$")
_JOINT = re.compile(r"\s*[·:：|｜]\s*|\s+[-–—]+\s+")
_SPACE = re.compile(r"\s")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")


def describe(frame: Frame, material_class: Term) -> None:
    """Tell what holds for the file as a whole."""
    me, document, out = frame.me, frame.document, frame.out
    title = _title(frame) or stem(document.path)
    coverage = document.coverage
    out += (
        f"{me} {v.RDF_TYPE} {material_class}",
        f"{me} {v.KB_PATH} {text(document.path)}",
        f"{me} {v.KB_SHA256} {text(document.sha256)}",
        f"{me} {v.DCTERMS_TITLE} {worded(title)}",
        f"{me} {v.DCTERMS_LANGUAGE} {text(language(frame))}",
        f"{me} {v.KB_LINE_COUNT} {integer(coverage.lines)}",
        f"{me} {v.KB_UNDERSTOOD_LINES} {integer(coverage.understood)}",
    )
    if coverage.ignored:
        frame.tell(me, v.KB_IGNORED_LINES, integer(sum(count for _, count in coverage.ignored)))
        out += (f"{me} {v.KB_IGNORED_BECAUSE} {text(f'{reason}: {count}')}" for reason, count in coverage.ignored)
    if document.encoding != "utf-8":
        frame.tell(me, v.KB_ENCODING, text(document.encoding))
    out += (f"{me} {v.KB_LINK_NAME} {text(name)}" for name in sorted(_link_names(frame)))
    _tell_dates(frame)
    _tell_agent(frame)
    _tell_topics(frame)
    _tell_state(frame)


def _title(frame: Frame) -> str:
    document = frame.document
    return document.title or (document.sections[0].title if document.sections else "")


def language(frame: Frame) -> str:
    """The tag that front matter gives, else zh or en by the letters of the text."""
    given = frame.first("field-language")
    if given and given.block < 0 and frame.kind != "repo-card":
        if _TAG.fullmatch(given.value):
            return given.value.replace("_", "-")
        problem(frame, "unusable-language", given.line, given.value)
    blocks = frame.document.blocks[:12]
    sample = f"{frame.document.title} {' '.join([block.text for block in blocks])}"[:2000]
    if sample.isascii():
        return "en"
    cjk, letters = (sum(map(len, kind.findall(sample))) for kind in (_CJK, _LETTERS))
    return "zh" if 10 * cjk >= letters > 0 else "en"


def _link_names(frame: Frame) -> set[str]:
    """Names that a wikilink may use: basename and path without suffix, aliases."""
    path = frame.document.path
    base = path.rpartition(".")[0] if path.lower().endswith((".md", ".markdown", ".txt")) else path
    aliases = (s.value for s in frame.values("field-aliases") if s.block < 0)
    names = {base, base.rpartition("/")[2], *aliases}
    return {fold(name) for name in names if not said_nothing(frame.lookups, name)}


def _tell_dates(frame: Frame) -> None:
    frame.day = day_of_path(frame.document.path)
    for name in ("field-date", "field-collected", "field-created"):
        frame.day = frame.day or next((day for said in frame.values(name) if (day := day_in(said.value))), "")
    if frame.kind in ("report", "brief"):
        frame.day = frame.day or day_in(_title(frame))
    updated = next((day for said in frame.values("field-updated") if (day := day_in(said.value))), "")
    if frame.day:
        frame.tell(frame.me, v.DCTERMS_DATE, date(frame.day))
    if updated:
        frame.tell(frame.me, v.DCTERMS_MODIFIED, date(updated))
    frame.day = frame.day or updated


def _tell_agent(frame: Frame) -> None:
    """The agent whose folder the file stands in, else the author or maintainer that it names."""
    _, glob = matched(frame.document.path, frame.settings)
    pairs = zip(glob.split("/")[:-1], frame.document.path.split("/"), strict=False)
    folder = next((name for pattern, name in pairs if pattern == "*"), "")
    said = frame.first("field-author", "field-agent")
    name = folder or (short(said.value) if said else "")
    if name and not said_nothing(frame.lookups, name):
        agent = iri(f"{frame.settings.base}agent/{segment(name)}")
        frame.tell(frame.me, v.PROV_WAS_ATTRIBUTED_TO, agent)
        frame.tell(agent, v.RDF_TYPE, v.PROV_AGENT)
        frame.tell(agent, v.RDFS_LABEL, text(name))


def short(value: str) -> str:
    """A value up to its first full stop, bar or bracket."""
    found = _SHORT.match(value)
    return (found.group() if found else value).strip(" ·,，")


def topics_of(frame: Frame) -> list[str]:
    """Folded topics: those that the file states, else the one in its name or title."""
    given = [t for said in frame.values("field-topic") for t in _LISTED.split(short(said.value))]
    stated_ = [fold(t.strip("#[]\"' ").rstrip(".")) for t in given if not said_nothing(frame.lookups, t)]
    named = _named_topic(frame)
    return list(dict.fromkeys(([named] if named else []) + stated_))


def _named_topic(frame: Frame) -> str:
    """The topic of a brief's file name, a knowledge document's name, or the word in brackets that ends a title."""
    name = stem(frame.document.path)
    if frame.kind == "knowledge":
        return fold(name)
    if frame.kind == "brief":
        kept = _STAMP.sub("", name)
        reports = frame.words.matcher("report")
        cut = next((i for i in range(len(kept)) if kept[i] in "-_." and reports.get(fold(kept[i + 1 :]))), 0)
        return fold(kept[:cut]) or _topic_before(frame, _title(frame))
    title = fold(frame.document.title)
    known = [t for t in map(fold, frame.settings.topics) if t and t in title]
    aside = _LAST_ASIDE.search(frame.document.title) if frame.kind == "queue" else None
    return max(known, key=len, default=fold(aside[1]) if aside else "")


def _topic_before(frame: Frame, title: str) -> str:
    """The one word that stands before the word for a brief in a title: `inference · nightly brief (…)`."""
    hit = next(iter(frame.words.matcher("report").find(title)), None)
    before = _JOINT.split(title[: hit.start])[0].strip() if hit else ""
    return fold(before) if before and not _SPACE.search(before) else ""


def _tell_topics(frame: Frame) -> None:
    topics = topics_of(frame)
    frame.topics = tuple(topics)
    frame.topic = topics[0] if topics and frame.kind not in ("paper-card", "repo-card", "note") else ""
    frame.out += (f"{frame.me} {v.KB_TOPIC} {text(topic)}" for topic in topics)


def _tell_state(frame: Frame) -> None:
    """Whole-file level, status, what replaces the file."""
    frame.levels, scope = _whole_level(frame)
    frame.out += (f"{frame.me} {v.KB_EVIDENCE_LEVEL} {concept(level)}" for level in frame.levels)
    if scope:
        frame.tell(frame.me, v.KB_LEVEL_SCOPE, worded(scope))
    for said in frame.said:
        if said.block < 0 and said.concept == "field-status":
            frame.tell(frame.me, v.KB_STATUS, text(said.value))
        elif said.block < 0 and said.concept == "field-superseded-by":
            folder = frame.document.path.rpartition("/")[0]
            target = said.value.strip("[] ").removeprefix("./")
            path = f"{folder}/{target}" if folder and "/" not in target else target
            frame.tell(frame.me, v.KB_SUPERSEDED_BY, iri(frame.settings.base + segment(path)))


def _whole_level(frame: Frame) -> tuple[tuple[str, ...], str]:
    """The level of the whole file, and the words that say what it covers."""
    said = frame.first("field-level")
    named = stated(frame, said.value, anywhere=True) if said else ()
    # Three levels and more are a legend, not a declaration.
    if 0 < len(named) < 3:
        return named[:1], ""
    for block in frame.document.blocks:
        if block.section > 0 or (block.kind == "heading" and block.level > 1):
            break
        if block.kind == "paragraph" and not block.quoted:
            levels, scope = declared(frame, block.text)
            if levels:
                return levels, scope
    return (), ""
