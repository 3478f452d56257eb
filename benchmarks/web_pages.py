"""Pages as a browser gets them: the daemon of a home, what each address takes it, what Chromium makes of the answer.

Useful is a page when a frame has its heading, its words, and on a picture what is drawn: not when bytes are there.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import psutil
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from benchmarks.asker import spread
from benchmarks.stage import Stage
from memlane.app import Lane
from memlane.domain import RunFilter
from memlane.surfaces.api.rules import COOKIE, BrowserSign, HttpAddress, issued
from memlane.surfaces.web.routes import PAGES
from tools.browser import chromium

WARM = 2  # answers before the clock starts
LOOKS = 600  # at the daemon's socket until it answers
PARTS = {
    "/runs/{run}/steps",
    "/health/look",
    "/settings/preview",
    "/insights/work",
    "/map/near",
}  # of pages
NEEDED = {"/memories/merge": "?ids={two}", "/entity": "?of={entity}", "/map/near": "?memory={memory}"}
NEEDED |= {"/search": "?q=error", "/runs/{run}/steps": "?from=1", "/lane/try": "?prompt=how+do+tests+run"}
NEEDED |= {"/map/said": "?memory={memory}", "/search/quick": "?q=test", "/settings/preview": "?prompt=how+do+tests+run"}
ONLY_FOR_US = {"/", "/_gallery"}
MARK = """
  const drawn = (canvas) => {
    const small = Object.assign(document.createElement("canvas"), { width: 32, height: 32 }).getContext("2d");
    if (canvas.width) small.drawImage(canvas, 0, 0, 32, 32);
    return small.getImageData(0, 0, 32, 32).data.some((byte) => byte);
  };
  const useful = () => {
    const main = document.querySelector("main");
    if (!main?.querySelector("h1") || main.innerText.trim().length < 40) return false;
    return [...main.querySelectorAll("canvas")].every(drawn);
  };
  const look = () => (useful() ? (window.usefulAt = performance.now()) : requestAnimationFrame(look));
  requestAnimationFrame(look);
