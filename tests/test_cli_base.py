"""The command line: how commands are found, fail, print and write; and those that keep the graph."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import kbgraph
from kbgraph import cli
from kbgraph.cli import group, main
from kbgraph.config import find_root, load
from kbgraph.errors import BrokenError, ConfigError, KbgraphError, UsageError
from kbgraph.store.disk import Disk
from kbgraph.workspace import watching
from kbgraph.workspace.outputs import write_whole

LONG_AGO = 1_700_000_000
KB = (sys.executable, "-m", "kbgraph")
Capture = pytest.CaptureFixture[str]


def write(root: Path, path: str, text: str) -> Path:
    """A file of the corpus, old enough that its age proves that it has not changed."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    os.utime(file, (LONG_AGO, LONG_AGO))
    return file


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small corpus, which is the current folder."""
    folder = tmp_path / "kb"
    write(folder, "kbgraph.toml", 'name = "t"\n')
    write(folder, "organized/paper_cards/001-2401-00001.md", "# Paper one\n\n- arXiv: 2401.00001\n\nIt is 3% faster.\n")
    write(folder, "organized/knowledge/serving.md", "# 服务\n\n## 1. 引言\n\n见 arXiv:2401.00001。\n")
    said = {"id": "round-1", "topic": "serving", "created": "2026-10-01", "materials": [{"path": "inbox/a/x.md"}]}
    write(folder, "work-guard/round-1.json", json.dumps({**said, "compare": ["organized/knowledge/serving.md"]}))
    write(folder, "inbox/a/2026-10-01-critical-read.md", "# 精读\n\n## 条目 1：Paper one\n\n- 要点：快 3%。\n")
    monkeypatch.chdir(folder)
    return folder


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of one command."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    shown = capsys.readouterr()
    code = ended.value.code
    assert isinstance(code, int)
    return code, shown.out, shown.err


# -- finding commands


def test_every_file_is_a_command() -> None:
    names = {m.name for m in pkgutil.iter_modules(cli.__path__) if not m.name.startswith("_")}
    context = click.Context(group)
    assert [name.replace("-", "_") for name in group.list_commands(context)] == sorted(n.rstrip("_") for n in names)
    for name in group.list_commands(context):
        assert isinstance(group.get_command(context, name), click.Command)


def commands(one: click.Command, path: str) -> list[tuple[str, click.Command]]:
    """A command and those below it."""
    found = [(path, one)]
    if isinstance(one, click.Group):
        names = one.list_commands(click.Context(one))
        found += [
            c for n in names if (sub := one.get_command(click.Context(one), n)) for c in commands(sub, f"{path} {n}")
        ]
    return found


def test_every_command_has_one_sentence_and_an_example() -> None:
    for path, one in commands(group, "kbgraph")[1:]:
        first = (one.help or "").split("\n")[0]
        assert 20 < len(first) < 200, path
        assert (one.epilog or "").startswith(f"Example: {path}"), f"{path}: an example that begins with the command"
        for option in one.params:
            if isinstance(option, click.Option):
                assert option.help, f"{path} {option.name}"


def test_help_is_quick_and_loads_no_room() -> None:
    heavy = ["pyoxigraph", "rdflib", "pydantic", "jinja2", "yaml", "kbgraph.workspace", "kbgraph.lift", "kbgraph.ask"]
    code = f"""
import sys
from kbgraph.cli import main
try:
    main(["--help"])
