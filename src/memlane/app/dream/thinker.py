"""The reading half of a Dream, as a process of its own: `python -m memlane.app.dream.thinker TIME`.

It reads this home and prints one Thought. It cannot write: not into storage, the archive, or any other file.
"""

from __future__ import annotations

import errno
import os
import resource
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import NoReturn

import msgspec

from memlane.app.dream.rules import ideas, rules
from memlane.app.home import Home, disk_of
from memlane.app.vectors import VectorUpkeep
from memlane.config import Config, load
from memlane.domain import Thought
from memlane.flow import dream
from memlane.system.disk import Disk
from memlane.system.process import give_way

LAST = 19  # everybody else goes first


class ReadOnlyDisk(Disk):
    """A disk on which nothing can be changed."""

    def make_folder(self, path: Path) -> NoReturn:
        _refused(path)

    def open_to_write(self, path: Path) -> NoReturn:
        _refused(path)

    def rename(self, source: Path, target: Path) -> NoReturn:  # noqa: ARG002 - the verb's own shape
        _refused(target)

    def unlink(self, path: Path) -> NoReturn:
        _refused(path)

    def remove_folder(self, path: Path) -> NoReturn:
        _refused(path)


def _refused(path: Path) -> NoReturn:
    raise OSError(errno.EROFS, "a dream only reads", str(path))


def no_file_grows() -> None:
    """The kernel takes no byte of this process for any file from now on; what it says goes through a pipe."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _disk(config: Config) -> Disk:
    return disk_of(config, read_only=True) if config.in_a_store else ReadOnlyDisk()


def at_rest(config: Config, now: datetime) -> Home:
    """Storage that only answers, and looked at once: SQLite has all the files it needs from then on."""
    home = Home(config, lambda: now, _disk(config), read_only=True)
    home.storage().memories.count([], home.reader)
    return home


def thought_of(home: Home) -> Thought:
    meaning = VectorUpkeep(home)
    try:
        tools = replace(home.tools(), meaning=meaning.understands())
        return dream.think(tools, rules(home), ideas(home))
    finally:
        meaning.close()


def main() -> None:
    give_way(LAST)
    says = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever else is printed is no Thought
    home = at_rest(load(), datetime.fromisoformat(sys.argv[1]))
    no_file_grows()
    said = msgspec.json.encode(thought_of(home))
    home.close()
    with os.fdopen(says, "wb") as pipe:
        pipe.write(said)


if __name__ == "__main__":
    main()
