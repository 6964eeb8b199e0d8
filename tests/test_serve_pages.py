"""The pages as text, what stands before them, and the state that they show."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import kbgraph
from kbgraph.errors import StoreError, UsageError
from kbgraph.workspace import watching
from kbgraph.workspace.serving import State
from kbgraph.workspace.site import Limits, Site
from kbgraph.workspace.watching import follow
from served import DOCUMENT, EVIL, FILES, REPORT, corpus, looked_at

pytest.importorskip("starlette", reason="starlette is not installed: it comes with the extra serve")
pytest.importorskip("httpx", reason="httpx is not installed: it comes with the group dev")
import anyio
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from kbgraph.cli._options import guarded
from kbgraph.render.pages import prose
from kbgraph.serve.app import application
from kbgraph.serve.guard import Guard

HTML = {"accept": "text/html"}
WORK = "https://arxiv.org/abs/2401.10001"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    yield from looked_at(tmp_path_factory.mktemp("kb"))


@pytest.fixture(scope="module")
def client(site: Site) -> TestClient:
    return TestClient(application(site), base_url="http://localhost")


def page(client: TestClient, address: str, lang: str = "en", status: int = 200, /, **params: str) -> str:
    answer = client.get(address, params={**params, "_lang": lang}, headers=HTML)
    assert answer.status_code == status, answer.text
    return answer.text


def words(html: str) -> str:
    """The text of a page on one line."""
    return " ".join(re.sub(r"<[^>]*>", " ", html.partition("<main")[2]).split())


PAGES: dict[str, dict[str, str]] = {
    "/": {}, "/findings": {}, "/works": {}, "/sections": {}, "/section": {"document": DOCUMENT, "number": "1.1"},
    "/thing": {"node": WORK}, "/q": {}, "/q/works": {}, "/q/claims-about-work": {"work": WORK}, "/sparql": {},
    "/graph": {}, "/brief": {},
}  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_one_heading_its_language_and_no_script(client: TestClient, path: str, lang: str) -> None:
    html = page(client, path, lang, **PAGES[path])
    assert f'<html lang="{"zh-CN" if lang == "zh" else "en"}">' in html
    assert html.count("<h1>") == html.count("<main") == 1
    assert "<script" not in html
    assert " style=" not in html
    assert EVIL not in html
    labelled = set(re.findall(r'<label for="([^"]+)"', html))
    fields = set(re.findall(r'<(?:input|select|textarea)[^>]* id="([^"]+)"', html))
    assert fields == labelled, "every field has its label"


def test_the_overview_counts(client: TestClient) -> None:
    told = words(page(client, "/"))
    assert "2 files" in told
    assert "3 works" in told
    assert re.search(r"Listed, never cited orphan-citation error 1 1", told)
    assert "14 of 22 lines understood." in told, "all but the empty ones"
    assert "共 22 行，读懂 14 行。" in words(page(client, "/", "zh"))


def test_findings_are_filtered_and_have_addresses_of_their_own(client: TestClient) -> None:
    html = page(client, "/findings", check="orphan-citation")
    assert "arXiv:2403.10003 is in the citation list, but no sentence cites it" in words(html)
    (address,) = set(re.findall(r'href="(/finding/[0-9a-f]+)"', html))
    told = words(page(client, address))
    assert f"{DOCUMENT} :16" in told
    assert "Why it matters" in told
    assert "0 rows" in words(page(client, "/findings", check="orphan-citation", path="inbox"))
    assert "is not allowed" in words(page(client, "/findings", "en", 400, severity="bad"))
    assert "no finding has the fingerprint" in words(page(client, "/finding/0123456789abcdef", "en", 404))


def test_a_section_shows_statements_and_who_else_states_them(client: TestClient) -> None:
    told = words(page(client, "/section", document=DOCUMENT, number="1.1"))
    assert "1.1 Where names go" in told
    assert "on dense maps 12% fewer names collide. line 9 · original checked" in told
    assert f"{REPORT} :6 · original checked" in told
    assert "has no §9" in words(page(client, "/section", "en", 404, document=DOCUMENT, number="9"))


def test_words_of_a_query_between_back_ticks_are_code(client: TestClient) -> None:
    assert "with <code>since</code> or <code>round</code>" in page(client, "/q/findings-changed")
    assert prose("`<b>` & c") == "<code>&lt;b&gt;</code> &amp; c"


def test_a_saved_query_has_a_form_and_its_rows(client: TestClient) -> None:
    html = page(client, "/q/claims-about-work")
    assert '<input id="p-work" name="work" type="text" value="" required>' in html
    assert "<tbody>" not in html
    assert "it takes no second drawing." in page(
        client, "/q/claims-about-work", work=WORK.replace("1.10001", "2.10002")
    )


def test_the_editor_keeps_the_query_and_shows_the_answer(client: TestClient) -> None:
    html = page(client, "/sparql", query="SELECT ?p { ?x a kb:Report ; kb:path ?p } # </textarea>")
    assert "# &lt;/textarea&gt;" in html
    assert f"<td>{REPORT}</td>" in html
    assert "&lt;b&gt;" in page(client, "/sparql", query="CONSTRUCT { <urn:x:a> <urn:x:b> '<b>' } WHERE {}")
    assert "SERVICE" in words(page(client, "/sparql", "en", 400, query="SELECT * { SERVICE <urn:x> {} }"))


def test_a_drawing_may_run_its_own_scripts_and_no_other(client: TestClient) -> None:
    pytest.importorskip("pyvis", reason="pyvis is not installed: it comes with the extra draw")
    answer = client.get("/drawing", params={"query": "citations"})
    policy = answer.headers["content-security-policy"]
    assert len(re.findall(r"'sha256-[A-Za-z0-9+/]{43}='", policy)) == 2
    assert "script-src 'sha256-" in policy
    assert "default-src 'none'" in policy
    assert client.get("/drawing", params={"focus": "no such thing"}).status_code == 400


def test_the_language_is_kept(site: Site) -> None:
    client = TestClient(application(site), base_url="http://localhost")
    assert "Overview" in client.get("/", headers={**HTML, "accept-language": "en-GB"}).text
    page(client, "/", "zh")
    assert "总览" in client.get("/", headers={**HTML, "accept-language": "en-GB"}).text


# -- who may ask


def test_only_names_of_this_machine_are_answered(site: Site) -> None:
    for host, status in (("localhost:80", 200), ("127.0.0.1", 200), ("[::1]:7878", 200), ("evil.example", 421)):
        client = TestClient(application(site), base_url="http://localhost")
        assert client.get("/health", headers={"host": host}).status_code == status, host


def test_a_token_is_needed_where_one_is_set(site: Site) -> None:
    client = TestClient(application(site, (), "s" * 20), base_url="http://kb.example")
    assert client.get("/").status_code == 401
    assert client.get("/", headers={"authorization": "Bearer " + "s" * 19}).status_code == 401
    assert client.get("/health", headers={"authorization": "Bearer " + "s" * 20}).status_code == 200
    assert client.get("/health", headers={"cookie": f"kbgraph-token={'s' * 20}"}).status_code == 200


def test_a_browser_says_the_token_once(site: Site) -> None:
    token = "s" * 20
    client = TestClient(application(site, (), token), base_url="http://kb.example", follow_redirects=False)
    sent = client.get("/findings", headers=HTML)
    assert (sent.status_code, sent.headers["location"]) == (303, "/login")
    assert 'type="password"' in client.get("/login", headers=HTML).text
    wrong = client.post("/login", data={"token": "no"}, headers=HTML)
    assert (wrong.status_code, "set-cookie" in wrong.headers) == (403, False)
    right = client.post("/login", data={"token": token}, headers=HTML)
    assert (right.status_code, right.headers["location"]) == (303, "/")
    assert "HttpOnly" in right.headers["set-cookie"]
    assert "SameSite=strict" in right.headers["set-cookie"]
    assert client.get("/findings", headers=HTML).status_code == 200


def test_where_no_token_is_set_none_lets_in(site: Site) -> None:
    client = TestClient(application(site), base_url="http://localhost")
    assert client.post("/login", data={"token": ""}).status_code == 403


def test_other_addresses_need_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KBGRAPH_TOKEN", raising=False)
    assert guarded("127.0.0.1") == ""
    for token in ("", "short"):
        monkeypatch.setenv("KBGRAPH_TOKEN", token)
        with pytest.raises(UsageError, match=r"0\.0\.0\.0 can be reached by others"):
            guarded("0.0.0.0")  # noqa: S104  (refused)
    monkeypatch.setenv("KBGRAPH_TOKEN", "s" * 16)
    assert guarded("0.0.0.0") == "s" * 16  # noqa: S104  (as above)


def test_more_askers_than_fit_wait_and_more_than_may_wait_are_sent_away() -> None:
    async def run() -> list[int]:
        free = anyio.Event()
        statuses: list[int] = []

        async def app(_: Scope, __: Receive, send: Send) -> None:
            await free.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        guard = Guard(app, at_once=2, waiting=3)

        async def send(message: Any) -> None:  # noqa: ANN401  (a message of ASGI)
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        async def receive() -> Any:  # noqa: ANN401  (a message of ASGI)
            return {"type": "http.request", "body": b"", "more_body": False}

        scope = {"type": "http", "method": "GET", "headers": [(b"host", b"localhost")]}
        async with anyio.create_task_group() as group:
            for _ in range(7):
                group.start_soon(guard, dict(scope), receive, send)
                await anyio.lowlevel.checkpoint()
            await anyio.sleep(0.05)
            assert statuses == [503, 503]
            free.set()
        return statuses

    assert anyio.run(run) == [503, 503, 200, 200, 200, 200, 200]


# -- the state that is shown


def test_a_reader_keeps_the_state_that_it_began_with(tmp_path: Path) -> None:
    site = Site(kbgraph.open(corpus(tmp_path)))
    site.sync()
    with site.looking() as before:
        assert len(before.workspace.query("works")) == 3
        text = FILES[DOCUMENT] + "- arXiv:2404.10004 - New Here\n"
        for number in range(3):  # the store keeps one state before the newest
            (tmp_path / DOCUMENT).write_text(text + "\n" * number, "utf-8")
            site.sync()
        with site.looking() as after:
            assert len(after.workspace.query("works")) == 4
            assert after is not before
    assert before.old
    assert site.table("SELECT (COUNT(DISTINCT ?e) AS ?n) { ?e biro:references ?w }")[0].rows == ((4,),)
    site.close()


def test_what_another_process_publishes_is_shown(tmp_path: Path) -> None:
    site = Site(kbgraph.open(corpus(tmp_path)))
    site.sync()
    assert len(site.saved("works", {})[0]) == 3
    (tmp_path / DOCUMENT).write_text(FILES[DOCUMENT] + "- arXiv:2404.10004 - New Here\n", "utf-8")
    with kbgraph.open(tmp_path) as other:
        other.sync()
    assert site.turn()
    assert len(site.saved("works", {})[0]) == 4
    assert not site.turn()
    site.close()


def test_a_reader_never_sees_half_an_update(tmp_path: Path) -> None:
    """Every state has as many entries as it declares: two files change together, in one published state each time."""
    count = (
        "SELECT (COUNT(DISTINCT ?m) AS ?files) { ?m kb:path ?p ; dcterms:title ?t FILTER(CONTAINS(STR(?t), 'v%s')) }"
    )
    names = [f"notes/{n}.md" for n in range(12)]
    corpus(tmp_path, dict.fromkeys(names, "# Note v0\n"))
    site = Site(kbgraph.open(tmp_path), Limits(at_once=2))
    site.sync()
    over, seen = threading.Event(), set[tuple[object, object]]()

    def read() -> None:
        while not over.is_set():
            rows = site.table(f"SELECT ?a ?b {{ {{ {count % 0} }} {{ {count.replace('?files', '?b') % 1} }} }}"
                              .replace("?files", "?a"))[0].rows  # fmt: skip
            seen.update((row[0], row[1]) for row in rows)

    reader = threading.Thread(target=read)
    reader.start()
    for version in (1, 0, 1):
        for name in names:
            (tmp_path / name).write_text(f"# Note v{version}\n" + "\n" * version, "utf-8")
        site.sync()
    over.set()
    reader.join()
    site.close()
    assert seen <= {(12, 0), (0, 12)}
    assert seen


def test_a_saved_file_is_shown_and_checked_by_the_watcher(tmp_path: Path) -> None:
    site = Site(kbgraph.open(corpus(tmp_path)))
    site.sync()
    over, done = threading.Event(), threading.Event()

    def wait() -> None:
        while not over.is_set():
            with site.looking() as state:
                if len(state.workspace.query("works")) == 4 and len(state.workspace.query("findings")) > 0:
                    done.set()
                    return
            over.wait(0.05)

    threads = [threading.Thread(target=follow, args=(site, over, True)), threading.Thread(target=wait)]
    for thread in threads:
        thread.start()
    (tmp_path / DOCUMENT).write_text(FILES[DOCUMENT] + "- arXiv:2404.10004 - New Here\n", "utf-8")
    try:
        assert done.wait(60)
    finally:
        over.set()
        for thread in threads:
            thread.join()
        site.close()


def test_a_graph_in_memory_is_served_and_follows_the_files(tmp_path: Path) -> None:
    site = Site(kbgraph.open(corpus(tmp_path), store="memory:"))
    site.sync()
    count = "SELECT (COUNT(DISTINCT ?e) AS ?n) { ?e biro:references ?w }"
    assert site.table(count)[0].rows == ((3,),)
    (tmp_path / DOCUMENT).write_text(FILES[DOCUMENT] + "- arXiv:2404.10004 - New Here\n", "utf-8")
    site.sync()
    assert site.table(count)[0].rows == ((4,),)
    site.check()
    assert {row["check"] for row in site.saved("findings", {})[0]} >= {"orphan-citation"}
    site.close()


def test_without_notices_of_the_system_the_folder_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Iterator[bool]:
        raise OSError(28, "no more files can be watched")

    monkeypatch.setattr(watching, "_told", refuse)
    over = threading.Event()
    looks = watching.looks(tmp_path, over)
    assert [next(looks), next(looks)] == [True, True]
    over.set()
    assert list(looks) == []


def test_of_two_that_turn_at_once_one_opens_the_new_state_and_none_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site(kbgraph.open(corpus(tmp_path)))
    site.sync()
    opened, meet = list[State](), threading.Barrier(2)
    slow = Site._opened

    def seen(self: Site) -> State:
        threading.Event().wait(0.2)
        opened.append(slow(self))
        return opened[-1]

    monkeypatch.setattr(Site, "_opened", seen)
    assert len(site.saved("works", {})[0]) == 3
    (tmp_path / DOCUMENT).write_text(FILES[DOCUMENT] + "- arXiv:2404.10004 - New Here\n", "utf-8")
    with kbgraph.open(tmp_path) as other:
        other.sync()

    def turn() -> bool:
        meet.wait()
        return site.turn()

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(lambda _: turn(), range(2))) == [False, True]
    assert [state.old for state in opened] == [True, False]
    site.close()


def test_no_fault_ends_the_watching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site(kbgraph.open(corpus(tmp_path)))
    over, syncs = threading.Event(), iter((ValueError("odd"), StoreError("the disk is full", "make room"), None))

    def fail(self: Site) -> None:
        assert self is site
        error = next(syncs)
        if error is None:
            over.set()
            return
        raise error

    told = list[str]()
    monkeypatch.setattr(Site, "sync", fail)

    def looks(*_: object) -> Iterator[bool]:
        for _turn in range(3):
            told.append(site.trouble)
            yield True

    monkeypatch.setattr(watching, "looks", looks)
    follow(site, over, watch=True)
    site.close()
    assert over.is_set()
    assert told == ["", "ValueError: odd", "the disk is full\n  make room"]


def test_what_keeps_the_graph_back_is_told_on_every_page(tmp_path: Path) -> None:
    site = Site(kbgraph.open(corpus(tmp_path)))
    site.sync()
    client = TestClient(application(site), base_url="http://localhost")
    site.trouble = "kbgraph.toml: <no> such key"
    assert "The graph is not up to date: kbgraph.toml: &lt;no&gt; such key" in page(client, "/works")
    site.close()
