"""A Dream somebody asks for and does not wait for: in a process of its own, which is the command people type."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

from memlane.app.home import Home
from memlane.errors import BusyError
from memlane.work import take

LOCK = "dream.lock"
ASKED = "dream.asked"
BEGINS_WITHIN = 20.0  # seconds: a slow machine loads Python first
COMMAND = (sys.executable, "-P", "-m", "memlane", "dream", "--now", "--json")
_PYTHON = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}


def start(home: Home) -> None:
    if is_running(home):
        raise BusyError("another dream is running", hint="wait, then: lane dream report")
    asked = home.run_folder / ASKED
    asked.touch(0o600)
    nothing, variables = subprocess.DEVNULL, {**home.config.variables, **_PYTHON}
    child = subprocess.Popen(
        COMMAND, stdin=nothing, stdout=nothing, stderr=nothing, env=variables, start_new_session=True
    )

    def ended() -> None:
        child.wait()
        asked.unlink(missing_ok=True)

    threading.Thread(target=ended, daemon=True).start()


def is_running(home: Home) -> bool:
    """Somebody dreams, or was asked to a moment ago."""
    try:
        asked = (home.run_folder / ASKED).stat().st_mtime
    except FileNotFoundError:
        asked = 0.0
    if time.time() - asked < BEGINS_WITHIN:
        return True
    try:
        os.close(take(home.run_folder / LOCK, 0.0))
    except BusyError:
        return True
    return False
