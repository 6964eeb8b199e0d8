"""Settings: what may be said, what is refused with which words, where a corpus begins; and what ships with the code."""

from __future__ import annotations

import os
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from kbgraph import resources
from kbgraph.config import around, find_root, load, starting
from kbgraph.config.schema import parse
from kbgraph.errors import ConfigError, UsageError
from kbgraph.model.lexicon import fold
from kbgraph.model.settings import DEFAULT_GLOBS, Settings

WHOLE = """
name = "检索 kb"
base = "https://example.org/kb/"
topics = ["retrieval", "检索"]
language = "zh"
ignore = ["drafts/**"]
waivers = "w.toml"
fail-on = "error"
contrasts = [["hot", "cold"]]

[folders]
paper-card = ["papers/*.md", "论文/*.md"]

[labels]
level-second-hand = ["听说"]

[levels.lab]
rank = 85
labels = ["实验室复核", "lab check"]

[checks]
orphan-citation = "off"
stale-card = { severity = "warning", at-most = 5, days = 90 }
"""


def refused(text: str) -> str:
    """What is said of a kbgraph.toml that is refused."""
    with pytest.raises(ConfigError) as told:
        parse(text.encode())
    return str(told.value)


def test_nothing_said_gives_the_defaults() -> None:
    made = parse(b"", "my kb")
    assert made == replace(Settings(), name="my kb", base="urn:kb:my%20kb:", digest=made.digest)
    assert parse(b"", "").base == "urn:kb:kb:"


def test_all_that_may_be_said() -> None:
    made = parse(WHOLE.encode(), "folder")
    assert made == Settings(
        name="检索 kb",
        base="https://example.org/kb/",
        topics=("retrieval", "检索"),
        lang="zh",
        globs=(("papers/*.md", "paper-card"), ("论文/*.md", "paper-card"), *DEFAULT_GLOBS),
        ignore=("drafts/**",),
        labels=(("level-second-hand", "听说"),),
        levels=(("lab", 85, ("实验室复核", "lab check")),),
        contrasts=(("hot", "cold"),),
        checks=(("orphan-citation", "off", 0, ()), ("stale-card", "warning", 5, (("days", "90"),))),
        fail_on="error",
        waivers="w.toml",
        digest=made.digest,
    )


def test_windows_line_ends_and_a_byte_order_mark_are_read() -> None:
    assert parse(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode()) == parse(WHOLE.encode())


def test_only_what_changes_facts_changes_the_digest() -> None:
    plain = parse(b"").digest
    for text in ('ignore = ["x"]', 'language = "en"', 'waivers = "x"', '[checks]\nstale-card = "off"'):
        assert parse(text.encode()).digest == plain, text
    for text in ('name = "x"', 'base = "urn:x:"', 'topics = ["t"]', '[folders]\nnote = ["x"]', '[labels]\na = ["b"]',
                 '[levels.x]\nrank = 1\nlabels = ["y"]', 'contrasts = [["a", "b"]]'):  # fmt: skip
        assert parse(text.encode()).digest != plain, text


def test_all_faults_are_told_at_once_with_line_and_mend() -> None:
    told = refused(
        'nmae = "x"\nbase = "kb"\nlanguage = "fr"\nignore = ["/etc/*", "../x"]\ntopics = "one"\n\n'
        '[folders]\npapercard = ["x/*.md"]\n\n[checks]\norphan-citation = "loud"\n\n[levels.lab]\n'
        'rank = 200\nlabel = ["x"]\n'
    )
    assert told.splitlines() == [
        "kbgraph.toml cannot be used:",
        "  line 1: `nmae` is no setting: did you mean `name`?",
        "  line 2: `base`: a base is an absolute IRI that ends in `/`, `#` or `:`, such as `https://example.org/kb/`",
        "  line 3: `language`: input should be 'zh', 'en' or ''",
        "  line 4: `ignore.0`: a glob is relative to the corpus and uses `/`, such as `notes/**/*.md`",
        "  line 4: `ignore.1`: a glob is relative to the corpus and uses `/`, such as `notes/**/*.md`",
        "  line 5: `topics`: input should be a valid list",
        "  line 8: [folders] `papercard` is no kind: did you mean `paper-card`?",
        "  line 11: `checks.orphan-citation`: input should be 'error', 'warning', 'info' or 'off'",
        "  line 13: `levels.lab.labels`: field required",
        "  line 14: `levels.lab.rank`: input should be less than or equal to 100",
        "  line 15: `levels.lab.label` is no setting: did you mean `labels`?",
        "  mend these lines and run again",
    ]


