"""All file work of capture and archive, in a few small verbs, so that every fault can be replayed.

Nothing else in those two rooms touches a file. The campaigns hand in a Disk that records, kills or fails each verb.
It knows nothing about transcripts.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
FULL = (errno.ENOSPC, errno.EDQUOT)
TEMPORARY = ".tmp"  # what `replace` writes before the rename


@dataclass(frozen=True, slots=True)
class Stat:
    """What one look at a file tells: enough to say "unchanged" without reading it."""

    size: int
    inode: int
    modified_ns: int
    changed_ns: int
    regular: bool
    owner: int

    @property
    def signature(self) -> str:
        """Changes with every write, also one whose mtime was put back (ctime cannot be)."""
        return f"{self.size}:{self.inode}:{self.modified_ns}:{self.changed_ns}"


def signature_of(result: os.stat_result) -> str:
    """The same, without making a Stat of it: a sweep asks this of every file there is."""
    return f"{result.st_size}:{result.st_ino}:{result.st_mtime_ns}:{result.st_ctime_ns}"


def stat_of(result: os.stat_result) -> Stat:
    return Stat(
        size=result.st_size,
        inode=result.st_ino,
        modified_ns=result.st_mtime_ns,
        changed_ns=result.st_ctime_ns,
        regular=stat.S_ISREG(result.st_mode),
        owner=result.st_uid,
    )


def private_folder(path: Path) -> None:
    """The folder and its missing parents, readable by their owner alone (`mkdir -p` makes parents for everybody)."""
    if not path.is_dir():
        private_folder(path.parent)
        path.mkdir(PRIVATE_FOLDER, exist_ok=True)


def takes_files(folder: Path) -> None:
    """An OSError, unless a file can be made, written and synced here. It never has a name, so it leaves nothing behind
    even when we are killed; where a system or a mount has no such files, the permissions must do."""
    unnamed = getattr(os, "O_TMPFILE", 0)
    try:
        descriptor = os.open(folder, unnamed | os.O_RDWR | os.O_CLOEXEC, PRIVATE_FILE) if unnamed else -1
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL):
            raise
        descriptor = -1
    if descriptor < 0:
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
        return
    try:
        os.write(descriptor, b"lane")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# -- what went wrong -------------------------------------------------------------------------------------------------


def cause_of(error: OSError) -> str:
    """The system's words for it; a disk that has room for bytes and for no file is not "full" to whoever looks."""
    said = error.strerror or str(error)
    if error.errno in FULL and error.filename and _no_more_files(Path(os.fsdecode(error.filename))):
        return f"{said} (no more files can be made there: every inode is in use)"
    return said


def message_of(error: OSError) -> str:
    """The file and the cause."""
    return f"{os.fsdecode(error.filename)}: {cause_of(error)}" if error.filename else cause_of(error)


def advice_for(error: OSError) -> str:
    """What a person can do about it."""
    name = os.fsdecode(error.filename) if error.filename else ""
    folder = next((str(path) for path in Path(name).parents if path.is_dir()), "") if name else ""
    if error.errno in FULL and name and _no_more_files(Path(name)):
        return f"remove some files there (df -i {folder}) and run it again; nothing already saved is lost"
    hints = {
        errno.ENOSPC: "free some disk space and run it again; nothing already saved is lost",
        errno.EDQUOT: "free some disk space and run it again; nothing already saved is lost",
        errno.EACCES: f"check who owns it: ls -ld {name}".rstrip(),
        errno.EPERM: f"check who owns it: ls -ld {name}".rstrip(),
        errno.EROFS: "mount the disk for writing, or use another home: LANE_HOME=FOLDER; reading works meanwhile",
        errno.EIO: "the disk may be failing (dmesg says more); then: lane archive verify",
    }
    return hints.get(error.errno or 0, "lane doctor")


def read_only_error(path: Path) -> OSError:
    """Why this may only be read: the disk, or its owner."""
    try:
        is_mount = bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        is_mount = False
    number = errno.EROFS if is_mount else errno.EACCES
    return OSError(number, os.strerror(number), str(path))


def why_read_only(folder: Path) -> str:
    """ "" where files can be made."""
    if not folder.is_dir() or os.access(folder, os.W_OK | os.X_OK):
        return ""
    return cause_of(read_only_error(folder))


def _no_more_files(path: Path) -> bool:
    try:
        room = os.statvfs(path.parent)
    except OSError:
        return False
    return room.f_files > 0 and room.f_favail == 0 and room.f_bavail > 0


