"""How quick is search, and what does it cost to be able to? `python -m benchmarks.search --home HOME [--million]`.

HOME is a folder laid out like a person's home, with their agents' transcripts in it; it is only read. First the cold
build, then questions of two and of forty words, by words, by meaning and by both, at the home's own size, at
`--repeat` times as many Chunks, and with `--million` at a million; idle, and while `lane import` takes in a bulk. Then
one more turn at the end of a transcript, until it is found. `--postgres` does it on a PostgreSQL started for it, asks
the embedded engine the same questions at the same sizes in the same run, and prints ratios and how many orders agree.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import large_home
from benchmarks.asker import spread
from benchmarks.build_cost import PEER, appended, cold
from benchmarks.stage import Stage, sizes
from memlane.app import Lane
from memlane.app.search import Mode
from memlane.domain import RunFilter

MILLION = 1_000_000
ONE_SHOTS = 9
BULK_RUNS = 400  # of one file a bulk ingest reads: more than it manages while questions are asked
SEED = 101  # of what a bulk ingest reads
KINDS, MODES = ("two", "forty"), ("words", "meaning", "hybrid")


def latencies(stage: Stage, home: large_home.Home, prompts: Path, *, seed: int) -> dict[str, Any]:
    """The same questions twice: nothing else going on, and while a bulk is taken in."""
    with stage.lane() as lane:
        chunks = lane.home.storage().chunks.count(lane.home.reader)
    idle = ask(stage, prompts)
    with bulk(stage, home, seed) as writer:
        loaded = ask(stage, prompts)
        still_writing = writer.poll() is None
    stage.run("-m", "memlane", "capture", "--quiet", LANE_EMBED_MODEL="none")  # what was archived and not indexed yet
    with stage.lane() as lane:
        written = lane.home.storage().chunks.count(lane.home.reader) - chunks
    ratios = {
        kind: {mode: round(loaded[kind][mode]["p95"] / idle[kind][mode]["p95"], 2) for mode in MODES} for kind in KINDS
    }
    loaded |= {"chunks_of_the_bulk": written, "still_writing_at_the_end": still_writing}
    return {
        "chunks": chunks,
        "idle": idle,
        "under_load": loaded,
        "p95_under_load_to_idle": ratios,
        "disk_mb": sizes(stage),
    }


def ask(stage: Stage, prompts: Path) -> dict[str, Any]:
    words = [sys.executable, "-m", "benchmarks.asker", "--prompts", str(prompts)]
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, env=stage.variables())
    return json.loads(done.stdout)


@contextmanager
def bulk(stage: Stage, home: large_home.Home, seed: int) -> Generator[subprocess.Popen[bytes], None, None]:
    """`lane import` of more than it can read in the time; its first Runs are in the index."""
    file = stage.folder / f"bulk-{seed}.jsonl"
    large_home.neutral_runs(home, file, BULK_RUNS, seed)
    words = [sys.executable, "-m", "memlane", "import", str(file), "--quiet"]
    quiet = subprocess.DEVNULL
    writer = subprocess.Popen(words, env=stage.variables(), stdout=quiet, stderr=quiet)
    try:
        indexing(stage, writer)
        yield writer
    finally:
        writer.kill()
        writer.wait()
        file.unlink()


def indexing(stage: Stage, writer: subprocess.Popen[bytes]) -> None:
    """Until the first of its Runs are in the index: copying comes first."""
    with stage.lane() as lane:
        before = lane.home.storage().chunks.count(lane.home.reader)
        while writer.poll() is None and lane.home.storage().chunks.count(lane.home.reader) == before:
            time.sleep(0.1)


def one_shots(stage: Stage, prompts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Whole commands, start-up included, each beside a bare interpreter."""
    commands = {
        "search two words": ("search", prompts["two"][0]),
        "search forty words": ("search", prompts["forty"][0]),
        "search two words, words only": ("search", prompts["two"][0], "--mode", "words"),
        "runs": ("runs",),
        "help": ("--help",),
    }
    bare = [stage.run("-c", "pass")["seconds"] * 1000 for _ in range(ONE_SHOTS)]
    found: dict[str, Any] = {"bare python": spread(bare)}
    for name, words in commands.items():
        took = [stage.run("-m", "memlane", *words) for _ in range(ONE_SHOTS)]
        cpu = sorted(one["cpu_seconds"] for one in took)[ONE_SHOTS // 2]
        found[name] = {**spread([one["seconds"] * 1000 for one in took]), "cpu_ms": round(cpu * 1000)}
    return found


# -- all of it -------------------------------------------------------------------------------------------------------


def measure(stage: Stage, n: int, repeat: int, *, million: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"cold": cold(stage)}
    with stage.lane() as lane:
        home = large_home.read(lane)
    prompts = {"two": large_home.prompts(home, 2, n), "forty": large_home.prompts(home, 40, n)}
    file = stage.folder / "prompts.json"
    file.write_text(json.dumps(prompts))
    found["one_shot_ms"] = one_shots(stage, prompts)
    found["appended"] = {"x1": appended(stage, 0)}
    found["x1"] = latencies(stage, home, file, seed=SEED)
    steps = [(f"x{repeat}", repeat * len(home.chunks), large_home.again(home))] if repeat > 1 else []
    steps += [("million", MILLION, large_home.recombined(home))] if million else []
    for number, (name, chunks, texts) in enumerate(steps, 1):
        made = grow(stage, home, texts, chunks, name)
        found["appended"][name] = appended(stage, 10 * number)
        found[name] = {**made, **latencies(stage, home, file, seed=SEED + number)}
    return found


def compared(stage: Stage, beside: Stage, n: int, repeat: int) -> dict[str, Any]:
    """The same questions to both engines at the home's size and at `repeat` times it, nothing else going on."""
    found = dict[str, Any]()
    for one in (stage, beside):
        one.run("-m", "memlane", "capture", "--quiet", LANE_EMBED_MODEL="none")
    with beside.lane() as lane:
        home = large_home.read(lane)
    prompts = {"two": large_home.prompts(home, 2, n), "forty": large_home.prompts(home, 40, n)}
    file = beside.folder / "prompts.json"
    file.write_text(json.dumps(prompts))
    for name, times in (("x1", 1), *([(f"x{repeat}", repeat)] if repeat > 1 else [])):
        for one in (stage, beside):
            with one.lane() as lane:
                large_home.grow(lane, large_home.again(home), times * len(home.chunks), name)
                large_home.give_vectors(lane, home)
                large_home.settle(lane)
        ours, theirs = ask(stage, file), ask(beside, file)
        ratio = {k: {m: round(ours[k][m]["p50"] / theirs[k][m]["p50"], 2) for m in MODES} for k in KINDS}
        orders = same_orders(stage, beside, prompts)
        found[name] = {"postgres": ours, "embedded": theirs, "p50_to_embedded": ratio, "same_order_by_words": orders}
    return found


def same_orders(stage: Stage, beside: Stage, prompts: Mapping[str, Sequence[str]]) -> str:
    """Of all questions, in how many the first ten turns are the same in the same order."""
    every = [prompt for some in prompts.values() for prompt in some]
    with stage.lane() as one, beside.lane() as other:
        found = [[first_ten(lane, prompt) for prompt in every] for lane in (one, other)]
    return f"{sum(ours == theirs for ours, theirs in zip(*found, strict=True))} of {len(every)}"


def first_ten(lane: Lane, prompt: str) -> list[tuple[str, int, int, int]]:
    return [turn.chunk.key for turn in lane.search.find(prompt, RunFilter(), 10, Mode.WORDS).search.best]


def grow(stage: Stage, home: large_home.Home, texts: Iterator[str], chunks: int, name: str) -> dict[str, float]:
    began = time.perf_counter()
    with stage.lane() as lane:
        large_home.grow(lane, texts, chunks, name)
        written = time.perf_counter() - began
        large_home.give_vectors(lane, home)
        large_home.settle(lane)
    return {"growing_seconds": round(written), "vectors_seconds": round(time.perf_counter() - began - written)}


def machine() -> dict[str, Any]:
    return {"cores": os.cpu_count(), "python": platform.python_version(), "load": round(os.getloadavg()[0], 2)}


def table(found: Mapping[str, Any]) -> str:
    rows = whole_table(found) if "cold" in found else []
    for name, one in found.get("beside_embedded", {}).items():
        rows.append(f"{name}, p50 to embedded {one['p50_to_embedded']}, same order {one['same_order_by_words']}")
    return "\n".join(rows)


def whole_table(found: Mapping[str, Any]) -> list[str]:
    one = found["cold"]
    rows = [
        f"cold build        {one['cpu_seconds']} CPU s, the gate {one['gate_cpu_seconds']}; peak {one['peak_mb']} MB",
        f"without the gate  {one['cpu_ratio_without_gate']} × {PEER['name']}; memory {one['memory_ratio']} ×",
        f"meaning           {one['meaning']['texts_per_second']} texts/s",
        f"on disk, MB       {one['disk_mb']}",
        f"one more turn     {found['appended']}",
        "one shot, ms      " + ", ".join(f"{name} {spent['p50']:.0f}" for name, spent in found["one_shot_ms"].items()),
        "",
        "search, ms                          p50     p95     p99   under load p95   ×",
    ]
    for name in (name for name in found if isinstance(found[name], dict) and "idle" in found[name]):
        for kind in KINDS:
            for mode in MODES:
                rows.append(row(f"{name}, {kind} words, {mode}", found[name], kind, mode))
    return rows


def row(name: str, found: Mapping[str, Any], kind: str, mode: str) -> str:
    idle, loaded = found["idle"][kind][mode], found["under_load"][kind][mode]
    times = "".join(f"{idle[p]:8.1f}" for p in ("p50", "p95", "p99"))
    return f"{name:<31}{times} {loaded['p95']:14.1f}  {found['p95_under_load_to_idle'][kind][mode]:5.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--n", type=int, default=200, help="questions of each kind")
    parser.add_argument("--repeat", type=int, default=10, help="times the home's Chunks; 1: not")
    parser.add_argument("--million", action="store_true", help="and a million Chunks; takes minutes")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL, started for it")
    parser.add_argument("--compare", action="store_true", help="with --postgres: only beside the embedded engine")
    parser.add_argument("--json", action="store_true", help="only the JSON object")
    parser.add_argument("--save", type=Path, help="write the object there too")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, storage(postgres=asked.postgres) as url:
        stage = Stage(Path(folder), url)
        leave = shutil.ignore_patterns(".memlane")
        shutil.copytree(asked.home, stage.person, symlinks=True, ignore=leave)
        report = {} if asked.compare else measure(stage, asked.n, asked.repeat, million=asked.million)
        if url:
            report["beside_embedded"] = beside_embedded(Path(folder), stage, asked.n, asked.repeat)
    flags = [
        f"--n {asked.n}",
        f"--repeat {asked.repeat}",
        *["--million"] * asked.million,
        *["--postgres"] * asked.postgres,
        *["--compare"] * asked.compare,
    ]
    command = " ".join(["python -m benchmarks.search --home HOME", *flags])
    kept = {
        "command": command,
        "benchmark": "search",
        "engine": "postgres" if url else "embedded",
        "machine": machine(),
        **report,
    }
    if not asked.json:
        print(table(kept))
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    print(json.dumps(kept))


def beside_embedded(folder: Path, stage: Stage, n: int, repeat: int) -> dict[str, Any]:
    """Two homes of the same person, one in the same PostgreSQL, one with the embedded engine."""
    homes = [Stage(folder / name, url) for name, url in (("again", stage.storage), ("beside", ""))]
    for home in homes:
        home.folder.mkdir()
        home.person.symlink_to(stage.person)
    return compared(homes[0], homes[1], n, repeat)


@contextmanager
def storage(*, postgres: bool) -> Generator[str, None, None]:
    """The address of a server that is gone afterwards; "" for the embedded engine."""
    if not postgres:
        yield ""
        return
    from campaigns.postgres_server import Server  # noqa: PLC0415 - psycopg, only for who asks for it

    server = Server()
    try:
        yield server.url
    finally:
        server.close()


if __name__ == "__main__":
    main()
