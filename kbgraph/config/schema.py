"""What may stand in `kbgraph.toml`, read strictly: everything wrong with it is told at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from hashlib import blake2b
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from kbgraph.config.checks import check_settings
from kbgraph.errors import ConfigError
from kbgraph.model.facts import iri, segment
from kbgraph.model.settings import DEFAULT_GLOBS, KINDS, Settings

FILE = "kbgraph.toml"


def _base(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*:.*[/#:]", value) or iri(value) != f"<{value}>":
        raise ValueError("a base is an absolute IRI that ends in `/`, `#` or `:`, such as `https://example.org/kb/`")
    return value


def _relative(value: str) -> str:
    if not value or value.startswith("/") or ".." in value.split("/") or "\\" in value:
        raise ValueError("a glob is relative to the corpus and uses `/`, such as `notes/**/*.md`")
    return value


Word = Annotated[str, Field(min_length=1, pattern=r"\S")]
Glob = Annotated[str, AfterValidator(_relative)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Level(_Strict):
    rank: int = Field(ge=0, le=100)
    labels: list[Word] = Field(min_length=1)


class _File(_Strict):
    name: Word | None = None
    base: Annotated[str, AfterValidator(_base)] | None = None
    topics: list[Word] = []
    language: Literal["zh", "en", ""] = ""
    ignore: list[Glob] = []
    waivers: Word = "kbgraph-waivers.toml"
    folders: dict[str, list[Glob]] = {}
    labels: dict[str, list[Word]] = {}
    levels: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")], _Level] = {}
    contrasts: list[Annotated[list[Word], Field(min_length=2)]] = []
    checks: Any = {}
    fail_on: Literal["error", "warning", "info", "never", ""] = Field("", alias="fail-on")


def parse(data: bytes, folder: str = "kb") -> Settings:
    """Settings from the bytes of a kbgraph.toml; ConfigError names every fault with its line and mend."""
    try:
        text = data.decode("utf-8-sig")
        given = tomllib.loads(text.replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{FILE} is not UTF-8 (byte {error.start})", "save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{FILE} is no TOML: {error}", "mend it there; see https://toml.io") from error
    try:
        file = _File.model_validate(given)
    except ValidationError as error:
        _refuse([*_faults(error, text), *_kinds(given, text), *_checks(given, text)])
    _refuse([*_kinds(given, text), *_checks(given, text)])
    return _settings(file, folder)


def _refuse(faults: Iterable[str]) -> None:
    told = sorted(set(faults), key=lambda fault: (int((re.findall(r"\d+", fault) or ["0"])[0]), fault))
    if told:
        raise ConfigError("\n".join([f"{FILE} cannot be used:", *told]), "mend these lines and run again")


def _settings(file: _File, folder: str) -> Settings:
    name = file.name or folder or "kb"
    own = tuple((glob, kind) for kind, globs in file.folders.items() for glob in globs)
    made = Settings(
        name=name,
        base=file.base or iri(f"urn:kb:{segment(name)}:")[1:-1],
        topics=tuple(file.topics),
        lang=file.language,
        globs=own + DEFAULT_GLOBS,
        ignore=tuple(file.ignore),
        labels=tuple((concept, label) for concept, labels in file.labels.items() for label in labels),
        levels=tuple((level, said.rank, tuple(said.labels)) for level, said in file.levels.items()),
        contrasts=tuple(map(tuple, file.contrasts)),
        checks=check_settings(file.checks)[0],
        fail_on=file.fail_on,
        waivers=file.waivers,
    )
    # Only what changes the facts of a file: the rest may change without reading everything again.
    said = repr((made.base, made.topics, made.globs, made.labels, made.levels, made.contrasts))
    return Settings(**{**_fields(made), "digest": blake2b(said.encode(), digest_size=8).hexdigest()})


def _fields(made: Settings) -> Mapping[str, Any]:
    return {name: getattr(made, name) for name in Settings.__dataclass_fields__}


def _kinds(given: Mapping[str, Any], text: str) -> Iterator[str]:
    folders = given.get("folders")
    for kind in folders if isinstance(folders, dict) else ():
        if kind not in KINDS:
            yield f"  line {_line(text, kind)}: [folders] `{kind}` is no kind: {_nearest(kind, KINDS)}"


def _checks(given: Mapping[str, Any], text: str) -> Iterator[str]:
    for fault in check_settings(given.get("checks", {}))[1]:
        steps = ("checks", *fault.steps)
        line = next((at for at in (_line(text, step) for step in reversed(steps)) if at), 1)
        yield f"  line {line}: `{'.'.join(steps)}`: {fault.said}"


def _faults(error: ValidationError, text: str) -> Iterator[str]:
    for fault in error.errors(include_url=False):
        place = [str(step) for step in fault["loc"]]
        if fault["type"] == "extra_forbidden":
            known = (
                _Level.model_fields if place[0] == "levels" else [key.replace("_", "-") for key in _File.model_fields]
            )
            yield f"  line {_line(text, place[-1])}: `{'.'.join(place)}` is no setting: {_nearest(place[-1], known)}"
        else:
            message = fault["msg"].removeprefix("Value error, ")
            line = next((at for at in (_line(text, step) for step in reversed(place)) if at), 1)
            yield f"  line {line}: `{'.'.join(place)}`: {message[0].lower()}{message[1:]}"


def _nearest(word: str, known: Iterable[str]) -> str:
    names = list(known)
    near = get_close_matches(word, names, 1, 0.6)
    return f"did you mean `{near[0]}`?" if near else f"known are {', '.join(sorted(names))}"


def _line(text: str, key: str) -> int:
    """The line on which a key is written, 0 when it cannot be told."""
    bare = re.escape(key)
    found = re.search(rf"""^[ \t]*(?:\[+[^\]\n]*\b)?["']?{bare}["']?[ \t]*(?:=|\.|\])""", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 0
