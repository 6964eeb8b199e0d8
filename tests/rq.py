"""A saved query that is right, to be changed in one place by a test."""

from __future__ import annotations

CHECK = """\
#+ title: {en: Listed and not cited, zh: 列了没有引用}
#+ summary: {en: Entries without a pointer., zh: 没有指针的条目。}
#+ why: {en: It is forgotten., zh: 它被忘了。}
#+ fix: {en: Cite it., zh: 引用它。}
#+ severity: error
#+ columns:
#+   entry: {role: focus, label: {en: Entry, zh: 条目}}
#+   key: {role: key, label: {en: Work, zh: 文献}}
#+   path: {role: path, label: {en: File, zh: 文件}}
#+   line: {role: line, label: {en: Line, zh: 行}}
#+   n: {role: measure, label: {en: Times, zh: 次数}}
#+ message: {en: "{key} is not cited", zh: "{key} 没有引用"}
#+ fingerprint: [path, key]
#+ judged: [key]
#+ sanity: {materials: kb:Material}
#+ params:
#+   file: {type: path, optional: true, help: {en: One file, zh: 一个文件}}
#+ order: [path, line]
#+ tags: [citations]
#+ since: 0.1.0
PREFIX kb: <https://w3id.org/kbgraph/ns#>
SELECT ?entry ?key ?path ?line (COUNT(?x) AS ?n) WHERE {
  GRAPH ?m { ?entry kb:key ?key ; kb:line ?line . OPTIONAL { ?x kb:label ?entry } }
  ?m kb:path ?path FILTER(!BOUND(?_file) || ?path = ?_file)
}
GROUP BY ?entry ?key ?path ?line
"""
VIEW = """\
#+ title: {en: Files, zh: 文件}
#+ summary: {en: All files., zh: 所有文件。}
#+ columns:
#+   path: {role: path, label: {en: File, zh: 文件}}
#+   lines: {role: measure, label: {en: Lines, zh: 行数}}
PREFIX kb: <https://w3id.org/kbgraph/ns#>
SELECT ?path ?lines WHERE { ?m kb:path ?path ; kb:lineCount ?lines }
"""
TERMS = frozenset({"key", "line", "label", "path", "lineCount", "Material", "Note"})
