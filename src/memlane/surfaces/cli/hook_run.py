"""`lane hook run AGENT EVENT`: the documented form of what an agent's hooks run. It becomes that very program.

Standard input and output are the agent's own protocol, so this one has no `--json`, prints nothing of its own and
always exits with 0.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

import memlane
from memlane.config import load
from memlane.errors import LaneError

SCRIPT = Path(memlane.__file__).parent / "surfaces" / "hooks" / "client.py"


@click.command("run", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, metavar="AGENT EVENT")
def command(words: tuple[str, ...]) -> None:
    """Answer one hook call of an agent; stdin and stdout are the agent's own protocol. Always exits with 0."""
    try:
        config = load()
    except LaneError:
        sys.exit(0)  # `lane doctor` says what is wrong with the settings; an agent is not to know
    variables = {**config.variables, "LANE_HOME": str(config.home)}
    os.execve(sys.executable, [sys.executable, "-I", "-S", str(SCRIPT), *words], variables)