class Disk:
    """The real disk. An error names the file, also one that came by its descriptor."""

    def __init__(self) -> None:
        self._settled = set[Path]()  # what this process knows to be durable in its folder
        self._open = dict[int, Path]()

    # -- reading -----------------------------------------------------------------------------------------------

    def open_to_read(self, path: Path) -> int:
        """Never follows a link, never waits on a pipe."""
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        self._open[descriptor] = path
        return descriptor

    def stat(self, descriptor: int) -> Stat:
        return stat_of(os.fstat(descriptor))

    def read(self, descriptor: int, length: int, offset: int) -> bytes:
        """All of it, or up to the end of the file: the kernel may give less than it was asked for."""
        try:
            found = os.pread(descriptor, length, offset)
            while 0 < len(found) < length and (more := os.pread(descriptor, length - len(found), offset + len(found))):
                found += more
        except OSError as error:
            raise self._named(error, descriptor) from None
        return found

    def list(self, folder: Path) -> Iterator[os.DirEntry[str]]:
        with os.scandir(folder) as entries:
            yield from entries

    def names(self, folder: Path) -> Sequence[str]:
        """What is in a folder, in order. FileNotFoundError: there is no such folder."""
        return sorted(entry.name for entry in self.list(folder))

    def folders(self, folder: Path) -> Sequence[str]:
        """The folders in it, by name."""
        return sorted(entry.name for entry in self.list(folder) if entry.is_dir())

    def is_folder(self, path: Path) -> bool:
        return path.is_dir()

    def is_file(self, path: Path) -> bool:
        return path.is_file()

    def size(self, path: Path) -> int:
        return path.stat().st_size

    def signature(self, path: Path) -> str:
        """Another one after every change. FileNotFoundError: there is no such file."""
        return signature_of(path.stat())

    def files_below(self, folder: Path) -> Iterator[Path]:
        """Plain files, at any depth; nothing where there is no such folder."""
        return (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())

    def steady(self) -> AbstractContextManager[None]:
        """While its caller holds the write lock. A disk is what it is; a store may fence whoever lost that lock."""
        return nullcontext()

    def fence(self, path: Path) -> None:
        """Before bytes that were never acknowledged are cut off: their writer can no longer have them counted here."""

    def newest(self, folder: Path) -> str:
        """Changes when anything below the folder does; "" where only a look at each file can tell."""
        del folder
        return ""

    # -- writing -----------------------------------------------------------------------------------------------

    def make_folder(self, path: Path) -> None:
        os.mkdir(path, PRIVATE_FOLDER)  # noqa: PTH102 - the verb itself, with its mode

    def open_to_write(self, path: Path) -> int:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE_FILE)
        self._open[descriptor] = path
        return descriptor

    def write(self, descriptor: int, data: bytes, offset: int) -> None:
        """All of it, at this offset: the kernel may take less than it was given."""
        view = memoryview(data)
        try:
            while view:
                written = os.pwrite(descriptor, view, offset)
                if written == 0:
                    raise OSError(errno.EIO, "the disk takes nothing")
                view, offset = view[written:], offset + written
        except OSError as error:
            raise self._named(error, descriptor) from None

    def truncate(self, descriptor: int, size: int) -> None:
        try:
            os.ftruncate(descriptor, size)
        except OSError as error:
            raise self._named(error, descriptor) from None

    def sync(self, descriptor: int) -> None:
        try:
            os.fsync(descriptor)
        except OSError as error:
            raise self._named(error, descriptor) from None

    def sync_folder(self, path: Path) -> None:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except PermissionError:  # a folder above ours that we may pass but not read: its owner keeps it
            return
        try:
            os.fsync(descriptor)
        except OSError as error:  # some network mounts cannot sync a folder; `lane doctor` says so
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):
                raise OSError(error.errno, error.strerror, str(path)) from None
        finally:
            os.close(descriptor)

    def set_modified(self, path: Path, modified_ns: int) -> None:
        os.utime(path, ns=(modified_ns, modified_ns))

    def takes_files(self, folder: Path) -> None:
        """An OSError, unless a file can be made, written and synced there."""
        takes_files(folder)

    def compact(self, folder: Path, before: datetime) -> int:
        """Files that were kept in pieces and are whole now: those that have not changed since then. A disk has none."""
        del folder, before
        return 0

    def room(self, folder: Path) -> int | None:
        """Bytes that are free there; None: nothing says so."""
        return shutil.disk_usage(folder).free

    def rename(self, source: Path, target: Path) -> None:
        os.replace(source, target)  # noqa: PTH105 - the verb itself

    def unlink(self, path: Path) -> None:
        os.unlink(path)  # noqa: PTH108 - the verb itself

    def remove_folder(self, path: Path) -> None:
        os.rmdir(path)  # noqa: PTH106 - the verb itself

    def close(self, descriptor: int) -> None:
        self._open.pop(descriptor, None)
        os.close(descriptor)

    def _named(self, error: OSError, descriptor: int) -> OSError:
        """The kernel knows a descriptor; people know the file."""
        path = self._open.get(descriptor)
        return OSError(error.errno, error.strerror, str(path)) if path is not None else error

    # -- the two shapes everything is made of --------------------------------------------------------------------

    def make_folders(self, path: Path, base: Path | None = None) -> None:
        """The folder and its missing parents, each durable in its own parent.

        From `base` down also those that are there: whoever made them may have been killed before they were durable.
        """
        missing: list[Path] = []
        while not path.is_dir() or (base is not None and path.is_relative_to(base) and path not in self._settled):
            missing.append(path)
            path = path.parent
        for folder in reversed(missing):
            with suppress(FileExistsError):
                self.make_folder(folder)
            self.sync_folder(folder.parent)
            self._settled.add(folder)

    def settle(self, path: Path, *, new: bool) -> None:
        """A file's entry made durable in its folder: when it is new, and once for each process that relies on it."""
        if new or path not in self._settled:
            self.sync_folder(path.parent)
            self._settled.add(path)

    def replace(self, path: Path, data: bytes) -> None:
        """The old content or the new, never between, durable on return."""
        temporary = path.with_name(path.name + TEMPORARY)
        descriptor = self.open_to_write(temporary)
        try:
            self.truncate(descriptor, 0)
            self.write(descriptor, data, 0)
            self.sync(descriptor)
        finally:
            self.close(descriptor)
        self.rename(temporary, path)
        self.sync_folder(path.parent)

    def read_whole(self, path: Path) -> bytes:
        descriptor = self.open_to_read(path)
        try:
            pieces: list[bytes] = []
            offset = 0
            while piece := self.read(descriptor, 1 << 20, offset):
                pieces.append(piece)
                offset += len(piece)
            return b"".join(pieces)
        finally:
            self.close(descriptor)
