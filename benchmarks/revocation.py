"""How long until what was taken back is gone: from search and memories on Central, from pages and recall elsewhere.

`python -m benchmarks.revocation [--lessons 40]`. One server process and two machines over loopback. Noor shares a
project with transcripts and each of her lessons, Mira's daemon is in contact by itself, as often as it is. Each lesson
is taken back at another moment of that; then all that is asked by the reader is asked again and again until it is gone.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.central import config, said, started
from campaigns.reads_pages import ReaderPages
from campaigns.report import machine
from memlane.app import Lane
from memlane.app.control import Grant, GrantType, Reading, Role, of_owner
from memlane.config import Config, load
from memlane.domain import RunFilter, Scope

SPREAD = 1.7  # seconds from one to the next: no multiple of the time between two contacts
NEVER = 300.0  # seconds


def person(folder: Path, name: str) -> Config:
    home = folder / name
    home.mkdir()
    return load({"HOME": str(home), "LANE_USER": name, "LANE_MACHINE": f"{name}-laptop"})


def quantiles(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    at = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    return {name: round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3) for name, share in at.items()}


def until_gone(there: Callable[[], bool]) -> float:
    began = time.monotonic()
    while there():
        if time.monotonic() - began > NEVER:
            raise SystemExit("it did not go")
    return time.monotonic() - began


def measured(folder: Path, count: int) -> dict[str, object]:
    server, url = started(folder)
    try:
        with Lane(config(folder, "central")) as central:
            return _taken_back(folder, central, url, count)
    finally:
        os.kill(server, signal.SIGTERM)
        os.waitpid(server, 0)


def _taken_back(folder: Path, central: Lane, url: str, count: int) -> dict[str, object]:
    control, homes = central.control, {name: person(folder, name) for name in ("noor", "mira")}
    lanes = {name: Lane(one) for name, one in homes.items()}
    for name, lane in lanes.items():
        code, _made = control.codes.invite_person(name, Role.MEMBER)
        lane.shipment.join(url, code)
    noor, mira = lanes["noor"], lanes["mira"]
    runs = homes["noor"].person_home / ".claude" / "projects" / "-shop"
    runs.mkdir(parents=True)
    for n in range(count):
        said(runs / f"s{n}.jsonl", f"s{n}", 1, f"the axolotl{n} opens the till")
    noor.capture.sweep()
    lessons = [
        noor.memories.remember(f"lesson {n}: till {n} opens at {n}", folder, scope=Scope.PERSON).id
        for n in range(count)
    ]
    noor.shipment.now()
    with Lane(of_owner(central.config, "noor")) as part:
        part.capture.take_up()
        part.home.know_archive()
        ids = {run.native_id: run.id for run in part.runs.select(RunFilter())}
    names = [ids[f"s{n}"] for n in range(count)]
    shared = [Grant("", "noor", GrantType.MEMORY, one, one, "mira") for one in lessons]
    shared += [Grant("", "noor", GrantType.RUN, one, one, "mira", reading=Reading.TRANSCRIPTS) for one in names]
    given = {grant.name: control.grants.give(grant).id for grant in shared}
    mira.shipment.now()
    assert set(lessons) <= set(mira.home.lent.owners())
    daemon = subprocess.Popen(
        [sys.executable, "-P", "-m", "memlane.surfaces.daemon"],
        env={**os.environ, "HOME": str(homes["mira"].person_home), "LANE_HOME": str(homes["mira"].home)}
        | {"LANE_USER": "mira", "LANE_MACHINE": "mira-laptop"},
    )
    try:
        return _timed(noor, mira, given, lessons, names)
    finally:
        daemon.terminate()
        daemon.wait()
        for lane in lanes.values():
            lane.close()


def _timed(noor: Lane, mira: Lane, given: dict[str, str], lessons: list[str], runs: list[str]) -> dict[str, object]:
    search, memories, pages, recall = list[float](), list[float](), list[float](), list[float]()
    waiting, browser = dict[str, float](), ReaderPages(mira)
    for n, (lesson, run) in enumerate(zip(lessons, runs, strict=True)):
        for one in (lesson, run):
            assert _shows(mira, one, n), "it was not there before"
        assert _page_shows(browser, run, n), "no page had it before"
        for one in (lesson, run):
            noor.shipment.ask("/api/shares/revoke", {"share": given[one]})
        waiting[lesson] = time.monotonic()
        search.append(until_gone(partial(_shows, mira, run, n)))
        pages.append(until_gone(partial(_page_shows, browser, run, n)))
        memories.append(until_gone(partial(_shows, mira, lesson, n)))
        end = time.monotonic() + SPREAD
        while time.monotonic() < end:
            recall += _gone(mira, waiting)
    while waiting:
        recall += _gone(mira, waiting)
    return {
        "search": quantiles(search),
        "pages": quantiles(pages),
        "memories": quantiles(memories),
        "recall_elsewhere": quantiles(recall),
        "n": len(recall),
    }


def _shows(mira: Lane, one: str, n: int) -> bool:
    """On Central, to Mira: a run by the search for its word, a memory in the list."""
    if one.startswith("m_"):
        return one in json.dumps(mira.shipment.ask("/api/memories?limit=1000"))
    asked: dict[str, object] = {"query": f"axolotl{n}", "which": {}, "limit": 10}
    return one in json.dumps(mira.shipment.ask("/api/views/search", asked))


def _page_shows(browser: ReaderPages, run: str, n: int) -> bool:
    """On Mira's machine, which asks Central for it."""
    return f"axolotl{n} ".encode() in browser.shown(f"/runs/{run}")


def _gone(mira: Lane, waiting: dict[str, float]) -> list[float]:
    """Of those taken back, what recall on Mira's machine cannot bring up any more, and after how long."""
    time.sleep(0.05)
    there, now = mira.home.lent.owners(), time.monotonic()
    gone = [one for one in waiting if one not in there]
    return [now - waiting.pop(one) for one in gone]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=int, default=40)
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="revocation-"))
    try:
        found = {"command": f"python -m benchmarks.revocation --lessons {args.lessons}", "machine": machine()}
        print(json.dumps({**found, "seconds": measured(folder, args.lessons)}, indent=1))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
