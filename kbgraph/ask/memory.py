"""The history of findings as facts of the graph, and back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

from kbgraph import vocab as v
from kbgraph.ask.history import History, Known, Run
from kbgraph.model import graphs
from kbgraph.model.facts import Term, integer, iri, moment, tagged, text
from kbgraph.model.ntriples import parts
from kbgraph.model.query import Severity

_SEVERITIES: Mapping[Severity, Term] = {"error": v.SH_VIOLATION, "warning": v.SH_WARNING, "info": v.SH_INFO}
_VERBS: Mapping[str, Term] = {
    "fingerprint": v.KB_FINGERPRINT, "check": v.KB_CHECK, "severity": v.SH_RESULT_SEVERITY, "state": v.KB_STATE,
    "path": v.KB_FOUND_IN, "line": v.KB_FOUND_AT, "focus": v.SH_FOCUS_NODE, "first": v.KB_FIRST_SEEN,
    "back": v.KB_BACK_SINCE, "gone": v.KB_GONE_SINCE,
}  # fmt: skip
_RUNS = ("first", "back", "gone")
_GRADES = {term: severity for severity, term in _SEVERITIES.items()}


def node(base: str, fingerprint: str) -> Term:
    """The name of a finding."""
    return iri(f"{base}finding/{fingerprint}")


def run_node(base: str, number: int) -> Term:
    """The name of a run of checks."""
    return iri(f"{base}check-run/{number}")


def edition(history: History) -> str:
    """A hash of all that is remembered."""
    told = repr((sorted(history.findings.values()), sorted(history.runs)))
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def difference(old: History, new: History, base: str) -> tuple[list[str], list[str]]:
    """The triples to take out of the graph of findings and those to put in, where it holds the old history."""
    out = [_edition(old, base)] if old.runs else []
    add = [_edition(new, base)]
    for print_ in old.findings.keys() | new.findings.keys():
        before, after = old.findings.get(print_), new.findings.get(print_)
        if before is None or after is None:
            fields: tuple[str, ...] = Known._fields
        else:  # most have another state, and all else as it was
            fields = tuple(n for n, was, now in zip(Known._fields, before, after, strict=True) if was != now)
        if before is not None and fields:
            out += _finding(before, base, fields)
        if after is not None and fields:
            add += _finding(after, base, fields)
    for run in set(old.runs) ^ set(new.runs):
        (out if run in old.runs else add).extend(_run(run, base))
    return out, add


def _edition(history: History, base: str) -> str:
    return f"{graphs.findings(base)} {v.KB_FINGERPRINT} {text(edition(history))}"


def _run(run: Run, base: str) -> Iterator[str]:
    me = run_node(base, run.number)
    yield f"{me} {v.RDF_TYPE} {v.KB_CHECK_RUN}"
    yield f"{me} {v.KB_ORDINAL} {integer(run.number)}"
    yield f"{me} {v.KB_GRAPH_STATE} {text(run.state)}"
    yield f"{me} {v.PROV_ENDED_AT_TIME} {moment(run.time)}"
    yield from (f"{me} {v.KB_AFTER_ROUND} {one}" for one in run.rounds)


def _finding(known: Known, base: str, fields: Collection[str]) -> Iterator[str]:
    """What these fields of a finding say, as triples."""
    me = node(base, known.fingerprint)
    if "fingerprint" in fields:
        yield f"{me} {v.RDF_TYPE} {v.KB_FINDING}"
    for name in fields:
        value = getattr(known, name)
        if name == "message":
            yield from (f"{me} {v.SH_RESULT_MESSAGE} {tagged(words, lang)}" for lang, words in value)
        elif value:
            yield f"{me} {_VERBS[name]} {_told(name, value, base)}"


def _told(name: str, value: Any, base: str) -> Term:  # noqa: ANN401  (whatever the field holds)
    if name in _RUNS:
        return run_node(base, value)
    if name == "severity":
        return _SEVERITIES[value]
    if name == "line":
        return integer(value)
    return iri(value) if name == "focus" and ":" in value else text(value)


Said = dict[str, list[str]]


def recalled(quads: Iterable[tuple[Term, Term, Term, Term]]) -> History:
    """The history that a graph of findings tells; what is not whole is left out."""
    told: dict[str, Said] = defaultdict(lambda: defaultdict(list))
    for subject, verb, value, _ in quads:
        told[subject][verb].append(value)
    numbers = {me: int(_one(said, v.KB_ORDINAL) or 0) for me, said in told.items() if v.KB_ORDINAL in said}
    runs = (
        Run(
            number, _one(told[me], v.KB_GRAPH_STATE), _one(told[me], v.PROV_ENDED_AT_TIME),
            tuple(sorted(told[me].get(v.KB_AFTER_ROUND, ()))),
        )
        for me, number in numbers.items()
    )  # fmt: skip
    found = (_known(said, numbers) for said in told.values() if v.KB_CHECK in said)
    return History({known.fingerprint: known for known in found if known.first}, tuple(sorted(runs)))


def _one(said: Said, verb: Term) -> str:
    return parts(said[verb][0]).value if verb in said else ""


def _known(said: Said, numbers: Mapping[str, int]) -> Known:
    def run(verb: Term) -> int:
        return numbers.get(said[verb][0], 0) if verb in said else 0

    message = sorted((told.lang, told.value) for told in map(parts, said.get(v.SH_RESULT_MESSAGE, ())))
    severity = _GRADES.get(Term(said.get(v.SH_RESULT_SEVERITY, [""])[0]), "info")
    return Known(
        _one(said, v.KB_FINGERPRINT), _one(said, v.KB_CHECK), severity, _one(said, v.KB_STATE),  # type: ignore[arg-type]
        _one(said, v.KB_FOUND_IN), int(_one(said, v.KB_FOUND_AT) or 1), _one(said, v.SH_FOCUS_NODE), tuple(message),
        run(v.KB_FIRST_SEEN), run(v.KB_BACK_SINCE), run(v.KB_GONE_SINCE),
    )  # fmt: skip
