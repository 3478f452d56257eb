"""The process an agent starts: the settings are read at once, the home is opened by the first tool that needs it."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.config import load
from memlane.errors import LaneError
from memlane.surfaces.mcp.desk import Desk
from memlane.surfaces.mcp.stdio import Ending, serve

if TYPE_CHECKING:
    from memlane.app import Lane


def start() -> int:
    """Until the agent closes the pipe. Only the protocol is ever written to stdout."""
    os.umask(0o077)
    try:
        config = load()
    except LaneError as error:
        sys.stderr.write(f"lane mcp: {error.message}\nhint: {error.hint}\n")
        return error.exit_code

    @cache
    def lane() -> Lane:
        from memlane.app import Lane  # noqa: PLC0415 - the first answer waits for no Lane

        return Lane(config)

    told, given = sys.stdout.buffer, sys.stdin.buffer
    sys.stdout = sys.stderr
    variables = config.variables
    folder = Path(variables.get("CLAUDE_PROJECT_DIR") or ".").absolute()
    desk = Desk(lane, folder, native_id=variables.get("CLAUDE_CODE_SESSION_ID", ""))
    serve(desk, given, told, Ending().after_this)
    if lane.cache_info().currsize:
        lane().close()
    return 0
