"""Central under load: hooks while a machine ships, several workers on one database, and what a thin machine costs.

Each figure is a ratio to the same thing measured in the same run without the load.
"""

from __future__ import annotations

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import psycopg

import memlane
from benchmarks import central
from campaigns.agents import NOTE, PROMPTS
from campaigns.postgres_server import Server
from memlane.app import Lane
from memlane.app.control import of_owner
from memlane.config import Config, load
from memlane.domain import Scope, Type
from memlane.surfaces.cli.work import Worker

CLIENT = Path(memlane.__file__).parent / "surfaces" / "hooks" / "client.py"
DAEMON = [sys.executable, "-P", "-m", "memlane.surfaces.daemon"]
HOOK_EVERY = 0.05  # seconds
LOCKED = (
    "SELECT count(*) FILTER (WHERE wait_event_type = 'Lock'), count(*) FROM pg_stat_activity WHERE state = 'active'"
)


def hooks_while_shipping(folder: Path, megabytes: int, times: int) -> dict[str, object]:
    """The command hook as an agent runs it, alone and while `lane ship --now` sends, on the machine's own core."""
    server, url = central.started(folder)
    ours, theirs = 0, (os.cpu_count() or 1) - 1
    os.sched_setaffinity(server, {theirs})
    os.sched_setaffinity(0, {ours})
    settings = _machine(folder, "shipper", megabytes)
    try:
        _joined(folder, settings, url)
        daemon = subprocess.Popen(DAEMON, env=_variables(settings), cwd=settings.home, stderr=subprocess.DEVNULL)
        try:
            _hooks(settings, 5)
            before = _hooks(settings, times)
            began = time.monotonic()
            ship = subprocess.Popen(
                _command("ship", "--now", "--json"), env=_variables(settings), stdout=subprocess.DEVNULL
            )
            during, sent = list[float](), False
            while ship.poll() is None:
                during += _hooks(settings, 1)
            sent = ship.returncode == 0
            took = time.monotonic() - began
            after = _hooks(settings, times)
        finally:
            daemon.kill()
            daemon.wait()
    finally:
        os.kill(server, 15)
        os.waitpid(server, 0)
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    idle = statistics.median([*before, *after])
    return {
        "megabytes": megabytes,
        "sent": sent,
        "ship_seconds": round(took, 1),
        "idle_p50_ms": round(idle, 1),
        "shipping_p50_ms": round(statistics.median(during), 1) if during else None,
        "hooks_while_shipping": len(during),
        "ratio": round(statistics.median(during) / idle, 2) if during else None,
    }


def large_shipment(folder: Path, megabytes: int) -> dict[str, float]:
    """All of a large archive, as a ratio to `cp` and `sha256sum` of it."""
    server, url = central.started(folder)
    try:
        settings = _machine(folder, "large", megabytes)
        _joined(folder, settings, url)
        return central.first_shipment(folder, "large")
    finally:
        os.kill(server, 15)
        os.waitpid(server, 0)


def _machine(folder: Path, name: str, megabytes: int) -> Config:
    """A large archive, and one note. It is captured as a thin machine does, because only its size matters here."""
    settings = central.config(folder, name)
    chance = random.Random(2)
    central.transcripts(settings, megabytes, 1500, chance)  # about 1 MB each
    thin = load({**settings.variables, "LANE_THIN": "true"})
    with Lane(thin) as lane:
        lane.capture.sweep()
        lane.memories.remember(NOTE, settings.home, type=Type.DECISION, scope=Scope.PERSON)
    with Lane(settings) as lane:
        lane.recall.prepare()
    return settings


def _joined(folder: Path, settings: Config, url: str) -> None:
    with Lane(central.config(folder, "central")) as lane:
        code, _made = lane.control.codes.invite(central.OWNER)
    with Lane(settings) as lane:
        lane.shipment.join(url, code)


