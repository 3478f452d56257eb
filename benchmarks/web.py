"""`python -m benchmarks.web --home HOME`: how long is each page of the web UI, and how much of it comes over the wire?

HOME is a folder laid out like a person's home; it is copied, captured and caught from, unless a lane home in it
(`.memlane`) says that was done. For every page: what the daemon needs for it, when Chromium has painted something
useful of it, bytes and requests; at the home's own size and at `--repeat` times as much of everything, in one run.
How smoothly River and Map move among 100,000 memories is another question: `benchmarks.web_frames`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import web_home
from benchmarks.stage import Stage
from benchmarks.web_pages import addresses, answered, browsing, painted, placed, served

COMMAND = "python -m benchmarks.web --home HOME"


def measure(stage: Stage, n: int, visits: int) -> dict[str, Any]:
    """Every page at this size."""
    with stage.lane() as lane:
        wanted = addresses(lane)
    found = dict[str, Any]()
    with served(stage) as site, browsing() as browser:
        placed(site)
        for path, address in wanted.items():
            told = answered(site, address, n)
            if told is not None:
                seen = painted(browser, site, address, visits) if told.whole else {}
                found[path] = {"server_ms": told.figures, **seen}
    return {"holds": asdict(web_home.held(stage)), "pages": found}


def ratios(small: Mapping[str, Any], large: Mapping[str, Any]) -> dict[str, Any]:
    """How much more it takes when there is so much more."""
    found = dict[str, Any]()
    for path, before in small["pages"].items():
        after = large["pages"].get(path)
        if after is None:
            continue
        ours = (before["server_ms"], after["server_ms"])
        found[path] = {"server": round(ours[1]["p50"] / ours[0]["p50"], 2)}
        found[path] |= {"cpu": round(ours[1]["cpu_ms"] / max(ours[0]["cpu_ms"], 0.1), 2)}
        if "useful_ms" in before:
            found[path] |= {"useful": round(after["useful_ms"] / before["useful_ms"], 2)}
            found[path] |= {"bytes": round(after["bytes"]["all"] / before["bytes"]["all"], 2)}
    return found


def measured(home: Path, stage: Stage, n: int, visits: int, repeat: int) -> dict[str, Any]:
    web_home.settled(home, stage)
    said("settled")
    found = {"x1": measure(stage, n, visits)}
    said("x1")
    if repeat > 1:
        web_home.grow(stage, repeat)
        said(f"grown {repeat} times")
        found[f"x{repeat}"] = measure(stage, n, visits)
        found["ratio"] = ratios(found["x1"], found[f"x{repeat}"])
    return found


def table(found: Mapping[str, Any]) -> str:
    sizes = [name for name in found if name.startswith("x")]
    lines = [
        f"{name}: {', '.join(f'{value:,} {what}' for what, value in found[name]['holds'].items())}" for name in sizes
    ]
    lines += [
        "",
        f"{'':<20}" + "".join(f"{f'{name}: server p50  p95  cpu useful  KiB requests':>50}" for name in sizes),
    ]
    for path in found[sizes[0]]["pages"]:
        lines.append(f"{path:<20}" + "".join(_columns(found[name]["pages"].get(path)) for name in sizes))
    return "\n".join(lines)


def _columns(one: Mapping[str, Any] | None) -> str:
    if one is None:
        return " " * 50
    server = f"{one['server_ms']['p50']:18.1f}{one['server_ms']['p95']:6.0f}{one['server_ms']['cpu_ms']:5.0f}"
    if "useful_ms" not in one:
        return f"{server}{'':7}{one['server_ms']['bytes'] / 1024:5.0f}{'':9}"
    return f"{server}{one['useful_ms']:7.0f}{one['bytes']['all'] / 1024:5.0f}{one['requests']:9}"


_BEGAN = time.monotonic()


def said(what: str) -> None:
    print(f"{time.monotonic() - _BEGAN:6.1f} s  {what}", file=sys.stderr, flush=True)


def machine() -> dict[str, Any]:
    return {"cores": os.cpu_count(), "python": platform.python_version(), "load": round(os.getloadavg()[0], 2)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--n", type=int, default=15, help="answers of the daemon for each page")
    parser.add_argument("--visits", type=int, default=2, help="of a browser that comes back to a page")
    parser.add_argument("--repeat", type=int, default=10, help="times as much as the home holds; 1: not")
    parser.add_argument("--json", action="store_true", help="only the JSON object")
    parser.add_argument("--save", type=Path, help="write the object there too")
    asked = parser.parse_args()
    load = machine()
    with tempfile.TemporaryDirectory(prefix="lane-", ignore_cleanup_errors=True) as folder:
        found = measured(asked.home, Stage(Path(folder)), asked.n, asked.visits, asked.repeat)
    command = f"{COMMAND} --n {asked.n} --visits {asked.visits} --repeat {asked.repeat}"
    kept = {
        "command": command,
        "benchmark": "web",
        "machine": load,
        "seconds": round(time.monotonic() - _BEGAN),
        **found,
    }
    if not asked.json:
        print(table(kept))
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    print(json.dumps(kept))


if __name__ == "__main__":
    main()
