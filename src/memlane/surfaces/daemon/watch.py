"""What the daemon starts beside itself: `python -m memlane.surfaces.daemon.watch`.

It watches every agent's folder and captures what is appended, with low priority, and writes one byte to its standard
output whenever it took something: somebody works. It ends when its standard input does, and that is the daemon's life.
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

from memlane.config import load
from memlane.errors import LaneError
from memlane.surfaces.daemon.capture import end_with_the_daemon
from memlane.surfaces.daemon.children import ALREADY_SAID
from memlane.surfaces.daemon.log_file import LogFile
from memlane.system.process import BEHIND, give_way, seldom_collect

SOMEBODY_WORKS = b"."


def main() -> int:
    give_way(BEHIND)
    seldom_collect()
    threading.Thread(target=end_with_the_daemon, daemon=True).start()
    config, stopped = load(), threading.Event()
    from memlane.app import Lane  # noqa: PLC0415 - most of the time this process takes
    from memlane.app.home import masked  # noqa: PLC0415 - most of the time this process takes

    log = LogFile(config.home)
    try:
        while (config := load()).switch("daemon.watch"):
            with Lane(config) as lane:  # a changed setting (exclude!) holds at once
                lane.home.must_be_set_up()
                watch = lane.capture.watch(words_only=True)
                watch.run(stopped, lambda _report: tell(), lambda what: log.write("WARN", masked(f"watch: {what}")))
    except (LaneError, OSError) as error:
        text = error.message if isinstance(error, LaneError) else str(error)
        log.write("ERROR", masked(f"watch: {text}"))
        return ALREADY_SAID
    return 0


def tell() -> None:
    with suppress(OSError):
        os.write(1, SOMEBODY_WORKS)


if __name__ == "__main__":
    sys.exit(main())