def _variables(settings: Config) -> dict[str, str]:
    quiet = {"LANE_DAEMON_WATCH": "false", "LANE_DAEMON_TICK_MINUTES": "0", "LANE_SHIP_BACKGROUND": "false"}
    return {
        **settings.variables,
        **quiet,
        "OPENBLAS_NUM_THREADS": "1",
        "PATH": os.environ["PATH"],
        "LANE_HOME": str(settings.home),
    }


def _command(*words: str) -> list[str]:
    return ["nice", "-n", "10", sys.executable, "-P", "-m", "memlane", *words]


def _hooks(settings: Config, times: int) -> list[float]:
    took = list[float]()
    for _ in range(times):
        time.sleep(HOOK_EVERY)
        took.append(_ms(lambda: _asked(settings, _variables(settings))))
    return took


def _asked(settings: Config, variables: Mapping[str, str]) -> bytes:
    """By a run that has not been told yet."""
    said = {"session_id": f"s{time.monotonic_ns()}", "cwd": str(settings.home), "prompt": PROMPTS[0]}
    done = subprocess.run(
        [sys.executable, "-I", "-S", CLIENT, "claude-code", "UserPromptSubmit"],
        input=json.dumps(said).encode(),
        env=variables,
        capture_output=True,
        check=True,
    )
    return done.stdout


def ingest(folder: Path, owners: int, runs: int, turns: int, workers: Sequence[int]) -> list[dict[str, object]]:
    """The same shipments indexed by ever more workers, each time into an empty database."""
    home = folder / "ingest"
    home.mkdir()
    _filled(folder, home, owners, runs, turns)
    found = list[dict[str, object]]()
    for several in workers:
        server = Server()
        try:
            found.append(_ingested(home, server.url, several))
        finally:
            server.close()
    return found


def _filled(folder: Path, home: Path, owners: int, runs: int, turns: int) -> None:
    """Central's archive, as if every owner's machine had shipped: the same bytes at the same places."""
    settings = load({"HOME": str(home), "LANE_USER": "operator", "LANE_MACHINE": "central"})
    with Lane(settings) as lane:
        for n in range(owners):
            lane.control.codes.invite(f"owner{n}")
    for n in range(owners):
        person = folder / f"person{n}"
        person.mkdir()
        variables = {"HOME": str(person), "LANE_USER": f"owner{n}", "LANE_MACHINE": f"m{n}", "LANE_THIN": "true"}
        its = load({**variables, "LANE_ARCHIVE_BASE": str(settings.archive_base)})
        central.transcripts(its, runs, turns, random.Random(n))
        with Lane(its) as lane:
            lane.capture.sweep()


def _ingested(home: Path, url: str, workers: int) -> dict[str, object]:
    variables = {"HOME": str(home), "LANE_USER": "operator", "LANE_MACHINE": "central", "LANE_STORAGE_URL": url}
    settings = load(variables)
    with Lane(settings) as lane:  # the tables are made before anybody is timed
        lane.home.create_storage()
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    children = [_child(lambda: _work(settings)) for _ in range(workers)]
    waiting, active = _watched(url, children)
    took, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    chunks = _chunks(settings)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "workers": workers,
        "chunks": chunks,
        "seconds": round(took, 2),
        "chunks_per_second": round(chunks / took),
        "cpu_ms_per_chunk": round(cpu * 1000 / max(1, chunks), 3),
        "share_of_queries_waiting_for_a_lock": round(waiting / max(1, active), 3),
    }


def _work(settings: Config) -> None:
    with Lane(settings) as lane:
        worker = Worker(settings, lane.control)
        for _ in range(40):  # what another worker has is looked at again
            worker.look(everybody=True)
            if not _left(settings, lane):
                return
            time.sleep(0.2)


def _left(settings: Config, lane: Lane) -> bool:
    for owner in lane.control.people.names():
        with Lane(of_owner(settings, owner)) as one:
            if one.home.layout.root.is_dir() and (one.home.outdated or one.home.storage().work.pending()):
                return True
    return False


