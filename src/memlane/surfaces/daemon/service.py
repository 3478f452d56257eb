"""What the daemon does once it listens: it reads the settings and answers, from this home or by asking Central."""

from __future__ import annotations

import _socket
import os
import socket
import sys
import threading
from importlib import import_module
from pathlib import Path

from memlane.config import load
from memlane.domain.door import plain
from memlane.errors import LaneError
from memlane.surfaces.daemon.files import SOCKET, DaemonClaim, remove
from memlane.surfaces.daemon.log_file import LogFile


def serve(claim: DaemonClaim, listener: _socket.socket, token: str) -> int:
    try:
        config = load()
    except LaneError as error:
        remove(SOCKET)  # who waits in line is told that nobody is here
        say(error.message)
        return error.exit_code
    be_seen_when_failing(LogFile(config.home))
    by = import_module(f"memlane.surfaces.daemon.{'relay' if config.switch('thin') else 'loop'}")
    by.serve(claim, socket.socket(fileno=listener.detach()), token)
    return 0


def stopped(home: str, error: OSError) -> int:
    LogFile(Path(home)).write("ERROR", f"the daemon had to stop: {error.strerror or error}")
    say(str(error))
    return 1


def say(text: str) -> None:
    sys.stderr.write(f"lane daemon: {plain(text)}\n")


def be_seen_when_failing(log: LogFile) -> None:
    """Whatever nobody thought of ends the daemon, in any thread, with a line in the log; a hook starts the next."""

    def write(error: BaseException | None) -> None:
        import traceback  # noqa: PLC0415 - nobody should wait for what is hardly ever needed

        places = [f"{Path(f.filename).name}:{f.lineno}" for f in traceback.extract_tb(error and error.__traceback__)]
        where = f" at {places[-1]}" if places else ""
        log.write("ERROR", f"the daemon ends: {type(error).__name__}{where}")

    def end(failed: threading.ExceptHookArgs) -> None:
        write(failed.exc_value)
        os._exit(1)

    sys.excepthook = lambda _kind, error, _trace: write(error)
    threading.excepthook = end
