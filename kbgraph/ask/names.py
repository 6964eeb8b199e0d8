"""Names in a query: prefixes that the ontology uses, and those that it lacks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches

from kbgraph.ask.safety import Danger
from kbgraph.ask.tokens import Token, code, expand, prefixes, tokenise
from kbgraph.model.prefixes import NS, PREFIXES
from kbgraph.model.query import QueryKind

# Kind of a saved query -> the folder under queries/ that holds it.
FOLDERS: Mapping[QueryKind, str] = {"check": "checks", "view": "views", "map": "maps", "derive": "derive"}

# Properties whose texts carry a language: `"题目"` is not `"题目"@zh`.
TAGGED = frozenset(
    PREFIXES[prefix] + name
    for prefix, name in (("dcterms", "title"), ("schema", "text"), ("skos", "prefLabel"), ("skos", "altLabel"))
)


def _prefix(token: Token) -> str:
    return token.text.partition(":")[0] if token.kind == "pname" else ""


def with_prefixes(text: str) -> str:
    """The query with a declaration for each known prefix that it uses and does not declare, on its first line."""
    live = code(tokenise(text))
    declared = prefixes(live)
    lacking = sorted({p for t in live if (p := _prefix(t)) in PREFIXES and p not in declared})
    return " ".join([*(f"PREFIX {p}: <{PREFIXES[p]}>" for p in lacking), text])


def unknown(live: list[Token], terms: Collection[str]) -> Iterator[Danger]:
    """Prefixes that are not declared or stand for other addresses, and `kb:` names not among `terms` (if any)."""
    declared = prefixes(live)
    for token in live:
        if token.kind == "pname" and _prefix(token) not in declared:
            known = PREFIXES.get(_prefix(token))
            mend = f"add `PREFIX {_prefix(token)}: <{known or '…'}>`"
            yield Danger(token.line, f"prefix `{_prefix(token)}:` is not declared", mend)
        elif token.kind in ("pname", "iri") and terms:
            local = expand(token, declared).removeprefix(NS)
            if expand(token, declared).startswith(NS) and local and local not in terms:
                near = get_close_matches(local, terms, 1)
                mend = f"is it kb:{near[0]}?" if near else "see ontology/README.md"
                yield Danger(token.line, f"the ontology has no kb:{local}", mend)
    for name, target in declared.items():
        if PREFIXES.get(name, target) != target:
            line = next(t.line for t in live if t.text == f"{name}:")
            mend = "take another prefix for your address"
            yield Danger(line, f"prefix `{name}:` stands for <{PREFIXES[name]}>", mend)


def untagged(live: list[Token], strings: Collection[str] = ()) -> Iterator[Danger]:
    """Plain texts, and string parameters, asked for as what carries a language in the graph: they never match."""
    declared = prefixes(live)
    for before, token, after in zip(live, live[1:], live[2:], strict=False):
        text = token.kind == "string" and after.kind != "lang" and after.text != "^^"
        given = token.kind == "var" and token.name.removeprefix("_") in strings and token.name.startswith("_")
        if (text or given) and before.kind in ("pname", "iri") and expand(before, declared) in TAGGED:
            mend = f"write `{before.text} ?text FILTER(STR(?text) = {token.text})`"
            yield Danger(token.line, f"texts of {before.text} carry a language, which this lacks", mend)
