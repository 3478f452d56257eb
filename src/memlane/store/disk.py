"""The archive in an object store, by the verbs of a disk. What lies elsewhere is on the real disk, as ever.

`sync` and `replace` return when the store has the bytes. What is open to write is a draft, in memory or in a file
without a name: no other process sees it, and a kill takes it away. A `.tmp` is never sent; its rename sends it.
"""

from __future__ import annotations

import errno
import itertools
import os
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memlane.errors import OvertakenError, UsageError
from memlane.store.blocks import blocks_of
from memlane.store.bucket import Bucket, ChangedError
from memlane.store.draft import FileDraft
from memlane.store.files import Content, FileState, StoredFiles
from memlane.store.pieces import FOLDER
from memlane.system.disk import TEMPORARY, Disk, Stat

FIRST = 1 << 30  # of our descriptors: the kernel gives none so high
PROOF = ".lane-proof"


@dataclass(slots=True)
class _Open:
    path: Path
    content: Content | None
    draft: FileDraft | None = None

    @property
    def size(self) -> int:
        return self.draft.size if self.draft else self.content.size if self.content else 0


class _Steady(threading.local):
    """What a thread has seen since it took the write lock."""

    def __init__(self) -> None:
        self.depth = 0
        self.seen = dict[str, Content]()


