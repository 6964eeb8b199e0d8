"""Measure the bars of speed and size on generated corpora and print them as a Markdown table.

`python benchmarks/run.py [--files 10000] [--times 5] [--install] [--naive]`; corpora and graphs go to benchmarks/out/.
Every speed is a ratio of whole processes run in turn, medians of `--times`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from generate import generate
from measure import HERE, KBGRAPH, PYTHON, interleaved, median, ratio, run

OUT = HERE / "out"
LISTED = """import atexit, sys
atexit.register(lambda: print(*sys.modules))
from kbgraph.cli import main
sys.exit(main(sys.argv[1:]))"""


class Row(NamedTuple):
    """One line of the table."""

    measure: str
    found: str
    bar: str
    held: bool


def corpus_of(files: int) -> Path:
    """The generated corpus of this size, made when it is not there."""
    root = OUT / f"gen-{files}"
    if not root.exists():
        known = generate(root, files)
        root.with_suffix(".json").write_text(json.dumps(known, ensure_ascii=False, indent=1), encoding="utf-8")
    return root


def synced(corpus: Path) -> float:
    """Seconds of a full sync from nothing, whole process."""
    shutil.rmtree(corpus / ".kbgraph", ignore_errors=True)
    return run(KBGRAPH, "sync", "--kb", corpus).seconds


def floored(corpus: Path, quads: Path) -> float:
    """Seconds of the floor for the same corpus, whole process."""
    with tempfile.TemporaryDirectory(dir=OUT) as store:
        return run(PYTHON, HERE / "floor.py", corpus, quads, Path(store) / "graph").seconds


def stored(corpus: Path) -> Path:
    """The quads of the store in a file."""
    quads = corpus.with_suffix(".nq")
    run(PYTHON, HERE / "stored.py", corpus, quads)
    return quads


def size_of(folder: Path) -> int:
    """Bytes of all files below."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def full_sync(corpus: Path, times: int) -> Iterator[Row]:
    """Full sync against the floor."""
    synced(corpus)
    quads = stored(corpus)
    found = interleaved(times, sync=lambda: synced(corpus), floor=lambda: floored(corpus, quads))
    over = ratio(found, "sync", "floor")
    seconds = f"{median(found['sync']):.1f} s / {median(found['floor']):.1f} s"
    yield Row("full sync / floor", f"{over:.2f} ({seconds})", "at most 2.0", over <= 2)


def sizes(corpus: Path) -> Iterator[Row]:
    """Leanness of the graph and of what lies on disk."""
    text = stored(corpus).read_text(encoding="utf-8")
    quads = text.count("\n")
    claims = len(set(re.findall(r"^<[^>]*> <https://w3id\.org/kbgraph/ns#asserts>", text, re.MULTILINE)))
    lines = text.count("<https://w3id.org/kbgraph/ns#asserts>")
    assert claims <= lines
    yield Row(
        "quads per claim", f"{quads / lines:.1f} ({quads:,} quads, {lines:,} claims)", "at most 16", quads <= 16 * lines
    )
    state = corpus / ".kbgraph"
    store = sum(size_of(path) for path in state.iterdir() if path.is_dir())
    per_quad = store / quads
    yield Row(
        "bytes on disk per quad",
        f"{per_quad:.0f} ({size_of(state) / 1e6:.0f} MB with the cache)",
        "at most 260",
        per_quad <= 260,
    )


def no_change(corpus: Path, times: int) -> Iterator[Row]:
    """A sync that finds nothing to do, and one that finds one file changed."""
    modules = run(PYTHON, "-c", LISTED, "sync", "--kb", corpus).output.splitlines()[-1].split()
    used = [m for m in modules if m.partition(".")[0] not in sys.stdlib_module_names and m != "__main__"]
    victim = next((corpus / "organized" / "paper_cards").iterdir())
    whole = victim.read_text(encoding="utf-8")
    counter = iter(range(10_000))

    def changed() -> float:
        victim.write_text(
            f"{whole}\n- A sentence that was not there before, number {next(counter)}.\n", encoding="utf-8"
        )
        return run(KBGRAPH, "sync", "--kb", corpus).seconds

    found = interleaved(
        times,
        changed=changed,
        same=lambda: run(KBGRAPH, "sync", "--kb", corpus).seconds,
        floor=lambda: run(PYTHON, HERE / "floor_nochange.py", corpus, *used).seconds,
    )
    victim.write_text(whole, encoding="utf-8")
    run(KBGRAPH, "sync", "--kb", corpus)
    over, more = ratio(found, "same", "floor"), median(found["changed"]) - median(found["same"])
    seconds = f"{median(found['same']):.2f} s / {median(found['floor']):.2f} s"
    yield Row("sync, nothing changed / imports and stat", f"{over:.2f} ({seconds})", "at most 1.5", over <= 1.5)
    yield Row("one file changed, above that", f"{more:.2f} s", "at most 0.5 s", more <= 0.5)


