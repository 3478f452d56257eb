"""Forgetting for good: words out of the Journal, then the bytes of the Run. What a kill interrupts is finished later.

An empty file `forgetting/RUN` is durable before the first byte goes and is the last thing to go.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from memlane.archive.layout import Layout
from memlane.archive.past import without_words_of
from memlane.disk import Disk


def begin_forgetting(disk: Disk, layout: Layout, run: str) -> None:
    disk.make_folders(layout.forgetting, layout.base)
    disk.replace(layout.forgetting / run, b"")


def being_forgotten(disk: Disk, layout: Layout) -> Sequence[str]:
    try:
        return sorted(entry.name for entry in disk.list(layout.forgetting) if not entry.name.endswith(".tmp"))
    except FileNotFoundError:
        return ()


def forget_bytes(disk: Disk, layout: Layout, run: str, spoken_for: Collection[str] = ()) -> None:
    """Can be said again; what is gone stays gone. `spoken_for`: Memories that other Runs speak for too."""
    without_words_of(disk, layout, run, spoken_for)
    folder = layout.find(run)
    if folder is not None:
        _remove(disk, folder)
        disk.sync_folder(folder.parent)


def forgotten(disk: Disk, layout: Layout, run: str) -> None:
    disk.unlink(layout.forgetting / run)
    disk.sync_folder(layout.forgetting)


def _remove(disk: Disk, folder: Path) -> None:
    for entry in list(disk.list(folder)):
        if entry.is_dir(follow_symlinks=False):
            _remove(disk, folder / entry.name)
        else:
            disk.unlink(folder / entry.name)
    disk.remove_folder(folder)
