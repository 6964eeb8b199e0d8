"""Rows become findings that people can read and that stay the same finding tomorrow."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

import pytest

from kbgraph.ask import memory
from kbgraph.ask.findings import Files, findings, judged_hash, spoken
from kbgraph.ask.header import parse_query
from kbgraph.ask.history import History, Known, Run, remembered
from kbgraph.ask.report import Circumstances, check_report
from kbgraph.ask.waiver_file import parse_waivers
from kbgraph.ask.waivers import BUILT_IN, Waiver, paste
from kbgraph.errors import BrokenError, ConfigError
from kbgraph.model.facts import Term
from kbgraph.model.finding import CheckResult, Finding, Place
from kbgraph.model.lexicon import Concept, make_lexicon
from kbgraph.model.ntriples import split
from kbgraph.model.query import Cell, SavedQuery, Table
from rq import CHECK

NS = "https://w3id.org/kbgraph/ns#"
BASE = "urn:kb:t:"
TODAY = dt.date(2026, 11, 2)
COLUMNS = ("entry", "key", "path", "line", "n")
Row = tuple[Cell, ...]


def check(*changes: tuple[str, str], name: str = "not-cited") -> SavedQuery:
    text = CHECK
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse_query(text, name, "check", "shipped")


def found(query: SavedQuery, *rows: Row) -> tuple[Finding, ...]:
    return findings(query, Table(tuple(c.name for c in query.columns), rows))


def work(number: int) -> str:
    return f"https://arxiv.org/abs/2401.{number:05}"


def row(number: int = 1, path: str = "k/a.md", line: int = 5, n: int = 0) -> Row:
    return (f"urn:kb:t:{path}#b-{number}", work(number), path, line, n)


def test_a_row_becomes_a_finding() -> None:
    (finding,) = found(check(), row(7, n=2))
    assert finding == Finding(
        check="not-cited", severity="error", path="k/a.md", line=5, end_line=5, focus="urn:kb:t:k/a.md#b-7",
        key="arXiv:2401.00007", message={"en": "arXiv:2401.00007 is not cited", "zh": "arXiv:2401.00007 没有引用"},
        fix={"en": "Cite it.", "zh": "引用它。"}, fingerprint=finding.fingerprint,
        values=(("entry", "urn:kb:t:k/a.md#b-7"), ("key", work(7)), ("path", "k/a.md"), ("line", 5), ("n", 2)),
    )  # fmt: skip


def test_a_fingerprint_outlives_lines_and_counts_and_nothing_else() -> None:
    first = found(check(), row(1, line=5, n=0))[0].fingerprint
    assert found(check(), row(1, line=99, n=3))[0].fingerprint == first
    others = [row(2), row(1, path="k/b.md")]
    prints = {f.fingerprint for other in others for f in found(check(), other)}
    prints |= {found(check(name="other"), row(1))[0].fingerprint, first}
    assert len(prints) == 4
    assert all(len(p) == 16 and int(p, 16) >= 0 for p in prints)


def test_values_cannot_be_moved_between_columns_of_a_fingerprint() -> None:
    one, other = (None, "ab", "c", 1, 0), (None, "a", "bc", 1, 0)
    assert len({f.fingerprint for r in (one, other) for f in found(check(), r)}) == 2


def test_rows_that_agree_are_one_finding_with_related_places() -> None:
    one, two = found(check(), row(1, line=5), row(2, line=6), row(1, line=30), row(1, line=9), row(1, line=5))
    assert (one.key, one.line, one.related) == ("arXiv:2401.00001", 5, (Place("k/a.md", 30), Place("k/a.md", 9)))
    assert (two.key, two.related) == ("arXiv:2401.00002", ())


WHERE = """\
#+   where: {role: related_path, label: {en: W, zh: 处}}
#+   at: {role: related_line, label: {en: A, zh: 行}}
#+   said: {role: related_text, label: {en: S, zh: 文}}
#+   key:"""
RELATED = (
    ("SELECT ?entry ", "SELECT ?entry ?where ?at ?said "),
    ("GROUP BY ?entry ", "GROUP BY ?entry ?where ?at ?said "),
    ("#+   key:", WHERE),
)


