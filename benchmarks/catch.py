"""What does catching cost? `python -m benchmarks.catch --home HOME`: a person's home with their agents' transcripts.

All of it in one pass by the embedded extractor, as `lane catch` does it; then what a model would take for the same
windows, by the same estimate the product shows. HOME is only read.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.stage import Stage, size
from campaigns.report import machine
from memlane.catch.model.prompt import size_of
from memlane.domain import State
from memlane.llm import price_of

COMMAND = "python -m benchmarks.catch --home HOME"
PRICED = ("claude-haiku-5", "gpt-5-mini", "claude-sonnet-5")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder))
        stage.person.symlink_to(asked.home.resolve())
        found = measured(stage)
    kept = {"command": COMMAND, "benchmark": "catch", "machine": machine(), **found}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        table(kept)
    print(json.dumps(kept))


def measured(stage: Stage) -> dict[str, Any]:
    stage.run("-m", "memlane", "capture", "--quiet", LANE_EMBED_MODEL="none")
    transcripts = size(stage.lane_home / "archive")
    with stage.lane() as lane:
        due = len(lane.catch.due())
        open_size = size_of(lane.catch.open_windows("model"))
    whole = stage.run("-m", "memlane", "catch", "--json")
    again = stage.run("-m", "memlane", "catch", "--json")
    with stage.lane() as lane:
        memories = lane.memories.all()
        read = lane.home.storage().catches.count(lane.home.reader)
    tokens = {"in": open_size.tokens_in, "out": open_size.tokens_out}
    prices = {name: price for name in PRICED if (price := price_of(name)) is not None}
    return {
        "runs": due,
        "transcripts_mb": transcripts,
        "windows": read.get("embedded", 0),
        **whole,
        "mb_per_cpu_second": round(transcripts / whole["cpu_seconds"], 1),
        "nothing_new": again,
        "active": sum(memory.state is State.ACTIVE for memory in memories),
        "held": sum(memory.state is State.HELD for memory in memories),
        "a_model_would_take": {
            "windows": open_size.windows,
            "tokens": tokens,
            "dollars": {name: round(price.of(**_sides(tokens)), 2) for name, price in prices.items()},
        },
    }


def _sides(tokens: dict[str, int]) -> dict[str, int]:
    return {"tokens_in": tokens["in"], "tokens_out": tokens["out"]}


def table(found: dict[str, Any]) -> None:
    print(f"{found['runs']} runs, {found['transcripts_mb']} MB, {found['windows']} windows")
    print(f"embedded     {found['cpu_seconds']} CPU s ({found['mb_per_cpu_second']} MB/s), peak {found['peak_mb']} MB")
    print(f"             {found['active']} active, {found['held']} held")
    print(f"nothing new  {found['nothing_new']['cpu_seconds']} CPU s")
    model = found["a_model_would_take"]
    print(f"a model      {model['windows']} windows, {model['tokens']['in']:,} + {model['tokens']['out']:,} tokens")
    for name, dollars in model["dollars"].items():
        print(f"             {name}: {dollars} dollars")


if __name__ == "__main__":
    main()