def questions(corpus: Path, times: int) -> Iterator[Row]:
    """Checks cold, the slowest one, a document's question warm, a brief."""
    check = (KBGRAPH, "check", "--no-sync", "--fail-on", "never", "--format", "json", "--kb", corpus)
    guard = min((corpus / "work-guard").iterdir())
    topic = json.loads(guard.read_text(encoding="utf-8"))["topic"]
    brief = (KBGRAPH, "brief", topic, "--manifest", guard, "--no-sync", "--kb", corpus)
    found = interleaved(times, check=lambda: run(*check).seconds, brief=lambda: run(*brief).seconds)
    card = min((corpus / "organized" / "paper_cards").iterdir()).relative_to(corpus)
    inside = json.loads(run(PYTHON, HERE / "timing.py", corpus, card, "organized/knowledge/serving.md").output)
    (of_card, few), (of_long, many) = inside["documents"]
    slowest = max(inside["checks"], key=inside["checks"].__getitem__)
    worst, cold, written = inside["checks"][slowest], median(found["check"]), median(found["brief"])
    yield Row("all checks, cold process", f"{cold:.2f} s", "at most 4 s", cold <= 4)
    yield Row("slowest check", f"{worst:.2f} s ({slowest})", "at most 1 s", worst <= 1)
    told = f"{of_card * 1000:.1f} ms for a card ({few} claims), {of_long * 1000:.0f} ms for the longest ({many:,})"
    yield Row("one document's claims, warm", told, "under 10 ms", of_card < 0.01)
    yield Row("brief of a 10-material round", f"{written:.2f} s", "at most 1 s", written <= 1)


def start(times: int) -> Iterator[Row]:
    """The command line's own start."""
    helped = median([run(KBGRAPH, "--help").seconds for _ in range(times)])
    yield Row("`kbgraph --help`", f"{helped:.2f} s", "at most 0.25 s", helped <= 0.25)


def memory(corpus: Path) -> Iterator[Row]:
    """Peak memory of a full sync."""
    shutil.rmtree(corpus / ".kbgraph", ignore_errors=True)
    peak = run(KBGRAPH, "sync", "--kb", corpus).rss_mb
    yield Row("memory, full sync", f"{peak / 1024:.2f} GB", "at most 1.5 GB", peak <= 1536)


def install() -> Iterator[Row]:
    """What a default install weighs, in an environment of its own."""
    with tempfile.TemporaryDirectory() as home:
        run(sys.executable, "-m", "venv", home)
        bare = size_of(Path(home))
        run(Path(home) / "bin" / "pip", "install", "-q", HERE.parent)
        whole = size_of(Path(home))
    added = f"{whole / 1e6:.0f} MB, {(whole - bare) / 1e6:.0f} MB of it kbgraph and what it asks for"
    yield Row("default install", added, "at most 150 MB", whole <= 150e6)


def against_rdflib(corpus: Path, times: int) -> Iterator[Row]:
    """The same job as a straightforward rdflib script."""
    built, asked = [], []
    for _ in range(times):
        sync = synced(corpus)
        inside = json.loads(run(PYTHON, HERE / "timing.py", corpus, "organized/knowledge/serving.md").output)["checks"]
        theirs = json.loads(run(PYTHON, HERE / "naive.py", corpus).output)
        same = [name for name in theirs if name in inside]
        built.append(theirs["build"] / sync)
        asked.append(sum(theirs[name]["seconds"] for name in same) / sum(inside[name] for name in same))
    build, checks = median(built), median(asked)
    yield Row(f"rdflib script, build ({corpus.name})", f"{build:.1f} x our time", "at least 5 x", build >= 5)
    yield Row(
        f"rdflib script, four checks ({corpus.name})", f"{checks:.0f} x our time", "at least 100 x", checks >= 100
    )


def rows(files: int, times: int, *, weigh: bool, naive: bool) -> Iterator[Row]:
    """All measures, in the order of the table."""
    corpus = corpus_of(files)
    yield from full_sync(corpus, times)
    yield from sizes(corpus)
    yield from no_change(corpus, times)
    yield from questions(corpus, times)
    yield from start(times)
    yield from memory(corpus)
    if weigh:
        yield from install()
    if naive:
        yield from against_rdflib(corpus, times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--install", action="store_true", help="weigh a default install as well")
    parser.add_argument("--naive", action="store_true", help="compare with the rdflib script as well: minutes")
    args = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    print(f"{os.cpu_count()} cores, {args.files} files, medians of {args.times}\n")
    print("| measure | found | bar | |\n|---|---|---|---|")
    for row in rows(args.files, args.times, weigh=args.install, naive=args.naive):
        print(f"| {row.measure} | {row.found} | {row.bar} | {'held' if row.held else '**missed**'} |", flush=True)


if __name__ == "__main__":
    main()
