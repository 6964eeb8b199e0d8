"""A small knowledge base, and servers over it for tests: in this process, or as a user starts one."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import kbgraph
from kbgraph.workspace.site import Site

EVIL = "<script>alert(1)</script>"
LABELS = f"""# Labels (labels)

Last update: 2026-08-30

## 1. Names {EVIL}

### 1.1 Where names go

- **NearFit** (arXiv:2401.10001): on dense maps 12% fewer names collide (original checked).
- **TwoPass** (arXiv:2402.10002): it takes no second drawing (abstract page).

## 2. References

- arXiv:2401.10001 - Naming Areas
- arXiv:2402.10002 - Small Maps
- arXiv:2403.10003 - Never Cited
"""
READ = """# Reading 2026-08-12 (bo)

## 1. NearFit (arXiv:2401.10001)

- Evidence level: original checked
- Points: on dense maps 12% fewer names collide.
"""
FILES = {"organized/knowledge/labels.md": LABELS, "inbox/bo/2026-08-12-critical-read.md": READ}
DOCUMENT, REPORT = FILES


def corpus(folder: Path, files: dict[str, str] | None = None) -> Path:
    """The knowledge base in a folder."""
    for name, text in (files or FILES).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def looked_at(folder: Path) -> Iterator[Site]:
    """A site over the knowledge base, whose checks have run; it ends with the module that asks."""
    made = Site(kbgraph.open(corpus(folder)))
    made.sync()
    made.check()
    yield made
    made.close()


@contextmanager
def started(kb: Path, *options: str, command: str = "serve") -> Iterator[str]:
    """The address of a server, started as a user starts it; it ends with the block."""
    arguments = [sys.executable, "-m", "kbgraph", command, "--kb", str(kb), "--port", "0", *options]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            told = []
            for line in process.stderr:
                told.append(line)
                if " at http" in line:
                    break
            address = told[-1].rpartition(" at ")[2].strip() if told else ""
            assert address.startswith("http"), "".join(told)
            threading.Thread(target=process.stderr.read, daemon=True).start()  # a full pipe would hold it up
            yield address
        finally:
            process.terminate()
            process.wait(20)
