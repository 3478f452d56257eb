"""What a Central costs: the first shipment, one more turn until another machine finds it, and an idle contact.

`python -m benchmarks.central [--runs 60] [--turns 40]`. One server process and two machines over loopback, on generated
transcripts. The first shipment is given as a ratio to `cp` and `sha256sum` of the same archive in the same run.
`--home HOME` ships the runs of that home instead, and nothing else is measured.
`--load` adds hooks while `--megabytes` are shipped, and the same shipments indexed by 1, 2 and 4 workers.
`--thin` measures a thin machine and `--hooks` the hooks, each alone. One person's search at 1, 50 and 200 owners is
`benchmarks.owners`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from campaigns.report import machine
from memlane.app import Lane
from memlane.app.control import of_owner
from memlane.app.home import contact
from memlane.config import Config, load
from memlane.surfaces.cli.work import PAUSE, Worker
from memlane.surfaces.serve import Listening, serve

OWNER = "noor"
QUIET = 15.0  # seconds that nobody asks
WORDS = ("deploy", "worker", "queue", "retry", "docker", "cache", "token", "build", "test", "index", "search", "schema")


def config(folder: Path, name: str) -> Config:
    home = folder / name
    home.mkdir(exist_ok=True)
    user = "operator" if name == "central" else OWNER
    return load({"HOME": str(home), "LANE_USER": user, "LANE_MACHINE": name})


def started(folder: Path) -> tuple[int, str]:
    """The server, in a process of its own."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        serve(
            config(folder, "central"),
            Listening("127.0.0.1", 0),
            lambda url: bool(os.write(writes, url.encode())) and None,
        )
        os._exit(0)
    url = os.read(reads, 200).decode()
    return child, url


def said(path: Path, session: str, n: int, words: str) -> None:
    record = {
        "type": "user",
        "uuid": f"{session}-{n}",
        "parentUuid": None,
        "sessionId": session,
        "cwd": "/home/dev/shop",
    }
    record |= {"timestamp": f"2026-11-10T10:{n % 60:02}:00.000Z", "message": {"role": "user", "content": words}}
    with path.open("a") as file:
        file.write(json.dumps(record) + "\n")


def transcripts(settings: Config, runs: int, turns: int, chance: random.Random) -> None:
    folder = settings.person_home / ".claude" / "projects" / "-shop"
    folder.mkdir(parents=True)
    for run in range(runs):
        for turn in range(turns):
            said(folder / f"s{run}.jsonl", f"s{run}", turn, " ".join(chance.choices(WORDS, k=80)))


