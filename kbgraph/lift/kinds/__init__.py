"""One kind of material a file: the folder is the registry. Each has KIND and `lift(frame)`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules

from kbgraph.lift.frame import Frame


def _register() -> dict[str, Callable[[Frame], None]]:
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    return {module.KIND: module.lift for module in modules}


REGISTRY = _register()
