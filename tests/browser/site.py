"""A home behind its pages, in this process, and a browser that was let in: what every test of a page begins with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response

from memlane.app import Lane
from memlane.config import load
from memlane.demo import write_home
from memlane.surfaces.api import HttpAddress, HttpListener
from memlane.surfaces.api.rules import BrowserSign, issued
from memlane.surfaces.cli.demo_scenes import DemoLoop
from memlane.surfaces.daemon.http import table
from memlane.surfaces.web import in_html
from tools.browser import axe

TOKEN = "7" * 64
HOST = HttpAddress(0, TOKEN).host
THEMES = ("light", "dark", "contrast")
WIDE, NARROW = (1440, 900), (390, 844)


@dataclass(slots=True)
class Site:
    """Who answers. `stop` and `start` are a restart: the same port, the same token."""

    home: Path
    port: int = 0
    log: list[str] = field(default_factory=list[str])
    serving: HttpListener | None = None

    @property
    def base(self) -> str:
        return f"http://{HOST}:{self.port}"

    def lane(self) -> Lane:
        """For one thread: each opens its own."""
        return Lane(load({"HOME": str(self.home), "LANE_HOME": str(self.home / ".memlane")}))

    def start(self) -> None:
        opened = threading.local()

        def lane() -> Lane:
            if not hasattr(opened, "lane"):
                opened.lane = self.lane()
            found: Lane = opened.lane
            return found

        def say(level: str, text: str) -> None:
            self.log.append(f"{level} {text}")

        self.serving = HttpListener(HttpAddress(self.port, TOKEN), table(TOKEN, lane), lane, say, in_html)
        self.port = self.serving.place.port

    def stop(self) -> None:
        if self.serving is not None:
            self.serving.close()


@contextmanager
def served(home: Path) -> Generator[Site, None, None]:
    site = Site(home)
    site.start()
    try:
        yield site
    finally:
        site.stop()


def demo_home(home: Path) -> Path:
    """What `lane demo --keep` leaves behind, with a memory that is held and one that was forgotten."""
    written = write_home(home, datetime.now(UTC))
    with Lane(load({"HOME": str(home), "LANE_HOME": str(home / ".memlane")})) as lane:
        assert all(scene.good for scene in DemoLoop(lane, home, written).scenes())
    return home


def empty_home(home: Path) -> Path:
    """Set up, and nothing in it yet."""
    (home / ".memlane").mkdir(mode=0o700)
    (home / ".memlane" / "config.toml").write_text('user = "ann"\nmachine = "desk"\n')
    with Lane(load({"HOME": str(home), "LANE_HOME": str(home / ".memlane")})) as lane:
        lane.home.begin()
    return home


@dataclass
class Watched:
    """A page, and all that went wrong on it: every test ends by asking that nothing did."""

    page: Page
    site: Site
    wrong: list[str] = field(default_factory=list[str])
    requests: list[Request] = field(default_factory=list[Request])
    bytes: int = 0

    def go(self, path: str) -> None:
        self.page.goto(self.site.base + path)

    def console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.wrong.append(f"{message.type}: {message.text}")

    def asked(self, request: Request) -> None:
        self.requests.append(request)
        if not request.url.startswith((self.site.base + "/", "data:")):
            self.wrong.append(f"it asked {request.url}")

    def answered(self, response: Response) -> None:
        if response.status >= 400:
            self.wrong.append(f"{response.status} {response.url}")


def calls_itself(browser: Browser) -> str:
    """What a pass is bound to beside the name."""
    if browser not in _AGENTS:
        context = browser.new_context()
        _AGENTS[browser] = str(context.new_page().evaluate("navigator.userAgent"))
        context.close()
    return _AGENTS[browser]


_AGENTS: dict[Browser, str] = {}


def let_in(
    browser: Browser, site: Site, theme: str = "light", size: tuple[int, int] = WIDE, *, still: bool = True
) -> BrowserContext:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        reduced_motion="reduce" if still else "no-preference",
        bypass_csp=False,
    )
    context.add_cookies(
        [
            {
                "name": "lane",
                "value": issued(TOKEN, BrowserSign(HOST, calls_itself(browser))),
                "url": site.base,
                "httpOnly": True,
                "sameSite": "Strict",
            },
            {"name": "lane-theme", "value": theme, "url": site.base},
        ]
    )
    return context


def watched(context: BrowserContext, site: Site) -> Watched:
    found = Watched(context.new_page(), site)
    found.page.on("console", found.console)
    found.page.on("pageerror", lambda error: found.wrong.append(f"page: {error}"))
    found.page.on("request", found.asked)
    found.page.on("response", found.answered)
    return found


def barriers(page: Page) -> Sequence[str]:
    """What axe finds, each with the element it is about; in a world of its own, as a page runs nothing of others."""
    script = axe()
    assert script is not None
    session = page.context.new_cdp_session(page)
    tree = session.send("Page.getFrameTree")
    world = session.send("Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "axe"})[
        "executionContextId"
    ]
    ask = """axe.run(document, {resultTypes: ["violations"]}).then((found) => found.violations.flatMap((one) =>
        one.nodes.slice(0, 3).map((node) => `${one.id}: ${node.target.join(" ")}: ${node.failureSummary}`)))"""
    found = session.send(
        "Runtime.evaluate",
        {"expression": script.read_text() + ";" + ask, "contextId": world, "awaitPromise": True, "returnByValue": True},
    )
    assert "exceptionDetails" not in found, found
    lines: list[str] = found["result"]["value"]
    return lines


def watch_shifts(page: Page) -> None:
    """From now on, all that moves without having been asked to is added up: see `shifted`."""
    page.evaluate("""() => {
        window.moved = 0;
        const add = (list) => { for (const one of list.getEntries()) window.moved += one.value; };
        new PerformanceObserver(add).observe({ type: "layout-shift" });
    }""")


def shifted(page: Page) -> float:
    """The score browsers give to what moved under a reader's eyes."""
    page.wait_for_timeout(300)  # two frames, and the observer's turn
    return float(page.evaluate("window.moved"))


def sideways(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def until(page: Page, so: Callable[[], bool], tries: int = 100) -> bool:
    for _ in range(tries):
        if so():
            return True
        page.wait_for_timeout(100)
    return False