"""
PAINTED = "Math.max(window.usefulAt, performance.getEntriesByName('first-contentful-paint')[0]?.startTime) || 0"
WAITING = "document.querySelector('main [aria-busy=true]') !== null"
BETWEEN_LOOKS = 20  # milliseconds; the figures are the browser's own
MOST_LOOKS = 3000
AGENT = "benchmarks.web_pages"  # what the browser calls itself: its pass is bound to it


@dataclass(frozen=True, slots=True)
class Site:
    """A daemon that answers."""

    port: int
    token: str
    pid: int

    @property
    def base(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def carried(self) -> str:
        return issued(self.token, BrowserSign(self.host))

    @property
    def host(self) -> str:
        return HttpAddress(self.port, self.token).host

    def get(self, address: str) -> tuple[int, bytes]:
        """Its status, and all that came, the head too."""
        head = f"GET {address} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nCookie: {COOKIE}={self.carried}\r\n\r\n"
        got = list[bytes]()
        with socket.create_connection(("127.0.0.1", self.port)) as line:
            line.sendall(head.encode())
            while piece := line.recv(1 << 16):
                got.append(piece)
        whole = b"".join(got)
        return int(whole.split(b" ", 2)[1]), whole

    def cpu(self) -> float:
        """Seconds the daemon has worked so far: a crowded machine makes answers late, not dear."""
        daemon = psutil.Process(self.pid)
        every = [daemon, *daemon.children(recursive=True)]  # pages are drawn by one of them
        return sum(used.user + used.system for used in (one.cpu_times() for one in every))


@contextmanager
def served(stage: Stage) -> Generator[Site, None, None]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = int(probe.getsockname()[1])
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "memlane.surfaces.daemon"],
        env=stage.variables(LANE_HTTP_PORT=str(port)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield Site(port, _token(stage, port), process.pid)
    finally:
        process.terminate()
        process.wait()


def _token(stage: Stage, port: int) -> str:
    for _ in range(LOOKS):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return (stage.lane_home / "run" / "token").read_text()
        except OSError:
            time.sleep(0.05)
    raise SystemExit("the daemon does not answer")


def placed(site: Site) -> None:
    """Until every dot of the map has its place: that is done once, by a process of its own."""
    for _ in range(LOOKS):
        if b"data-waiting" not in (told := site.get("/map")[1]) or b'data-waiting="0"' in told:
            return
        time.sleep(0.2)


# -- which ------------------------------------------------------------------------------------------------------------


def addresses(lane: Lane) -> Mapping[str, str]:
    """Each page with something in it: the run with most steps, an entity, a dream if there was one."""
    runs = sorted(_originals(lane), key=lambda run: run.steps)
    memories, known = lane.memories.all(), lane.entities.entities()
    dreams = lane.dream.reports()
    there = {"{run}": runs[-1].id if runs else "", "{memory}": memories[0].id if memories else ""}
    there |= {"{two}": ",".join(memory.id for memory in memories[:2]), "{dream}": dreams[0].dream.id if dreams else ""}
    there["{entity}"] = known[0].entity.key if known else ""
    found = dict[str, str]()
    for page in PAGES:
        address = page.path + NEEDED.get(page.path, "")
        needed = [name for name in there if name in address]
        if page.path not in ONLY_FOR_US and all(there[name] for name in needed):
            for name in needed:
                address = address.replace(name, there[name])
            found[page.path] = address
    return {**found, "/map/dots": "/map/dots"}


def _originals(lane: Lane) -> Sequence[Any]:
    return [run for run in lane.runs.select(RunFilter()) if not run.source_path.startswith("grown/")]


# -- by the server ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answered:
    """`whole`: a page, not a part of one."""

    figures: Mapping[str, Any]
    whole: bool


def answered(site: Site, address: str, repeats: int) -> Answered | None:
    """From connecting to the last byte, one after the other. None: there is no such thing in this home."""
    for _ in range(WARM):
        status, told = site.get(address)
    if status != 200:
        return None
    took, cpu = list[float](), site.cpu()
    for _ in range(repeats):
        began = time.perf_counter()
        status, told = site.get(address)
        took.append((time.perf_counter() - began) * 1000)
    spent, found = (site.cpu() - cpu) * 1000 / repeats, spread(took)
    figures = {"p50": found["p50"], "p95": found["p95"], "cpu_ms": round(spent, 1), "bytes": len(told)}
    return Answered(figures, b"<main" in told)


# -- in a browser -----------------------------------------------------------------------------------------------------


@dataclass
class Traffic:
    """What came over the wire for one page, by kind."""

    bytes: dict[str, int] = field(default_factory=dict[str, int])
    kinds: dict[str, str] = field(default_factory=dict[str, str])
    requests: int = 0

    def watch(self, session: CDPSession) -> None:
        session.on("Network.responseReceived", self._came)
        session.on("Network.loadingFinished", self._done)
        session.send("Network.enable")

    def _came(self, event: dict[str, Any]) -> None:
        self.requests += 1
        self.kinds[event["requestId"]] = _kind(str(event["type"]))

    def _done(self, event: dict[str, Any]) -> None:
        kind = self.kinds.get(event["requestId"], "other")
        self.bytes[kind] = self.bytes.get(kind, 0) + int(event["encodedDataLength"])


def _kind(type_: str) -> str:
    return {"Document": "html", "Stylesheet": "css", "Script": "js", "Fetch": "parts", "XHR": "parts"}.get(
        type_, "other"
    )


@contextmanager
def browsing() -> Generator[Browser, None, None]:
    found = chromium()
    if found is None:
        raise SystemExit("there is no Chromium here: python -m tools.browser")
    with sync_playwright() as playwright:
        words = ["--no-sandbox"] if os.geteuid() == 0 else []
        running = playwright.chromium.launch(executable_path=str(found), args=words)
        yield running
        running.close()


def let_in(browser: Browser, site: Site) -> BrowserContext:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, user_agent=AGENT)
    carried = issued(site.token, BrowserSign(site.host, AGENT))
    context.add_cookies([{"name": COOKIE, "value": carried, "url": site.base}])
    context.add_init_script(f"(() => {{{MARK}}})()")
    return context


def painted(browser: Browser, site: Site, address: str, repeats: int) -> dict[str, Any]:
    """First with nothing kept from before, which is when bytes are counted; then as somebody who comes back."""
    with let_in(browser, site) as context:
        page, traffic = context.new_page(), Traffic()
        traffic.watch(context.new_cdp_session(page))
        first = _useful(page, site.base + address)
        _whole(page)
        counted = {"requests": traffic.requests, "bytes": {**traffic.bytes, "all": sum(traffic.bytes.values())}}
        again = [_useful(page, site.base + address) for _ in range(repeats)]
    return {"first_visit_ms": round(first, 1), "useful_ms": round(median(again), 1), **counted}


def _useful(page: Page, url: str) -> float:
    page.goto(url, wait_until="commit")
    for _ in range(MOST_LOOKS):
        if at := float(page.evaluate(PAINTED)):
            return at
        page.wait_for_timeout(BETWEEN_LOOKS)
    raise SystemExit(f"{url} shows nothing useful")


def _whole(page: Page) -> None:
    """With all that comes later."""
    for _ in range(MOST_LOOKS):
        if not page.evaluate(WAITING):
            return
        page.wait_for_timeout(BETWEEN_LOOKS)