def related(path: str | None, line: int | None, text: str | None) -> Row:
    return ("urn:e", path, line, text, work(1), "k/a.md", 5, 0)


@pytest.mark.parametrize(
    ("rows", "places"),
    [
        ([related("k/b.md", 3, "one\n two")], (Place("k/b.md", 3, "one two"),)),
        ([related("k/b.md", 3, "one"), related("k/c.md", 4, None)], (Place("k/b.md", 3, "one"), Place("k/c.md", 4))),
        ([related("k/b.md", 3, "one"), related("k/b.md", 3, "one")], (Place("k/b.md", 3, "one"),)),
        ([related(None, 8, None)], (Place("k/a.md", 8),)),
        ([related("k/b.md", None, None)], (Place("k/b.md", 0),)),
        ([related("k/a.md", 5, "itself")], ()),
        ([related(None, None, None)], ()),
    ],
)
def test_related_places_come_from_columns(rows: Sequence[Row], places: tuple[Place, ...]) -> None:
    (finding,) = found(check(*RELATED), *rows)
    assert finding.related == places


def test_several_key_columns_make_a_tuple_and_none_takes_the_focus() -> None:
    two = check(("role: measure", "role: key"))
    assert found(two, row(3, n=4))[0].key == ("arXiv:2401.00003", "4")
    none = check(("role: key", "role: value"))
    assert found(none, (work(9), work(9), "k/a.md", 1, 0))[0].key == "arXiv:2401.00009"


def test_a_row_may_have_its_own_severity_and_last_line() -> None:
    own = check(("role: measure", "role: severity"))
    assert found(own, (*row(1)[:4], "info"))[0].severity == "info"
    assert found(own, (*row(1)[:4], None))[0].severity == "error"
    with pytest.raises(BrokenError, match="severity `fatal` in a row"):
        found(own, (*row(1)[:4], "fatal"))
    ending = check(("role: measure", "role: end_line"))
    assert [found(ending, row(1, line=5, n=n))[0].end_line for n in (8, 5, 2)] == [8, 5, 5]


def test_a_row_without_a_place_still_is_a_finding() -> None:
    (finding,) = found(check(), (None, None, None, None, None))
    assert (finding.path, finding.line, finding.focus, finding.key) == ("", 0, "", "")
    assert finding.message["en"] == "— is not cited"


def test_suggestions_are_filled() -> None:
    text = check(("#+ judged", '#+ suggest: "see {key} ({n})"\n#+ judged'))
    assert found(text, row(1, n=3))[0].suggest == f"see {work(1)} (3)"
    assert found(check(), row(1))[0].suggest is None


LEXICON = make_lexicon([Concept("level-second-hand", "level", (), {"en": "second-hand", "zh": "转述"})], "x")


@pytest.mark.parametrize(
    ("cell", "lang", "text"),
    [
        (None, "en", "—"),
        (True, "en", "true"),
        (12, "en", "12"),
        (12.0, "en", "12"),
        (0.5, "en", "0.5"),
        ("https://arxiv.org/abs/2401.10001v2", "en", "arXiv:2401.10001v2"),
        ("https://github.com/o/n", "en", "o/n"),
        (NS + "level-second-hand", "zh", "转述"),
        (NS + "level-second-hand", "en", "second-hand"),
        (NS + "level-unheard-of", "en", "level-unheard-of"),
        ("a\n  b\tc", "en", "a b c"),
        ("https://x.example/%0Ab", "en", "https://x.example/ b"),
        ("https://x.example/ and more", "en", "https://x.example/ and more"),
        ("x" * 300, "en", "x" * 239 + "…"),
        ("{path}", "en", "{path}"),
    ],
)
def test_how_a_cell_is_spoken(cell: Cell, lang: str, text: str) -> None:
    assert spoken(cell, lang, LEXICON) == text


def test_braces_in_data_are_not_filled_again() -> None:
    (finding,) = found(check(), (None, "{path} {x}", "k/a.md", 1, 0))
    assert finding.message["en"] == "{path} {x} is not cited"


# -- a run of checks


