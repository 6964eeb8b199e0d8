"""Products as text, with templates that were compiled before."""

from __future__ import annotations

from pathlib import Path

from kbgraph.render import Product, render
from kbgraph.store.compact import keep, kept

_SOURCE = b"templates"  # each says for itself what it was compiled of


def written(product: Product, fmt: str, lang: str, compact: Path | None) -> str:
    """The product as text; `compact` names a file that keeps compiled templates."""
    if fmt not in ("md", "html"):
        return render(product, fmt, lang)
    from kbgraph.render.compiled import COMPILED  # noqa: PLC0415  (the template engine takes long to load)

    held = kept(compact, _SOURCE) or {}
    COMPILED.codes.update(held)
    text = render(product, fmt, lang)
    if COMPILED.codes != held:
        keep(compact, _SOURCE, COMPILED.codes)
    return text
