"""Debian's chromium, driven by playwright, and what a page did in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = (390, 844)
DESKTOP = (1280, 900)


@dataclass
class Visit:
    """An opened page, and everything that it requested or complained of."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def foreign_requests(self, file: Path) -> list[str]:
        """Requests for anything but the page itself and data inside of it."""
        return [
            url
            for url in self.requests
            if not url.startswith(("data:", f"{file.as_uri()}#")) and url != file.as_uri()
        ]


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def visiting(
    browser: Browser, file: Path, anchor: str = "", size: tuple[int, int] = DESKTOP, dark: bool = False
) -> Iterator[Visit]:
    """A page that was opened from a file, once its scripts have run."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light"
    )
    visit = Visit(context.new_page())
    visit.page.on("request", lambda request: visit.requests.append(request.url))
    visit.page.on("console", lambda message: visit.complaints.append(message.text))
    visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    visit.page.goto(file.as_uri() + anchor)
    visit.page.wait_for_selector("#facts dl")
    yield visit
    context.close()
