"""A small JSON document that several processes change, one at a time: the old content or the new, never between.

It is for what a deleted index must not take along, such as money spent. It does not know what it keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from memlane.errors import LaneError
from memlane.system.disk import Disk

T = TypeVar("T", bound=msgspec.Struct)
DAMAGED = ".damaged"
Held = Callable[[], AbstractContextManager[None]]


class JsonFile(Generic[T]):
    """`type` is a Struct whose fields all have defaults: a missing file is a fresh one."""

    def __init__(self, path: Path, type: type[T], disk: Disk, held: Held, *, derived: bool = False) -> None:
        """`derived`: it can be made again, so a damaged one is moved aside and a fresh one begun."""
        self.path = path
        self._type, self._disk, self._held, self._derived = type, disk, held, derived

    def read(self) -> T:
        try:
            return msgspec.json.decode(self._disk.read_whole(self.path), type=self._type)
        except FileNotFoundError:
            return self._type()
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            if self._derived:
                with suppress(FileNotFoundError):  # another process was faster
                    self._disk.rename(self.path, self.path.with_name(f"{self.path.name}{DAMAGED}"))
                return self._type()
            raise LaneError(
                f"{self.path} cannot be read ({error})", hint=f"move it away: mv {self.path} /tmp"
            ) from None

    @contextmanager
    def changed(self) -> Generator[T]:
        """What is there, to be changed in place; durable on leaving, if it differs. An error writes nothing."""
        with self._held():
            found = self.read()
            before = msgspec.json.encode(found)
            yield found
            after = msgspec.json.encode(found)
            if after != before:
                self._disk.make_folders(self.path.parent)
                self._disk.replace(self.path, after)
