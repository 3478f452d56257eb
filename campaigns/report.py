"""How a campaign tells what came of it: the first of each fault, the figures, and a file to keep them in."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path

FIRST_FEW = 10


def arguments(what: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    return parser


def machine() -> dict[str, object]:
    """What a figure means little without."""
    return {"cores": os.cpu_count(), "python": platform.python_version(), "load": round(os.getloadavg()[0], 2)}


def tell(
    command: str, figures: Mapping[str, object], faults: Mapping[str, Sequence[str]], chosen: argparse.Namespace
) -> None:
    """Ends the program: with 1 if there was any fault."""
    for fault, found in faults.items():
        for what in found[:FIRST_FEW]:
            print(f"{fault}: {what}")
    kept = {"command": command, **figures, "seed": chosen.seed, "machine": machine()}
    if chosen.save:
        chosen.save.write_text(json.dumps(kept, indent=2) + "\n")
    if chosen.json:
        print(json.dumps(kept))
    else:
        for name, value in kept.items():
            print(f"{name}: {value}" if not isinstance(value, dict) else f"{name}:{_lines(value)}")
    raise SystemExit(1 if any(faults.values()) else 0)


def _lines(values: Mapping[str, object]) -> str:
    return "".join(f"\n  {value!s:>6} {name}" for name, value in values.items())
