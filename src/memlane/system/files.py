"""A person's files, handled with care: read through links, replaced whole or not at all, mode and owner kept."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path

from memlane.system.disk import Disk

TEMPORARY = ".lane-tmp"
BACKUP = ".lane-"

_ESCAPED = re.compile(rb"\\x([0-9a-f]{2})")

SYNCED = (
    "dropbox",
    "onedrive",
    "google drive",
    "googledrive",
    "mobile documents",
    "icloud drive",
    "nextcloud",
    "box sync",
)
SYNC_MARKS = (".stfolder", ".dropbox", ".dropbox.cache", ".owncloudsync.log")


def read(path: Path) -> bytes | None:
    """What is in it, through links; None where there is nothing."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def is_there(shown: str) -> bool:
    """A path as it was stored and printed: bytes of its name that are no text stand there as `\\xNN`."""
    raw = shown.encode("utf-8", "surrogateescape")
    plain = _ESCAPED.sub(lambda found: bytes.fromhex(found[1].decode()), raw)
    return any(os.path.exists(name) for name in dict.fromkeys((raw, plain)))  # noqa: PTH110 - names are bytes


def replace(disk: Disk, path: Path, data: bytes) -> None:
    """The old content or the new, never between. A link stays a link: what it points to is replaced."""
    target = path.resolve()
    disk.make_folders(target.parent)
    temporary = target.with_name(target.name + TEMPORARY)
    descriptor = disk.open_to_write(temporary)
    try:
        disk.truncate(descriptor, 0)
        disk.write(descriptor, data, 0)
        _look_like(descriptor, target)
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)
    disk.rename(temporary, target)
    disk.sync_folder(target.parent)


def _look_like(descriptor: int, target: Path) -> None:
    try:
        was = target.stat()
    except FileNotFoundError:
        return
    with suppress(PermissionError):  # another group of ours: the mode below still holds
        os.fchown(descriptor, was.st_uid, was.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(was.st_mode))


def remove(disk: Disk, path: Path) -> None:
    """Gone, durably. A link stays, pointing at nothing, as it did before us."""
    target = path.resolve()
    with suppress(FileNotFoundError):
        disk.unlink(target)
        disk.sync_folder(target.parent)


def remove_tree(disk: Disk, path: Path) -> None:
    """Something of ours with all that is in it; links are removed, never followed."""
    if path.is_symlink() or path.is_file():
        disk.unlink(path)
    elif path.is_dir():
        for entry in list(disk.list(path)):
            remove_tree(disk, path / entry.name)
        disk.remove_folder(path)
    else:
        return
    disk.sync_folder(path.parent)


def remove_if_empty(disk: Disk, folder: Path) -> None:
    with suppress(OSError):
        disk.remove_folder(folder)


def why_not_writable(path: Path) -> str:
    """Why a file may not be replaced. One without a single write bit is meant to stay, whoever we are."""
    try:
        was = path.stat()
    except FileNotFoundError:
        return _folder_problem(path.resolve().parent)
    if not stat.S_ISREG(was.st_mode):
        return "it is not a file"
    if not was.st_mode & 0o222 or not os.access(path, os.W_OK):
        return f"no permission to write it (owner: {_owner(was.st_uid)})"
    return _folder_problem(path.resolve().parent)


def _folder_problem(folder: Path) -> str:
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir():
        return f"{folder} is not a folder"
    return "" if os.access(folder, os.W_OK | os.X_OK) else f"no permission to write in {folder}"


def _owner(number: int) -> str:
    try:
        import pwd  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        return str(number)
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def backup_for(path: Path, data: bytes) -> Path:
    """Where a backup of these bytes belongs: the first `NAME.lane-1`, `-2` … that is free, or holds them already."""
    n = 1
    while True:
        candidate = path.with_name(f"{path.name}{BACKUP}{n}")
        there = read(candidate)
        if there is None or there == data:
            return candidate
        n += 1


def backups_of(path: Path) -> list[Path]:
    prefix = path.name + BACKUP
    try:
        names = sorted(name for name in os.listdir(path.parent) if name.startswith(prefix))  # noqa: PTH208
    except FileNotFoundError:
        return []
    return [path.with_name(name) for name in names if name.removeprefix(prefix).isdigit()]


def synced_by(folder: Path) -> str:
    """The sync tool whose folder this lies in, or ""."""
    for part in folder.parts:
        if any(part.lower().startswith(name) for name in SYNCED):
            return part
    for above in (folder, *folder.parents):
        if any((above / mark).exists() for mark in SYNC_MARKS):
            return f"a sync tool ({above.name})"
    return ""