class Answers:
    """A store that answers each check's own text, and says yes to every sanity condition."""

    def __init__(self, **answers: Sequence[Row] | BrokenError) -> None:
        self.answers = answers

    def __call__(self, text: str, _timeout: float, _max_rows: int) -> Table:
        """The rows of the check whose name stands in the text."""
        if "?seen" in text:
            return Table(("seen",), ((1,),))
        answer = next(rows for name, rows in self.answers.items() if name in text)
        if isinstance(answer, BrokenError):
            raise answer
        return Table(COLUMNS, tuple(answer), len(answer))


def named(name: str, severity: str = "error") -> SavedQuery:
    return check(("severity: error", f"severity: {severity}"), ("?x kb:label", f"?{name} kb:label"), name=name)


ONE, TWO = named("one", "warning"), named("two")
BOTH = {"one": [row(1, line=9), row(2, line=3)], "two": [row(3, path="k/b.md"), row(4, path="k/a.md")]}


def test_a_report_is_sorted_by_severity_path_line_check() -> None:
    report = check_report([TWO, ONE], Answers(**BOTH), Circumstances())
    assert [(f.severity, f.path, f.line, f.check) for f in report.findings] == [
        ("error", "k/a.md", 5, "two"), ("error", "k/b.md", 5, "two"), ("warning", "k/a.md", 3, "one"),
        ("warning", "k/a.md", 9, "one"),
    ]  # fmt: skip
    assert report.checks == (CheckResult("one", "findings", 2), CheckResult("two", "findings", 2))
    assert report.fixed == ()


def test_a_broken_check_is_not_a_clean_one_and_stops_no_other() -> None:
    answers = Answers(one=BrokenError("the query was stopped: 10 s", "narrow it"), two=())
    report = check_report([ONE, TWO], answers, Circumstances())
    assert report.checks == (
        CheckResult("one", "broken", 0, "the query was stopped: 10 s; narrow it"), CheckResult("two", "clean", 0),
    )  # fmt: skip


def test_a_profile_moves_severities_and_switches_checks_off() -> None:
    report = check_report([ONE, TWO], Answers(**BOTH), Circumstances(severities={"one": "info", "two": "off"}))
    assert {(f.check, f.severity) for f in report.findings} == {("one", "info")}
    assert report.checks[1] == CheckResult("two", "skipped", 0, "switched off")


def known(print_: str, check: str = "two", gone: int = 0) -> Known:
    return Known(print_, check, "error", "still", "k/a.md", 5, "", (), 1, 0, gone)


def earlier(*all_: Known, run: int = 3) -> Circumstances:
    return Circumstances(history=History({k.fingerprint: k for k in all_}), run=run)


def test_states_tell_what_is_new_still_there_back_and_gone() -> None:
    a, b, c, d = (found(TWO, row(n))[0].fingerprint for n in (1, 2, 3, 4))
    before = earlier(known(a), known(b), known(c, gone=2), known("e" * 16, "one"))
    report = check_report([TWO], Answers(two=[row(1), row(3), row(4)]), before)
    assert {f.fingerprint: f.state for f in report.findings} == {a: "still", c: "regressed", d: "new"}
    assert report.fixed == (b,), "a finding of a check that did not run is not fixed"


def test_a_check_that_broke_fixes_nothing() -> None:
    before = earlier(known("a" * 16, "one"))
    assert check_report([ONE], Answers(one=BrokenError("x", "y")), before).fixed == ()
    assert check_report([ONE], Answers(one=()), before).fixed == ("a" * 16,)


# -- waivers


def waived(text: str, *, rows: Sequence[Row] = (row(1),), whole: bool = True) -> list[tuple[str, str, str, int]]:
    known = Circumstances(waivers=parse_waivers(text, "w.toml"), waiver_file="w.toml", today=TODAY, whole=whole)
    report = check_report([TWO, *BUILT_IN], Answers(two=rows), known)
    return [(f.check, f.state, f.path, f.line) for f in report.findings]


