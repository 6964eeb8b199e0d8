"""The name people use for a thing, from its IRI."""

from __future__ import annotations

import re
from urllib.parse import unquote

from kbgraph.model.facts import segment

# IRI prefix -> what people write before the rest.
_FORMS = (
    ("https://arxiv.org/abs/", "arXiv:"),
    ("https://doi.org/", "doi:"),
    ("https://openalex.org/", "openalex:"),
    ("urn:isbn:", "ISBN "),
    ("https://pubmed.ncbi.nlm.nih.gov/", "PMID "),
    ("https://github.com/", ""),
    ("https://gitlab.com/", ""),
)
_REPO = re.compile(r"[\w.-]+/[\w.-]+")


def key_of(iri: str) -> str:
    """`arXiv:2502.07115`, `doi:10.1145/…`, `owner/name`, else the URL itself, readable."""
    for prefix, spoken in _FORMS:
        if iri.startswith(prefix):
            return spoken + unquote(iri[len(prefix) :]).rstrip("/")
    return unquote(iri)


def iris_of(key: str) -> tuple[str, ...]:
    """IRIs that a spoken name may stand for, as `key_of` speaks: `doi:…`, `ISBN …`, `owner/name`."""
    found = ((prefix, spoken, key[len(spoken) :].strip()) for prefix, spoken in _FORMS)
    return tuple(
        prefix + segment(rest if spoken.startswith("openalex") else rest.lower())
        for prefix, spoken, rest in found
        if rest and key.lower().startswith(spoken.lower()) and (spoken or _REPO.fullmatch(rest))
    )
