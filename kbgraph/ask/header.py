"""The `#+ ` block at the top of an `.rq` file: YAML, read strictly, all problems told together.

    #+ title: {en: Listed work that nothing cites, zh: 列了却没有引用的文献}
    #+ summary: {en: …, zh: …}                       all kinds: title, summary
    #+ why: {en: …, zh: …}                          checks: why, fix, severity, message, fingerprint
    #+ fix: {en: …, zh: …}
    #+ severity: error                               error | warning | info; a column with this role wins
    #+ columns:                                      one for each projected variable
    #+   entry: {role: focus, label: {en: Entry, zh: 条目}}     checks need focus, path, line; maps source, target
    #+   key: {role: key, label: {en: Work, zh: 文献}}          what people call it; several make a tuple
    #+   path: {role: path, label: {en: File, zh: 文件}}
    #+   line: {role: line, label: {en: Line, zh: 行}}          also end_line, related_path, related_line, related_text
    #+   printed: {role: value, label: {en: As printed, zh: 原文}}
    #+ message: {en: "{key} is listed and not cited", zh: "{key} 列了没有引用"}
    #+ fingerprint: [path, key]                      rows that agree here are one finding
    #+ judged: [printed]
    #+ sanity: {lists: biro:ReferenceList}           a class, `{ pattern }`, ASK or SELECT with this file's prefixes
    #+ params: {file: {type: path, optional: true}}  in the text ?_file; `!BOUND(?_file) || ?path = ?_file`
    #+ order: [path, line]                           `-name` for falling
    #+ tags: [citations]

A string parameter is a plain literal: compare it with STR(?title), since titles may carry a language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import yaml

from kbgraph.ask import schema
from kbgraph.ask.grammar import projection
from kbgraph.ask.names import FOLDERS, with_prefixes
from kbgraph.ask.rules import header_problems, mapping, sanity_dangers, text_dangers
from kbgraph.ask.safety import Danger
from kbgraph.ask.schema import Steps
from kbgraph.ask.tokens import Token, code, tokenise
from kbgraph.errors import HeaderError
from kbgraph.model.query import QueryKind, SavedQuery

_LOADER: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def parse_query(text: str, name: str, kind: QueryKind, origin: str, terms: Collection[str] = ()) -> SavedQuery:
    """The saved query; HeaderError lists everything wrong with file, line and mend. `terms`: local names of `kb:`."""
    text = text.removeprefix("\ufeff")
    header = read_header(text, name, kind, origin, terms)
    return schema.saved(header, name, kind, text=text, origin=origin, projected=projection(code(tokenise(text))).names)


def read_header(text: str, name: str, kind: QueryKind, origin: str, terms: Collection[str]) -> schema.Header:
    """The header's values, once they and the text have stood all tests; HeaderError as `parse_query`."""
    file = f"queries/{FOLDERS.get(kind, 'faults')}/{name}.rq" if origin == "shipped" else origin
    tokens = tokenise(text)
    block = _Block(tokens, text)
    header, problems = schema.validate(kind, block.plain) if block.plain else (None, [])
    strings = [
        p for p in mapping(block.plain, "params") if mapping(mapping(block.plain, "params"), p).get("type") == "string"
    ]
    found = [*block.odd, *text_dangers(tokens, kind, terms, strings)]
    if not _NAME.fullmatch(name):
        found.append(Danger(1, f"`{name}` is no name for a query", "lower-case words joined by `-`"))
    if block.plain:
        problems += [*header_problems(block.plain, text, kind), *sanity_dangers(block.plain, text, terms)]
        found += [Danger(block.line(p.steps), p.message, p.mend) for p in problems]
    if found or header is None:
        raise HeaderError(*_told(file, found))
    return header


def _told(file: str, found: list[Danger]) -> tuple[str, str]:
    unique = sorted(dict.fromkeys(found))
    told = "".join(f"\n  {file}:{d.line}: {d.message}: {d.mend}" for d in unique)
    return f"{file} cannot be used{told}", "the header's keys are told in queries/README.md"