def seconds(words: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def first_shipment(folder: Path, name: str = "flagg") -> dict[str, float]:
    settings = config(folder, name)
    base = settings.archive_base
    plain = seconds(["cp", "-r", str(base), str(folder / f"copy of {name}")])
    plain += seconds(["sh", "-c", f"find {base} -type f -exec sha256sum {{}} +"])
    with Lane(settings) as lane:
        began, cpu = time.perf_counter(), time.process_time()
        report = lane.shipment.now()
        took, used = time.perf_counter() - began, time.process_time() - cpu
    return {
        "runs": len(report.runs),
        "bytes": report.bytes,
        "sent_bytes": report.sent,
        "seconds": round(took, 3),
        "client_cpu_seconds": round(used, 3),
        "cp_and_sha256sum_seconds": round(plain, 3),
        "ratio": round(took / plain, 2),
    }


def one_turn(folder: Path, times: int) -> dict[str, float]:
    """Captured, shipped, indexed by a worker, found from the other machine."""
    settings, took = config(folder, "flagg"), list[float]()
    path = settings.person_home / ".claude" / "projects" / "-shop" / "s0.jsonl"
    with Lane(settings) as one, Lane(config(folder, "tower")) as other, Lane(_owner(folder)) as worker:
        for n in range(times):
            word = f"zebra{n}quagga"
            said(path, "s0", 1000 + n, f"the word is {word}")
            began = time.perf_counter()
            one.capture.sweep()
            one.shipment.now()
            worker.capture.take_up()
            from memlane.app.search import Mode  # noqa: PLC0415
            from memlane.domain import RunFilter  # noqa: PLC0415

            found, why = other.everywhere.search(word, RunFilter(), 3, Mode.WORDS)
            assert found is not None, why
            assert found.search.best, f"{word} is not found"
            took.append((time.perf_counter() - began) * 1000)
    took.sort()
    return {
        "p50_ms": round(statistics.median(took), 1),
        "p95_ms": round(took[int(len(took) * 0.95) - 1], 1),
        "n": times,
    }


def _owner(folder: Path) -> Config:
    return of_owner(config(folder, "central"), OWNER)


def idle(folder: Path, server: int) -> dict[str, float]:
    """What a machine costs when nothing is new, and what a Central costs that nobody asks."""
    settings = config(folder, "flagg")
    with Lane(settings) as lane:
        began = time.perf_counter()
        for _ in range(5):
            lane.shipment.now()
        contacts = (time.perf_counter() - began) / 5 * 1000
    began = time.perf_counter()
    for _ in range(1000):
        contact.is_due(settings.home)
    due = (time.perf_counter() - began) * 1000
    before = _cpu(server)
    time.sleep(QUIET)
    with Lane(config(folder, "central")) as lane:
        worker = Worker(lane.config, lane.control)
        worker.look(everybody=True)
        began = time.process_time()
        for _ in range(100):
            worker.look()
        looked = (time.process_time() - began) / 100
    return {
        "contact_ms": round(contacts, 1),
        "is_due_us": round(due, 1),
        "server_cpu_ms_a_minute": round((_cpu(server) - before) * 60 / QUIET * 1000),
        "worker_cpu_ms_a_minute": round(looked * 60 / PAUSE * 1000),
    }


def _cpu(process: int) -> float:
    """Seconds of the processor it has used."""
    fields = (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(runs: int, turns: int, times: int) -> dict[str, object]:
    folder = Path(tempfile.mkdtemp(prefix="lane-central-"))
    server, url = started(folder)
    try:
        transcripts(config(folder, "flagg"), runs, turns, random.Random(1))
        for name in ("flagg", "tower"):
            with Lane(config(folder, "central")) as lane:
                code, _made = lane.control.codes.invite(OWNER)
            with Lane(config(folder, name)) as lane:
                lane.capture.sweep()
                lane.shipment.join(url, code)
        shipped = first_shipment(folder)
        with Lane(_owner(folder)) as worker:
            began = time.perf_counter()
            worker.capture.take_up(600.0)
            indexed = round(time.perf_counter() - began, 2)
        return {
            "first_shipment": shipped,
            "index_seconds": indexed,
            "turn_to_found": one_turn(folder, times),
            "idle": idle(folder, server),
            "machine": machine(),
        }
    finally:
        os.kill(server, signal.SIGTERM)
        os.waitpid(server, 0)
        shutil.rmtree(folder)


def of_home(place: Path) -> dict[str, object]:
    """The first shipment of all that the agents in this home keep. It is captured as a thin machine does."""
    folder = Path(tempfile.mkdtemp(prefix="lane-central-"))
    server, url = started(folder)
    try:
        (folder / "flagg").mkdir()
        (folder / "flagg" / ".memlane").mkdir()
        variables = {"HOME": str(place), "LANE_HOME": str(folder / "flagg" / ".memlane"), "LANE_THIN": "true"}
        with Lane(load({**variables, "LANE_USER": OWNER, "LANE_MACHINE": "flagg"})) as lane:
            lane.capture.sweep()
        with Lane(config(folder, "central")) as lane:
            code, _made = lane.control.codes.invite(OWNER)
        with Lane(config(folder, "flagg")) as lane:
            lane.shipment.join(url, code)
        return {"first_shipment": first_shipment(folder), "machine": machine()}
    finally:
        os.kill(server, signal.SIGTERM)
        os.waitpid(server, 0)
        shutil.rmtree(folder)


def of_thin(times: int) -> dict[str, object]:
    from benchmarks import central_load  # noqa: PLC0415 - it stands on this module

    folder = Path(tempfile.mkdtemp(prefix="lane-central-thin-"))
    try:
        return {"thin": central_load.thin(folder, times), "machine": machine()}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def of_hooks(megabytes: int) -> dict[str, object]:
    from benchmarks import central_load  # noqa: PLC0415 - it stands on this module

    folder = Path(tempfile.mkdtemp(prefix="lane-central-hooks-"))
    try:
        return {"hooks": central_load.hooks_while_shipping(folder, megabytes, 40), "machine": machine()}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def loaded(megabytes: int, owners: int) -> dict[str, object]:
    from benchmarks import central_load  # noqa: PLC0415 - it stands on this module

    folder = Path(tempfile.mkdtemp(prefix="lane-central-load-"))
    try:
        return {
            "large_shipment": central_load.large_shipment(folder, megabytes),
            "hooks": central_load.hooks_while_shipping(folder, megabytes, 40),
            "ingest": central_load.ingest(folder, owners, 6, 40, (1, 2, 4)),
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--home", type=Path, help="whose runs are shipped, and nothing else is measured")
    parser.add_argument("--load", action="store_true", help="also hooks while shipping, and several workers")
    parser.add_argument("--hooks", action="store_true", help="hooks while shipping, and nothing else is measured")
    parser.add_argument("--thin", action="store_true", help="a thin machine, and nothing else is measured")
    parser.add_argument("--megabytes", type=int, default=1000, help="shipped while hooks run")
    parser.add_argument("--owners", type=int, default=8, help="whose shipments several workers index")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    if chosen.thin:
        found = of_thin(chosen.times)
    elif chosen.hooks:
        found = of_hooks(chosen.megabytes)
    else:
        found = of_home(chosen.home) if chosen.home else measured(chosen.runs, chosen.turns, chosen.times)
    if chosen.load:
        found |= loaded(chosen.megabytes, chosen.owners)
    if chosen.save:
        row = {"command": f"python -m benchmarks.central {' '.join(sys.argv[1:])}", "benchmark": "central", **found}
        chosen.save.write_text(json.dumps(row, indent=2) + "\n")
    if chosen.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
