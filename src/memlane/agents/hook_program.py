"""The one program that the hooks of most agents call, in `$LANE_HOME/hooks`: a path that never changes.

An agent that asks a person to trust a hook remembers its command line. So the line names neither an interpreter nor a
version: `run AGENT EVENT` is a small script that `lane hook repair` rewrites, and the line in the agent's file stays.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.system import files
from memlane.system.plan import PROGRAM, FileChange, Plan

if TYPE_CHECKING:
    from memlane.system.computer import Computer

RUN = "run"
MCP = "mcp"
SCRIPT = "client.py"
HOME = "home.txt"


def command(computer: Computer, agent: str, event: str) -> str:
    """What an agent's shell runs. `|| :` because an agent may take any other end than 0 for a refusal."""
    return f"{quoted(program(computer))} {agent} {event} || :"


def program(computer: Computer) -> str:
    return str(computer.hooks / RUN)


def server(computer: Computer) -> str:
    """Our tools for an agent, as a program without arguments."""
    return str(computer.hooks / MCP)


def quoted(path: str) -> str:
    """For a shell, inside double quotes."""
    escaped = re.sub(r'([\\"$`])', r"\\\1", path)
    return f'"{escaped}"'


def rendered(computer: Computer) -> Mapping[Path, bytes]:
    """Every file of the folder."""
    folder, python = computer.hooks, quoted(computer.python)
    home, script = quoted(str(computer.lane_home)), quoted(str(computer.hooks / SCRIPT))
    tools = f'[ -n "$LANE_HOME" ] || LANE_HOME={home}\nexport LANE_HOME\nexec {python} -P -m memlane.surfaces.mcp'
    return {
        folder / SCRIPT: computer.client,
        folder / HOME: b"\n".join(map(os.fsencode, (computer.lane_home, computer.python))) + b"\n",
        folder / RUN: os.fsencode(f'#!/bin/sh\nexec {python} -I -S {script} "$@"\n'),
        folder / MCP: os.fsencode(f"#!/bin/sh\n{tools}\n"),
    }


def plan(computer: Computer) -> Plan:
    """What must be written so that the folder is as this version and interpreter want it."""
    changes = tuple(
        FileChange(PROGRAM, path, before, after, "new" if before is None else "as this version writes it", runs=runs)
        for path, after in rendered(computer).items()
        for before, runs in [(files.read(path), after.startswith(b"#!"))]
        if before != after or (runs and not os.access(path, os.X_OK))
    )
    return Plan(changes, () if changes else (PROGRAM,))
