"""Objects as files of a folder: a disk, a NAS, a folder that another program carries elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from memlane.errors import UsageError
from memlane.store.object_store import StoredBlob, safe_name
from memlane.system.disk import Disk

OTHERS = 0o077


class FolderStore:
    def __init__(self, folder: Path, disk: Disk | None = None) -> None:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is not a folder", hint="name a folder, s3://… or hf://buckets/…")
        self._folder, self._disk = folder, disk or Disk()

    @property
    def place(self) -> str:
        return str(self._folder)

    @property
    def private(self) -> bool | None:
        """A folder that is not there yet is made private."""
        return not self._folder.exists() or not self._folder.stat().st_mode & OTHERS

    def put(self, objects: Mapping[str, bytes]) -> None:
        for name, data in objects.items():
            file = self._file(name)
            self._disk.make_folders(file.parent)
            self._disk.replace(file, data)

    def get(self, name: str) -> bytes | None:
        try:
            return self._disk.read_whole(self._file(name))
        except FileNotFoundError:
            return None

    def objects(self, prefix: str) -> Iterator[StoredBlob]:
        top = self._folder / prefix
        for file in sorted(top.rglob("*")) if top.is_dir() else ():
            name = file.relative_to(self._folder).as_posix()
            if safe_name(name) and file.is_file():
                known = file.stat()
                yield StoredBlob(name, known.st_size, f"{known.st_mtime_ns}-{known.st_size}")

    def _file(self, name: str) -> Path:
        if not safe_name(name):
            raise UsageError(f"{name!r} cannot be the name of an object", hint="letters, digits and . _ - @ alone")
        return self._folder / name