PRINT = found(TWO, row(1))[0].fingerprint
JUDGED = judged_hash(TWO, found(TWO, row(1))[0])
OPEN, WAIVED = ("two", "new", "k/a.md", 5), ("two", "waived", "k/a.md", 5)
EXPIRED, UNUSED = ("expired-waiver", "new", "w.toml", 1), ("unused-waiver", "new", "w.toml", 1)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (f'fingerprint = "{PRINT}"', [WAIVED]),
        ('check = "two"\npath = "k/a.md"\nkey = "arXiv:2401.00001"', [WAIVED]),
        ('check = "two"\nkey = "arXiv:2401.00001"', [WAIVED]),
        ('check = "two"\npath = "k/b.md"', [OPEN, UNUSED]),
        ('check = "one"\npath = "k/a.md"', [OPEN, UNUSED]),
        (f'fingerprint = "{"0" * 16}"', [OPEN, UNUSED]),
        (f'fingerprint = "{PRINT}"\nuntil = 2026-11-02', [WAIVED]),
        (f'fingerprint = "{PRINT}"\nuntil = 2026-11-01', [OPEN, EXPIRED]),
        (f'fingerprint = "{PRINT}"\njudged = "{JUDGED}"', [WAIVED]),
        (f'fingerprint = "{PRINT}"\njudged = "{"0" * 16}"', [OPEN, EXPIRED]),
    ],
)
def test_waivers(fields: str, told: list[tuple[str, str, str, int]]) -> None:
    assert waived(f'[[waiver]]\nreason = "seen"\n{fields}\n') == told


def test_a_waiver_of_a_check_that_did_not_run_is_not_unused() -> None:
    other = '[[waiver]]\nreason = "seen"\ncheck = "one"\npath = "k/a.md"\n'
    assert waived(other, whole=False) == [OPEN]
    own = other.replace("one", "two").replace("a.md", "z.md")
    assert waived(own, whole=False) == [OPEN, UNUSED]


def test_a_waiver_is_not_unused_where_its_check_could_not_look() -> None:
    def stopped(_text: str, _seconds: float, _rows: int) -> Table:
        raise BrokenError("the query was stopped", "narrow it")

    for text in (
        f'[[waiver]]\nreason = "a"\nfingerprint = "{PRINT}"\n',
        '[[waiver]]\nreason = "a"\ncheck = "two"\nkey = "k"\n',
    ):
        known = Circumstances(waivers=parse_waivers(text, "w.toml"), waiver_file="w.toml", today=TODAY, whole=True)
        assert [f.check for f in check_report([TWO, *BUILT_IN], stopped, known).findings] == []
        off = replace(known, severities={"two": "off"})
        assert [f.check for f in check_report([TWO, *BUILT_IN], stopped, off).findings] == []


def test_a_second_waiver_that_holds_is_enough() -> None:
    text = f'[[waiver]]\nreason = "a"\nfingerprint = "{PRINT}"\nuntil = 2020-01-01\n'
    text += f'\n[[waiver]]\nreason = "b"\nfingerprint = "{PRINT}"\n'
    assert waived(text) == [WAIVED, EXPIRED]


