"""The process that gives Memories their places on the map: `python -m memlane.app.map.program`, niced.

It loads all meanings, which is why nobody who answers people does it.
"""

from __future__ import annotations

from memlane.app.home import Home, now
from memlane.app.map import MemoryMap
from memlane.config import load
from memlane.system.process import BEHIND, give_way


def main() -> None:
    give_way(BEHIND)
    home = Home(load(), now)
    try:
        MemoryMap(home).give()
    finally:
        home.close()


if __name__ == "__main__":
    main()
