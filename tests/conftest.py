"""What all tests share: `--update`, which rewrites what is expected, and the golden files that it rewrites."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from casefile import Expect, Scenario, rewrite

ROOT = Path(__file__).parent.parent

# A slow machine is no failure, and equal code gives equal results.
settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")

Golden = Callable[[Path, str], None]
Expected = Callable[[Scenario, Expect, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option `--update`."""
    parser.addoption("--update", action="store_true", help="rewrite goldens, generated pages and cases")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse what would write one file from two processes."""
    if config.getoption("--update") and getattr(config.option, "numprocesses", None):
        raise pytest.UsageError("--update writes files: run it without -n")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expectations are to be rewritten."""
    return bool(request.config.getoption("--update"))


@pytest.fixture
def golden(update: bool) -> Golden:
    """Compare a text with a file, byte for byte; `--update` writes the file."""

    def compare(path: Path, text: str) -> None:
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        kept = path.read_bytes().decode() if path.exists() else "missing"
        assert text == kept, f"{path.name} is stale: look at what `pytest --update` writes"

    return compare


@pytest.fixture
def expected(update: bool) -> Expected:
    """Compare a text with an expectation of a case file; `--update` rewrites the case file."""

    def compare(scenario: Scenario, expect: Expect, text: str) -> None:
        if update and text != expect.body:
            rewrite(scenario, expect, text)
        else:
            assert text == expect.body, f"{scenario.case.name}: {scenario.title}: {expect.what} {expect.about}"

    return compare