def _chunks(settings: Config) -> int:
    with psycopg.connect(settings.text("storage.url")) as connection:
        names = "SELECT schemaname FROM pg_tables WHERE tablename = 'chunks' AND schemaname LIKE 'lane_v%'"
        (schema,) = connection.execute(names).fetchone() or ("lane",)
        (count,) = connection.execute(f'SELECT count(*) FROM "{schema}".chunks').fetchone() or (0,)  # type: ignore[arg-type]
    return int(count)


def _child(work: Callable[[], None]) -> int:
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return child


def _watched(url: str, children: Sequence[int]) -> tuple[int, int]:
    """Of the database's own look at what runs: how often a query was seen waiting for a lock, of how many."""
    waiting = active = 0
    left = set(children)
    with psycopg.connect(url, autocommit=True) as connection:
        while left:
            locked, running = connection.execute(LOCKED).fetchone() or (0, 0)
            waiting, active = waiting + locked, active + max(0, running - 1)
            time.sleep(0.02)
            left -= {child for child in left if os.waitpid(child, os.WNOHANG)[0]}
    return waiting, active


def thin(folder: Path, times: int) -> dict[str, object]:
    """A thin machine, beside a bare interpreter in the same run: from the start of its daemon until it listens, a hook
    that had to start it, a hook of every day, and its memory. Hooks end when Central has answered, or in their time."""
    server, url = central.started(folder)
    settings = central.config(folder, "tablet")
    starts, bare, cold, warm, size = list[float](), list[float](), list[float](), list[float](), 0
    told = 0
    try:
        _joined_thin(folder, settings, url)
        variables = {**_variables(settings), "LANE_THIN": "true"}
        for _ in range(times):
            bare.append(_ms(lambda: subprocess.run([sys.executable, "-I", "-c", "pass"], check=True)))
            daemon, took = _listening(settings, variables)
            starts.append(took)
            _asked(settings, variables)  # what asking takes is loaded now
            for _hook in range(3):
                warm.append(_ms(lambda: _asked(settings, variables)))
            size = _resident(daemon.pid)
            daemon.terminate()
            daemon.wait()
            began = time.perf_counter()
            told += NOTE.encode() in _asked(settings, variables)
            cold.append((time.perf_counter() - began) * 1000)
            subprocess.run(_command("daemon", "stop"), env=variables, check=True, capture_output=True)
    finally:
        os.kill(server, 15)
        os.waitpid(server, 0)
    idle = statistics.median(bare)
    return {
        "bare_python_p50_ms": round(idle, 1),
        "listens_p50_ms": round(statistics.median(starts), 1),
        "listens_best_ms": round(min(starts), 1),
        "listens_to_bare_python": round(statistics.median(starts) / idle, 2),
        "hook_p50_ms": round(statistics.median(warm), 1),
        "hook_that_starts_it_p50_ms": round(statistics.median(cold), 1),
        "hooks_that_started_it": times,
        "of_them_told_in_time": told,
        "resident_mb": size >> 20,
    }


def _joined_thin(folder: Path, settings: Config, url: str) -> None:
    """With one note, which Central has read."""
    with Lane(central.config(folder, "central")) as lane:
        code, _made = lane.control.codes.invite(central.OWNER)
    with Lane(settings) as lane:
        lane.shipment.join(url, code, thin=True)
    with Lane(load({**settings.variables})) as lane:
        lane.memories.remember(NOTE, settings.home, type=Type.DECISION, scope=Scope.PERSON)
        lane.shipment.now()
    with Lane(of_owner(central.config(folder, "central"), central.OWNER)) as worker:
        worker.capture.take_up()


def _listening(settings: Config, variables: Mapping[str, str]) -> tuple[subprocess.Popen[bytes], float]:
    socket = settings.home / "run" / "daemon.sock"
    began = time.perf_counter()
    daemon = subprocess.Popen(DAEMON, env=variables, cwd=settings.home, stderr=subprocess.DEVNULL)
    while not socket.exists():
        time.sleep(0.0005)
    return daemon, (time.perf_counter() - began) * 1000


def _ms(what: Callable[[], object]) -> float:
    began = time.perf_counter()
    what()
    return (time.perf_counter() - began) * 1000


def _resident(pid: int) -> int:
    return int((Path("/proc") / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
