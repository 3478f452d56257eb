"""The process that gives Memories their places on the map: `python -m memlane.lane.placer`. Everybody else goes first.

It loads all meanings, which is why nobody who answers people does it.
"""

from __future__ import annotations

from memlane.config import load
from memlane.lane.home import Home, now
from memlane.lane.placing import Placing
from memlane.process import BEHIND, give_way


def main() -> None:
    give_way(BEHIND)
    home = Home(load(), now)
    try:
        Placing(home).give()
    finally:
        home.close()


if __name__ == "__main__":
    main()
