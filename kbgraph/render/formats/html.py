"""One self-contained page: no script, no request, dark or light as the reader has it, fit for printing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kbgraph.errors import UsageError
from kbgraph.model.drawing import Drawing
from kbgraph.model.finding import Finding, Place, Report
from kbgraph.model.query import Cell, Table
from kbgraph.render.escape import html, web_link
from kbgraph.render.words import cut, heads, place, said, shown, summary, word

_STYLE = """
:root{color-scheme:light dark;--line:#8884;--dim:#767676}
body{font:15px/1.5 system-ui,"Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;margin:2rem auto;
 max-width:75rem;padding:0 1rem}
h1{font-size:1.4rem}p{max-width:50rem}.dim{color:var(--dim)}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.error{border-left:4px solid #c0392b}.warning{border-left:4px solid #b7791f}.info{border-left:4px solid #2b6cb0}
.waived{border-left:4px dotted var(--dim)}small{display:block;color:var(--dim)}.at{white-space:nowrap}
@media print{body{margin:0;max-width:none}thead{display:table-header-group}tr{break-inside:avoid}a{color:inherit}}
"""


def table(product: Table, lang: str) -> str:
    """A table with the query's title and summary above it."""
    query = product.query
    title = said(query.title, lang) if query else word("rows", lang)
    about = f"<p>{html(said(query.summary, lang))}</p>" if query else ""
    note = cut(product, lang) or f"{len(product)} {word('rows', lang)}"
    body = [[_cell(cell) for cell in row] for row in product.rows]
    grid = _grid([html(head) for head in heads(product, lang)], (f"<tr>{''.join(row)}</tr>" for row in body))
    return _page(title, lang, f"{about}{grid}<p class=dim>{html(note)}</p>")


def drawing(product: Drawing, lang: str) -> str:
    """An interactive page; UsageError when the extra that draws is not installed."""
    from kbgraph.render.drawing import render_drawing  # noqa: PLC0415  (tables and reports need none of it)

    try:
        return render_drawing(product, lang)
    except ModuleNotFoundError as error:
        raise UsageError(f"drawing needs {error.name}", "install it: pip install 'kbgraph[draw]'") from error


def report(product: Report, lang: str) -> str:
    """Counts, checks that broke, and a row per finding with its mend."""
    counts = " · ".join(f"{word(name, lang)} {count}" for name, count in summary(product).items())
    broken = "".join(
        f"<p class=error>&nbsp;{html(word('broken', lang))}: <code>{html(c.check)}</code>: {html(c.reason)}</p>"
        for c in product.checks
        if c.outcome == "broken"
    )
    names = ("place", "severity", "check", "message")
    grid = _grid([word(name, lang) for name in names], (_row(finding, lang) for finding in product.findings))
    ran = sum(c.outcome in ("clean", "findings") for c in product.checks)
    rest = grid if product.findings else f"<p>{html(word('clean', lang))} {ran}</p>"
    return _page(word("checks", lang), lang, f"<p>{html(counts)}</p>{broken}{rest}")


def _row(finding: Finding, lang: str) -> str:
    level = "waived" if finding.state == "waived" else finding.severity
    related = "".join(f"<small>{html(_near(near))}</small>" for near in finding.related)
    fix = f"<small>{html(said(finding.fix, lang))}</small>" if finding.fix else ""
    # A line number is not broken in two.
    path, _, number = place(finding).rpartition(":")
    cells = (f"{html(path)}<span class=at>:{number}</span>", html(word(level, lang)), html(finding.check))
    lead = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr class="{level}">{lead}<td>{html(said(finding.message, lang))}{related}{fix}</td></tr>'


def _near(near: Place) -> str:
    return f"{near.path}:{max(near.line, 1)} {near.text}".rstrip()


def _cell(cell: Cell) -> str:
    text = shown(cell)
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return f"<td class=n>{html(text)}</td>"
    link = web_link(text)
    inner = f'<a href="{html(link)}" rel="noopener noreferrer">{html(text)}</a>' if link else html(text)
    return f"<td>{inner}</td>"


def _grid(head: Sequence[str], rows: Iterable[str]) -> str:
    top = "".join(f"<th>{cell}</th>" for cell in head)
    return f"<div class=wide><table><thead><tr>{top}</tr></thead><tbody>\n{chr(10).join(rows)}\n</tbody></table></div>"


def _page(title: str, lang: str, body: str) -> str:
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        f'<!doctype html>\n<html lang="{"zh-CN" if lang == "zh" else "en"}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{html(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{html(title)}</h1>\n{body}\n</body>\n</html>\n"
    )
