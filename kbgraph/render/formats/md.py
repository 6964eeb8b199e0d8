"""Markdown: pipe tables; findings by check, with what to do about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from kbgraph.model.brief import Brief
from kbgraph.model.finding import Finding, Report
from kbgraph.model.query import Table
from kbgraph.model.trace import Chain, Trace
from kbgraph.model.verification import Verification
from kbgraph.render.escape import code, line, md
from kbgraph.render.trace import lines, title
from kbgraph.render.words import cut, heads, held, place, said, shown, summary, word


def table(product: Table, lang: str) -> str:
    """A pipe table; below it how many rows a limit left out."""
    note = cut(product, lang)
    rows = [[md(shown(cell)) for cell in row] for row in product.rows]
    return pipes([md(head) for head in heads(product, lang)], rows) + (f"\n{note}\n" if note else "")


def pipes(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A pipe table of cells that are escaped already."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def brief(product: Brief, lang: str) -> str:
    """The whole brief."""
    from kbgraph.render.brief import render_brief  # noqa: PLC0415  (jinja2 takes long to load)

    return render_brief(product, lang)


def trace(product: Trace, lang: str) -> str:
    """A heading, then each statement as a list, further in the further back."""
    return f"# {md(title(product, lang))}\n\n" + "\n".join(_chain(chain, product, lang) for chain in product.chains)


def _chain(chain: Chain, product: Trace, lang: str) -> str:
    rows = []
    for one in lines(chain, product.labels, lang):
        told = [
            md(one.head) if one.head else "",
            code(one.place) if one.place else "",
            md(one.told) if one.told else "",
        ]
        quote = f"\n{'  ' * one.depth}  > {md(one.quote)}" if one.quote else ""
        rows.append(f"{'  ' * one.depth}- {' '.join(filter(None, told))}{quote}\n")
    return "".join(rows)


def report(product: Report, lang: str) -> str:
    """Counts, checks that broke, then the findings of each check in the order of the worst."""
    counts = " · ".join(f"{word(name, lang)} {count}" for name, count in summary(product).items())
    parts = [f"# {word('checks', lang)}\n\n{counts}\n"]
    blind = [f"- {word(c.outcome, lang)}: {code(c.check)}: {md(c.reason)}\n" for c in product.unseen]
    parts += ["".join(blind)] if blind else []
    ranks = {name: at for at, name in reversed(list(enumerate(f.check for f in product.findings)))}
    by_check = sorted(product.findings, key=lambda f: ranks[f.check])
    parts += [_section(list(found), lang) for _, found in groupby(by_check, key=lambda f: f.check)]
    return "\n".join(parts)


def verification(product: Verification, lang: str) -> str:
    """The findings as in a report, then what was held, kind by kind."""
    head = [word(name, lang) for name in ("kind", "named", "found")]
    rows = [[word(one.kind, lang), str(one.named), str(one.found)] for one in product.held]
    told = f"{code(product.path)}: {md(held(product, lang))}"
    return f"{report(product.report, lang)}\n## {word('held', lang)}\n\n{told}\n\n{pipes(head, rows)}"


def _section(found: Sequence[Finding], lang: str) -> str:
    first = found[0]
    fix = said(first.fix, lang)
    mend = f"{word('fix', lang)}: {md(fix)}\n\n" if fix else ""
    return f"## {first.check} ({len(found)})\n\n{mend}" + "".join(_item(finding, lang) for finding in found)


def _item(finding: Finding, lang: str) -> str:
    state = word("waived" if finding.state == "waived" else finding.severity, lang)
    text = f"- {code(place(finding))} {state}: {md(said(finding.message, lang))}\n"
    for near in finding.related:
        text += f"  - {code(f'{near.path}:{max(near.line, 1)}')} {md(line(near.text))}".rstrip() + "\n"
    return text
