"""The servers as a user starts them, asked by the clients that people have."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from rdflib import Dataset, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore

from served import DOCUMENT, FILES, REPORT, corpus, started

pytest.importorskip("uvicorn", reason="uvicorn is not installed: it comes with the extra serve")

PATHS = "SELECT ?path WHERE { ?m <https://w3id.org/kbgraph/ns#path> ?path } ORDER BY ?path"
CURL = shutil.which("curl")


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus(tmp_path_factory.mktemp("kb"))


@pytest.fixture(scope="module")
def address(kb: Path) -> Iterator[str]:
    with started(kb) as found:
        yield found


@pytest.mark.skipif(not CURL, reason="curl is not installed")
def test_curl(address: str) -> None:
    asked = [str(CURL), "-sS", "--data-urlencode", f"query={PATHS}", "-H", "Accept: text/csv", f"{address}sparql"]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["path", REPORT, DOCUMENT]
    climbing = [str(CURL), "-sS", "--path-as-is", "-o", "/dev/null", "-w", "%{http_code}", f"{address}../../etc/passwd"]
    assert subprocess.run(climbing, capture_output=True, text=True, check=True).stdout == "404"
    long = [str(CURL), "-sS", "-o", "/dev/null", "-w", "%{http_code}", f"{address}q?{'x' * 40_000}"]
    assert subprocess.run(long, capture_output=True, text=True, check=True).stdout == "414"


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
def test_rdflib(address: str, method: str) -> None:
    store = SPARQLStore(f"{address}sparql", method=method)
    rows = [str(row[0]) for row in store.query(PATHS)]  # type: ignore[index]  # (rows of a SELECT)
    assert rows == [REPORT, DOCUMENT]
    graph = Dataset(store=store, default_union=True)
    found = {str(o) for o in graph.objects(None, URIRef("https://w3id.org/kbgraph/ns#path"))}
    assert found == {REPORT, DOCUMENT}


def test_sparqlwrapper(address: str) -> None:
    wrapper = pytest.importorskip("SPARQLWrapper", reason="SPARQLWrapper is not installed: it comes with the group dev")
    client = wrapper.SPARQLWrapper(f"{address}sparql")
    client.setReturnFormat(wrapper.JSON)
    client.setQuery(PATHS)
    told = client.query().convert()
    assert [row["path"]["value"] for row in told["results"]["bindings"]] == [REPORT, DOCUMENT]
    client.setReturnFormat(wrapper.XML)
    client.setMethod(wrapper.POST)
    assert "<uri>" not in client.query().convert().toxml()
    client.setQuery("CONSTRUCT { ?m ?p ?o } WHERE { ?m a <https://w3id.org/kbgraph/ns#Report> ; ?p ?o }")
    client.setReturnFormat(wrapper.TURTLE)
    assert b"critical-read.md" in client.query().convert()


def test_a_saved_file_is_seen_at_once(address: str, kb: Path) -> None:
    def entries() -> int:
        with urllib.request.urlopen(f"{address}q/works?_format=json") as answer:  # noqa: S310  (our own server)
            return int(json.load(answer)["total"])

    assert entries() == 3
    (kb / DOCUMENT).write_text(FILES[DOCUMENT] + "- arXiv:2404.10004 - New Here\n", "utf-8")
    begun = time.monotonic()
    while entries() == 3 and time.monotonic() - begun < 20:
        time.sleep(0.02)
    assert entries() == 4


@pytest.mark.slow
def test_two_hundred_at_once(address: str) -> None:
    def ask(number: int) -> int:
        path = ("q/works", "sparql?query=ASK%7B%7D&format=json", "findings", "health")[number % 4]
        with urllib.request.urlopen(f"{address}{path}", timeout=120) as answer:  # noqa: S310  (our own server)
            answer.read()
            return int(answer.status)

    with ThreadPoolExecutor(200) as pool:
        assert set(pool.map(ask, range(600))) == {200}


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=60)


def test_a_taken_port_is_told(address: str, kb: Path) -> None:
    port = address.rstrip("/").rpartition(":")[2]
    done = command("-m", "kbgraph", "serve", "--kb", str(kb), "--port", port)
    assert done.returncode == 2
    assert f"127.0.0.1:{port} cannot be taken" in done.stderr


@pytest.mark.parametrize(
    ("name", "library", "extra"),
    [("serve", "uvicorn", "serve"), ("serve", "starlette", "serve"), ("mcp", "mcp", "mcp")],
)
def test_without_the_extra_the_mend_is_told(kb: Path, name: str, library: str, extra: str) -> None:
    code = f"import sys; sys.modules['{library}'] = None; from kbgraph.cli import main; main(sys.argv[1:])"
    done = command("-c", code, name, "--kb", str(kb))
    assert done.returncode == 2
    assert f"pip install 'kbgraph[{extra}]'" in done.stderr


def test_the_help_loads_no_framework() -> None:
    code = (
        "import sys; from kbgraph.cli import group; group.main(['--help'], standalone_mode=False); "
        "print([m for m in ('starlette', 'uvicorn', 'mcp', 'anyio', 'watchfiles') if m in sys.modules])"
    )
    assert command("-c", code).stdout.endswith("[]\n")
