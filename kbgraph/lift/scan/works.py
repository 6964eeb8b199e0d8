"""What a URL, DOI or arXiv number names, as an Id in the normal form of its kind."""

from __future__ import annotations

import re
from urllib.parse import unquote

from kbgraph.lift.scan import arxiv, urls
from kbgraph.lift.scan.found import Id, IdKind
from kbgraph.model.keys import key_of

_DOI_PATH = re.compile(r"/(10\.\d{4,9}/(?:(?!https?:)[!-$&-~])+)")
_DOI_VIEW = re.compile(r"/(?:abs|abstract|full|pdf|epdf|meta|references|citations?|summary)$|\.pdf$", re.IGNORECASE)
_FOLDED = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_ARXIV_HOSTS = re.compile(r"(?:.*\.)?(?:arxiv\.org|ar5iv\.org|alphaxiv\.org|arxiv-vanity\.com)|.*arxiv.*")
_ARXIV_PATHS = {
    "papers.cool": "/arxiv/",
    "huggingface.co": "/papers/",
    "hf.co": "/papers/",
    "hf-mirror.com": "/papers/",
    "scirate.com": "/arxiv/",
    "semanticscholar.org": "/arxiv/",
    "api.semanticscholar.org": "/arxiv:",
    "emergentmind.com": "/papers/",
}
_S2_PAGE = re.compile(r"/paper/(?:[^/]+/)?([0-9a-f]{40})", re.IGNORECASE)
_S2_CORPUS = re.compile(r"/corpusid:(\d+)", re.IGNORECASE)
_OPENALEX_PAGE = re.compile(r"/(W\d{4,12})$", re.IGNORECASE)
_PUBMED_PAGE = re.compile(r"/(?:pubmed/)?(\d{3,9})/?$")


def resolve(url: str, start: int = 0, end: int = 0) -> Id | None:
    """What a URL names: the work or repository that it shows, else its page; None for badges and what is no web URL."""
    low = url[:9].lower()
    if not low.startswith(("http://", "https://")) and not _is_hosted(url):
        return None
    host, path, _, _ = urls.split(url)
    if not host or "." not in host or urls.is_badge(url):
        return None
    named = _work(host, unquote(path), start, end, url)
    if named is not None:
        return named
    repository = urls.repository(host, path)
    kind: IdKind = "repo" if repository else "url"
    iri = repository or urls.canonical(url)
    return Id(kind, start, end, iri, key_of(iri) if repository else iri, url)


def _is_hosted(url: str) -> bool:
    return next((u.start == 0 for u in urls.find_urls(url)), False)


def _work(host: str, path: str, start: int, end: int, url: str) -> Id | None:
    """The work that a page shows, by what is known of its host."""
    wanted = _ARXIV_PATHS.get(host)
    if (wanted and path.lower().startswith(wanted)) or _ARXIV_HOSTS.fullmatch(host):
        number = arxiv.in_path(path.replace(":", "/") if wanted == "/arxiv:" else path)
        if number is not None:
            return of_number(number, start, end, url)
    if "/10." in path and (doi := _DOI_PATH.search(path)):
        return of_doi(_DOI_VIEW.sub("", doi[1]), start, end, url)
    if host.endswith("openalex.org") and (work := _OPENALEX_PAGE.search(path)):
        return of_iri("openalex", f"https://openalex.org/{work[1].upper()}", start, end, url)
    if host in ("pubmed.ncbi.nlm.nih.gov", "ncbi.nlm.nih.gov") and (pmid := _PUBMED_PAGE.search(path)):
        return of_iri("pmid", f"https://pubmed.ncbi.nlm.nih.gov/{pmid[1]}/", start, end, url)
    if host.endswith("semanticscholar.org"):
        return _s2(path, start, end, url)
    return None


def _s2(path: str, start: int, end: int, url: str) -> Id | None:
    if page := _S2_PAGE.match(path):
        return of_iri("s2", f"https://www.semanticscholar.org/paper/{page[1].lower()}", start, end, url)
    corpus = _S2_CORPUS.fullmatch(path)
    return of_iri("s2", f"https://api.semanticscholar.org/CorpusID:{corpus[1]}", start, end, url) if corpus else None


def of_number(number: arxiv.Number, start: int, end: int, printed: str) -> Id:
    """An Id from an arXiv number."""
    return Id(
        "arxiv", start, end, number.iri, number.key, printed, number.version, "high", number.malformed, number.month
    )


def of_iri(kind: IdKind, iri: str, start: int, end: int, printed: str) -> Id:
    """An Id whose key follows from its IRI."""
    return Id(kind, start, end, iri, key_of(iri), printed)


def of_doi(doi: str, start: int, end: int, printed: str) -> Id:
    """A DOI in small letters; those that arXiv gives out fold to the arXiv work."""
    folded = _FOLDED.fullmatch(doi)
    number = arxiv.in_path("/" + folded[1]) if folded else None
    if number is not None:
        return of_number(number, start, end, printed)
    return of_iri("doi", f"https://doi.org/{doi.lower().rstrip('/.,:;')}", start, end, printed)
