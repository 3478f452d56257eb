"""One process that only asks, as the daemon would: how long each question takes. `benchmarks.search` starts it.

Told where a lane home is and which prompts to ask, it prints one JSON object. It writes nothing.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memlane.app.search import Mode

from memlane.app import Lane
from memlane.config import load
from memlane.domain import RunFilter

WARM = 5  # questions before the clock starts
LIMIT = 10
MODES = {"words": Mode.WORDS, "meaning": Mode.MEANING, "hybrid": Mode.AUTO}


def spread(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    last = len(ordered) - 1
    found = {f"p{p}": round(ordered[round(last * p / 100)], 2) for p in (50, 95, 99)}
    return {**found, "max": round(ordered[-1], 2)}


def asked(lane: Lane, prompts: Sequence[str], mode: Mode) -> dict[str, Any]:
    for prompt in prompts[:WARM]:
        lane.search.find(prompt, RunFilter(), LIMIT, mode)
    took, found, cpu = list[float](), 0, time.process_time()
    for prompt in prompts:
        began = time.perf_counter()
        answer = lane.search.find(prompt, RunFilter(), LIMIT, mode)
        took.append((time.perf_counter() - began) * 1000)
        found += bool(answer.search.best)
        by = answer.by
    cpu = time.process_time() - cpu
    return {**spread(took), "cpu_ms": round(cpu * 1000 / len(prompts), 2), "answered": found, "by": by}


def everything(lane: Lane, prompts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    began = time.perf_counter()
    lane.search.find(next(iter(prompts.values()))[0], RunFilter(), LIMIT)
    first = (time.perf_counter() - began) * 1000
    found = {kind: {name: asked(lane, some, mode) for name, mode in MODES.items()} for kind, some in prompts.items()}
    peak = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
    return {"first_ms": round(first, 1), "peak_mb": peak, "n": len(next(iter(prompts.values()))), **found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prompts", type=Path, required=True)
    asked_for = parser.parse_args()
    with Lane(load()) as lane:
        print(json.dumps(everything(lane, json.loads(asked_for.prompts.read_text()))))


if __name__ == "__main__":
    main()
