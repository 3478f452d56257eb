"""`python -m benchmarks.mcp [--n 10] [--memories 1000] [--json] [--save FILE]`: how long do our tools take?

From starting the process to its first answer, to the list of tools, to the first recall and search and the next ones,
beside a bare interpreter; what one process holds in memory before and after; what the tools cost in every request.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, cast

import psutil

from benchmarks.asker import spread
from benchmarks.hook_driver import SHOWN
from benchmarks.hook_homes import Home, Size, made
from campaigns.report import machine

PROGRAM = [sys.executable, "-P", "-m", "memlane.surfaces.mcp"]
PER_TOKEN = 4  # characters, about
STEPS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "first_answer": ("initialize", {"protocolVersion": "2025-11-25", "clientInfo": {"name": "bench"}}),
    "tools": ("tools/list", {}),
    "resources": ("resources/list", {}),
    "recall_first": ("tools/call", {"name": "recall", "arguments": {"prompt": SHOWN}}),
    "recall": ("tools/call", {"name": "recall", "arguments": {"prompt": SHOWN}}),
    "search_first": ("tools/call", {"name": "search", "arguments": {"query": "tariff export"}}),
    "search": ("tools/call", {"name": "search", "arguments": {"query": "tariff export"}}),
}


def session(home: Home, took: Mapping[str, list[float]], held: Mapping[str, list[float]]) -> str:
    """One process, asked everything in order; what the list of tools says."""
    began, tools = time.perf_counter(), ""
    process = subprocess.Popen(
        PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=home.variables, cwd=home.project
    )
    given, told = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)
    for number, (name, (method, params)) in enumerate(STEPS.items()):
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        given.write(json.dumps(message).encode() + b"\n")
        given.flush()
        said = json.loads(told.readline())["result"]
        now = time.perf_counter()
        took[name].append((now - began) * 1000)
        began = now
        if name == "tools":
            tools = json.dumps(said["tools"])
            held["idle"].append(psutil.Process(process.pid).memory_info().rss / 1e6)
    held["used"].append(psutil.Process(process.pid).memory_info().rss / 1e6)
    given.close()
    if process.wait() != 0:
        raise SystemExit("the server failed")
    return tools


def measure(n: int, memories: int) -> dict[str, Any]:
    took: dict[str, list[float]] = {name: [] for name in STEPS}
    held: dict[str, list[float]] = {"idle": [], "used": []}
    bare, tools = list[float](), ""
    with tempfile.TemporaryDirectory() as folder:
        home = made(Path(folder), Size("mcp", memories, 10 * memories))
        for _ in range(n):
            tools = session(home, took, held)
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", "pass"], check=True)
            bare.append((time.perf_counter() - began) * 1000)
    return {
        "benchmark": "mcp",
        "n": n,
        "memories": memories,
        "machine": machine(),
        "ms": {name: spread(values) for name, values in took.items()},
        "bare_python_ms": spread(bare),
        "rss_mb": {name: round(max(values), 1) for name, values in held.items()},
        "tools_characters": len(tools),
        "tools_tokens_about": len(tools) // PER_TOKEN,
    }


def table(found: Mapping[str, Any]) -> str:
    rows = [f"{'':<14} {'p50':>8} {'max':>8}  ms"]
    each = {**found["ms"], "bare python": found["bare_python_ms"]}
    rows += [f"{name:<14} {one['p50']:>8.1f} {one['max']:>8.1f}" for name, one in each.items()]
    rows.append(f"memory {found['rss_mb']['idle']} MB idle, {found['rss_mb']['used']} MB after a recall and a search")
    rows.append(f"the tools are about {found['tools_tokens_about']} tokens")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mcp", description=__doc__)
    parser.add_argument("--n", type=int, default=10, help="processes")
    parser.add_argument("--memories", type=int, default=1000)
    parser.add_argument("--json", action="store_true", help="only the JSON object")
    parser.add_argument("--save", type=Path, help="write the object there too")
    options = parser.parse_args()
    command = f"python -m benchmarks.mcp --n {options.n} --memories {options.memories}"
    found = {"command": command, **measure(options.n, options.memories)}
    if not options.json:
        print(table(found))
    if options.save:
        options.save.write_text(json.dumps(found, indent=2) + "\n")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
