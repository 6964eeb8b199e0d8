"""The drawing in a real browser, opened as a file: what is seen, clicked, typed, and that nothing is asked for."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import kbgraph
from conftest import ROOT
from kbgraph.ask.layout import CARD, TALL
from kbgraph.model.drawing import Drawing, Edge, Node
from kbgraph.render.drawing import LOOKS, render_drawing

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed: it comes with the group dev")
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402  (only where selenium is)
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.skipif(not BROWSER, reason="chromium is not installed"),
    pytest.mark.skipif(not DRIVER, reason="chromedriver is not installed"),
    pytest.mark.slow,
]
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
PATIENCE = 20.0  # seconds that a crowded machine may take for what takes a frame
EVIL = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">'\"`${1}"
LONG = "极长的标题" * 60


class Page:
    """A page in the browser, asked through its own script."""

    def __init__(self, driver: Any) -> None:  # noqa: ANN401  (selenium's driver, where selenium is)
        self.driver = driver

    def open(self, path: Path, *, size: tuple[int, int] = (1400, 900), dark: bool = False) -> Page:
        """Load a file at a size of the window, and forget what was logged before."""
        self.resize(*size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        self.driver.get("about:blank")
        for kind in ("browser", "performance"):
            self.driver.get_log(kind)
        self.driver.get(path.as_uri())
        return self

    def resize(self, wide: int, high: int) -> None:
        """Give the window another size."""
        about = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", about)

    def js(self, script: str, *arguments: object) -> Any:  # noqa: ANN401  (whatever the script gives back)
        """Value of a script in the page."""
        return self.driver.execute_script(f"return {script}", *arguments)

    def wait(self, script: str, *arguments: object) -> None:
        """Until a script gives something true."""
        end = time.monotonic() + PATIENCE
        while not self.js(script, *arguments):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.05)

    def text(self, selector: str) -> str:
        """Visible text of the first element, "" when there is none."""
        found = self.driver.find_elements(By.CSS_SELECTOR, selector)
        return str(found[0].text) if found else ""

    def press(self, text: str) -> None:
        """Click the first button of the panel that has this text in it."""
        buttons = self.driver.find_elements(By.CSS_SELECTOR, "#panel button")
        next(button for button in buttons if text in button.text).click()

    def at(self, node: str) -> tuple[int, int]:
        """Where a node stands in the window."""
        where = (
            "(p => { const r = room.getBoundingClientRect(); return [r.x + p.x, r.y + p.y]; })"
            "(net.canvasToDOM(net.getPosition(arguments[0])))"
        )
        x, y = self.js(where, node)
        return round(x), round(y)

    def mouse(self, x: int, y: int, *, click: bool = False) -> None:
        """Move the mouse to a place in the window, and click there."""
        chain = ActionChains(self.driver)
        chain.w3c_actions.pointer_action.move_to_location(x, y)  # type: ignore[no-untyped-call]
        if click:
            chain.w3c_actions.pointer_action.click()
        chain.perform()

    def boxes(self) -> dict[str, tuple[float, float, float, float]]:
        """Left, top, right and bottom of every node that is shown, in pixels of the room."""
        found = self.js(
            "view.getIds().map(id => { const { x, y, shape } = net.body.nodes[id];"
            " const dx = shape.width / 2, dy = shape.height / 2;"
            " const a = net.canvasToDOM({ x: x - dx, y: y - dy }), z = net.canvasToDOM({ x: x + dx, y: y + dy });"
            " return [id, a.x, a.y, z.x, z.y]; })"
        )
        return {name: tuple(box) for name, *box in found}

    def whole(self) -> bool:
        """Whether every node is inside the room, and the drawing fills most of it one way or the other."""
        wide, high = self.js("[room.clientWidth, room.clientHeight]")
        left, top, right, bottom = zip(*self.boxes().values(), strict=True)
        inside = min(left) >= 0 and min(top) >= 0 and max(right) <= wide and max(bottom) <= high
        scale = float(self.js("net.getScale()"))
        filled = max((max(right) - min(left)) / wide, (max(bottom) - min(top)) / high) > 0.85
        return inside and (filled or scale == pytest.approx(1.2))

    def pixel(self, x: float, y: float) -> tuple[int, ...]:
        """Colour of one pixel of the canvas."""
        canvas = "room.querySelector('canvas').getContext('2d')"
        return tuple(self.js(f"[...{canvas}.getImageData(arguments[0], arguments[1], 1, 1).data]", round(x), round(y)))

    def quiet(self) -> None:
        """Nothing was logged, nothing was asked of a network."""
        assert self.driver.get_log("browser") == []
        assert self.js("performance.getEntriesByType('resource').map(entry => entry.name)") == []
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
        assert [url for url in sent if not url.startswith(("file:", "data:"))] == []
        assert len([url for url in sent if url.startswith("file:")]) == 1


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """One browser with a profile of its own."""
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    profile = tmp_path_factory.mktemp("profile")
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield Page(driver)
    driver.quit()


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Draws the example and gives the page's file."""
    folder = tmp_path_factory.mktemp("example")
    workspace = kbgraph.open(shutil.copytree(ROOT / "examples" / "research-kb", folder / "kb"), store="memory:")
    workspace.sync()

    def draw(lang: str = "en", **what: Any) -> Path:  # noqa: ANN401  (options of Workspace.drawing)
        made = workspace.drawing(lang=lang, **what)
        path = folder / "page.html"
        path.write_text(workspace.render(made, "html", lang), "utf-8")
        return path

    return draw


