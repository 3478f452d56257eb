"""The position of each Memory on the map: near similar ones. A position is assigned once and never changes.

Readers get the Memories that have a position. A separate background process assigns positions (`program.py`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

import msgspec

from memlane.app.home import Home
from memlane.domain import STANDING, Memory, State, Type
from memlane.errors import LaneError, NotFoundError
from memlane.system.json_file import JsonFile
from memlane.work import WriteLock

if TYPE_CHECKING:
    from memlane.storage import Vector

FILE = "map.json"
AT_ONCE = 256  # new ones compared with all others in one go
WRITTEN_EVERY = 2.0  # seconds: whoever looks meanwhile sees it grow
PLACER = (sys.executable, "-P", "-m", "memlane.app.map.program")
_PYTHON = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}

Spot = tuple[float, float]


class MapPlaces(msgspec.Struct):
    """By Memory. What is forgotten for good loses its place when the next ones are given theirs."""

    at: dict[str, Spot] = {}


@dataclass(frozen=True, slots=True)
class MapView:
    """All that stand, by id; `waiting`: those that are being given a place now; `why`: no map can be made. The same
    `version` is the same map."""

    at: Mapping[str, Spot]
    types: Mapping[str, Type]
    waiting: int
    version: str
    why: str = ""


class MemoryMap:
    def __init__(self, home: Home) -> None:
        self._home = home
        self._looked = MapView({}, {}, 0, "")
        self._placer: subprocess.Popen[bytes] | None = None
        self._started = -1  # at which version of the Memories
        lock = partial(WriteLock.held, WriteLock(home.run_folder / "map.lock"))
        self._kept = JsonFile(home.config.home / FILE, MapPlaces, home.disk, lock)

    # -- for whoever looks -------------------------------------------------------------------------------------------

    def look(self) -> MapView:
        """All that have a place; for those that have none, somebody is sent."""
        memories = self._home.storage().memories.version(self._home.reader)
        version = f"{memories}-{self._stamp()}"
        if self._looked.version != version or self._looked.waiting:
            self._looked = self._look(memories, version)
        return self._looked

    def near(self, memory: Memory, limit: int) -> Sequence[tuple[Memory, float]]:
        """Those most like it, and how much."""
        (vector,) = self._home.recall_model.passages([memory.text])
        ports, tag = self._home.storage().memories, self._home.recall_model.tag
        found = ports.nearest(cast("Vector", vector), tag, STANDING, self._home.reader, limit + 1)
        return [(one, likeness) for one, likeness in found if one.id != memory.id][:limit]

    def _look(self, memories: int, version: str) -> MapView:
        types = dict(self._home.storage().memories.types(STANDING, self._home.reader))
        known = self._kept.read().at
        try:
            missing = sum(name not in known for name in types) if self._home.recall_model.tag else 0
        except LaneError as error:
            return MapView({}, types, 0, version, error.message)
        return MapView(known, types, missing if missing and self._sent(memories) else 0, version)

    def _sent(self, memories: int) -> bool:
        """Whether somebody is giving places. Whom they gave none has no meaning yet: for those nobody goes again until
        something changes."""
        if self._placer is not None and self._placer.poll() is None:
            return True
        if memories == self._started:
            return False
        self._started = memories
        nothing, variables = subprocess.DEVNULL, {**self._home.config.variables, **_PYTHON}
        self._placer = subprocess.Popen(
            PLACER, stdin=nothing, stdout=nothing, stderr=nothing, env=variables, start_new_session=True
        )
        threading.Thread(target=self._placer.wait, daemon=True).start()  # nobody may look again: it is not left behind
        return True

    def _stamp(self) -> int:
        try:
            return self._kept.path.stat().st_mtime_ns
        except FileNotFoundError:
            return 0

    # -- for whoever gives places ------------------------------------------------------------------------------------

    def give(self) -> None:
        """A place to all that have a meaning and none yet."""
        from memlane.embed.layout import TOGETHER, Neighbourhood, laid_out

        ports, reader = self._home.storage().memories, self._home.reader
        at, here = dict(self._kept.read().at), {name for name, _type in ports.types(STANDING, reader)}
        if here <= at.keys():
            return
        vectors = ports.meanings(self._home.recall_model.tag, reader)
        waiting = sorted(name for name in here if name not in at and name in vectors)
        if not waiting:
            return
        if not at:
            at |= laid_out(waiting[:TOGETHER], vectors)
        left = [name for name in waiting if name not in at]
        among, written = Neighbourhood(at, vectors, len(at) + len(left)), time.monotonic()
        while left:
            some, left = left[: (size := min(AT_ONCE, max(16, len(at) // 4)))], left[size:]
            at |= among.put(some)
            if time.monotonic() - written > WRITTEN_EVERY:
                self._write(at)
                written = time.monotonic()
        self._write(at)

    def _write(self, at: Mapping[str, Spot]) -> None:
        every = {name for name, _type in self._home.storage().memories.types(list(State), self._home.reader)}
        if not self._home.config.home.is_dir():
            raise NotFoundError("there is no home", hint="lane init")
        with self._kept.changed() as kept:
            kept.at = {name: spot for name, spot in {**at, **kept.at}.items() if name in every}
