"""The position of each Memory on the map: near similar ones. A position is assigned once and never changes.

Readers get the Memories that have a position. A separate background process assigns positions (`program.py`).
"""

from __future__ import annotations

import math
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
from memlane.flow.journal import encode
from memlane.system.json_file import JsonFile
from memlane.work import WriteLock

if TYPE_CHECKING:
    from memlane.storage import Vector

FILE = "map.json"
AT_ONCE = 256  # new ones compared with all others in one go
WRITTEN_EVERY = 2.0  # seconds: whoever looks meanwhile sees it grow
TRIED_AGAIN = 60.0  # seconds after those who got no place: a model may be back by then
AT_WORK = "map-work.lock"
PLACER = (sys.executable, "-P", "-m", "memlane.app.map.program")
_PYTHON = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}

Spot = tuple[float, float]


class MapPlaces(msgspec.Struct):
    """By Memory. What is forgotten for good loses its place when the next ones are given theirs."""

    at: dict[str, Spot] = {}


@dataclass(frozen=True, slots=True)
class MapView:
    """All that stand, by id; `waiting`: those that are being given a place now; `left`: those that got none, and nobody
    is trying; `why`: no map can be made. The same `version` is the same map."""

    at: Mapping[str, Spot]
    types: Mapping[str, Type]
    waiting: int
    version: str
    left: int = 0
    why: str = ""


class MemoryMap:
    def __init__(self, home: Home) -> None:
        self._home = home
        self._looked = MapView({}, {}, 0, "")
        self._placer: subprocess.Popen[bytes] | None = None
        self._started = -1  # at which version of the Memories
        self._ended = 0.0
        lock = partial(WriteLock.held, WriteLock(home.run_folder / "map.lock"))
        self._kept = JsonFile(home.config.home / FILE, MapPlaces, home.disk, lock, derived=True)

    # -- for whoever looks -------------------------------------------------------------------------------------------

    def look(self) -> MapView:
        """All that have a place; for those that have none, somebody is sent."""
        memories = self._home.storage().memories.version(self._home.reader)
        version = f"{memories}-{self._stamp()}"
        if self._looked.version != version or self._looked.waiting or self._looked.left:
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
        try:
            if not self._home.recall_model.tag:
                return MapView({}, types, 0, version, why="recall.model is none, so nothing is known about similarity")
        except LaneError as error:
            return MapView({}, types, 0, version, why=error.message)
        at_work = self._at_work()  # asked first: whoever has ended by now has written all they found
        known = self._kept.read().at
        missing = sum(name not in known for name in types)
        if missing and not at_work:
            at_work = self._sent(memories)
        return MapView(known, types, missing if at_work else 0, version, 0 if at_work else missing)

    def _at_work(self) -> bool:
        if self._placer is None:
            return False
        if self._placer.poll() is None:
            return True
        self._placer, self._ended = None, time.monotonic()
        return False

    def _sent(self, memories: int) -> bool:
        """Somebody to give places, unless somebody just tried with the same Memories."""
        if memories == self._started and time.monotonic() - self._ended < TRIED_AGAIN:
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
        """A place to all that have none yet; what they mean is found out first. One process of a home does it at a
        time: another one waits, and finds it done."""
        with WriteLock(self._home.run_folder / AT_WORK).held(patience=math.inf):
            encode(self._home.tools())
            self._give()

    def _give(self) -> None:
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
