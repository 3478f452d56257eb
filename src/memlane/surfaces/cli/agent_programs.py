"""What an agent starts: `lane mcp`, its tools; `lane hook run`, which becomes the hook script."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

import memlane
from memlane.config import load
from memlane.errors import LaneError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen

EXAMPLES = """
claude mcp add lane -- lane mcp
codex mcp add lane -- lane mcp
"""


@frame.command(examples=EXAMPLES)
def mcp(screen: Screen) -> None:
    """MCP server on standard input and output. Agents start it from their settings; it ends with them."""
    from memlane.surfaces.mcp import start

    code = start()
    if code:
        screen.leave(code)


SCRIPT = Path(memlane.__file__).parent / "surfaces" / "hooks" / "client.py"


@click.command("run", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, metavar="AGENT EVENT")
def hook_run(words: tuple[str, ...]) -> None:
    """Answer one hook call of an agent; stdin and stdout are the agent's own protocol. Always exits with 0."""
    try:
        config = load()
    except LaneError:
        sys.exit(0)  # `lane doctor` says what is wrong with the settings; an agent is not to know
    variables = {**config.variables, "LANE_HOME": str(config.home)}
    os.execve(sys.executable, [sys.executable, "-I", "-S", str(SCRIPT), *words], variables)
