"""The pages in a real browser: with scripts forbidden, by keyboard, narrow and wide; the drawing under its policy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from served import DOCUMENT, REPORT, corpus, started
from test_drawing_browser import BROWSER, DRIVER, FLAGS, pytestmark, webdriver

pytest.importorskip("uvicorn", reason="uvicorn is not installed: it comes with the extra serve")
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

__all__ = ["pytestmark"]  # the same needs: a browser and its driver
WORK = "https://arxiv.org/abs/2401.10001"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with started(corpus(tmp_path_factory.mktemp("kb"))) as found:
        yield found


def browser(profile: Path, *, scripts: bool) -> Any:  # noqa: ANN401  (selenium's driver, where selenium is)
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in (*FLAGS, f"--user-data-dir={profile}", "--lang=en-GB"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 1 + (not scripts)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser that runs no script of any page."""
    driver = browser(tmp_path_factory.mktemp("plain"), scripts=False)
    driver.get("data:text/html,<title>off</title><script>document.title='on'</script>")
    assert driver.title == "off"
    yield driver
    driver.quit()


def go(driver: Any, link: str) -> None:  # noqa: ANN401  (selenium's driver)
    driver.find_element(By.LINK_TEXT, link).click()


def heading(driver: Any) -> str:  # noqa: ANN401  (selenium's driver)
    return str(driver.find_element(By.TAG_NAME, "h1").text)


def shows(driver: Any, text: str) -> None:  # noqa: ANN401  (selenium's driver)
    """Wait until the page has these words: forms take a moment."""
    patient = WebDriverWait(driver, 20, ignored_exceptions=[StaleElementReferenceException])
    patient.until(lambda d: text in d.find_element(By.TAG_NAME, "main").text)


def test_without_scripts_findings_are_filtered_and_followed(plain: Any, address: str) -> None:  # noqa: ANN401  (driver)
    plain.get(f"{address}?_lang=en")
    end = WebDriverWait(plain, 90)  # until the checks have run for the first time
    end.until(lambda d: d.get(address) or "Listed, never cited" in d.find_element(By.TAG_NAME, "main").text)
    go(plain, "Findings")
    Select(plain.find_element(By.ID, "check")).select_by_visible_text("Listed, never cited")
    plain.find_element(By.XPATH, "//main//button").click()
    shows(plain, "1 rows")
    assert "check=orphan-citation" in plain.current_url
    plain.find_element(By.CSS_SELECTOR, "tbody tr td:last-child a").click()
    shows(plain, "Why it matters")
    assert heading(plain) == "arXiv:2403.10003 is in the citation list, but no sentence cites it"
    go(plain, DOCUMENT)
    shows(plain, "Neighbours")
    assert plain.get_log("browser") == []


def test_without_scripts_a_saved_query_and_sparql_are_asked(plain: Any, address: str) -> None:  # noqa: ANN401  (driver)
    plain.get(f"{address}q/claims-about-work?_lang=en")
    field = plain.find_element(By.ID, "p-work")
    field.send_keys(WORK, Keys.ENTER)
    shows(plain, "on dense maps 12% fewer names collide.")
    go(plain, "SPARQL")
    editor = plain.find_element(By.ID, "query")
    editor.clear()
    editor.send_keys("SELECT ?p { ?x a kb:Report ; kb:path ?p }")
    plain.find_element(By.XPATH, "//main//button").click()
    shows(plain, REPORT)
    assert plain.find_element(By.ID, "query").get_attribute("value") == "SELECT ?p { ?x a kb:Report ; kb:path ?p }"


def test_without_scripts_the_language_changes_and_stays(plain: Any, address: str) -> None:  # noqa: ANN401  (driver)
    plain.get(f"{address}?_lang=en")
    plain.find_element(By.CSS_SELECTOR, ".lang button").click()
    assert heading(plain) == "总览"
    go(plain, "各节")
    assert heading(plain) == "各节"
    go(plain, "§1.1 Where names go")
    shows(plain, "陈述与证据")
    assert plain.find_element(By.TAG_NAME, "html").get_attribute("lang") == "zh-CN"


def test_the_keyboard_skips_to_the_content(plain: Any, address: str) -> None:  # noqa: ANN401  (driver)
    plain.get(f"{address}works?_lang=en")
    plain.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    focused = plain.switch_to.active_element
    assert focused.text == "Skip to the content"
    assert focused.location["x"] >= 0, "seen once it has the focus"
    focused.send_keys(Keys.ENTER)
    plain.switch_to.active_element.send_keys(Keys.TAB)
    assert plain.switch_to.active_element.get_attribute("id") == "what"


@pytest.mark.parametrize("path", ["", "findings", "works", "sections", f"thing?node={WORK}", "sparql", "brief"])
def test_a_narrow_window_scrolls_no_page_sideways(plain: Any, address: str, path: str) -> None:  # noqa: ANN401  (driver)
    about = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    plain.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", about)
    plain.get(f"{address}{path}")
    metrics = plain.execute_cdp_cmd("Page.getLayoutMetrics", {})
    plain.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert metrics["cssContentSize"]["width"] <= 400


def test_the_drawing_runs_under_its_policy(address: str, tmp_path: Path) -> None:
    pytest.importorskip("pyvis", reason="pyvis is not installed: it comes with the extra draw")
    driver = browser(tmp_path, scripts=True)
    try:
        driver.get(f"{address}graph?_lang=en")
        field = driver.find_element(By.ID, "focus")
        field.send_keys(WORK, Keys.ENTER)
        WebDriverWait(driver, 30).until(lambda d: d.execute_script("return typeof net === 'object' && view.length"))
        assert driver.execute_script("return view.length") >= 2
        assert driver.get_log("browser") == []
    finally:
        driver.quit()
