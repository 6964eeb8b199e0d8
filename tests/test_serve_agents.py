"""The tools for agents, asked by the official client: over standard input and output, and over HTTP."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kbgraph
from conftest import ROOT
from kbgraph.workspace.site import Site
from served import DOCUMENT, FILES, REPORT, corpus, looked_at, started

pytest.importorskip("mcp", reason="mcp is not installed: it comes with the extra mcp")
import anyio
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from kbgraph.serve.agents import server
from kbgraph.serve.questions import WORKED, Tools, _first

NAMES = [
    "describe_graph", "list_queries", "run_query", "sparql", "explain_finding", "trace", "get_section", "changes_since",
    "brief", "verify",
]  # fmt: skip
WORK = "https://arxiv.org/abs/2402.10002"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    yield from looked_at(tmp_path_factory.mktemp("kb"))


def call(tools: Tools, tool: str, /, **given: Any) -> tuple[bool, str]:  # noqa: ANN401  (arguments of a tool)
    """Whether a tool failed, and its text."""

    async def ask() -> tuple[bool, str]:
        async with Client(server(tools)) as client:
            told = await client.call_tool(tool, given)
            return bool(told.is_error), "".join(getattr(part, "text", "") for part in told.content)

    return anyio.run(ask)


def answer(site: Site, tool: str, /, **given: Any) -> Any:  # noqa: ANN401  (JSON)
    failed, text = call(Tools(site, sync=False), tool, **given)
    assert not failed, text
    return json.loads(text)


def test_all_tools_say_that_they_only_read(site: Site) -> None:
    async def ask() -> list[Any]:
        async with Client(server(Tools(site))) as client:
            return list((await client.list_tools()).tools)

    tools = anyio.run(ask)
    assert [tool.name for tool in tools] == NAMES
    assert all(t.annotations.read_only_hint and not t.annotations.open_world_hint for t in tools)
    assert all(len(t.description) > 40 for t in tools)
    (params,) = (tool.input_schema["properties"] for tool in tools if tool.name == "run_query")
    assert params["limit"]["maximum"] == 500


def test_the_description_has_what_is_there_and_queries_that_work(site: Site) -> None:
    told = answer(site, "describe_graph")
    assert told["classes"]["kb:KnowledgeDoc"] == 1
    assert told["predicates"]["kb:path"] == 2
    assert told["counts"]["works"] == 3
    assert [one["sparql"] for one in told["worked"]] == [text for _, text in WORKED]
    found = [answer(site, "sparql", query=one["sparql"]) for one in told["worked"]]
    assert found[2]["rows"][0][0] == "https://arxiv.org/abs/2401.10001"
    assert [one["columns"][0] for one in found] == ["path", "text", "work"]


def test_rows_come_in_pages(site: Site) -> None:
    first = answer(site, "run_query", name="works", limit=2)
    assert [row[0][-5:] for row in first["rows"]] == ["10001", "10002"]
    assert (first["total"], first["next_offset"]) == (3, 2)
    rest = answer(site, "run_query", name="works", limit=2, offset=2)
    assert [row[0][-5:] for row in rest["rows"]] == ["10003"]
    assert "next_offset" not in rest


def test_parameters_are_typed(site: Site) -> None:
    told = answer(site, "run_query", name="claims-about-work", params={"work": WORK})
    assert told["rows"][0][:3] == ["it takes no second drawing.", DOCUMENT, 10]
    failed, text = call(Tools(site), "run_query", name="claims-about-work", params={"work": "no iri"})
    assert failed
    assert "is no iri" in text


def test_queries_are_found_by_words(site: Site) -> None:
    told = answer(site, "list_queries", kind="check", words="从不")
    assert told["total"] == len(told["queries"])
    told = answer(site, "list_queries", words="claims-about-work")
    assert told == {"queries": [{"name": "claims-about-work", "kind": "view", "title": told["queries"][0]["title"],
                                 "params": {"work": "iri"}}], "total": 1}  # fmt: skip


def test_sparql_is_paged_and_guarded(site: Site) -> None:
    told = answer(site, "sparql", query="SELECT ?p { ?m kb:path ?p } ORDER BY ?p", limit=1)
    assert told == {"columns": ["p"], "rows": [[REPORT]], "total": 2, "next_offset": 1}
    failed, text = call(Tools(site), "sparql", query="SELECT * { SERVICE <http://localhost:1/> { ?s ?p ?o } }")
    assert failed
    assert "SERVICE would ask another host" in text
    failed, text = call(Tools(site), "sparql", query="CONSTRUCT { ?m a kb:Report } WHERE { ?m a kb:Report }")
    assert not failed
    assert "a kb:Report" in text


def test_a_finding_is_explained_from_its_fingerprint(site: Site) -> None:
    rows = answer(site, "run_query", name="findings", params={"check": "orphan-citation"})
    fingerprint = rows["rows"][0][rows["columns"].index("fingerprint")]
    failed, text = call(Tools(site), "explain_finding", fingerprint=fingerprint)
    assert not failed
    assert "arXiv:2403.10003" in text
    assert DOCUMENT in text


def test_a_statement_is_traced_and_several_are_told_as_such(site: Site) -> None:
    failed, text = call(Tools(site), "trace", what=f"{DOCUMENT}:9")
    assert not failed
    assert f"← told by {REPORT}:6" in text or f"← in the same words in {REPORT}:6" in text
    assert "Independent sources: 1" in text
    failed, text = call(Tools(site), "trace", what="no such words")
    assert failed
    assert "no statement says `no such words`" in text


def test_a_section_has_statements_with_their_other_places(site: Site) -> None:
    for name in ("labels§1.1", f"{DOCUMENT}§1.1", "labels.md §1.1"):
        told = answer(site, "get_section", section=name)
        assert told["statements"][0] == {
            "line": 9, "text": "on dense maps 12% fewer names collide.",
            "level": "https://w3id.org/kbgraph/ns#level-original-checked", "also": [f"{REPORT}:6"],
        }  # fmt: skip
    failed, text = call(Tools(site), "get_section", section="maps§1")
    assert failed
    assert f"documents are {DOCUMENT}" in text


def test_changes_since_a_day(site: Site) -> None:
    told = answer(site, "changes_since", since="2020-01-01", limit=500)
    assert "orphan-citation" in {row[told["columns"].index("check")] for row in told["rows"]}
    assert answer(site, "changes_since", since="2999-01-01")["total"] == 0


def test_changes_since_a_round_name_its_files_that_are_not_as_then(tmp_path: Path) -> None:
    """One report of the first round was corrected after its manifest was drawn up."""
    kb = shutil.copytree(ROOT / "examples" / "research-kb", tmp_path / "kb", ignore=shutil.ignore_patterns(".kbgraph"))
    site = Site(kbgraph.open(kb))
    site.sync()
    told = answer(site, "changes_since", since="2f9d41c8")
    assert told["files"] == [["inbox/sable/2026-10-25-critical-read.md", "changed"]]
    failed, text = call(Tools(site), "changes_since", since="no-round")
    assert failed
    assert "there is no round `no-round`" in text
    site.close()


def test_long_lists_tell_how_long_they_are() -> None:
    assert _first("x", range(3)) == {"x": [0, 1, 2]}
    told = _first("x", range(600))
    assert (len(told["x"]), told["x_total"]) == (500, 600)  # type: ignore[arg-type]  # (a list)


def test_a_brief_comes_in_pages(site: Site) -> None:
    failed, first = call(Tools(site), "brief", topic="labels", lang="en", limit=200)
    assert not failed
    assert first.startswith("# labels · nightly brief")
    assert "go on with offset=200]" in first


def test_a_written_brief_is_held_against_the_graph_and_no_other_file_is_opened(site: Site) -> None:
    failed, told = call(Tools(site), "verify", path=REPORT, lang="en")
    assert not failed
    assert "lines understood" in told.splitlines()[-1]
    failed, told = call(Tools(site), "verify", path="../outside.md")
    assert (failed, "is no file of the folder" in told) == (True, True)


def test_over_standard_input_and_output_what_is_saved_is_seen(tmp_path: Path) -> None:
    kb = corpus(tmp_path)
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "kbgraph", "mcp", "--kb", str(kb)], env=dict(os.environ)
    )

    async def ask() -> list[int]:
        async with Client(stdio_client(command)) as client:
            found = [await _total(client)]
            (kb / DOCUMENT).write_text(FILES[DOCUMENT] + "- arXiv:2404.10004 - New Here\n", "utf-8")
            await anyio.sleep(1.1)
            return [*found, await _total(client)]

    assert anyio.run(ask) == [3, 4]


async def _total(client: Client) -> int:
    told = await client.call_tool("run_query", {"name": "works"})
    return int(json.loads(getattr(told.content[0], "text", "{}"))["total"])


def test_over_http(tmp_path: Path) -> None:
    with started(corpus(tmp_path), "--http", command="mcp") as address:

        async def ask() -> int:
            async with Client(address) as client:
                return await _total(client)

        assert anyio.run(ask) == 3