def test_faults_of_checks_are_told_with_the_others() -> None:
    told = refused(
        'fail_on = "error"\nlanguage = "fr"\n\n[checks]\na = 3\n\n'
        '[checks.b]\nseverity = "bad"\nat-most = -1\ndays = [1]\n'
    )
    assert told.splitlines()[1:-1] == [
        "  line 1: `fail_on` is no setting: did you mean `fail-on`?",
        "  line 2: `language`: input should be 'zh', 'en' or ''",
        "  line 5: `checks.a`: input should be 'error', 'warning', 'info' or 'off'",
        "  line 8: `checks.b.severity`: input should be 'error', 'warning', 'info' or 'off'",
        "  line 9: `checks.b.at-most`: input should be a number of findings, 0 or more",
        "  line 10: `checks.b.days`: input should be one value",
    ]
    assert refused("checks = 3").splitlines()[1] == '  line 1: `checks`: write `orphan-citation = "warning"` lines'


def test_values_of_parameters_are_written_as_on_the_command_line() -> None:
    made = parse(b'[checks.x]\na = 3\nb = 0.25\nc = 1e-7\nd = 2026-01-31\ne = "t"\nf = true\ng = 2.0\n').checks
    values = (("a", "3"), ("b", "0.25"), ("c", "0.0000001"), ("d", "2026-01-31"), ("e", "t"), ("f", "true"), ("g", "2"))
    assert made == (("x", "", 0, values),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"name = ", "is no TOML"),
        (b'name = "\xff"', "not UTF-8 (byte 8)"),
        (b'base = "https://example.org/a b/"', "absolute IRI"),
        (b'base = "https://example.org"', "absolute IRI"),
        (b'name = " "', "`name`"),
        (b"name = 1", "`name`: input should be a valid string"),
        (b'contrasts = [["a"]]', "at least 2 items"),
    ],
)
def test_what_cannot_be_is_refused(text: bytes, said: str) -> None:
    with pytest.raises(ConfigError) as told:
        parse(text)
    assert said in str(told.value)


