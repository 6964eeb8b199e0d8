"""Products -> text. `formats/` is the registry: a new format is one file there."""

from __future__ import annotations

import pkgutil
from difflib import get_close_matches
from importlib import import_module

from kbgraph.errors import UsageError
from kbgraph.model.brief import Brief
from kbgraph.model.drawing import Drawing
from kbgraph.model.fault import SelfTest
from kbgraph.model.finding import Finding, Report
from kbgraph.model.patch import Patch
from kbgraph.model.query import Table
from kbgraph.model.trace import Trace
from kbgraph.model.verification import Verification

Product = Table | Report | Finding | Brief | Drawing | SelfTest | Patch | Verification | Trace


def available() -> dict[str, str]:
    """Format -> its module, sorted. A module may not be called like the library that it uses: `json_` is json."""
    package = import_module("kbgraph.render.formats")
    found = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return {name.rstrip("_"): f"kbgraph.render.formats.{name}" for name in found}


def render(product: Product, fmt: str, lang: str) -> str:
    """The product as text; UsageError for a format that does not exist or cannot hold this product."""
    known = available()
    if fmt not in known:
        near = get_close_matches(fmt, known, 1)
        mend = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
        raise UsageError(f"there is no format `{fmt}`", mend)
    kind, module = type(product).__name__, import_module(known[fmt])
    write = getattr(module, kind.lower(), None)
    if write is None and isinstance(product, Verification):  # a format of findings alone
        return render(product.report, fmt, lang)
    if write is None:
        raise UsageError(f"a {kind} cannot be written as {fmt}", "take another format")
    return str(write(product, lang))
