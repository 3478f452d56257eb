"""`python -m benchmarks.embed [--n 2000] [--json] [--save FILE]`: what does each installed model cost?

Every model in a process of its own: milliseconds to have it (libraries included), for a question of ten words, texts a
second of some 200 words each, and the most memory the process ever had. No judgement of how
good the vectors are: that is `benchmarks.longmemeval` and `benchmarks.known_item`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from memlane.embed import EmbedderError, Spec, embedder

WORDS = "ferry ledger parser schema harbour queue beacon invoice tariff kiosk restore backup merge branch signing key"
LENGTH = 200  # words of a text
QUESTION = "how did we restore the ledger from last night's backup?"
SECONDS = 5.0  # a slow model is asked for as long, not for as many
SEED = 7


def texts(n: int) -> list[str]:
    """Words somebody might write, one in five of them seen nowhere else: names, numbers, identifiers."""
    dice, words = random.Random(SEED), WORDS.split()

    def word() -> str:
        return dice.choice(words) if dice.random() < 0.8 else f"{dice.choice(words)}_{dice.randrange(10**6):x}()"

    return [" ".join(word() for _ in range(LENGTH)) for _ in range(n)]


def one(spec: Spec, n: int) -> dict[str, Any]:
    began, busy = time.perf_counter(), time.process_time()
    model = embedder(spec, {})
    loaded, busy = time.perf_counter(), time.process_time() - busy
    model.query(QUESTION)
    first = time.perf_counter()
    questions = [timed(lambda: model.query(QUESTION)) for _ in range(50)]
    given, done = texts(n), 0
    start, cpu = time.perf_counter(), time.process_time()
    while done < n and time.perf_counter() < start + SECONDS:
        model.passages(given[done : done + 8])
        done += len(given[done : done + 8])
    return {
        "tag": model.tag,
        "load_ms": round((loaded - began) * 1000, 1),
        "load_cpu_ms": round(busy * 1000, 1),
        "first_question_ms": round((first - loaded) * 1000, 2),
        "question_ms": round(sorted(questions)[25] * 1000, 3),
        "texts_per_s": round(done / (time.perf_counter() - start), 1),
        "texts_per_cpu_s": round(done / (time.process_time() - cpu), 1),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def apart(spec: Spec, n: int) -> dict[str, Any]:
    """In a process of its own, so that nothing is loaded already and its memory is its own."""
    command = [sys.executable, "-m", "benchmarks.embed", "--n", str(n), "--one", spec.model, spec.folder]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def specs(folders: list[Path]) -> list[Spec]:
    return [Spec("static"), Spec("tuned"), Spec("bge-small"), *(Spec("onnx", folder=str(folder)) for folder in folders)]


def measure(n: int, folders: list[Path]) -> dict[str, Any]:
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "load": round(os.getloadavg()[0], 2)}
    return {"benchmark": "embed", "n": n, "machine": machine, "models": [apart(spec, n) for spec in specs(folders)]}


def table(found: Mapping[str, Any]) -> str:
    rows = ["model                            load ms  of CPU  first ms  question ms   texts/s  per CPU s   peak MB"]
    for one in found["models"]:
        if "missing" in one:
            rows.append(f"{one['model']:<30}   {one['missing']}")
            continue
        rows.append(
            f"{one['tag']:<30} {one['load_ms']:9.1f} {one['load_cpu_ms']:7.1f} {one['first_question_ms']:9.2f}"
            f" {one['question_ms']:12.3f}"
            f" {one['texts_per_s']:9.0f} {one['texts_per_cpu_s']:10.0f} {one['peak_mb']:9}"
        )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embed", description=__doc__)
    parser.add_argument("--n", type=int, default=2000, help="texts")
    parser.add_argument("--folder", type=Path, action="append", default=[], help="an ONNX model too; may be repeated")
    parser.add_argument("--json", action="store_true", help="only the JSON object")
    parser.add_argument("--save", type=Path, help="write the object there too")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        spec = Spec(options.one[0], folder=options.one[1])
        try:
            print(json.dumps(one(spec, options.n)))
        except EmbedderError as error:
            print(json.dumps({"model": spec.model, "missing": error.message}))
        return
    found = {"command": f"python -m benchmarks.embed --n {options.n}", **measure(options.n, options.folder)}
    if not options.json:
        print(table(found))
    if options.save:
        options.save.write_text(json.dumps(found, indent=2) + "\n")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