def test_a_corpus_begins_at_the_nearest_mark_upward(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    assert find_root(deep) == deep
    (tmp_path / ".kbgraph").mkdir()
    assert find_root(deep) == tmp_path
    (tmp_path / "a" / "kbgraph.toml").touch()
    assert find_root(deep) == tmp_path / "a"
    assert find_root(tmp_path) == tmp_path


def test_a_disk_or_a_home_is_no_corpus_by_accident(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home" / "me")
    home, notes = tmp_path / "home" / "me", tmp_path / "home" / "me" / "notes"
    notes.mkdir(parents=True)
    assert around(notes) == notes
    for folder in (home, home.parent, Path("/")):
        with pytest.raises(UsageError, match="is no knowledge base"):
            around(folder)
    (home / "kbgraph.toml").touch()
    assert around(home) == home
    assert around(notes) == home


def test_settings_are_kept_until_the_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kbgraph.toml").write_text(WHOLE, encoding="utf-8")
    compact = tmp_path / "settings.bin"
    made = load(tmp_path, compact)
    assert made == parse(WHOLE.encode())
    with monkeypatch.context() as patch:
        patch.setattr("kbgraph.config.schema.parse", None)
        assert load(tmp_path, compact) == made, "read from what was kept"
    (tmp_path / "kbgraph.toml").write_text('name = "other"', encoding="utf-8")
    assert load(tmp_path, compact).name == "other"
    compact.write_bytes(compact.read_bytes()[:-1] + b"?")
    assert load(tmp_path, compact).name == "other", "what is damaged is made anew"
    assert load(tmp_path, tmp_path / "no folder" / "x").name == "other"


def test_a_folder_without_settings_is_named_after_itself(tmp_path: Path) -> None:
    folder = tmp_path / "笔记 2"
    folder.mkdir()
    assert (load(folder).name, load(folder).base) == ("笔记 2", "urn:kb:笔记%202:")


@pytest.mark.parametrize("name", ["kb", 'a "b" \\c', "line\nbreak", "bad\udcff", "中文"])
def test_a_starting_file_can_be_read_back(name: str) -> None:
    text = starting(name, ["retrieval"], "zh", {"paper-card": ["organized/paper_cards/*.md"]})
    made = parse(text.encode())
    assert made.name == name.replace("\n", "\ufffd").replace("\udcff", "\ufffd")
    assert (made.topics, made.lang) == (("retrieval",), "zh")
    assert made.globs[0] == ("organized/paper_cards/*.md", "paper-card")
    uncommented = "\n".join(
        line.removeprefix("# ") if "=" in line or line.startswith("# [") else line for line in text.splitlines()
    )
    assert {"base", "ignore", "labels", "checks"} <= tomllib.loads(uncommented).keys(), "the examples are real ones"


# -- what ships


def test_lexicon_is_the_ontology_s(tmp_path: Path) -> None:
    words = resources.lexicon()
    level = words.by_name["level-original-checked"]
    assert (level.scheme, level.rank, level.pref["en"]) == ("level", 90, "original checked")
    assert fold("原文核查") in level.labels
    assert list(level.labels) == sorted(level.labels, key=lambda label: (-len(label), label))
    assert words.by_name["contrast-arrival-arbitrary"].broader == "contrast-arrival"
    assert words.by_name["quantifier-all"].value == "all"
    compact = tmp_path / "lexicon.bin"
    assert resources.lexicon(compact=compact) == words
    assert compact.exists()
    assert resources.lexicon(compact=compact) == words, "and so is what was kept"
    compact.write_bytes(os.urandom(200))
    assert resources.lexicon(compact=compact) == words, "and what is made anew after damage"


def test_a_corpus_s_own_words_are_added() -> None:
    own = parse(WHOLE.encode())
    words = resources.lexicon(own)
    assert "听说" in words.by_name["level-second-hand"].labels
    assert (words.by_name["level-lab"].rank, words.by_name["level-lab"].labels) == (85, ("lab check", "实验室复核"))
    sets = {c.broader for c in words.scheme("contrast") if "hot" in c.labels}
    assert {name for name in sets if name.startswith("contrast-own")} == {"contrast-own-1"}
    assert words.digest == resources.lexicon_digest(own) != resources.lexicon().digest


def test_a_word_for_an_unknown_concept_is_refused() -> None:
    with pytest.raises(ConfigError, match="did you mean `level-second-hand`"):
        resources.lexicon(parse(b'[labels]\nlevel-secondhand = ["x"]'))


def test_queries_ship_with_name_and_folder() -> None:
    shipped = list(resources.queries())
    assert {q.folder for q in shipped} <= {"checks", "views", "maps", "derive", "faults"}
    orphan = next(q for q in shipped if q.name == "orphan-citation")
    assert orphan.folder == "checks"
    assert orphan.text.startswith("#+ ")
    assert shipped == sorted(shipped)


def test_the_code_digest_changes_with_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "read").mkdir()
    (tmp_path / "read" / "a.py").write_text("x = 1", encoding="utf-8")
    monkeypatch.setattr(resources, "_HERE", tmp_path)
    resources.code_digest.cache_clear()
    before = resources.code_digest("read")
    assert resources.code_digest("read") == before
    (tmp_path / "read" / "a.py").write_text("x = 2", encoding="utf-8")
    resources.code_digest.cache_clear()  # a process has one code
    assert resources.code_digest("read") != before
    resources.code_digest.cache_clear()
