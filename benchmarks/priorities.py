"""`python -m benchmarks.priorities [--n 20] [--json] [--save FILE]`: how long does a question wait beside bulk work?

A real HTTP endpoint, 180 ms for each call and one call at a time; 98 bulk embeds stand in the queue. Questions come
at odd moments: idle, beside the bulk of the same process, and beside the bulk of another process of the same home. The
best that can be hoped for is half a call more on average and one whole call more at worst: ratios of 1.5 and 2.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.slow_endpoint import DIMENSION, slow_endpoint
from campaigns.report import machine
from memlane.embed import EmbedderSpec, EmbedQueue, Priority, embedder

if TYPE_CHECKING:
    from memlane.embed.embedder import Vector

CALL = 0.18  # seconds
BULK = 98  # texts
PATIENCE = 30.0
SEED = 7


def queue_at(url: str, folder: Path) -> EmbedQueue:
    return EmbedQueue(embedder(EmbedderSpec("ollama", name="slow", url=url, dimension=DIMENSION), {}), folder)


def spread(values: Sequence[float]) -> dict[str, float]:
    ordered, last = sorted(values), len(values) - 1
    found = {f"p{p}": round(ordered[round(last * p / 100)] * 1000, 1) for p in (50, 95)}
    return {**found, "mean": round(sum(values) / len(values) * 1000, 1), "max": round(ordered[-1] * 1000, 1)}


def asked(queue: EmbedQueue, n: int, dice: random.Random) -> dict[str, float]:
    """Questions at odd moments of the endpoint's rhythm."""
    took = list[float]()
    for number in range(n):
        time.sleep(CALL * dice.random())
        began = time.perf_counter()
        queue.query(f"question {number}", PATIENCE)
        took.append(time.perf_counter() - began)
    return spread(took)


@contextmanager
def bulk_queued(queue: EmbedQueue) -> Iterator[list[Future[Vector]]]:
    """98 embeds of one text each, all of them waiting; what is left of them ends with the queue."""
    with ThreadPoolExecutor(BULK) as pool:
        texts = [f"text {number} of the bulk" for number in range(BULK)]
        try:
            yield [pool.submit(queue.passages, [text], Priority.BULK) for text in texts]
        finally:
            queue.close()


@contextmanager
def bulk_together(queue: EmbedQueue) -> Iterator[list[Future[Vector]]]:
    """98 texts at a time handed over in one call, again and again: the queue learns how many go into a request."""
    stop = threading.Event()

    def again() -> Vector:
        while True:
            found = queue.passages([f"text {number} of the bulk" for number in range(BULK)], Priority.BULK)
            if stop.is_set():
                return found

    with ThreadPoolExecutor(1) as pool:
        try:
            yield [pool.submit(again)]
        finally:
            stop.set()
            queue.close()


@contextmanager
def bulk_elsewhere(url: str, folder: Path) -> Iterator[None]:
    command = [sys.executable, "-m", "benchmarks.priorities", "--bulk", url, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdin
        process.stdout.readline()
        yield
        process.stdin.close()
        if process.stdout.readline() != "more to do\n":
            raise SystemExit("the bulk was done before the questions were: ask fewer")


def bulk_process(url: str, folder: Path) -> None:
    """Niced, as the product's own is; ends when whoever started it closes its end."""
    os.nice(10)
    with bulk_queued(queue_at(url, folder)) as bulk:
        print("begun", flush=True)
        sys.stdin.read()
        print("more to do" if any(not one.done() for one in bulk) else "done", flush=True)


def beside(queue: EmbedQueue, bulk: AbstractContextManager[list[Future[Vector]]], n: int) -> dict[str, float]:
    with bulk as work:
        found = asked(queue, n, random.Random(SEED))
        if all(one.done() for one in work):
            raise SystemExit("the bulk was done before the questions were: ask fewer")
    return found


def measure(n: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as home, slow_endpoint(CALL) as url:
        folder = Path(home) / "run"
        queue = queue_at(url, folder)
        found = {"idle_ms": asked(queue, n, random.Random(SEED))}
        with bulk_elsewhere(url, folder):
            found["beside_bulk_elsewhere_ms"] = asked(queue, n, random.Random(SEED))
        found["beside_bulk_ms"] = beside(queue, bulk_queued(queue), n)
        queue = queue_at(url, folder)
        found["beside_one_bulk_ms"] = beside(queue, bulk_together(queue), n)
    idle = found["idle_ms"]["p50"]
    ratios = {
        name.removesuffix("_ms"): {kind: round(one[kind] / idle, 2) for kind in ("p50", "p95", "max")}
        for name, one in found.items()
        if name != "idle_ms"
    }
    about = {"benchmark": "priorities", "n": n, "call_ms": CALL * 1000, "bulk": BULK, "machine": machine()}
    return {**about, **found, "ratio_to_idle": ratios}


def table(found: Mapping[str, Any]) -> str:
    rows = ["a question                                      p50     p95     max   × idle p50 / max"]
    names = {
        "idle": "nothing else to do",
        "beside_bulk": f"{BULK} bulk embeds queued in this process",
        "beside_one_bulk": f"{BULK} bulk texts in one call, over and over",
        "beside_bulk_elsewhere": f"{BULK} bulk embeds queued in another",
    }
    for name, what in names.items():
        one, ratio = found[f"{name}_ms"], found["ratio_to_idle"].get(name, {"p50": 1.0, "max": 1.0})
        times = "".join(f"{one[kind]:8.1f}" for kind in ("p50", "p95", "max"))
        rows.append(f"{what:<43}{times}   {ratio['p50']} / {ratio['max']}")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.priorities", description=__doc__)
    parser.add_argument("--n", type=int, default=20, help="questions of each kind, at most 30: then the bulk is done")
    parser.add_argument("--json", action="store_true", help="only the JSON object")
    parser.add_argument("--save", type=Path, help="write the object there too")
    parser.add_argument("--bulk", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.bulk:
        bulk_process(options.bulk[0], Path(options.bulk[1]))
        return
    found = {"command": f"python -m benchmarks.priorities --n {options.n}", **measure(options.n)}
    if not options.json:
        print(table(found))
    if options.save:
        options.save.write_text(json.dumps(found, indent=2) + "\n")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
