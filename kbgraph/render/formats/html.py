"""One self-contained page: no script, no request, dark or light as the reader has it, fit for printing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kbgraph.errors import UsageError
from kbgraph.model.drawing import Drawing
from kbgraph.model.finding import OFF, Finding, Place, Report
from kbgraph.model.query import Cell, Table
from kbgraph.model.verification import Verification
from kbgraph.render.escape import html, web_link
from kbgraph.render.groups import Group, groups, level_of
from kbgraph.render.words import cut, heads, held, place, said, shown, summary, word

SHOWN = 40  # findings of one check on the page
RELATED = 5  # places named beside a finding

_STYLE = """
:root{color-scheme:light dark;--line:#8884;--dim:#767676}
body{font:15px/1.5 system-ui,"Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;margin:2rem auto;
 max-width:75rem;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin:2rem 0 .3rem;padding-left:.5rem}h2 code{font-size:.85rem;font-weight:400}
b{font-weight:600}section td:first-child{width:34%}
.sum th:nth-child(n+3){text-align:right}
p{max-width:50rem}.dim{color:var(--dim)}
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


def verification(product: Verification, lang: str) -> str:
    """What was held, kind by kind, then the findings as in a report."""
    head = [html(word(name, lang)) for name in ("kind", "named", "found")]
    rows = (f"<tr><td>{html(word(o.kind, lang))}</td>{_number(o.named)}{_number(o.found)}</tr>" for o in product.held)
    told = f"<p>{html(product.path)}: {html(held(product, lang))}</p><div class=sum>{_grid(head, rows)}</div>"
    return _page(word("held", lang), lang, "\n".join([told, *_parts(product.report, lang)]))


def report(product: Report, lang: str) -> str:
    """Findings by check, the worst first: exact counts, and of many findings some, spread over all of them."""
    return _page(word("checks", lang), lang, "\n".join(_parts(product, lang)))


def _parts(product: Report, lang: str) -> list[str]:
    found = groups(product, SHOWN)
    told = {f.state for f in product.findings} != {"new"}  # at the first run all is new, and need not say so
    counts = [f"{word(name, lang)} {count:,}" for name, count in summary(product).items()]
    counts += [f"{word('fixed', lang)} {len(product.fixed):,}"] if product.fixed else []
    broken = "".join(
        f"<p class=error>&nbsp;{html(word(c.outcome, lang))}: <code>{html(c.check)}</code>: {html(c.reason)}</p>"
        for c in product.unseen
    )
    parts = [f"<p>{html(' · '.join(counts))}</p>{broken}"]
    if found:
        parts += [_contents(found, lang), *(_section(group, lang, told) for group in found)]
    return [*parts, _others(product, lang)]


def _contents(found: Iterable[Group], lang: str) -> str:
    """A row a check, each leading to its findings."""
    head = [word(name, lang) for name in ("check", "severity", "count", "new", "waived")]
    rows = (
        f'<tr class="{g.level}"><td><a href="#{html(g.check)}">{html(said(g.title, lang) or g.check)}</a></td>'
        f"<td>{html(word(g.level, lang))}</td>{_number(g.open)}{_number(_fresh(g))}{_number(g.states['waived'])}</tr>"
        for g in found
    )
    return f"<div class=sum>{_grid([html(cell) for cell in head], rows)}</div>"


def _fresh(group: Group) -> int:
    return group.states["new"] + group.states["regressed"]


def _number(count: int) -> str:
    return f"<td class=n>{count:,}</td>" if count else "<td class=n></td>"


def _section(group: Group, lang: str, states: bool) -> str:
    """One check: what it is, what to do, its findings."""
    title = said(group.title, lang)
    name = f" <code>{html(group.check)}</code>" if title else ""
    fix = f"<p>{html(said(group.fix, lang))}</p>" if group.fix else ""
    rows = "\n".join(_row(finding, lang, states) for finding in group.shown)
    rest = group.total - len(group.shown)
    note = f"<p class=dim>{html(word('sampled', lang).format(shown=len(group.shown), all=f'{group.total:,}'))}</p>"
    return (
        f'<section id="{html(group.check)}"><h2 class="{group.level}">{html(title or group.check)}{name} '
        f"<span class=dim>{group.open:,}</span></h2>{fix}"
        f"<div class=wide><table><tbody>\n{rows}\n</tbody></table></div>{note if rest else ''}</section>"
    )


def _others(product: Report, lang: str) -> str:
    """The checks that found nothing, and those that were switched off: no finding is not the same as no look."""
    told = []
    clean = [c.check for c in product.checks if c.outcome == "clean"]
    off = [c.check for c in product.checks if c.outcome == "skipped" and c.reason == OFF]
    for heading, names in (("clean", clean), ("off", off)):
        if names:
            told.append(f"<p class=dim>{html(word(heading, lang))} {len(names)}: {html(', '.join(names))}</p>")
    return "".join(told)


def _row(finding: Finding, lang: str, states: bool) -> str:
    near = [f"<small>{html(_near(place))}</small>" for place in finding.related[:RELATED]]
    more = len(finding.related) - len(near)
    also = "".join(near) + (f"<small>+{more:,}</small>" if more else "")
    # A line number is not broken in two.
    path, _, number = place(finding).rpartition(":")
    state = f"<b>{html(word(finding.state, lang))}</b> " if states and finding.state != "still" else ""
    return (
        f'<tr class="{level_of(finding)}"><td>{html(path)}<span class=at>:{number}</span></td>'
        f"<td>{state}{html(said(finding.message, lang))}{also}</td></tr>"
    )


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