def test_a_pasted_waiver_is_right_once_it_has_a_reason() -> None:
    text = paste(TWO, found(TWO, row(1))[0])
    with pytest.raises(ConfigError, match=r"line 1: `reason`"):
        parse_waivers(text, "w.toml")
    assert waived(text.replace('reason = ""', 'reason = "known"')) == [WAIVED]
    assert waived(text.replace('reason = ""', 'reason = "known"'), rows=[]) == [UNUSED]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[[waiver]]\nfingerprint = "x"\nreason = "r"', "line 1: `fingerprint`: string should match"),
        ('# c\n\n[[waiver]]\ncheck = "a"\nreason = "r"', "line 3: names no finding: give `fingerprint`"),
        ('[[waiver]]\ncheck = "a"\nkey = "k"\nreason = " "', "line 1: `reason`: string should match"),
        ('[[waiver]]\ncheck = "a"\nkey = "k"\nreason = "r"\nuntil = "tomorrow"', "line 1: `until`: input should be"),
        ('[[waiver]]\ncheck = "a"\nkey = "k"\nreason = "r"\nexpires = 2026-01-01', "line 1: `expires`: extra inputs"),
        ('[waiver]\ncheck = "a"', "`waiver` is no list"),
        ('[[waver]]\ncheck = "a"', "unknown key `waver`: waivers stand under"),
        ("[[waiver]", "is no TOML"),
    ],
)
def test_wrong_waivers_are_told(text: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_waivers(text, "w.toml")
    assert told in caught.value.message


def test_all_wrong_waivers_are_told_together() -> None:
    text = '[[waiver]]\ncheck = "a"\nkey = "k"\n\n[[waiver]]\nreason = "r"\n'
    with pytest.raises(ConfigError) as caught:
        parse_waivers(text, "w.toml")
    assert [line.split(":")[1].strip() for line in caught.value.message.split("\n")[1:]] == ["line 1", "line 5"]


def test_a_waiver_covers_any_of_several_keys() -> None:
    finding = replace(found(TWO, row(1))[0], key=("a", "b"))
    assert Waiver(1, "", "two", "", "b", "r").covers(finding)
    assert not Waiver(1, "", "two", "", "c", "r").covers(finding)


# -- what earlier runs found


def runs(*states: tuple[int, str]) -> list[tuple[str, str]]:
    """State of each finding and what went, run by run: a state of the graph, and the works that are not cited on it."""
    history, told, graph = History(), [], set[str]()
    for seq, works in states:
        now = Run(
            history.run(str(seq)), str(seq), "2026-11-02T03:00:00+00:00", ("<urn:kb:t:round/r%201>",) if seq > 1 else ()
        )
        report = check_report(
            [TWO], Answers(two=[row(int(n)) for n in works]), Circumstances(history=history, run=now.number)
        )
        new = remembered(history, report, now)
        out, add = memory.difference(history, new, BASE)
        assert set(out) <= graph
        graph = (graph - set(out)) | set(add)
        history = memory.recalled((*split(triple), Term("")) for triple in graph)
        assert (dict(history.findings), history.runs) == (dict(new.findings), new.runs), "the graph tells all of it"
        named = {found(TWO, row(n))[0].fingerprint: str(n) for n in range(1, 6)}
        states_ = " ".join(f"{named[f.fingerprint]}:{f.state}" for f in sorted(report.findings, key=lambda f: f.key))
        told.append((states_, " ".join(sorted(named[p] for p in report.fixed))))
    return told


def test_the_same_graph_gives_the_same_states_however_often() -> None:
    assert runs((1, "12"), (1, "12"), (1, "12")) == [("1:new 2:new", "")] * 3
    assert runs((1, "12"), (2, "23"), (2, "23"))[1:] == [("2:still 3:new", "1")] * 2


def test_what_comes_back_has_regressed_and_what_was_never_there_is_new() -> None:
    assert runs((1, "1"), (2, ""), (3, "12"), (3, "12"), (4, "12"), (7, "2"), (8, "12")) == [
        ("1:new", ""), ("", "1"), ("1:regressed 2:new", ""), ("1:regressed 2:new", ""), ("1:still 2:still", ""),
        ("2:still", "1"), ("1:regressed 2:still", ""),
    ]  # fmt: skip


def test_what_other_settings_showed_on_the_same_graph_never_was() -> None:
    assert runs((1, "1"), (2, "12"), (2, "1"), (3, "12"))[2:] == [("1:still", ""), ("1:still 2:new", "")]
    assert runs((1, "12"), (2, "1"), (2, "12"), (3, "12"))[1:] == [
        ("1:still", "2"), ("1:still 2:still", ""), ("1:still 2:still", ""),
    ]  # fmt: skip


def test_a_state_that_the_graph_had_long_ago_is_a_run_of_its_own() -> None:
    history = History(runs=(Run(1, "7", ""), Run(2, "9", "")))
    assert (history.run("9"), history.run("7"), history.run("8")) == (2, 3, 3)


def test_a_check_that_broke_keeps_its_memory() -> None:
    first = Run(1, "1", "")
    history = remembered(History(), check_report([TWO], Answers(two=[row(1)]), Circumstances()), first)
    broken = check_report([TWO], Answers(two=BrokenError("x", "y")), Circumstances())
    assert remembered(history, broken, Run(2, "2", "")).findings == history.findings


def test_a_check_that_is_gone_is_forgotten() -> None:
    history = History({p: known(p, check) for p, check in (("a" * 16, "one"), ("b" * 16, "two"))})
    kept = remembered(history, check_report([], Answers(), Circumstances()), Run(4, "4", ""), ["two"])
    assert set(kept.findings) == {"b" * 16}


def test_only_what_is_other_is_written() -> None:
    a = known("a" * 16)
    old, new = (History({a.fingerprint: k}, (Run(1, "1", "t"),)) for k in (a, a._replace(state="fixed", gone=1)))
    out, add = memory.difference(old, new, BASE)
    me = "<urn:kb:t:finding/aaaaaaaaaaaaaaaa>"
    assert [line for line in out if line.startswith(me)] == [f'{me} <{NS}state> "still"']
    assert sorted(line for line in add if line.startswith(me)) == [
        f"{me} <{NS}goneSince> <urn:kb:t:check-run/1>", f'{me} <{NS}state> "fixed"',
    ]  # fmt: skip
    assert len(out) == 2, "and the graph's own mark"


def test_a_damaged_graph_of_findings_tells_what_is_whole() -> None:
    a = known("a" * 16)
    out, add = memory.difference(History(), History({a.fingerprint: a}, (Run(1, "1", "t"),)), BASE)
    assert out == []
    assert memory.recalled(()) == History()
    torn = [line for line in add if "ordinal" not in line]
    assert memory.recalled((*split(line), Term("")) for line in torn) == History()


# -- files that have another name, or another title

FILES = Files({"k/a.md": "work <x>", "k/b.md": "title b", "notes/c.md": "title b"}, "urn:kb:t:")
KEYED = check(("fingerprint: [path, key]", "fingerprint: [path, entry]"))


def prints(files: Files, *rows: Row, query: SavedQuery = TWO) -> list[str]:
    return [f.fingerprint for f in findings(query, Table(COLUMNS, rows), None, files)]


def test_a_renamed_file_has_its_findings_still() -> None:
    renamed = Files({"old/z.md": "work <x>"}, "urn:kb:t:")
    assert prints(FILES, row(1)) == prints(renamed, row(1, path="old/z.md", line=90))
    assert prints(FILES, row(1)) != prints(renamed, row(2, path="old/z.md"))
    assert prints(Files(), row(1)) != prints(Files(), row(1, path="old/z.md")), "a file that nothing is known of"


def test_things_in_a_renamed_file_and_a_corpus_under_another_name_are_the_same() -> None:
    moved = Files({"old/z z.md": "work <x>"}, "https://example.org/kb/")
    there = ("https://example.org/kb/old/z%20z.md#b-1", work(1), "old/z z.md", 5, 0)
    assert prints(FILES, row(1), query=KEYED) == prints(moved, there, query=KEYED)


def test_two_files_that_are_known_by_the_same_keep_two_findings() -> None:
    b, c = row(1, path="k/b.md"), row(1, path="notes/c.md")
    both = prints(FILES, b, c)
    assert len(set(both)) == 2
    assert prints(FILES, c, b) == both[::-1], "whatever the order of the rows"
    assert prints(FILES, b) == both[:1], "the file that came first is the one without a number"
    assert prints(Files(dict(list(FILES.identities.items())[::-1]), "urn:kb:t:"), b, c) == both[::-1]


def test_the_history_follows_a_file_that_has_another_title() -> None:
    old, new = (Files({"k/a.md": title}) for title in ("title a", "title b"))
    assert prints(old, row(1)) != prints(new, row(1))
    assert followed_states(old, row(1), new, row(1, line=7)) == ["still"]


def test_the_history_follows_a_file_without_a_title_to_its_new_name() -> None:
    assert followed_states(Files({"a.txt": "text x"}), row(1, path="a.txt"), Files({"b.txt": "text y"}),
                           row(1, path="b.txt")) == ["still"]  # fmt: skip
    both = Files({"a.txt": "text x", "b.txt": "text y"})
    assert followed_states(both, row(1, path="a.txt"), both, row(1, path="b.txt")) == ["new"], "both files are there"


def followed_states(before: Files, first: Row, after: Files, second: Row) -> list[str]:
    one = Run(1, "1", "")
    report = check_report([TWO], Answers(two=[first]), Circumstances(files=before))
    history = remembered(History(), report, one)
    report = check_report([TWO], Answers(two=[second]), Circumstances(files=after, history=history, run=2))
    assert len(report.fixed) == (report.findings[0].state == "new")
    return [f.state for f in report.findings]
