"""`python -m memlane.surfaces.daemon`: claim the home, listen, and only then load what answering takes.

Until it listens it loads next to nothing, so that a hook that started it can say at once what it wants.
"""

from __future__ import annotations

import gc
import os
import resource
import sys

from memlane.surfaces.daemon import files
from memlane.system.environment import home_folder, variables


def main() -> int:
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core dump would hold the token and what was said
    gc.disable()  # until all is loaded: an agent waits, and nothing of it is garbage
    home = home_folder(variables())
    try:
        return run(home)
    except OSError as error:
        from memlane.surfaces.daemon.service import stopped  # noqa: PLC0415 - not loaded yet

        return stopped(home, error)


def run(home: str) -> int:
    if not os.path.isdir(home):
        return said(f"there is no home in {home}", 3)
    files.enter(f"{home}/run")
    ours = files.claim(f"{home}/run")
    if ours is None:
        files.remove(files.STARTING)
        return said("another daemon answers for this home", 0)
    secret = files.token()  # there before anybody can find the socket
    listener = files.listen()
    from memlane.surfaces.daemon.service import serve  # noqa: PLC0415 - the rest is loaded while a hook is in line

    return serve(ours, listener, secret)


def said(text: str, code: int) -> int:
    from memlane.surfaces.daemon.service import say  # noqa: PLC0415 - only for who is told something

    say(text)
    return code


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    os._exit(code)  # a thread cut off inside a library by the end of Python would end it with an abort
