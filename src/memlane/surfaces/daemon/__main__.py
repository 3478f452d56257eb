"""`python -m memlane.surfaces.daemon`: claim the home, listen, and only then load what answering takes."""

from __future__ import annotations

import gc
import os
import resource
import sys
import threading
import traceback
from importlib import import_module
from pathlib import Path

from memlane.config import load
from memlane.errors import LaneError
from memlane.surfaces.daemon.files import STARTING, LogFile, answered, claim, enter, listen, token


def main() -> int:
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core dump would hold the token and what was said
    try:
        config = load()
    except LaneError as error:
        return said(error.message, error.exit_code)
    home = config.home
    if not home.is_dir():
        return said(f"there is no home in {home}", 3)
    be_seen_when_failing(LogFile(home))
    try:
        return run(home, "relay" if config.switch("thin") else "loop")
    except OSError as error:
        LogFile(home).write("ERROR", f"the daemon had to stop: {error.strerror or error}")
        return said(str(error), 1)


def run(home: Path, answers: str) -> int:
    enter(home / "run")
    ours = claim(home / "run", answered)
    if ours is None:
        Path(STARTING).unlink(missing_ok=True)
        return said("another daemon answers for this home", 0)
    secret = token()  # there before anybody can find the socket
    gc.disable()  # until all is loaded: an agent waits, and nothing of it is garbage
    import_module(f"memlane.surfaces.daemon.{answers}").serve(ours, listen(), secret)
    return 0


def be_seen_when_failing(log: LogFile) -> None:
    """Whatever nobody thought of ends the daemon, in any thread, with a line in the log; a hook starts the next."""

    def write(error: BaseException | None) -> None:
        places = [f"{Path(f.filename).name}:{f.lineno}" for f in traceback.extract_tb(error and error.__traceback__)]
        where = f" at {places[-1]}" if places else ""
        log.write("ERROR", f"the daemon ends: {type(error).__name__}{where}")

    def end(failed: threading.ExceptHookArgs) -> None:
        write(failed.exc_value)
        os._exit(1)

    sys.excepthook = lambda _kind, error, _trace: write(error)
    threading.excepthook = end


def said(text: str, code: int) -> int:
    from memlane.domain.door import plain  # noqa: PLC0415 - only for who is told something

    sys.stderr.write(f"lane daemon: {plain(text)}\n")
    return code


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    os._exit(code)  # a thread cut off inside a library by the end of Python would end it with an abort