class StoreDisk(Disk):
    def __init__(self, bucket: Bucket, base: Path, *, read_only: bool = False) -> None:
        super().__init__()
        self._files, self._base = StoredFiles(bucket, blocks_of(bucket.address)), base
        self._read_only = read_only
        self._handles, self._numbers = dict[int, _Open](), itertools.count(FIRST)
        self._drafts = dict[Path, FileDraft]()  # closed, and not sent
        self._steady = _Steady()
        self._proven = False

    # -- who is asked --------------------------------------------------------------------------------------------------

    def _is_ours(self, path: Path) -> bool:
        return path.is_relative_to(self._base)

    def _name(self, path: Path) -> str:
        return "" if path == self._base else path.relative_to(self._base).as_posix()

    @contextmanager
    def steady(self) -> Generator[None, None, None]:
        """What was read in it must still be so when it is written: a writer who lost its lock meanwhile fails."""
        steady = self._steady
        steady.depth += 1
        try:
            yield
        finally:
            steady.depth -= 1
            if steady.depth == 0:
                steady.seen.clear()

    def _content(self, path: Path) -> Content:
        """As it was at the first look, while steady."""
        name = self._name(path)
        if name in self._steady.seen:
            return self._steady.seen[name]
        found = self._files.content(name)
        self._see(name, found)
        return found

    def _see(self, name: str, content: Content) -> None:
        if self._steady.depth:
            self._steady.seen[name] = content

    def _state(self, path: Path) -> FileState:
        name = self._name(path)
        return self._steady.seen[name].state if name in self._steady.seen else self._files.state(name)

    def prove(self) -> None:
        """A store that gives one name twice cannot keep an archive: two writers would both think they were alone."""
        if self._proven:
            return
        bucket, name = self._files.bucket, f"{PROOF}/{os.urandom(8).hex()}"
        first, second = bucket.create(name, b"1"), bucket.create(name, b"2")
        kept = bucket.get(name) if first else b""
        bucket.delete([name])
        if first is None or second is not None or kept != b"1":
            raise UsageError(
                f"{bucket.address} lets two writers create the same object: it ignores If-None-Match",
                hint="use a store that keeps it: S3, Google Cloud Storage, Azure, SeaweedFS, MinIO",
            )
        self._proven = True

    # -- reading -------------------------------------------------------------------------------------------------------

    def open_to_read(self, path: Path) -> int:
        if not self._is_ours(path):
            return super().open_to_read(path)
        draft = self._drafts.get(path)
        return self._handle(_Open(path, None, draft) if draft else _Open(path, self._content(path)))

    def _handle(self, one: _Open) -> int:
        number = next(self._numbers)
        self._handles[number] = one
        return number

    def stat(self, descriptor: int) -> Stat:
        if descriptor < FIRST:
            return super().stat(descriptor)
        one = self._handles[descriptor]
        plain = one.content.state.plain if one.content else None
        modified = int(plain.at.timestamp() * 1e9) if plain and plain.at else 0
        return Stat(one.size, 0, modified, modified, regular=True, owner=-1)

    def read(self, descriptor: int, length: int, offset: int) -> bytes:
        if descriptor < FIRST:
            return super().read(descriptor, length, offset)
        one = self._handles[descriptor]
        if one.draft is None and one.content is not None:
            return self._read(one, offset, offset + length)
        assert one.draft is not None
        return one.draft.read(offset, offset + length, self._standing)

    def _standing(self, content: Content, start: int, end: int) -> bytes:
        return self._read(_Open(Path(), content), start, end)

    def _read(self, one: _Open, start: int, end: int) -> bytes:
        assert one.content is not None
        try:
            return self._files.read(one.content, start, end)
        except ChangedError:  # put together as one object meanwhile
            one.content = self._files.content(one.content.name)
            return self._files.read(one.content, start, end)

    def names(self, folder: Path) -> Sequence[str]:
        if not self._is_ours(folder):
            return super().names(folder)
        files, folders = self._files.bucket.inside(self._name(folder))
        return sorted({*files, *(name for name in folders if not name.endswith(FOLDER))})

    def folders(self, folder: Path) -> Sequence[str]:
        if not self._is_ours(folder):
            return super().folders(folder)
        _files, folders = self._files.bucket.inside(self._name(folder))
        return sorted(name for name in folders if not name.endswith(FOLDER))

    def is_folder(self, path: Path) -> bool:
        return self._files.bucket.has(self._name(path)) if self._is_ours(path) else super().is_folder(path)

    def is_file(self, path: Path) -> bool:
        return self._state(path).is_there if self._is_ours(path) else super().is_file(path)

    def size(self, path: Path) -> int:
        return self._content(path).size if self._is_ours(path) else super().size(path)

    def signature(self, path: Path) -> str:
        if not self._is_ours(path):
            return super().signature(path)
        state = self._state(path)
        if not state.is_there:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(path))
        return state.signature

    def files_below(self, folder: Path) -> Iterator[Path]:
        if not self._is_ours(folder):
            return super().files_below(folder)
        names = (one.name for one in self._files.bucket.below(self._name(folder)))
        return (self._base / name for name in sorted({_file_of(name) for name in names}) if not name.startswith(PROOF))

    def newest(self, folder: Path) -> str:
        if not self._is_ours(folder):
            return super().newest(folder)
        return " ".join(f"{one.name}:{one.version}" for one in self._files.bucket.below(self._name(folder))) or "empty"

    def room(self, folder: Path) -> int | None:
        return None if self._is_ours(folder) else super().room(folder)

    # -- writing -------------------------------------------------------------------------------------------------------

    def open_to_write(self, path: Path) -> int:
        if not self._is_ours(path):
            return super().open_to_write(path)
        draft = self._drafts.pop(path, None)
        if draft is None:
            content = self._content_or_none(path)
            draft = FileDraft(content, content.size if content else 0)
        return self._handle(_Open(path, None, draft))

    def _content_or_none(self, path: Path) -> Content | None:
        if path.name.endswith(TEMPORARY):
            return None
        try:
            return self._content(path)
        except FileNotFoundError:
            return None

    def write(self, descriptor: int, data: bytes, offset: int) -> None:
        if descriptor < FIRST:
            super().write(descriptor, data, offset)
        else:
            self._draft(descriptor).write(data, offset, self._standing)

    def truncate(self, descriptor: int, size: int) -> None:
        if descriptor < FIRST:
            super().truncate(descriptor, size)
        else:
            self._draft(descriptor).truncate(size)

    def sync(self, descriptor: int) -> None:
        if descriptor < FIRST:
            super().sync(descriptor)
            return
        one = self._handles[descriptor]
        draft = self._draft(descriptor)
        if not one.path.name.endswith(TEMPORARY) and (draft.changed or draft.base is None):
            self._send(one.path, draft)

    def _send(self, path: Path, draft: FileDraft) -> None:
        """Whatever comes of it, what was seen before no longer counts."""
        self._must_write(path)
        name = self._name(path)
        seen = self._steady.seen.pop(name, None)
        if seen is not None and (draft.base is None or seen.state.last != draft.base.state.last):
            raise OvertakenError(f"another process wrote {name} at the same time", hint="try again")
        draft.base = self._files.write(name, draft.base, draft.kept, draft.data())
        self._see(name, draft.base)
        draft.kept, draft.changed = draft.base.size, False
        draft.empty()

    def _must_write(self, path: Path) -> None:
        if self._read_only:
            raise OSError(errno.EROFS, "this process only reads", str(path))
        self.prove()

    def _draft(self, descriptor: int) -> FileDraft:
        draft = self._handles[descriptor].draft
        if draft is None:
            raise OSError(errno.EBADF, "it is open for reading")
        return draft

    def replace(self, path: Path, data: bytes) -> None:
        if not self._is_ours(path):
            super().replace(path, data)
            return
        self._put(path, data)

    def _put(self, path: Path, data: bytes) -> None:
        draft = FileDraft(self._content_or_none(path))
        with draft.behind:
            draft.write(data, 0, self._standing)
            self._send(path, draft)

    def fence(self, path: Path) -> None:
        if self._is_ours(path):
            content = self._content(path)
            self._put(path, self._files.read(content, 0, content.size))

    def rename(self, source: Path, target: Path) -> None:
        if not self._is_ours(target):
            super().rename(source, target)
            return
        draft = self._drafts.pop(source, None)
        if draft is not None:
            with draft.behind:
                self._put(target, draft.data())
            return
        content = self._content(source)
        self._put(target, self._files.read(content, 0, content.size))
        self.unlink(source)

    def unlink(self, path: Path) -> None:
        if not self._is_ours(path):
            super().unlink(path)
        elif (draft := self._drafts.pop(path, None)) is not None:
            draft.behind.close()
        else:
            self._must_write(path)
            self._steady.seen.pop(self._name(path), None)
            self._files.delete(self._name(path))

    def close(self, descriptor: int) -> None:
        if descriptor < FIRST:
            super().close(descriptor)
            return
        one = self._handles.pop(descriptor)
        if one.draft is None:
            return
        if one.path.name.endswith(TEMPORARY):
            self._drafts[one.path] = one.draft
        else:
            one.draft.behind.close()

    # -- plain objects -------------------------------------------------------------------------------------------------

    def compact(self, folder: Path, before: datetime) -> int:
        if not self._is_ours(folder):
            return super().compact(folder, before)
        newest = dict[str, datetime]()
        for one in self._files.bucket.below(self._name(folder)):
            if _file_of(one.name) != one.name and one.at is not None:
                newest[_file_of(one.name)] = max(one.at, newest.get(_file_of(one.name), one.at))
        return sum(self._made_plain(name) for name, at in sorted(newest.items()) if at <= before)

    def _made_plain(self, name: str) -> bool:
        """One that has become plain keeps a piece that says so."""
        content = self._files.content(name)
        if not content.pieces or content.pieces[-1].head.plain:
            return False
        self._steady.seen.pop(name, None)
        return self._files.make_plain(content) is not None

    # -- what a store has no use for -----------------------------------------------------------------------------------

    def make_folder(self, path: Path) -> None:
        if not self._is_ours(path):
            super().make_folder(path)

    def make_folders(self, path: Path, base: Path | None = None) -> None:
        if not self._is_ours(path):
            super().make_folders(path, base)

    def remove_folder(self, path: Path) -> None:
        if self._is_ours(path):
            self._files.bucket.delete([self._name(path)])  # some stores keep an empty folder, and list it
        else:
            super().remove_folder(path)

    def sync_folder(self, path: Path) -> None:
        if not self._is_ours(path):
            super().sync_folder(path)

    def settle(self, path: Path, *, new: bool) -> None:
        if not self._is_ours(path):
            super().settle(path, new=new)

    def set_modified(self, path: Path, modified_ns: int) -> None:
        if not self._is_ours(path):
            super().set_modified(path, modified_ns)

    def takes_files(self, folder: Path) -> None:
        if self._is_ours(folder):
            self.prove()
        else:
            super().takes_files(folder)


def _file_of(name: str) -> str:
    """The file that an object is of, or is a piece of."""
    folder, _slash, last = name.rpartition("/")
    return folder.removesuffix(FOLDER) if folder.endswith(FOLDER) and last.endswith(".zst") else name
