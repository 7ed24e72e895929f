"""The report page of a large project.

20,000 revisions x 300 series, made up: levels with up to 8 changes a series, and runs that scatter by 2 %.
"Sampled" means that 15 % of the revisions are measured, as by `sonde history`; "measured" that all are, so no
two successive values are equal. The series are copies of 20 different ones, each packed by itself, because
six million estimates would fill the memory. The browser is Debian's chromium without a window, so all drawing
is done by the processor; a frame is one step of zooming.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from functools import partial
from hashlib import sha1
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.frame import Row, seconds_of
from sonde.core.findings.histories import ChangePoint, Estimate, Histories, Known, SeriesHistory
from sonde.core.options import Configuration
from sonde.core.results import FREE, Metric
from sonde.core.revisions import History, Revision, RevisionId
from sonde.methods.comparison.patterns import shared_term
from sonde.report.page.histories import PageContext, history_page
from sonde.workflows.report.writing import written_page

if TYPE_CHECKING:
    from playwright.sync_api import Page as BrowserPage

REVISIONS, SERIES, DIFFERENT = 20_000, 300, 20
NOISE = 0.02
MOST_CHANGES = 8
WORDS = (
    "cache",
    "parser",
    "index",
    "faster",
    "guard",
    "table",
    "buffer",
    "loop",
    "merge",
    "hash",
    "node",
    "copy",
)

# Zooms in and out for two seconds; the milliseconds of a frame: the median, and the 95th percentile.
_ZOOM = """async () => {
  const [zoomIn, zoomOut] = document.querySelectorAll('#histories .tools button[aria-label^=Zoom]');
  const times = [];
  let before = null;
  for (let step = 0; step < 120; step += 1) {
    (Math.floor(step / 10) % 2 ? zoomOut : zoomIn).click();
    await new Promise((done) => requestAnimationFrame((now) => {
      if (before !== null) times.push(now - before);
      before = now;
      done();
    }));
  }
  times.sort((one, other) => one - other);
  return [times[Math.floor(times.length / 2)], times[Math.floor(times.length * 0.95)]];
}"""

# Notes when the first change is on the screen.
_NOTE_CHANGES = """
new MutationObserver((_, observer) => {
  if (!document.querySelector('.change')) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.shownAfter = performance.now(); }));
}).observe(document, { childList: true, subtree: true });
"""


def rows() -> Iterator[Row]:
    """Size, seconds to write, and what a browser needs."""
    for name, share in (("sampled", 0.15), ("measured", 1.0)):
        found = made_histories(share)
        with TemporaryDirectory() as folder:
            file = Path(folder) / "page.html"
            seconds = seconds_of(partial(_write, found, file))
            yield Row(f"size of the page, {name}", file.stat().st_size / 1e6, "MB", 8)
            yield Row(f"writing it, {name}", seconds, "s", 60)
            yield from _browser_rows(name, file)


def made_histories(share: float) -> Histories:
    """Histories of which that share of the points is measured."""
    rng = random.Random(7)
    different = [_series(rng, number, share) for number in range(DIFFERENT)]
    series = tuple(
        SeriesHistory(
            Configuration.of({"level": number // DIFFERENT, "filter": False}),
            one.benchmark,
            one.metric,
            one.estimates,
            one.changes,
            one.measured,
            one.proven,
            one.failed,
        )
        for number, one in ((number, different[number % DIFFERENT]) for number in range(SERIES))
    )
    default = Configuration.of({"level": 0, "filter": False})
    return Histories(_history(rng), series, default, "made up", "it is made up", FREE)


def _history(rng: random.Random) -> History:
    return History(
        tuple(
            Revision(
                RevisionId(sha1(str(number).encode()).hexdigest()),
                (),
                1_500_000_000 + 12_000 * number,
                f"Author {rng.randrange(200)}",
                " ".join(rng.choices(WORDS, k=7)).capitalize(),
            )
            for number in range(REVISIONS)
        )
    )


def _series(rng: random.Random, number: int, share: float) -> SeriesHistory:
    places = sorted(rng.sample(range(1, REVISIONS), rng.randint(0, MOST_CHANGES)))
    levels = [rng.uniform(0.1, 2.0)]
    for _ in places:
        levels.append(levels[-1] * math.exp(rng.choice((-1, 1)) * rng.uniform(0.03, 0.4)))
    changes = tuple(
        ChangePoint(place, place, place, before, after, effect, effect - 0.01, effect + 0.01)
        for place, before, after in zip(places, levels, levels[1:], strict=False)
        for effect in (math.log(after / before),)
    )
    estimates = tuple(_estimates(rng, places, levels, share))
    measured = sum(each.known is Known.MEASURED for each in estimates)
    return SeriesHistory(
        Configuration(()), f"benchmark-{number}", Metric.CPU, estimates, changes, measured, 0, ()
    )


def _estimates(
    rng: random.Random, places: list[int], levels: list[float], share: float
) -> Iterator[Estimate]:
    at, level = 0, levels[0]
    between = Estimate(level, level * 0.97, level * 1.03)
    for position in range(REVISIONS):
        while at < len(places) and places[at] <= position:
            at += 1
            level = levels[at]
            between = Estimate(level, level * 0.97, level * 1.03)
        if rng.random() < share:
            value = level * math.exp(rng.gauss(0, NOISE))
            yield Estimate(value, value * 0.99, value * 1.01, Known.MEASURED)
        else:
            yield between


def _write(found: Histories, file: Path) -> None:
    context = PageContext("made up", shared_term, {5_000: "v1.0", 15_000: "v2.0"})
    file.write_text(written_page(history_page(found, context)), "utf-8")


def _browser_rows(name: str, file: Path) -> Iterator[Row]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return
    program = which("chromium")
    if program is None:
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.add_init_script(_NOTE_CHANGES)
        page.goto(file.as_uri())
        yield Row(f"changes on the screen, {name}", _first_change(page) / 1000, "s", 2)
        for series in (1, 8):
            _choose(page, series)
            median, slow = page.evaluate(_ZOOM)
            yield Row(f"a frame of zooming {series} series, {name}", median, "ms", 33)
            yield Row(f"one of its slowest 5 %, {name}, {series} series", slow, "ms")
        browser.close()


def _first_change(page: BrowserPage) -> float:
    """Milliseconds until the list of changes can be read."""
    page.wait_for_selector("#histories .legend li")
    return float(page.evaluate("window.shownAfter"))


def _choose(page: BrowserPage, series: int) -> None:
    """Plot so many series."""
    boxes = page.locator("#histories tbody input[type=checkbox]")
    for number in range(series):
        if not boxes.nth(number).is_checked():
            boxes.nth(number).check()
    page.wait_for_selector(f"#histories .legend li:nth-of-type({series}) svg")
