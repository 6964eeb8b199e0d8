"""For terminals and pipes: aligned tables, one line per finding, silence when there is none."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from kbgraph.model.fault import VERDICTS, SelfTest, Trial
from kbgraph.model.finding import Finding, Report
from kbgraph.model.query import Table
from kbgraph.model.trace import Chain, Trace
from kbgraph.model.verification import Verification
from kbgraph.render.escape import line, padded, width
from kbgraph.render.trace import lines
from kbgraph.render.words import cut, heads, held, place, said, shown, word

_WIDEST = 60  # columns; a longer cell runs over instead of pushing all others away
_RELATED = 3  # places named on a finding's line


def table(product: Table, lang: str) -> str:
    """Columns aligned by the width that Chinese characters take."""
    if not product.rows:
        return word("none", lang) + "\n"
    rows = [[line(head) for head in heads(product, lang)]]
    rows += [[line(shown(cell)) for cell in row] for row in product.rows]
    sizes = [max(min(width(cell), _WIDEST) for cell in column) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * size for size in sizes])
    lines = ["  ".join(map(padded, row, sizes)).rstrip() for row in rows]
    note = cut(product, lang)
    return "\n".join([*lines, *([f"… {note}"] if note else [])]) + "\n"


def report(product: Report, lang: str) -> str:
    """`path:line: severity check message`, findings let stand by a waiver left out; then what limits left out."""
    limits = {result.check: result.limit for result in product.checks if result.limit}
    seen: Counter[str] = Counter()
    lines = []
    for found in product.findings:
        if found.state != "waived":
            seen[found.check] += 1
            lines += [_line(found, lang)] if seen[found.check] <= limits.get(found.check, seen[found.check]) else []
    left = (f"… {name}: {n} {word('of', lang)} {seen[name]}\n" for name, n in limits.items() if seen[name] > n)
    return "".join([*lines, *left])


def verification(product: Verification, lang: str) -> str:
    """The findings, then what was held: never silent, since nothing found is not the same as nothing seen."""
    return report(product.report, lang) + line(f"{product.path}: {held(product, lang)}") + "\n"


def finding(product: Finding, lang: str) -> str:
    """One finding with its mend, values and related places, a line each."""
    lines = [_line(replace(product, related=()), lang).rstrip("\n")]
    lines += [f"{word('fix', lang)}: {line(said(product.fix, lang))}"] if product.fix else []
    lines += [f"{product.state} · {product.fingerprint}"]
    lines += [f"{line(name)}: {line(shown(cell))}" for name, cell in product.values if cell is not None]
    lines += [line(f"{word('related', lang)}: {p.path}:{max(p.line, 1)} {p.text}") for p in product.related]
    lines += [f"{word('suggest', lang)}: {line(product.suggest)}"] if product.suggest else []
    return "\n  ".join(lines) + "\n"


def trace(product: Trace, lang: str) -> str:
    """Each statement with its hops below it, further in the further back; a quotation on a line of its own."""
    return "\n".join(_chain(chain, product, lang) for chain in product.chains)


def _chain(chain: Chain, product: Trace, lang: str) -> str:
    rows = []
    for one in lines(chain, product.labels, lang):
        indent = "  " * one.depth
        place = f"{one.place}  [{one.told}]" if one.place and one.told else one.place or one.told
        rows.append(indent + line(" ".join(filter(None, (one.head, place)))))
        rows += [f"{indent}    {line(one.quote)}"] if one.quote else []
    return "".join(f"{row}\n" for row in rows)


def selftest(product: SelfTest, lang: str) -> str:
    """A table of the trials, worst first, then the checks that nothing tries."""
    columns = tuple(word(name, lang) for name in ("verdict", "check", "fault", "expected", "note"))
    trials = sorted(product.trials, key=lambda trial: (VERDICTS.index(trial.verdict), trial.check, trial.fault))
    tried = table(Table(columns, tuple(_trial(trial, lang) for trial in trials)), lang)
    left = word("comma", lang).join(product.uncovered)
    return tried + (f"{word('uncovered', lang)}{word('colon', lang)}{left}\n" if left else "")


def _trial(trial: Trial, lang: str) -> tuple[str, ...]:
    at = f"{trial.path}:{max(trial.line, 1)}" if trial.path else ""
    noise = word("comma", lang).join(f"{n.check} {n.path}:{max(n.line, 1)}" if n.path else n.check for n in trial.noise)
    note = f"{word('elsewhere', lang)}{word('colon', lang)}{noise}" if noise else said(trial.reason, lang)
    return word(trial.verdict, lang), trial.check, f"{said(trial.title, lang)} ({trial.fault})", at, note


def _line(finding: Finding, lang: str) -> str:
    near = [line(f"{p.path}:{max(p.line, 1)}") for p in finding.related[:_RELATED]]
    more = len(finding.related) - len(near)
    also = f" ({word('also', lang)} {', '.join(near)}{f', +{more}' if more else ''})" if near else ""
    return f"{line(place(finding))}: {finding.severity} {finding.check} {line(said(finding.message, lang))}{also}\n"
