"""The name people use for a thing, from its IRI."""

from __future__ import annotations

from urllib.parse import unquote

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


def key_of(iri: str) -> str:
    """`arXiv:2502.07115`, `doi:10.1145/…`, `owner/name`, else the URL itself, readable."""
    for prefix, spoken in _FORMS:
        if iri.startswith(prefix):
            return spoken + unquote(iri[len(prefix) :]).rstrip("/")
    return unquote(iri)