class _Block:
    """The header as plain values, the line of each, and what is odd about it as a text."""

    def __init__(self, tokens: Sequence[Token], text: str) -> None:
        self.plain: dict[str, Any] = {}
        self.odd: list[Danger] = []
        self._lines: dict[Steps, int] = {}
        self._seen: set[int] = set()
        head: list[tuple[int, str]] = list(_head(text))
        self._first = head[0][0] if head else 1
        last = self._first + len(head) - 1
        if not head:
            self.odd.append(Danger(1, "no header", "begin the file with `#+ title: {en: …, zh: …}`"))
        self.odd += [
            Danger(t.line, "a header line outside the header", "move it up: the header ends at the first other line")
            for t in tokens
            if t.kind == "comment" and t.text.startswith("#+") and not self._first <= t.line <= last
        ]
        self._read([line[2:] for _, line in head])

    def line(self, steps: Steps) -> int:
        """Line of the nearest part of the header that leads to these steps."""
        while steps and steps not in self._lines:
            steps = steps[:-1]
        return self._lines.get(steps, self._first)

    def _read(self, lines: list[str]) -> None:
        for at, line in enumerate(lines):
            if line.strip() and not line.startswith(" "):
                self.odd.append(Danger(self._first + at, "no space after `#+`", "write `#+ key: value`"))
        try:
            node = yaml.compose("\n".join(line[1:] for line in lines), Loader=_LOADER)
            plain = self._plain(node, ()) if node is not None else {}
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            place = self._first + (mark.line if mark else 0)
            said = getattr(error, "problem", None) or "characters that YAML does not allow"
            self.odd.append(Danger(place, f"not YAML: {said}", "put texts that hold `: `, `#` or `{` in quotes"))
        except RecursionError:
            self.odd.append(Danger(self._first, "nested too deeply", "headers nest three deep at most"))
        else:
            self._take(plain, bool(lines))

    def _take(self, plain: object, some: bool) -> None:
        if isinstance(plain, dict) and plain:
            self.plain = plain
        elif some:
            self.odd.append(Danger(self._first, "the header is no list of keys", "write `#+ key: value` lines"))

    def _plain(self, node: yaml.Node, steps: Steps) -> object:
        line = self._lines.setdefault(steps, self._first + node.start_mark.line)
        if id(node) in self._seen:
            self.odd.append(Danger(line, "an alias", "write the value out"))
            return ""
        self._seen.add(id(node))
        if not node.tag.startswith(("tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map")):
            self.odd.append(Danger(line, f"a tag `{node.tag}`", "write plain values"))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, steps)
        if isinstance(node, yaml.SequenceNode):
            return [self._plain(item, (*steps, at)) for at, item in enumerate(node.value)]
        return str(node.value)

    def _mapping(self, node: yaml.MappingNode, steps: Steps) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, value in node.value:
            name, line = str(key.value), self._first + key.start_mark.line
            if not isinstance(key, yaml.ScalarNode):
                self.odd.append(Danger(line, "a key that is no word", "write `key: value`"))
                continue
            if name in out:
                first = self._lines[(*steps, name)]
                self.odd.append(Danger(line, f"`{name}` stands twice, first in line {first}", "keep one"))
                continue
            self._lines[(*steps, name)] = line
            out[name] = self._plain(value, (*steps, name))
        return out


def _head(text: str) -> Iterator[tuple[int, str]]:
    """The `#+` lines at the top, numbered from 1; blank lines before them do not count."""
    begun = False
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("#+"):
            begun = True
            yield number, line.rstrip("\r")
        elif begun or line.strip():
            return


def adhoc(text: str, name: str) -> SavedQuery:
    """A query that is not saved, known prefixes added; with a header it is read as strictly as a saved one."""
    text = text.removeprefix("\ufeff")
    head = [line for _, line in _head(text)]
    if head:
        check = any(re.match(r"#\+ (?:severity|fingerprint|message)\s*:", line) for line in head)
        stem = re.sub(r"[^a-z0-9]+", "-", name.rsplit("/", 1)[-1].removesuffix(".rq").lower()).strip("-")
        return parse_query(text, stem or "query", "check" if check else "view", name)
    title = {"en": name, "zh": name}
    return SavedQuery(name, "view", with_prefixes(text), name, title, title)