finally:
    print([name for name in {heavy} if name in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
    assert "Bring the graph up to date with the folder, and say what changed and what was not read." in " ".join(
        done.stdout.split()
    )


def test_import_is_quick_and_whole() -> None:
    code = "import sys, kbgraph; print(sorted(m for m in sys.modules if m.startswith('kbgraph')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['kbgraph']\n"
    assert set(kbgraph.__all__) <= set(dir(kbgraph))
    assert kbgraph.Workspace.open.__func__ is kbgraph.open.__func__  # type: ignore[attr-defined]
    assert kbgraph.__version__ == "0.1.0"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = kbgraph.nothing


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("stauts",), "there is no command `stauts`: did you mean `status`?"),
        (("xyzzy",), "there is no command `xyzzy`: `kbgraph --help` lists them"),
        (("sync", "--fulll"), "--full"),
        (("sync", "--workers", "none"), "kbgraph sync --help"),
        (("manifest", "shwo", "x"), "show"),
        (("export", "-f", "xml"), "trig"),
        (("sync", "--watch", "--manifest", "x"), "--watch goes with neither"),
        (("sync", "--kb", "nowhere"), "nowhere is no folder"),
        (("sync", "--store", "memroy:"), "did you mean `memory:`?"),
        (("manifest", "show", "round-2"), "did you mean `round-1`?"),
        (("rounds", "show", "r9"), "there is no round `r9`"),
        (("init",), "is there already"),
        (("sync", "extra"), "unexpected extra argument"),
    ],
)
@pytest.mark.usefixtures("root")
def test_wrong_use_says_what_to_do(capsys: Capture, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.startswith("kbgraph: ")
    assert "Traceback" not in err


def test_version(capsys: Capture) -> None:
    assert run(capsys, "--version") == (0, "kbgraph 0.1.0\n", "")


# -- failing


@pytest.mark.parametrize(
    ("error", "code"),
    [(UsageError("wrong", "do this"), 2), (BrokenError("broken", "do this"), 3), (ConfigError("bad", ""), 2)],
)
@pytest.mark.usefixtures("root")
def test_errors_are_told_with_their_mend(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, error: KbgraphError, code: int
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("kbgraph.workspace.Workspace.sync", fail)
    assert run(capsys, "sync") == (code, "", f"kbgraph: {error}\n")


@pytest.mark.usefixtures("root")
def test_a_fault_is_kept_in_a_file(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("the 中 fault")

    monkeypatch.setattr("kbgraph.workspace.Workspace.sync", fail)
    code, out, err = run(capsys, "sync")
    assert (code, out) == (3, "")
    assert "this is a fault in kbgraph: ZeroDivisionError: the 中 fault" in err
    trace = Path(err.split("report it with ")[1].split(";")[0])
    text = trace.read_text(encoding="utf-8")
    assert "kbgraph 0.1.0, Python " in text
    assert "('sync',)" in text
    assert "in fail" in text
    trace.unlink()


@pytest.mark.usefixtures("root")
def test_an_interrupt_is_no_fault(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kbgraph.workspace.Workspace.sync", fail)
    code, _, err = run(capsys, "sync")
    assert code == 130
    assert err.strip() == "kbgraph: interrupted"


def kb(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    command = [sys.executable, "-m", "kbgraph", *arguments]
    return subprocess.run(command, capture_output=True, check=False, env={**os.environ, **environment})


@pytest.mark.usefixtures("root")
def test_a_reader_that_goes_is_no_fault() -> None:
    command = f"{sys.executable} -m kbgraph export | head -n 1; echo ${{PIPESTATUS[0]}}"
    for _ in range(2):  # the first makes the graph
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    first, code = done.stdout.splitlines()
    assert first.startswith("<")
    assert code in {"141", "0"}  # 0 when all of it fitted into the pipe
    assert done.stderr == ""


@pytest.mark.parametrize("settings", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}])
def test_no_locale_makes_printing_fail(root: Path, settings: dict[str, str]) -> None:
    write(root, "中文 🚀.md", "# 题\n\n正文在此。\n")
    done = kb("sync", **settings)
    assert done.returncode == 0, done.stderr
    shown = done.stdout.decode("ascii" if "PYTHONIOENCODING" in settings else "utf-8")
    assert ("+ 中文 🚀.md" if "PYTHONIOENCODING" not in settings else r"+ \u4e2d\u6587 \U0001f680.md") in shown
    assert kb("export", "-f", "ttl", "-o", "图.ttl", **settings).returncode == 0
    assert "正文在此" in (root / "图.ttl").read_text(encoding="utf-8")


# -- writing


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    write_whole(file, ["one\n", "中\udcff\n"])
    assert file.read_bytes() == "one\n中\\udcff\n".encode()

    def failing() -> object:
        yield "half"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_whole(file, failing())  # type: ignore[arg-type]
    assert file.read_bytes().startswith(b"one\n"), "what was there stays"
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"], "and nothing is left beside it"
    mask = os.umask(0)
    os.umask(mask)
    assert file.stat().st_mode & 0o777 == 0o666 & ~mask
    with pytest.raises(UsageError, match="cannot be written"):
        write_whole(tmp_path / "no" / "out.txt", ["x"])


@pytest.mark.parametrize("form", ["nq", "trig", "ttl", "jsonld", "graphml", "csv"])
@pytest.mark.usefixtures("root")
def test_export_writes_what_it_prints(capsys: Capture, tmp_path: Path, form: str) -> None:
    code, out, _ = run(capsys, "export", "-f", form)
    assert code == 0
    assert run(capsys, "export", "-f", form, "-o", str(tmp_path / "x")) == (0, "", "")
    assert (tmp_path / "x").read_text(encoding="utf-8") == out
    assert "服务" in out


# -- keeping the graph


def test_a_file_of_the_knowledge_base_is_never_overwritten(capsys: Capture, root: Path) -> None:
    document = root / "organized" / "knowledge" / "serving.md"
    before = document.read_bytes()
    code, _, err = run(capsys, "status", "-o", str(document))
    assert (code, document.read_bytes()) == (2, before)
    assert "kbgraph changes none" in err
    assert run(capsys, "status", "-o", str(root / ".kbgraph" / "cache.db"))[0] == 2
    # What it wrote itself it writes again, until somebody changes it.
    own = root / "status.out"
    assert [run(capsys, "status", "-o", str(own))[0] for _ in range(2)] == [0, 0]
    own.write_text(own.read_text("utf-8") + "mine\n", "utf-8")
    assert run(capsys, "status", "-o", str(own))[0] == 2
    assert own.read_text("utf-8").endswith("mine\n")
    # Outside, a file is the caller's own business.
    beside = root.parent / "beside.txt"
    beside.write_text("old", "utf-8")
    assert run(capsys, "status", "-o", str(beside))[0] == 0
    assert beside.read_text("utf-8") == own.read_text("utf-8").removesuffix("mine\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.usefixtures("root")
def test_output_that_cannot_be_written_is_told() -> None:
    with Path("/dev/full").open("wb") as full:
        told = subprocess.run([*KB, "status"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert told.returncode == 2
    assert b"standard output cannot be written: No space left on device" in told.stderr
    shut = subprocess.run(["sh", "-c", f"{shlex.join(KB)} status >&-"], stderr=subprocess.PIPE, check=False)
    assert shut.returncode == 2
    assert b"standard output is closed" in shut.stderr
    assert b"Traceback" not in told.stderr + shut.stderr


def test_sync_says_what_changed(capsys: Capture, root: Path) -> None:
    code, out, err = run(capsys, "sync")
    assert (code, err) == (0, "")
    assert out.splitlines()[:4] == [
        "+ inbox/a/2026-10-01-critical-read.md",
        "+ organized/knowledge/serving.md",
        "+ organized/paper_cards/001-2401-00001.md",
        "+ work-guard/round-1.json",
    ]
    assert "4 added, 0 changed, 0 removed, 0 unchanged" in out
    assert "files of other kinds: 1 .toml" in out
    (root / "link.md").symlink_to("/etc/hostname")
    report = json.loads(run(capsys, "sync", "-f", "json")[1])
    assert (report["added"], report["unchanged"], report["documents"]) == ([], 4, 4)
    assert report["skipped"] == [{"path": "link.md", "reason": "link that leads out of the corpus"}]
    assert "1 file could not be read" in run(capsys, "status")[2]


def test_status_counts(capsys: Capture, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = json.loads(run(capsys, "status", "-f", "json")[1])
    assert found["root"] == str(root)
    assert found["kinds"] == [["KnowledgeDoc", 1], ["Manifest", 1], ["PaperCard", 1], ["Report", 1]]
    assert dict(found["counts"])["works"] == 1
    implied = 4 + 1 + 3  # materials; a mention; a claim with its line and its quantity
    assert found["quads"] == run(capsys, "export")[1].count("\n") - implied
    assert [(r["id"], r["topic"], r["materials"]) for r in found["rounds"]] == [("round-1", "serving", 1)]
    monkeypatch.chdir(root / "organized" / "knowledge")
    code, out, err = run(capsys, "status")
    assert (code, err) == (0, "")
    assert out.startswith(f"{root}\n4 documents, ")
    assert "  2026-10-01       serving           1 materials  round-1\n" in out


def test_no_sync_uses_the_graph_as_it_is(capsys: Capture, root: Path) -> None:
    code, _, err = run(capsys, "status", "--no-sync")
    assert (code, err.splitlines()[0]) == (3, "kbgraph: there is no graph yet")
    run(capsys, "sync")
    write(root, "new.md", "# new\n")
    assert json.loads(run(capsys, "status", "--no-sync", "-f", "json")[1])["documents"] == 4
    assert json.loads(run(capsys, "status", "-f", "json")[1])["documents"] == 5


def test_while_another_process_writes_the_old_graph_answers(capsys: Capture, root: Path) -> None:
    run(capsys, "sync")
    write(root, "new.md", "# new\n")
    ready, done = threading.Event(), threading.Event()

    def hold() -> None:
        with Disk(root / ".kbgraph" / "store").writing():
            ready.set()
            done.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    ready.wait()
    try:
        code, out, err = run(capsys, "status", "-f", "json")
        assert (code, json.loads(out)["documents"]) == (0, 4)
        assert f"another kbgraph (process {os.getpid()})" in err
        assert "this answer is from the graph as it was before" in err
        code, _, err = run(capsys, "sync")
        assert code == 3
        assert "wait for it" in err
    finally:
        done.set()
        thread.join()


def test_watch_follows_until_interrupted(capsys: Capture, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def changes(*_: object) -> Iterator[bool]:
        for step in (lambda: write(root, "new.md", "# new\n"), lambda: None, (root / "new.md").unlink):
            step()
            yield True
        raise KeyboardInterrupt

    monkeypatch.setattr(watching, "_changes", changes)
    code, out, _ = run(capsys, "sync", "--watch")
    assert code == 130
    assert [line for line in out.splitlines() if line.endswith("new.md")] == ["+ new.md", "- new.md"]
    assert out.count("unchanged") == 3, "what changed nothing is not told"


def test_init_looks_and_writes(capsys: Capture, root: Path) -> None:
    (root / "kbgraph.toml").unlink()
    code, out, _ = run(capsys, "init", str(root))
    assert code == 0
    made = load(root)
    assert (made.name, made.topics, made.lang) == ("kb", ("serving",), "zh")
    assert ("organized/paper_cards/*.md", "paper-card") in made.globs
    assert f"{root / 'kbgraph.toml'} written" in out
    assert "        1  report: inbox/a/ 1" in out
    assert "4 added" in out
    assert run(capsys, "init", str(root), "--force", "--no-sync")[0] == 0


def test_init_of_an_empty_folder(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "空"
    folder.mkdir()
    code, out, _ = run(capsys, "init", str(folder))
    assert code == 0
    assert "there is no Markdown" in out
    assert (load(folder).name, load(folder).lang, load(folder).topics) == ("空", "", ())
    assert find_root(folder) == folder


def test_manifests_are_shown_checked_and_made(capsys: Capture, root: Path) -> None:
    code, out, _ = run(capsys, "manifest", "show", "round-1", "-f", "csv")
    assert code == 0
    assert out.splitlines() == [
        "path,use,line,state",
        'inbox/a/x.md,material,1,"named by the manifest, and missing"',
        "organized/knowledge/serving.md,compared,1,as stated",
    ]
    code, out, _ = run(capsys, "manifest", "check", "work-guard/round-1.json", "-f", "csv")
    assert (code, out.count("\n")) == (1, 2)
    code, out, _ = run(capsys, "manifest", "new", "serving", "--id", "r2", "--created", "2026-11-01T0700")
    made = json.loads(out)
    assert (code, made["id"], made["created"], made["topic"]) == (0, "r2", "2026-11-01T0700", "serving")
    assert [(m["path"], m["kind"]) for m in made["materials"]] == [
        ("inbox/a/2026-10-01-critical-read.md", "critical-read"),
        ("organized/paper_cards/001-2401-00001.md", "paper_card"),
    ]
    assert made["compare"] == ["organized/knowledge/serving.md"]
    write(root, "work-guard/r2.json", out)
    assert run(capsys, "manifest", "check", "r2") == (0, "", "kbgraph: 3 files, each as the manifest states it\n")
    assert run(capsys, "manifest", "check", "work-guard/r2.json", "-f", "csv")[:2] == (0, "path,use,line,state\n")
    assert run(capsys, "manifest", "show", "round")[0] == 0, "how its id begins is enough"
    again = json.loads(run(capsys, "manifest", "new", "serving")[1])
    assert again["materials"] == [], "nothing came since"
    assert again["id"] != "r2"
    write(root, "organized/paper_cards/001-2401-00001.md", "# Paper one\n\n- arXiv: 2401.00001\n\nIt is 4% faster.\n")
    again = json.loads(run(capsys, "manifest", "new", "serving")[1])
    assert [m["path"] for m in again["materials"]] == ["organized/paper_cards/001-2401-00001.md"]
    assert run(capsys, "manifest", "check", "r2")[0] == 1


def test_rounds_are_listed_shown_and_compared(capsys: Capture, root: Path) -> None:
    code, listed, _ = run(capsys, "rounds", "-f", "csv")
    assert code == 0
    assert listed == run(capsys, "rounds", "list", "-f", "csv")[1]
    assert listed.splitlines()[1] == "round-1,serving,2026-10-01,1,true,work-guard/round-1.json"
    write(root, "organized/knowledge/serving.md", "# 服务\n\n改了。\n")
    text = (root / "work-guard/round-1.json").read_text(encoding="utf-8")
    write(root, "work-guard/next.json", text.replace("round-1", "next").replace("2026-10-01", "2026-10-02"))
    run(capsys, "sync")
    shown = run(capsys, "rounds", "show", "rou", "-f", "csv")[1].splitlines()
    assert [row.split(",")[-1] for row in shown[1:]] == ["gone", "changed"]
    compared = run(capsys, "rounds", "compare", "round-1", "next", "-f", "csv")[1].splitlines()
    assert [(row.split(",")[0], row.split(",")[-1]) for row in compared[1:]] == [
        ("organized/knowledge/serving.md", "changed"),
        ("work-guard/next.json", "added"),
    ]


def test_the_module_runs_as_a_command(root: Path) -> None:
    done = kb("status", "--kb", str(root))
    assert (done.returncode, done.stderr) == (0, b"")
    assert importlib.import_module("kbgraph.__main__").main is main


def test_the_knowledge_base_may_be_named_before_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder, files in ((here, 1), (there, 2)):
        folder.mkdir()
        for number in range(files):
            (folder / f"{number}.md").write_text("# A note\n\nSomething is said here.\n", encoding="utf-8")
    for arguments, documents in ((["--kb", here, "status"], 1), (["--kb", here, "status", "--kb", there], 2)):
        with pytest.raises(SystemExit):
            main([str(argument) for argument in arguments])
        assert f"{documents} document" in capsys.readouterr().out
