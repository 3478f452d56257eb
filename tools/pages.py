"""Reference pages written from the code by cog, so that they cannot fall behind it: `python -m tools.pages`.

It knows how a table looks in Markdown; what stands in it is asked of the package.
"""

from __future__ import annotations

import inspect
import pkgutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from itertools import zip_longest
from pathlib import Path

import memlane
from memlane.agents import AGENTS, Registry, Surroundings
from memlane.agents.agent import ToldAt
from memlane.errors import LaneError
from tools.check import ROOT, generated_pages
from tools.clients import CLIENTS


def error_classes() -> list[type[LaneError]]:
    """Every error of every room: those of errors.py in the order they are drawn, then the rooms' own."""
    for module in pkgutil.walk_packages(memlane.__path__, "memlane."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    rooms = sorted(_below(LaneError), key=lambda error: (error.__module__ != LaneError.__module__, error.__module__))
    return [LaneError, *rooms]


def _below(error: type[LaneError]) -> Iterator[type[LaneError]]:
    for child in error.__subclasses__():
        yield child
        yield from _below(child)


def error_table() -> str:
    rows = ["| kind | exit code | try again | when |", "|---|---|---|---|"]
    for error in error_classes():
        said = (inspect.getdoc(error) or "").partition("\n")[0]
        when = "Any other failure." if error is LaneError else said
        again = "yes" if error.retryable else "no"
        rows.append(f"| `{error.kind}` | {error.exit_code} | {again} | {when} |")
    return "\n".join(rows)


def agent_table() -> str:
    """Every agent, and what Memory Lane does there."""
    sources, around = Registry().sources, Surroundings(Path("~"), {})
    agents = [Registry()[name] for name in AGENTS if name not in sources or sources[name].places(around)]
    heads = (
        "agent",
        "captured",
        "told at the start",
        "at a prompt",
        "at a file",
        "after a compaction",
        "reads for you",
    )
    rows = [f"| {' | '.join(heads)} | resume | tested with |", "|---" * (len(heads) + 2) + "|"]
    for agent in agents:
        told = agent.told or ToldAt("", "", "", "")
        able = ("yes" if part is not None else "" for part in (agent.headless, agent.resume))
        version = CLIENTS[agent.client].version.partition("-")[0] if agent.client else "not run here"
        captured = "yes" if agent.name in sources else ""
        cells = (captured, told.start, told.prompt, told.file, told.compaction, *able, version)
        rows.append(f"| {agent.title} | {' | '.join(cell or '–' for cell in cells)} |")
    exports = [agent.title for name in AGENTS if (agent := Registry()[name]) not in agents]
    return "\n".join([*rows, "", f"Read from an export with `lane import`: {', '.join(exports)}."])


def layer_table() -> str:
    """Each contract of layers a column, the top first; neighbours in a cell never import each other."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layered = [contract for contract in contracts if contract["type"] == "layers"]
    rows = [" | ".join(f"in `{contract['containers'][0]}`" for contract in layered), "|".join("---" for _ in layered)]
    for level in zip_longest(*(contract["layers"] for contract in layered), fillvalue=""):
        rows.append(" | ".join(" ".join(f"`{name.strip()}`" for name in cell.split("|") if name) for cell in level))
    return "\n".join(f"| {row} |" if "---" not in row else f"|{row}|" for row in rows)


def main() -> int:
    """Write every generated page anew."""
    command = [sys.executable, "-m", "cogapp", "-r", "-P", "-I", ".", *generated_pages()]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
