"""`python -m benchmarks.web_frames [--homes FOLDER] [--frames 240] [--save FILE]`: do River and Map move smoothly?

In real Chromium, on a home of 100,000 memories: the time between two frames while somebody scrubs the river, points at
the map, drags it and comes nearer; how much is drawn; how long until the picture is there; and what it takes to give
every dot its place, in the process that does it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from benchmarks.hook_driver import HookDriver
from benchmarks.hook_homes import Home, made
from benchmarks.web_hooks import SIZE
from benchmarks.web_pages import Site, browsing, let_in
from campaigns.report import machine
from memlane import identity
from memlane.domain import Match, Outcome, Query, RecallMoment, random_id
from memlane.domain.memory import Selection

THERE = "document.querySelector('#map').dataset.dots > 0"
LOOK = 50.0  # milliseconds
GLOWING, IN_ONE = 2_000, 100
PLACER = (sys.executable, "-P", "-m", "memlane.app.map.program")
# What somebody does in each frame; `n` counts them, `at(x, y, type, more)` is an event at a share of the picture.
MOVES = {
    "/river": {"scrub": "at(0.5 + 0.45 * Math.sin(n / 30), 0.5 + 0.2 * Math.sin(n / 7), 'pointermove')"},
    "/map": {
        "point": "at(0.5 + 0.4 * Math.sin(n / 30), 0.5 + 0.4 * Math.cos(n / 23), 'pointermove')",
        "drag": (
            "n === 0 ? at(0.5, 0.5, 'pointerdown') :"
            " at(0.5 + 0.3 * Math.sin(n / 30), 0.5 + 0.3 * Math.cos(n / 23), 'pointermove')"
        ),
        "nearer": "at(0.5, 0.5, 'wheel', n % 40 < 20 ? -100 : 100)",
    },
}
FRAMES = """([frames, picture]) => new Promise((done) => {
  const canvas = document.querySelector(picture);
  const at = (x, y, type, delta = 0) => {
    const box = canvas.getBoundingClientRect();
    const place = { clientX: box.left + x * box.width, clientY: box.top + y * box.height };
    const more = { ...place, bubbles: true, cancelable: true };
    const event = type === "wheel" ? new WheelEvent(type, { ...more, deltaY: delta, ctrlKey: true })
      : new PointerEvent(type, { ...more, pointerType: "mouse", button: 0 });
    canvas.dispatchEvent(event);
  };
  const step = (n) => MOVE;
  const [took, work] = [[], []];
  let n = 0;
  let last = 0;
  const frame = (now) => {
    if (last) took.push(now - last);
    last = now;
    if (n === frames) {
      window.dispatchEvent(new PointerEvent("pointerup"));
      done([took, work]);
      return;
    }
    const began = performance.now();
    step(n);
    work.push(performance.now() - began);
    n += 1;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})"""


def spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    pick = {"p50": 0.5, "p95": 0.95, "worst": 1.0}
    return {name: round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1) for name, share in pick.items()}


def placed(home: Home) -> dict[str, float]:
    """All of them anew, in a process of its own; nothing else waits for it."""
    (home.folder / ".memlane" / "map.json").unlink(missing_ok=True)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(PLACER, env={**home.variables, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "wall_s": round(time.monotonic() - began, 1),
        "cpu_s": round(cpu, 1),
        "memory_mb": round(after.ru_maxrss / 1024),
    }


def told_lately(home: Home) -> None:
    """Two thousand that glow: a recall of a hundred notes in each of twenty runs."""
    with home.lane() as lane:
        chosen = lane.home.storage().memories.found(Selection(limit=GLOWING), lane.home.reader)
        asked = Query("what glows", identity.project_of(str(home.project)), "", "http", "", "", RecallMoment.ASKED)
        found = lane.recall.recall(asked)
        for n in range(0, len(chosen), IN_ONE):
            shown = tuple(Match(memory, 0.9, 0.9, {}, "meaning") for memory in chosen[n : n + IN_ONE])
            query = replace(asked, run=f"r_glow{n:09d}")
            lane.recall.keep(replace(found, id=random_id("l"), query=query, shown=shown, outcome=Outcome.SHOWN))


def moved(page: Page, address: str, move: str, frames: int) -> dict[str, Any]:
    took, work = page.evaluate(FRAMES.replace("MOVE", move), [frames, "#map" if address == "/map" else "#river"])
    return {"between_frames_ms": spread(took), "in_the_handler_ms": spread(work)}


def drawn(page: Page, site: Site, address: str) -> float:
    """Until the picture is there, by the browser's own clock."""
    page.goto(site.base + address)
    while address == "/map" and not page.evaluate(THERE):
        page.wait_for_timeout(LOOK)
    return float(page.evaluate("performance.now()"))


def _listening(port: int) -> None:
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.2)


def measure(folder: Path, frames: int) -> dict[str, Any]:
    home = made(folder, SIZE)
    told_lately(home)
    asking, found = HookDriver(home), dict[str, Any](memories=SIZE.memories, places=placed(home))
    try:
        asking.daemon("restart")
        site = Site(home.port, (home.folder / ".memlane" / "run" / "token").read_text(), asking.pid)
        _listening(home.port)
        with browsing() as browser, let_in(browser, site) as context:
            page = context.new_page()
            for address, moves in MOVES.items():
                one: dict[str, Any] = {"there_ms": round(drawn(page, site, address))}
                one |= {name: moved(page, address, move, frames) for name, move in moves.items()}
                found[address] = one
            found["/map"]["dots"] = int(page.locator("#map").get_attribute("data-dots") or 0)
            found["/map"]["live"] = int(page.locator("#map").get_attribute("data-live") or 0)
    finally:
        asking.daemon("stop")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--homes", type=Path, default=Path(tempfile.gettempdir()) / "memlane-homes")
    parser.add_argument("--frames", type=int, default=240)
    parser.add_argument("--save", type=Path)
    asked = parser.parse_args()
    said = {"command": f"python -m benchmarks.web_frames --frames {asked.frames}", "machine": machine()}
    text = json.dumps({**said, **measure(asked.homes, asked.frames)}, indent=1)
    sys.stdout.write(f"{text}\n")
    if asked.save:
        asked.save.write_text(f"{text}\n")


if __name__ == "__main__":
    main()
