"""Classes that the graph leaves to its ontology, asked for by the property that tells them."""

from __future__ import annotations

import re
from functools import lru_cache

from kbgraph.ask.tokens import Token, code, expand, prefixes, tokenise
from kbgraph.vocab import IMPLIED, RDF_TYPE

_NAMES = "|".join(sorted({name.rpartition("#")[2].rpartition("/")[2] for name in IMPLIED}))
# Where such a class may be asked for: most queries never do, and need not be taken apart.
_ASKED = re.compile(rf"(?:\ba|[Tt]ype>?|,|[\r\n])\s*[^\s,]*(?:{_NAMES})\b")


@lru_cache(maxsize=256)
def stated(text: str) -> str:
    """The query with `?x a kb:Claim` as `?x schema:text ?some`, and so on for every class that no rdf:type states."""
    if not _ASKED.search(text):
        return text
    tokens = tokenise(text)
    places = [at for at, token in enumerate(tokens) if token.kind not in ("space", "comment")]
    live, declared, out = [tokens[at] for at in places], prefixes(code(tokens)), [token.text for token in tokens]
    classes = False  # within the classes of `?x a kb:Claim, kb:Note`
    for at in range(_after_template(live), len(live) - 1):
        listed = live[at].text == ","
        classes = _is_type(live, at, declared) or (classes and (listed or live[at].kind in ("iri", "pname")))
        named, told = live[at + 1], ""
        if classes and named.kind in ("iri", "pname"):
            told = IMPLIED.get(expand(named, declared), "")
        if told:
            out[places[at]] = ";" if listed else told
            out[places[at + 1]] = f"{told if listed else ''} ?_implied{at}"
            if at + 2 < len(live) and live[at + 2].text == ",":
                out[places[at + 2]] = "; a"
    return "".join(out)


def unseen(text: str) -> list[str]:
    """Such classes that a query names where nothing can stand for them: there it finds nothing."""
    tokens = code(tokenise(stated(text)))
    declared = prefixes(tokens)
    named = (t.text for t in tokens if t.kind in ("iri", "pname") and expand(t, declared) in IMPLIED)
    return list(dict.fromkeys(named))


def _is_type(live: list[Token], at: int, declared: dict[str, str]) -> bool:
    """Whether the token is `a`, or `rdf:type` where a verb may stand (and not a row of VALUES begin)."""
    token = live[at]
    spelled = token.kind in ("iri", "pname") and f"<{expand(token, declared)}>" == RDF_TYPE
    if at and live[at - 1].text in ("|", "/", "^", "!"):
        return False  # a step of a path
    return token.text == "a" or (spelled and live[at - 1].text not in ("(", "{", ","))


def _after_template(live: list[Token]) -> int:
    """Where the patterns begin: what CONSTRUCT puts together is no question; its short form is both, and stays."""
    head = next((at for at, token in enumerate(live) if token.key == "CONSTRUCT"), None)
    if head is None:
        return 0
    closing = (at for at, token in enumerate(live) if at > head and token.text == "}")
    return next(closing, len(live)) if head + 1 < len(live) and live[head + 1].text == "{" else len(live)
