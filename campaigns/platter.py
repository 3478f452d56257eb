"""What is left of recorded file work when the power goes: only what was synced is sure, of the rest any part may be.

A sync of a file keeps its bytes, a sync of a folder keeps its entries, and neither keeps the other. Bytes not synced
may be there in any of their blocks (a missing one reads as zeros), entries not synced in any combination.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

Op = tuple[object, ...]
Keeps = Callable[[str], bool]  # whether something of this sort ("data", "entry") outlives the power
BLOCKS = (512, 4096)


@dataclass(slots=True)
class PlatterFile:
    durable: bytes = b""
    pending: list[tuple[str, int, bytes]] = field(default_factory=list[tuple[str, int, bytes]])

    def sync(self) -> None:
        self.durable, self.pending = self.after(lambda _sort: True, None), []

    def after(self, keeps: Keeps, dice: random.Random | None) -> bytes:
        content = bytearray(self.durable)
        for verb, where, data in self.pending:
            if verb == "truncate":
                if keeps("data"):
                    content = content[:where].ljust(where, b"\0")
            else:
                for offset, piece in _blocks(where, data, dice):
                    if keeps("data"):
                        content = content.ljust(offset + len(piece), b"\0")
                        content[offset : offset + len(piece)] = piece
        return bytes(content)


def _blocks(offset: int, data: bytes, dice: random.Random | None) -> list[tuple[int, bytes]]:
    """A write as the disk sees it: cut where blocks end."""
    if dice is None:
        return [(offset, data)]
    size, found = dice.choice(BLOCKS), []
    while data:
        room = size - offset % size
        found.append((offset, data[:room]))
        offset, data = offset + room, data[room:]
    return found


@dataclass(slots=True)
class PlatterFolder:
    durable: dict[str, int] = field(default_factory=dict[str, int])
    pending: list[tuple[tuple[str, int | None], ...]] = field(default_factory=list)  # each is kept whole or not at all

    def sync(self) -> None:
        self.durable, self.pending = self.after(lambda _sort: True), []

    def after(self, keeps: Keeps) -> dict[str, int]:
        entries = dict(self.durable)
        for change in self.pending:
            if keeps("entry"):
                for name, thing in change:
                    entries.pop(name, None)
                    if thing is not None:
                        entries[name] = thing
        return entries

    @property
    def now(self) -> dict[str, int]:
        return self.after(lambda _sort: True)


class Platter:
    """Folders and files by number; number 0 is the empty folder everything will lie in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.things: list[PlatterFile | PlatterFolder] = [PlatterFolder()]

    def _add(self, thing: PlatterFile | PlatterFolder) -> int:
        self.things.append(thing)
        return len(self.things) - 1

    def _find(self, path: Path) -> int | None:
        number = 0
        for part in path.relative_to(self.root).parts:
            folder = self.things[number]
            assert isinstance(folder, PlatterFolder)
            found = folder.now.get(part)
            if found is None:
                return None
            number = found
        return number

    def _folder(self, path: Path) -> PlatterFolder:
        folder = self.things[self._find(path) or 0]
        assert isinstance(folder, PlatterFolder)
        return folder

    def _file(self, number: object) -> PlatterFile:
        assert isinstance(number, int)
        file = self.things[number]
        assert isinstance(file, PlatterFile)
        return file

    def apply(self, op: Op) -> int | None:
        match op:
            case ("make", Path() as path):
                self._folder(path.parent).pending.append(((path.name, self._add(PlatterFolder())),))
            case ("open", Path() as path):
                number = self._find(path)
                if number is None:
                    number = self._add(PlatterFile())
                    self._folder(path.parent).pending.append(((path.name, number),))
                return number
            case ("write", number, int() as offset, bytes() as data):
                self._file(number).pending.append(("write", offset, data))
            case ("truncate", number, int() as size):
                self._file(number).pending.append(("truncate", size, b""))
            case ("sync", number):
                self._file(number).sync()
            case ("sync folder", Path() as path):
                if path == self.root or self.root in path.parents:
                    self._folder(path).sync()
            case ("rename", Path() as source, Path() as target):
                moved = ((source.name, None), (target.name, self._find(source)))
                self._folder(target.parent).pending.append(moved)
            case ("unlink", Path() as path):
                self._folder(path.parent).pending.append(((path.name, None),))
            case _:
                raise AssertionError(op)
        return None

    def forget_pending(self, number: int) -> None:
        """As after a failed sync: what was to be written never will be."""
        self._file(number).pending.clear()

    def write_out(self, target: Path, keeps: Keeps, dice: random.Random | None) -> None:
        """As a computer finds it when the power is back."""
        self._write_out(0, target, keeps, dice)

    def _write_out(self, number: int, target: Path, keeps: Keeps, dice: random.Random | None) -> None:
        thing = self.things[number]
        if isinstance(thing, PlatterFile):
            target.write_bytes(thing.after(keeps, dice))
            return
        target.mkdir(parents=True, exist_ok=True)
        for name, inside in thing.after(keeps).items():
            self._write_out(inside, target / name, keeps, dice)
