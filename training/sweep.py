"""`python -m training.sweep FILE --data DIR --bases DIR --out DIR`: many runs side by side, one table at the end.

FILE has a line for each: name, kind, base, then the other arguments of `training.run`.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

SIDE_BY_SIDE = 8


def one(line: str, given: argparse.Namespace) -> str:
    """Runs it and says how it went, in a line."""
    name, kind, base, *rest = shlex.split(line)
    before = {path.name for path in given.out.glob(f"{name}*.json")}
    command = [sys.executable, "-m", "training.run", kind, "--name", name, "--base", str(given.bases / base)]
    command += ["--data", str(given.data), "--out", str(given.out), *rest]
    ended = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"OMP_NUM_THREADS": "2"})
    if ended.returncode:
        return f"{name}: {ended.stderr[-1500:]}"
    made = sorted(path for path in given.out.glob(f"{name}*.json") if path.name not in before)
    return "\n".join(row(path.stem, json.loads(path.read_text())) for path in made)


def row(name: str, about: dict[str, Any]) -> str:
    return " | ".join(
        [f"{name:14}", *(_side(about, side) for side in ("tuning", "validation_real", "validation")), *_found(about)]
    )


def _side(about: dict[str, Any], side: str) -> str:
    f = about[side]
    at = f["fitted_floor"]
    floors = " ".join(f"{at[s]['shown']:.3f}/{at[s]['right']:.2f}/{at[s]['non_probe_shown']:.2f}" for s in at)
    return f"{f['hit1']:.3f} {f['hit3']:.3f} {f['hit5']:.3f} auc {f['auc']:.3f} {floors}"


def _found(about: dict[str, Any]) -> Sequence[str]:
    if "longmemeval" not in about:
        return []
    sides = about["longmemeval"]
    return [f"{s['r1']:.3f} {s['all5']:.3f} {s['ndcg10']:.3f}" for s in (sides["mix"], sides["pool"])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    for name in ("data", "bases", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    lines = [line for line in given.file.read_text().splitlines() if line.strip()]
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        for said in pool.map(one, lines, [given] * len(lines)):
            sys.stdout.write(said + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
