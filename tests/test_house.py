"""The house: floors and walls, budgets, docstrings, names. Whoever breaks one learns here which and how to mend it."""

from __future__ import annotations

import ast
import importlib.util
import statistics
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from conftest import ROOT

PACKAGE = ROOT / "kbgraph"
MODULES = sorted(PACKAGE.rglob("*.py"))
GENERATED = {PACKAGE / "vocab.py"}
DRAWERS = {"utils", "util", "helpers", "helper", "common", "misc", "shared", "tools"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def functions(module: Path) -> Iterator[Function]:
    return (node for node in ast.walk(tree(module)) if isinstance(node, Function))


def lines(function: Function) -> int:
    """Lines of a function without its decorators: from `def` to its last line."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


@pytest.mark.parametrize("tool", ["lint-imports", "mypy", "ruff"])
def test_tool_has_nothing_to_say(tool: str) -> None:
    program = Path(sys.executable).with_name(tool)
    if not program.exists():
        pytest.skip(f"{tool} is not installed: it comes with the group dev")
    arguments = {"lint-imports": ["--no-cache"], "mypy": [], "ruff": ["check", "."]}[tool]
    run = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_modules_are_short() -> None:
    long = {
        relative(m): n for m in MODULES if m not in GENERATED and (n := len(m.read_text("utf-8").splitlines())) > 250
    }
    assert long == {}, "250 lines a module: split by what the parts do"


def test_functions_are_short() -> None:
    long = {f"{relative(m)}:{f.lineno} {f.name}": lines(f) for m in MODULES for f in functions(m) if lines(f) > 40}
    assert long == {}, "40 lines a function"


def test_median_function_has_at_most_eight_lines() -> None:
    assert statistics.median(lines(f) for m in MODULES for f in functions(m)) <= 8


def test_no_helper_drawer() -> None:
    named = {relative(path) for path in PACKAGE.rglob("*") if path.stem.lstrip("_") in DRAWERS}
    assert named == set(), "name a module after what it does"


def described(node: ast.Module | ast.ClassDef | Function) -> bool:
    text = ast.get_docstring(node)
    return text is not None and bool(text.strip())


def public(module: Path) -> Iterator[tuple[str, ast.ClassDef | Function]]:
    """Public functions, classes and their public methods."""
    for node in tree(module).body:
        if not isinstance(node, ast.ClassDef | Function) or node.name.startswith("_"):
            continue
        yield f"{relative(module)}:{node.lineno} {node.name}", node
        inner = node.body if isinstance(node, ast.ClassDef) else []
        for sub in inner:
            if isinstance(sub, Function) and not sub.name.startswith("_"):
                yield f"{relative(module)}:{sub.lineno} {node.name}.{sub.name}", sub


def test_public_things_say_what_they_give_back() -> None:
    silent = [relative(m) for m in MODULES if not described(tree(m))]
    silent += [name for m in MODULES for name, node in public(m) if not described(node)]
    assert silent == []


def test_function_docstrings_are_one_line() -> None:
    """Classes may list more; a function that needs a paragraph does too much."""
    wordy = [
        f"{relative(m)}:{f.lineno} {f.name}"
        for m in MODULES
        for f in functions(m)
        if "\n" in (ast.get_docstring(f) or "")
    ]
    assert wordy == []


def test_no_unfinished_business() -> None:
    marks = ("TO" + "DO", "FIX" + "ME", "X" * 3, "NotImplemented" + "Error")
    files = chain(MODULES, ROOT.glob("queries/**/*.rq"), ROOT.glob("ontology/*.ttl"))
    found = [f"{relative(f)}: {mark}" for f in files for mark in marks if mark in f.read_text("utf-8")]
    assert found == []


def test_public_names_are_sorted_and_there() -> None:
    import kbgraph

    assert list(kbgraph.__all__) == sorted(kbgraph.__all__)
    assert [name for name in kbgraph.__all__ if not hasattr(kbgraph, name)] == []


def test_typed_marker_is_shipped() -> None:
    assert (PACKAGE / "py.typed").exists()


def test_every_package_is_one() -> None:
    """A folder of modules without __init__.py is invisible to the floors."""
    folders = {m.parent for m in MODULES}
    assert [relative(f) for f in folders if not (f / "__init__.py").exists()] == []


def test_a_module_from_nowhere_breaks_the_floors(tmp_path: Path) -> None:
    """The floors are exhaustive: a module that belongs to no floor is refused."""
    if importlib.util.find_spec("importlinter") is None:
        pytest.skip("import-linter is not installed: it comes with the group dev")
    for name in ("utility", *(p.stem for p in PACKAGE.iterdir() if p.name != "__pycache__" and p.stem != "__init__")):
        (tmp_path / "kbgraph").mkdir(exist_ok=True)
        (tmp_path / "kbgraph" / f"{name}.py").touch()
    (tmp_path / "kbgraph" / "__init__.py").touch()
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    command: list[str | Path] = [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--contract", "floors"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert "kbgraph.utility" in run.stdout
