"""What the daemon starts after a turn: `python -m memlane.surfaces.daemon.capture AGENT [PATH…]`.

One sweep of these paths, or of all this agent keeps, with low priority. It ends when its standard input does, and
that is the daemon's life.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from memlane.config import load
from memlane.errors import BusyError, LaneError
from memlane.surfaces.daemon.children import ALREADY_SAID
from memlane.surfaces.daemon.log_file import LogFile
from memlane.system.process import BEHIND, give_way, seldom_collect


def main(agent: str, paths: Sequence[Path]) -> int:
    give_way(BEHIND)
    seldom_collect()
    threading.Thread(target=end_with_the_daemon, daemon=True).start()
    config = load()
    from memlane.app import Lane  # noqa: PLC0415 - most of the time this process takes
    from memlane.app.home import masked  # noqa: PLC0415 - most of the time this process takes

    try:
        with Lane(config) as lane:
            if paths:
                lane.capture.sweep_changed(paths, agent=agent)
            else:
                lane.capture.sweep(agent=agent)
            if lane.home.thin:  # Central is asked about the next prompt: it should know this turn by then
                with suppress(BusyError):
                    lane.shipment.now()
    except (LaneError, OSError) as error:
        text = error.message if isinstance(error, LaneError) else str(error)
        LogFile(config.home).write("ERROR", masked(f"capture after a turn: {text}"))
        return ALREADY_SAID
    return 0


def end_with_the_daemon() -> None:
    os.read(0, 1)
    os._exit(1)  # a capture can be ended at any instant; what is not acknowledged is done again


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], [Path(given) for given in sys.argv[2:]]))