def small(folder: Path, *, text: str = "a sentence", focus: str = "") -> Path:
    """A section, two claims and a work; returns the page's file."""
    nodes = (
        Node("urn:x:a.md#s", "§1 Labels", "Section", "notes/a.md", 4, "", "", 0, 0),
        Node("urn:x:claim/1", text, "Claim", "notes/a.md", 6, text, "level-original-checked", 296, -60),
        Node("urn:x:claim/2", LONG, "Claim", "notes/a.md", 7, LONG, "", 296, 0),
        Node("https://arxiv.org/abs/2401.10001", "arXiv:2401.10001 Title", "Work", "", 0, "", "", 592, 0),
    )
    edges = (
        Edge("urn:x:a.md#s", "urn:x:claim/1", "asserts", 1, ("notes/a.md:6",)),
        Edge("urn:x:a.md#s", "urn:x:claim/2", "asserts", 1, ("notes/a.md:7",)),
        Edge("urn:x:claim/1", "https://arxiv.org/abs/2401.10001", "about"),
    )
    named = {"Claim": {"en": "claim", "zh": "断言"}, "level-original-checked": {"en": "read", "zh": "核查"}}
    path = folder / "small.html"
    drawing = Drawing(text, nodes, edges, 4, 3, named, focus)
    path.write_text(render_drawing(drawing, "en"), "utf-8")
    return path


PAGES = [
    {"query": "citations"},
    {"query": "references", "lang": "zh"},
    {"query": "section-references"},
    {"focus": "arXiv:2507.34485", "lang": "zh"},
    {"focus": "inference§3.1"},
    {"focus": "organized/knowledge/inference.md", "hops": 2, "lang": "zh"},
    {"focus": "halyard-ai/skiff"},
]


@pytest.mark.parametrize("what", PAGES, ids=lambda what: " ".join(str(value) for value in what.values()))
def test_the_example_is_shown_whole_and_asks_for_nothing(
    browser: Page, example: Callable[..., Path], what: dict[str, Any]
) -> None:
    browser.open(example(**what))
    browser.wait("net.getScale() !== 1")
    assert browser.whole()
    boxes = browser.boxes()
    assert len(boxes) == browser.js("data.nodes.length") > 10
    scale = browser.js("net.getScale()")
    assert max((right - left) / scale for left, _, right, _ in boxes.values()) <= CARD + 1
    assert max((bottom - top) / scale for _, top, _, bottom in boxes.values()) <= TALL + 1
    covered = [
        (one, two)
        for (one, a), (two, b) in combinations(boxes.items(), 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]
    assert covered == []
    browser.quiet()


@pytest.fixture
def frozen(browser: Page) -> Iterator[Page]:
    """The browser, giving pages no animation frame: what they draw, they draw at once."""
    added = browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": "window.requestAnimationFrame = () => 0;"}
    )
    yield browser
    browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_it_is_fitted_and_drawn_before_the_next_frame(frozen: Page, example: Callable[..., Path]) -> None:
    frozen.open(example(query="references"))
    for size in ((1400, 900), (1000, 500), (700, 900), (1800, 1100)):
        frozen.resize(*size)
        frozen.wait(f"innerWidth === {size[0]} && room.querySelector('canvas').width === room.clientWidth")
        assert frozen.whole()
        colours = {node["id"]: LOOKS[node["kind"]].colour for node in frozen.js("data.nodes")}
        for name, (left, _, _, bottom) in frozen.boxes().items():
            drawn = frozen.pixel(left + 3, bottom - 3)
            assert "#{:02x}{:02x}{:02x}".format(*drawn[:3]) == colours[name]


