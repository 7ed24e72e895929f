"""The page in a real browser: it loads nothing, shows what it should, and obeys mouse and keyboard."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sonde.report.page.checks import check_page
from sonde.report.page.pinpoints import pinpoint_page
from sonde.workflows.report.writing import written_page
from tests.real.browsers import PHONE, chromium, visiting
from tests.report.made_checks import SLOWER
from tests.report.page.pages import CONTEXT, hostile_page, long_page, made_page
from tests.report.pinpoint.test_text import CORE, EXACT, RANGE, pinpoints
from tests.report.pinpoint.test_text import PACK as PINPOINTED

pytest.importorskip("playwright", reason="playwright not installed (remedy: make setup)")

pytestmark = pytest.mark.needs("chromium")

PAGES = {
    "history": made_page,
    "check": lambda: check_page(SLOWER, CONTEXT),
    "pinpoint": lambda: pinpoint_page(pinpoints(_with_findings()), CONTEXT),
    "long": long_page,
    "hostile": hostile_page,
}


def _with_findings():
    return replace(PINPOINTED, findings=(CORE, EXACT, RANGE))


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, page_of in PAGES.items():
        (folder / f"{name}.html").write_text(written_page(page_of()), "utf-8")
    return {name: folder / f"{name}.html" for name in PAGES}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_loads_nothing_and_complains_of_nothing(browser, files, name):
    with visiting(browser, files[name]) as visit:
        for link in visit.page.locator(".change > a").all():
            link.click()
            visit.page.wait_for_selector(".detail")

        assert visit.foreign_requests(files[name]) == []
        assert visit.complaints == []


def test_hostile_texts_stay_texts(browser, files):
    with visiting(browser, files["hostile"]) as visit:
        visit.page.locator(".change > a").first.click()
        visit.page.wait_for_selector(".detail canvas")

        assert visit.page.evaluate("window.broken") is None
        assert visit.page.locator("img, body script:not([type]) ~ script").count() == 0
        assert "</script><script>" in visit.page.inner_text("#title")


def test_a_finding_is_clicked_and_its_address_opens_it_again(browser, files):
    with visiting(browser, files["history"]) as visit:
        visit.page.locator(".change > a").nth(1).click()
        visit.page.wait_for_selector(".change.open .detail")
        subject = visit.page.inner_text(".change.open .place")
        anchor = visit.page.evaluate("location.hash")

    with visiting(browser, files["history"], anchor) as visit:
        visit.page.wait_for_selector(".change.open .detail")
        assert visit.page.inner_text(".change.open .place") == subject


def test_a_second_click_closes_a_finding(browser, files):
    with visiting(browser, files["history"]) as visit:
        link = visit.page.locator(".change > a").first
        link.click()
        visit.page.wait_for_selector(".detail")
        link.click()
        visit.page.wait_for_selector(".detail", state="detached")

        assert link.get_attribute("aria-expanded") == "false"


def test_a_finding_opens_by_the_keyboard_alone(browser, files):
    with visiting(browser, files["history"]) as visit:
        for _ in range(30):
            visit.page.keyboard.press("Tab")
            if visit.page.evaluate("document.activeElement.matches('.change > a')"):
                break
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_selector(".detail canvas")

        visit.page.locator(".detail canvas").focus()
        visit.page.wait_for_selector(".detail .legend li")
        visit.page.keyboard.press("ArrowRight")
        visit.page.wait_for_selector(".detail .tip:not([hidden])")
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_selector(".detail .pinned:not([hidden])")
        assert "sonde show" in visit.page.inner_text(".detail .pinned")


def test_hovering_names_the_revision_and_a_click_pins_it(browser, files):
    with visiting(browser, files["history"]) as visit:
        visit.page.wait_for_selector("#histories .legend li")
        canvas = visit.page.locator("#histories canvas")
        canvas.hover(position={"x": 400, "y": 120})
        visit.page.wait_for_selector("#histories .tip:not([hidden])")
        assert "ms" in visit.page.inner_text("#histories .tip")

        canvas.click(position={"x": 400, "y": 120})
        visit.page.wait_for_selector("#histories .pinned:not([hidden])")


def test_filters_leave_what_they_name(browser, files):
    with visiting(browser, files["long"]) as visit:
        page, rows = visit.page, visit.page.locator(".change")
        assert rows.count() == 5

        page.get_by_role("button", name="faster").click()
        assert page.locator(".change.faster").count() == rows.count() == 1
        page.get_by_role("button", name="all", exact=True).click()
        page.get_by_label("Benchmark").select_option("unpack")
        assert rows.count() == 1
        page.get_by_label("Benchmark").select_option("")
        page.get_by_label("Option").select_option("level")
        assert page.inner_text(".change .place").startswith("unpack")
        page.get_by_label("Option").select_option("")
        page.get_by_label("Author").select_option("Grace Hopper")
        assert {text.split(" · ")[-1] for text in page.locator(".when").all_inner_texts()} == {"Grace Hopper"}


def test_an_address_opens_a_change_that_filters_hide(browser, files):
    with visiting(browser, files["long"]) as visit:
        hidden = visit.page.locator(".change.slower > a").first.get_attribute("href")
        visit.page.get_by_role("button", name="faster").click()

        visit.page.evaluate("(hash) => { location.hash = hash; }", hidden)

        visit.page.wait_for_selector(".change.slower.open .detail")


def test_a_table_holds_what_the_plot_shows(browser, files):
    with visiting(browser, files["history"]) as visit:
        visit.page.wait_for_selector("#histories .legend li")
        visit.page.locator("#histories summary").click()
        visit.page.wait_for_selector("#histories details table")

        text = visit.page.inner_text("#histories details table")
        assert "measured" in text
        assert "proven equal" in text
        assert "failed" in text
        assert "never looked at" in text


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_violation(browser, files, name, dark):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe not installed")
    with visiting(browser, files[name], dark=dark) as visit:
        if visit.page.locator(".change > a").count():
            visit.page.locator(".change > a").first.click()
            visit.page.wait_for_selector(".detail")

        found = axe.Axe().run(visit.page)

        assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_needs_no_sideways_scrolling(browser, files, name):
    with visiting(browser, files[name], size=PHONE) as visit:
        if visit.page.locator(".change > a").count():
            visit.page.locator(".change > a").first.click()
            visit.page.wait_for_selector(".detail")

        assert visit.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
