"""What others share with this person, as Central last gave it: a cache beside the journal, for recall offline too.

An index of its own. What is not shared any more leaves it when Central is met, what ends by a date with that date.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import cast

import msgspec

from memlane.app.home.paths import FILE
from memlane.config import Config
from memlane.domain import LentMemory, ProjectJoin, Reader, State
from memlane.storage import LentStorage, Storage
from memlane.storage.embedded import EmbeddedEngine
from memlane.work import WriteLock

FOLDER = "lent"
NOTE = "lent"


class LentState(msgspec.Struct, frozen=True):
    """`version`: what Central calls these Memories together; `until`: those that end by themselves; `given`: what this
    person shares themselves, as Central says it."""

    version: str = ""
    owners: Mapping[str, str] = {}
    until: Mapping[str, str] = {}
    given: Sequence[Mapping[str, object]] = ()


class LentShelf:
    def __init__(self, config: Config, clock: Callable[[], datetime], lock: Callable[[], WriteLock]) -> None:
        self._folder: Path = config.home / FOLDER
        self._reader, self._clock, self._lock = Reader(config.user), clock, lock
        self._opened: Storage | None = None
        self._read = ("", LentState())

    @cached_property
    def _engine(self) -> EmbeddedEngine:
        return EmbeddedEngine(self._folder, self._folder / "vectors")

    # -- read ----------------------------------------------------------------------------------------------------------

    def storage(self) -> Storage | None:
        """None: nothing was ever lent here."""
        name = self._engine.serving()
        if self._opened is not None and self._opened.name != name:
            self.close()
        if self._opened is None and name is not None:
            self._opened = self._engine.open()
        return self._opened

    @property
    def note(self) -> LentState:
        storage = self.storage()
        said = storage.notes.get(NOTE) if storage is not None else ""
        if self._read[0] != said:
            self._read = said, msgspec.json.decode(said, type=LentState) if said else LentState()
        return self._read[1]

    def owners(self) -> Mapping[str, str]:
        """Each Memory that is lent now → whose it is."""
        note, now = self.note, self._clock()
        over = {id for id, end in note.until.items() if now >= datetime.fromisoformat(end)}
        return {id: owner for id, owner in note.owners.items() if id not in over} if over else note.owners

    def beside(self, own: Storage) -> Storage:
        """Both, asked as one; the own alone where nothing is lent."""
        storage = self.storage()
        if storage is None or not (owners := self.owners()):
            return own
        return cast(Storage, LentStorage(own, storage.memories, owners))  # whatever it has not is asked of the own

    # -- written -------------------------------------------------------------------------------------------------------

    def take(self, version: str, lent: Sequence[LentMemory]) -> None:
        """These and no others, from now on; of the others no word stays in the files."""
        storage = self._begun()
        wanted = {one.memory.id: one for one in lent}
        with self._lock().held():
            gone = {one.id for one in storage.memories.listed(list(State), self._reader)} - wanted.keys()
            with storage.transaction():
                self._replace(storage, wanted, gone)
                until = {id: one.until for id, one in wanted.items() if one.until}
                note = LentState(version, {id: one.memory.owner for id, one in wanted.items()}, until, self.note.given)
                storage.notes.put(NOTE, msgspec.json.encode(note).decode())
            if gone:
                storage.scrub()

    def _replace(self, storage: Storage, wanted: Mapping[str, LentMemory], gone: Collection[str]) -> None:
        user = self._reader.user
        for id in gone:
            storage.memories.drop(id, user)
        for one in wanted.values():
            files = tuple(named for named in one.memory.related_entities if named.type == FILE)  # whom they know stays
            storage.memories.put(replace(one.memory, owner=user, related_entities=files))

    def learn(self, given: Sequence[Mapping[str, object]], joins: Sequence[ProjectJoin]) -> None:
        """What this person shares, and which projects are one to them: a lent Memory holds there too."""
        if not given and self.storage() is None:
            return
        storage = self._begun()
        known = {one.key: one for one in storage.projects.joins(self._reader)}
        new = [one for one in joins if known.get(one.key) != one]
        if not new and list(self.note.given) == list(given):
            return
        with self._lock().held(), storage.transaction():
            for one in new:
                storage.projects.put(one, self._reader.user)
            note = msgspec.structs.replace(self.note, given=given)
            storage.notes.put(NOTE, msgspec.json.encode(note).decode())

    def _begun(self) -> Storage:
        if self._engine.serving() is None:
            with self._lock().held():
                fresh = self._engine.begin()
                try:
                    self._engine.swap(fresh)
                finally:
                    fresh.close()
        storage = self.storage()
        assert storage is not None
        return storage

    def drop(self) -> None:
        """All of it: this machine left, or Central does not know it any more."""
        self.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None