def test_whoever_has_zoomed_keeps_the_view_until_asking_for_all(browser: Page, tmp_path: Path) -> None:
    browser.open(small(tmp_path), size=(900, 700))
    wheel = ScrollOrigin.from_viewport(*browser.at("urn:x:a.md#s"))
    for _ in range(8):
        ActionChains(browser.driver).scroll_from_origin(wheel, 0, -400).perform()
    browser.wait("moved")
    browser.resize(880, 700)
    browser.wait("innerWidth === 880 && room.querySelector('canvas').width === room.clientWidth")
    assert not browser.whole()
    browser.driver.find_element(By.ID, "whole").click()
    assert browser.whole()


def test_a_click_shows_name_place_text_and_neighbours(browser: Page, tmp_path: Path) -> None:
    browser.open(small(tmp_path))
    browser.mouse(*browser.at("urn:x:claim/1"), click=True)
    browser.wait("chosen === 'urn:x:claim/1'")
    assert browser.text("#panel h2") == "a sentence"
    assert browser.text("#panel .soft + p, #place") == "notes/a.md:6"
    assert "claim · read" in browser.text("#panel")
    heads = [head.text for head in browser.driver.find_elements(By.CSS_SELECTOR, "#panel h3")]
    assert heads == ["← asserts 1", "→ about 1"]
    items = [item.text for item in browser.driver.find_elements(By.CSS_SELECTOR, "#panel li")]
    assert items == ["▭ §1 Labels\nnotes/a.md:6", "● arXiv:2401.10001 Title"]
    browser.quiet()


def test_a_neighbour_in_the_panel_moves_on_and_takes_the_keyboard_along(browser: Page, tmp_path: Path) -> None:
    browser.open(small(tmp_path, focus="urn:x:a.md#s"))
    assert browser.text("#panel h2") == "§1 Labels"
    browser.press("a sentence")
    browser.press("arXiv:2401.10001")
    assert browser.text("#panel h2") == "arXiv:2401.10001 Title"
    assert browser.js("net.getSelectedNodes()") == ["https://arxiv.org/abs/2401.10001"]
    assert browser.js("document.activeElement.tagName") == "H2"
    link = browser.driver.find_element(By.CSS_SELECTOR, "#panel a")
    assert link.get_attribute("href") == "https://arxiv.org/abs/2401.10001"
    assert link.get_attribute("rel") == "noopener noreferrer"
    browser.press("All nodes")
    assert browser.text("#panel h2") == "All nodes"
    assert browser.js("net.getSelectedNodes()") == []


