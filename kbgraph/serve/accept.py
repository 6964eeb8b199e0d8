"""Which of the forms that an answer can take the asker would rather have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

# Form -> media types by which it is asked for; the first is what it is sent as.
MEDIA: Mapping[str, tuple[str, ...]] = {
    "json": ("application/sparql-results+json", "application/json"),
    "xml": ("application/sparql-results+xml", "application/xml", "text/xml"),
    "csv": ("text/csv",),
    "tsv": ("text/tab-separated-values",),
    "ttl": ("text/turtle",),
    "nt": ("application/n-triples",),
    "rdf": ("application/rdf+xml",),
    "jsonld": ("application/ld+json",),
    "html": ("text/html", "application/xhtml+xml"),
}

# What clients call a form in `format=`, where they mean another than a form of this name.
_CALLED = {"xml": "rdf", "json": "jsonld", "turtle": "ttl", "n3": "ttl", "rdf+xml": "rdf", "json-ld": "jsonld"}


def named(said: str, forms: Iterable[str]) -> str:
    """The form that `format=` means, by its name or a media type; "" when it is none of them."""
    offered = tuple(forms)
    of_media = (form for form in offered if said in MEDIA[form])
    return said if said in offered else next((f for f in (_CALLED.get(said, ""), *of_media) if f in offered), "")


def best(accept: str, forms: Iterable[str]) -> str:
    """The form that an Accept header wants most, the first of equals; "" when it wants none of them."""
    wanted = list(_ranges(accept or "*/*"))
    graded = [(max((_grade(media, wanted) for media in MEDIA[form]), default=0.0), form) for form in forms]
    grade, form = max(graded, key=lambda pair: pair[0], default=(0.0, ""))
    return form if grade > 0 else ""


def _ranges(accept: str) -> Iterator[tuple[str, float]]:
    for part in accept.split(",")[:50]:
        media, *params = (piece.strip().lower() for piece in part.split(";"))
        said = next((p[2:] for p in params if p.startswith("q=")), "1")
        try:
            yield media, min(max(float(said), 0.0), 1.0)
        except ValueError:
            yield media, 0.0


def _grade(media: str, wanted: list[tuple[str, float]]) -> float:
    """The weight of the narrowest range that holds a media type."""
    ranges = (media, f"{media.partition('/')[0]}/*", "*/*")
    return next((weight for one in ranges for name, weight in wanted if name == one), 0.0)


def content_type(form: str) -> str:
    """The Content-Type of a form; texts say their encoding."""
    media = MEDIA[form][0]
    return f"{media}; charset=utf-8" if media.startswith("text/") else media
