"""`python -m benchmarks.web_hooks [--homes FOLDER] [--n 300] [--save FILE]`: does an agent wait while a person looks?

One home of 100,000 memories, one run: what the daemon takes for a prompt while nobody looks at pages, while every page
is fetched again and again without a pause by somebody, and once more when nobody does.
"""

from __future__ import annotations

import argparse
import http.client
import json
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

from benchmarks.hook_driver import KINDS, HookDriver, given, spread
from benchmarks.hook_homes import Size, made
from campaigns.report import machine
from memlane.surfaces.api.rules import COOKIE, BrowserSign, HttpAddress, issued
from memlane.surfaces.web.routes import PAGES

SIZE = Size("web", 100_000, 2_000)
PARTS = ("/map/dots",)
# Asked for as a part of another page, with something only a click knows.
NOT_ALONE = ("/memories/merge", "/map/near", "/map/said", "/entity", "/settings/preview", "/river/week")
BUDGET = {"p50": 50, "p99": 120, "max": 400}  # SPEC 6, server, with a second look


def addresses() -> Sequence[str]:
    whole = [page.path for page in PAGES if "{" not in page.path and page.path not in NOT_ALONE]
    return [*whole, *PARTS]


def fetched(asking: HookDriver, token: str, path: str) -> float:
    began = time.perf_counter()
    line = http.client.HTTPConnection("127.0.0.1", asking.home.port, timeout=120)
    place = HttpAddress(asking.home.port, token)
    carried = f"{COOKIE}={issued(token, BrowserSign(place.host))}"
    line.request("GET", path, headers={"Host": f"{place.host}:{place.port}", "Cookie": carried, "Accept": "text/html"})
    answer = line.getresponse()
    answer.read()
    line.close()
    if answer.status != 200:
        raise SystemExit(f"{path}: {answer.status}")
    return (time.perf_counter() - began) * 1000


@contextmanager
def looking(asking: HookDriver, token: str) -> Generator[dict[str, list[float]], None, None]:
    """Somebody who never stops; gives what each page took."""
    done, took = Event(), dict[str, list[float]]()

    def again() -> None:
        while not done.is_set():
            for path in addresses():
                if not done.is_set():
                    took.setdefault(path, []).append(fetched(asking, token, path))

    somebody = Thread(target=again)
    somebody.start()
    try:
        yield took
    finally:
        done.set()
        somebody.join()


def hooks(asking: HookDriver, n: int) -> dict[str, Any]:
    """From outside, over the socket: also what waits before the daemon begins."""
    found: dict[str, Any] = {}
    for kind in KINDS[:2]:
        took = list[float]()
        for _ in range(n):
            began = time.perf_counter()
            asking.raw(given(asking.home, kind), kind.event)
            took.append((time.perf_counter() - began) * 1000)
            time.sleep(0.02)  # agents do not ask without a pause
        state = asking.state()
        found[kind.name] = {
            "waited_ms": spread(took),
            "server_ms": {k: round(state[f"{k}_ms"], 1) for k in ("p50", "p99")},
        }
    return found


def measure(folder: Path, n: int) -> dict[str, Any]:
    asking = HookDriver(made(folder, SIZE))
    try:
        asking.started()
        token = (asking.home.folder / ".memlane" / "run" / "token").read_text()
        first = {path: round(fetched(asking, token, path)) for path in addresses()}
        found: dict[str, Any] = {"pages_first_ms": first, "before": hooks(asking, n)}
        with looking(asking, token) as took:
            found["beside_pages"] = hooks(asking, n)
        found["after"] = hooks(asking, n)
    finally:
        asking.daemon("stop")
    found["pages_ms"] = {path: spread(values) for path, values in took.items()}
    found["ratios"] = {
        f"{name}, {part}": round(
            found["beside_pages"][name]["waited_ms"][part]
            / max(1e-9, (found["before"][name]["waited_ms"][part] + found["after"][name]["waited_ms"][part]) / 2),
            2,
        )
        for name in found["before"]
        for part in ("p50", "p99")
    }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--homes", type=Path, default=Path(tempfile.gettempdir()) / "memlane-homes")
    parser.add_argument("--n", type=int, default=300)
    parser.add_argument("--save", type=Path)
    asked = parser.parse_args()
    found = measure(asked.homes, asked.n)
    said = {"command": f"python -m benchmarks.web_hooks --n {asked.n}", "machine": machine(), "budget_ms": BUDGET}
    found = {**said, **found}
    text = json.dumps(found, indent=1)
    sys.stdout.write(f"{text}\n")
    if asked.save:
        asked.save.write_text(f"{text}\n")


if __name__ == "__main__":
    main()
