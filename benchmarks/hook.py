"""`python -m benchmarks.hook [--homes FOLDER] [--n 100] [--clients] [--save FILE]`: how long does an agent wait for us?

At 1,000 and at 100,000 memories with six cues each, with a million chunks, idle and during bulk ingest: the whole hook
as the agent sees it, beside a bare interpreter started in the same way at the same moment; the same recall over HTTP;
what the daemon took of it; the first hook of the day, which finds no daemon; what the daemon costs while nobody asks.
And the real Claude Code without us, with our mod and with command hooks (`--clients`: only this, into the same file).
The homes are made up and kept in a folder: the first time takes minutes, of which the figures know nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.hook_clients import compared
from benchmarks.hook_clients import rows as in_clients
from benchmarks.hook_driver import KINDS, HookDriver, bulk_ingest, spread
from benchmarks.hook_homes import Size, made
from campaigns.report import machine

SIZES = (Size("small", 1_000, 10_000), Size("large", 100_000, 1_000_000))
SEVERAL = 2  # kinds whose time in the daemon is told: those that recall for a prompt
COLD = 20
IDLE = 60.0  # seconds
# SPEC 6, with a second look; FAULTS 6.2 for the memory.
BUDGETS: Mapping[str, Mapping[str, float]] = {
    "command": {"p50": 95, "p99": 260, "max": 500},
    "http": {"p50": 60, "p99": 160, "max": 500},
    "server": {"p50": 50, "p99": 120, "max": 400},
}
MEMORY_MB = 250  # without the models
MODEL_MB = 135  # encoder and second look, with the notes it keeps


def measured(asking: HookDriver, n: int) -> dict[str, Any]:
    """One home in one state."""
    found: dict[str, Any] = {"load": round(os.getloadavg()[0], 2)}
    found["server"] = {kind.name: asking.inside(kind, 2 * n) for kind in KINDS[:SEVERAL]}
    found["http"] = asking.over_http(2 * n)
    found["command"] = {kind.name: asking.hooks(kind, n) for kind in KINDS}
    return found


def cold(asking: HookDriver, n: int) -> dict[str, Any]:
    """The first hook: it starts the daemon and waits for its answer."""
    whole, delivered = list[float](), 0
    for _ in range(n):
        asking.daemon("stop")
        took, said = asking.hook(KINDS[0])
        whole.append(took)
        delivered += bool(said)
    return {"whole_ms": spread(whole), "asked": n, "delivered": delivered}


def at_rest(all_of_them: Sequence[HookDriver], seconds: float) -> dict[str, Any]:
    """Nobody asks: all daemons at the same time, each as it comes, without HTTP, after it has understood a prompt."""
    for one in all_of_them:
        one.started(http=False)
    before = [one.cpu_seconds() for one in all_of_them]
    time.sleep(seconds)
    return {
        one.home.size.name: {
            "cpu_percent": round((one.cpu_seconds() - begun) / seconds * 100, 2),
            "memory_mb": one.memory_mb(),
        }
        for one, begun in zip(all_of_them, before, strict=True)
    }


def measure(folder: Path, n: int, idle: float) -> dict[str, Any]:
    all_of_them = [HookDriver(made(folder, size)) for size in SIZES]
    found: dict[str, Any] = {}
    try:
        for asking in all_of_them:
            _say(f"{asking.home.size.name}: cold")
            one: dict[str, Any] = {"cold": cold(asking, COLD), "until_ready_s": round(asking.started(), 1)}
            _say(f"{asking.home.size.name}: idle")
            one["idle"] = measured(asking, n)
            _say(f"{asking.home.size.name}: during bulk ingest")
            with bulk_ingest(asking.home) as imports:
                one["bulk_ingest"] = measured(asking, n)
                one["bulk_ingest"]["imports"] = imports()
            found[asking.home.size.name] = one
        _say(f"nobody asks, for {idle:g} seconds")
        found["at_rest"] = at_rest(all_of_them, idle)
    finally:
        for asking in all_of_them:
            asking.daemon("stop")
    return {**found, "ratios": ratios(found), "claude_code": measured_in_clients(n)}


def measured_in_clients(n: int) -> dict[str, Any]:
    _say("Claude Code: without us, with the mod, with command hooks")
    with tempfile.TemporaryDirectory() as folder:
        return compared(Path(folder), n)


def ratios(found: Mapping[str, Any]) -> dict[str, float]:
    """Within this one run."""
    small, large = found["small"], found["large"]
    told: dict[str, float] = {}
    for kind in KINDS[:SEVERAL]:
        name = kind.name
        told[f"server p50, {name}, large to small"] = _ratio(
            large["idle"]["server"][name], small["idle"]["server"][name]
        )
        told[f"server p50, {name}, bulk ingest to idle"] = _ratio(
            large["bulk_ingest"]["server"][name], large["idle"]["server"][name]
        )
    for kind in KINDS:
        one = large["idle"]["command"][kind.name]
        told[f"hook p50, {kind.name}, to a bare interpreter"] = _ratio(one["whole_ms"], one["bare_python_ms"])
    return told


def _ratio(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return round(one["p50"] / max(other["p50"], 0.1), 2)


# -- the table --------------------------------------------------------------------------------------------------------


def table(found: Mapping[str, Any]) -> str:
    rows = [f"{'milliseconds':<48}   p50     p99     max   as expected"]
    for name, budget in BUDGETS.items():
        rows.append(f"{f'budget, {name} (max: own stop)':<48} {_times(budget)}")
        for size in SIZES:
            for state in ("idle", "bulk_ingest"):
                rows += _rows(
                    name, f"{size.memories:,}, {state.replace('_', ' ')}", found[size.name][state][name], budget
                )
    for size in SIZES:
        one = found[size.name]["cold"]
        told = f"{one['delivered']} of {one['asked']} answered"
        rows.append(f"{f'no daemon yet, {size.memories:,}':<48} {_times(one['whole_ms'])}   {told}")
    for size in SIZES:
        rest = found["at_rest"][size.name]
        over = "" if rest["memory_mb"] - MODEL_MB <= MEMORY_MB else "  OVER"
        told = (
            f"{rest['cpu_percent']} % CPU, {rest['memory_mb']} MB (budget {MEMORY_MB} + {MODEL_MB} of the model){over}"
        )
        rows.append(f"{f'nobody asks, {size.memories:,}':<48} {told}")
    told = [*rows, *(f"{name}: {value}" for name, value in found["ratios"].items())]
    return "\n".join([*told, *in_clients(found["claude_code"])])


def _rows(name: str, where: str, one: Mapping[str, Any], budget: Mapping[str, float]) -> list[str]:
    each = one if name != "http" else {"a note is shown": one}
    rows: list[str] = []
    for kind, measured in each.items():
        times = measured.get("whole_ms", measured)
        over = [part for part in ("p50", "p99", "max") if times.get(part, 0) > budget[part]]
        told = f"   {measured['as_expected']} of {measured['of']}" if "of" in measured else ""
        rows.append(f"  {f'{where}: {kind}':<46} {_times(times)}{told}{f'  OVER: {over}' if over else ''}")
    return rows


def _times(times: Mapping[str, float]) -> str:
    return " ".join(f"{times[part]:7.1f}" if part in times else " " * 7 for part in ("p50", "p99", "max"))


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hook", description=__doc__)
    parser.add_argument("--homes", type=Path, help="the folder the homes are kept in for the next time")
    parser.add_argument("--n", type=int, default=100, help="hooks of each kind, in each state")
    parser.add_argument("--idle", type=float, default=IDLE, help="seconds that nobody asks")
    parser.add_argument("--save", type=Path, default=Path("benchmarks/results/hook.json"))
    parser.add_argument("--clients", action="store_true", help="only the real Claude Code")
    options = parser.parse_args()
    if options.clients:
        kept = json.loads(options.save.read_text()) if options.save.exists() else {}
        kept["claude_code"] = {"machine": machine(), **measured_in_clients(options.n)}
        print("\n".join(in_clients(kept["claude_code"])))
        options.save.write_text(json.dumps(kept, indent=2) + "\n")
        return
    before, began = machine(), time.monotonic()
    if options.homes:
        options.homes.mkdir(parents=True, exist_ok=True)
        found = measure(options.homes, options.n, options.idle)
    else:
        with tempfile.TemporaryDirectory() as folder:
            found = measure(Path(folder), options.n, options.idle)
    about = {"command": f"python -m benchmarks.hook --n {options.n}", "benchmark": "hook", "n": options.n}
    sizes = {size.name: {"memories": size.memories, "cues": size.cues, "chunks": size.chunks} for size in SIZES}
    kept = {**about, "machine": before, "sizes": sizes, "seconds": round(time.monotonic() - began), **found}
    print(table(kept))
    options.save.write_text(json.dumps(kept, indent=2) + "\n")


if __name__ == "__main__":
    main()