def test_an_edge_tells_its_ends_its_name_and_its_places(browser: Page, tmp_path: Path) -> None:
    browser.open(small(tmp_path))
    (x, y), (right, low) = browser.at("urn:x:a.md#s"), browser.at("urn:x:claim/1")
    browser.mouse((x + right) // 2 - 40, (y + low) // 2)
    browser.mouse((x + right) // 2, (y + low) // 2)
    browser.wait("[...document.querySelectorAll('.vis-tooltip')].some(tip => tip.style.visibility === 'visible')")
    assert browser.text(".vis-tooltip") == "§1 Labels → a sentence\nasserts\nnotes/a.md:6"


def test_search_selects_what_it_finds_and_enter_goes_from_one_to_the_next(browser: Page, tmp_path: Path) -> None:
    browser.open(small(tmp_path))
    browser.driver.find_element(By.TAG_NAME, "body").send_keys("/")
    assert browser.js("document.activeElement.id") == "search"
    search = browser.driver.find_element(By.ID, "search")
    search.send_keys("NOTES/a.md")
    assert browser.text("#panel h2") == "3 nodes found"
    assert sorted(browser.js("net.getSelectedNodes()")) == ["urn:x:a.md#s", "urn:x:claim/1", "urn:x:claim/2"]
    search.send_keys(Keys.ENTER)
    assert browser.text("#panel h2") == "§1 Labels"
    search.send_keys(Keys.ENTER)
    assert browser.js("net.getSelectedNodes()") == ["urn:x:claim/1"]
    search.send_keys(Keys.ESCAPE)
    assert browser.js("[search.value, net.getSelectedNodes().length]") == ["", 0]
    assert browser.whole()
    search.send_keys("2401.10001")
    assert browser.text("#panel h2") == "arXiv:2401.10001 Title"
    search.clear()
    search.send_keys("no such thing")
    assert browser.text("#panel h2") == "0 nodes found"


def test_the_legend_hides_a_kind_and_a_neighbour_brings_it_back(browser: Page, tmp_path: Path) -> None:
    browser.open(small(tmp_path))
    shown = [label.text for label in browser.driver.find_elements(By.CSS_SELECTOR, "#legend label")]
    assert shown == ["● Work 1", "▭ Section 1", "◆ claim 2"]
    box = browser.driver.find_element(By.CSS_SELECTOR, "#legend input[value=Claim]")
    box.click()
    assert browser.js("view.getIds()") == ["urn:x:a.md#s", "https://arxiv.org/abs/2401.10001"]
    assert browser.whole()
    browser.press("a sentence")
    assert browser.js("view.length") == 4
    assert box.is_selected()
    browser.quiet()


def test_evil_text_stays_text(browser: Page, tmp_path: Path) -> None:
    browser.open(small(tmp_path, text=EVIL, focus="urn:x:claim/1"))
    assert browser.text("#panel h2") == browser.text("h1") == EVIL
    assert browser.driver.title == EVIL
    browser.mouse(*browser.at("urn:x:claim/1"))
    browser.wait("[...document.querySelectorAll('.vis-tooltip')].some(tip => tip.style.visibility === 'visible')")
    assert browser.text(".vis-tooltip").startswith(EVIL)
    assert browser.js("document.querySelectorAll('img').length") == 0
    browser.press("§1 Labels")
    browser.driver.find_element(By.ID, "search").send_keys("极长的")
    assert browser.text("#panel h2") == LONG
    assert browser.js("panel.scrollWidth <= panel.clientWidth")
    browser.quiet()


def test_dark_readers_get_a_dark_page(browser: Page, tmp_path: Path) -> None:
    browser.open(small(tmp_path), dark=True)
    assert browser.js("getComputedStyle(document.body).backgroundColor") == "rgb(22, 26, 31)"
    assert browser.pixel(2, 2)[3] == 0, "the canvas lets the page's colour through"
    assert browser.js("net.edgesHandler.options.color.color") == "#66717e"
    light = {"features": [{"name": "prefers-color-scheme", "value": "light"}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", light)
    browser.wait("net.edgesHandler.options.color.color === '#9aa5b1'")
    assert browser.whole()


@pytest.mark.parametrize("size", [(400, 800), (700, 900)])
def test_a_narrow_window_shows_drawing_and_panel_below_each_other(
    browser: Page, tmp_path: Path, size: tuple[int, int]
) -> None:
    browser.open(small(tmp_path, text=EVIL * 3, focus="urn:x:claim/1"), size=size)
    assert browser.whole()
    assert browser.js("room.getBoundingClientRect().bottom <= panel.getBoundingClientRect().top")
    assert browser.js("document.documentElement.scrollWidth") <= size[0]


def test_the_keyboard_moves_the_drawing(browser: Page, tmp_path: Path) -> None:
    browser.open(small(tmp_path))
    before = browser.js("net.getViewPosition().x")
    assert browser.js("room.querySelector('[tabindex]').tabIndex") == 0
    browser.js("room.querySelector('[tabindex]').focus()")
    ActionChains(browser.driver).key_down(Keys.ARROW_RIGHT).perform()
    browser.wait("net.getViewPosition().x > arguments[0]", before)
    ActionChains(browser.driver).key_up(Keys.ARROW_RIGHT).perform()


def test_a_map_that_finds_nothing_says_so(browser: Page, tmp_path: Path) -> None:
    path = tmp_path / "empty.html"
    path.write_text(render_drawing(Drawing("t", (), (), 0, 0), "zh"), "utf-8")
    browser.open(path)
    assert browser.text("#panel") == "这张图在语料库里没有可画的内容。"
    browser.quiet()
